// Built-ins that a helper or the host depends on are fixed, and those that could overflow the host's stack or
// memory in one step get a limit. Everything else stays as ECMAScript has it, and extensible.
(function (host) {
  "use strict";
  const { apply, defineProperty, deleteProperty } = Reflect;
  const { freeze } = Object;
  const { isArray } = Array;
  const TypeErrorCtor = TypeError;
  const { hide } = host;

  freeze(Promise);
  freeze(Promise.prototype);

  // Whoever could put a `then` on these would be asked for every answer that is an object. Ordinary
  // objects can still be given one.
  const objectProto = Object.prototype;
  const arrayProto = Array.prototype;
  const then = {
    get then() { return undefined; },
    set then(value) {
      if (this === objectProto || this === arrayProto || this === null || typeof this !== "object" && typeof this !== "function" ||
        !defineProperty(this, "then", { __proto__: null, value, writable: true, enumerable: true, configurable: true })) {
        throw new TypeErrorCtor("cannot set property then of this object");
      }
    },
  };
  const accessor = Object.getOwnPropertyDescriptor(then, "then");
  const guard = { __proto__: null, get: accessor.get, set: accessor.set, enumerable: false, configurable: false };
  defineProperty(objectProto, "then", guard);
  defineProperty(arrayProto, "then", guard);

  // JSON: the host's own reader and writer, with a limit on depth.
  const walk = (holder, key, reviver) => {
    const value = holder[key];
    if (value !== null && typeof value === "object") {
      const keys = isArray(value) ? host.indices(value) : host.keys(value);
      for (let i = 0; i < keys.length; i += 1) {
        const inner = walk(value, keys[i], reviver);
        if (inner === undefined) deleteProperty(value, keys[i]);
        else defineProperty(value, keys[i], { __proto__: null, value: inner, writable: true, enumerable: true, configurable: true });
      }
    }
    return apply(reviver, holder, [key, value]);
  };
  const json = {
    parse(text, reviver) {
      const value = host.parse(`${text}`);
      if (typeof reviver !== "function") return value;
      const holder = {};
      host.define(holder, "", value);
      return walk(holder, "", reviver);
    },
  };
  hide(JSON, "parse", json.parse);
  hide(JSON, "stringify", host.stringify);
  // Newer than this edition, and the host's writer does not know them.
  delete JSON.rawJSON;
  delete JSON.isRawJSON;

  // Text that becomes code is measured first: goja's parser follows its nesting on the host's stack. eval sees
  // globals only, wherever it stands, as it does when it is called through another name.
  const { construct, setPrototypeOf, getPrototypeOf } = Reflect;
  const nativeEval = eval;
  const evaluate = {
    eval(text) {
      if (typeof text !== "string") return text;
      return nativeEval(host.checkSource(text));
    },
  };
  hide(globalThis, "eval", evaluate.eval);
  const guardFunction = (Native, name) => {
    const Guarded = {
      [name]: function () {
        const texts = host.nulls(arguments.length);
        for (let i = 0; i < texts.length; i += 1) {
          texts[i] = host.checkSource(`${arguments[i]}`);
        }
        return construct(Native, texts, new.target === undefined ? Guarded : new.target);
      },
    }[name];
    defineProperty(Guarded, "length", { __proto__: null, value: 1, configurable: true });
    defineProperty(Guarded, "prototype", { __proto__: null, value: Native.prototype, writable: false, enumerable: false, configurable: false });
    hide(Native.prototype, "constructor", Guarded);
    return Guarded;
  };
  const kinds = [async () => {}, function* () {}];
  const GuardedFunction = guardFunction(Function, "Function");
  hide(globalThis, "Function", GuardedFunction);
  for (let i = 0; i < kinds.length; i += 1) {
    const Native = getPrototypeOf(kinds[i]).constructor;
    setPrototypeOf(guardFunction(Native, Native.name), GuardedFunction);
  }

  const nativeArray = {
    join: arrayProto.join,
    toLocaleString: arrayProto.toLocaleString,
    flat: arrayProto.flat,
  };
  const holdsArray = (list) => {
    for (let i = 0; i < list.length; i += 1) if (isArray(list[i])) return true;
    return false;
  };
  // As functions of the script's language these count against the call depth when they recurse.
  const arrays = {
    join(separator) { return apply(nativeArray.join, this, arguments); },
    toLocaleString() { return apply(nativeArray.toLocaleString, this, arguments); },
    flat(depth) {
      const levels = depth === undefined ? 1 : +depth;
      if (!(levels > host.maxDepth)) return apply(nativeArray.flat, this, [levels]);
      let result = apply(nativeArray.flat, this, [1]);
      for (let i = 1; i < levels && holdsArray(result); i += 1) {
        if (i > host.maxDepth) host.tooDeep("the array");
        result = apply(nativeArray.flat, result, [1]);
      }
      return result;
    },
  };
  hide(arrayProto, "join", arrays.join);
  hide(arrayProto, "toLocaleString", arrays.toLocaleString);
  hide(arrayProto, "flat", arrays.flat);
  defineProperty(arrays.flat, "length", { __proto__: null, value: 0, configurable: true });

  const stringProto = String.prototype;
  const { repeat, padStart, padEnd } = stringProto;
  const text = (value) => {
    if (value === undefined || value === null) throw new TypeErrorCtor("String.prototype method called on null or undefined");
    return `${value}`;
  };
  const strings = {
    repeat(count) {
      const s = text(this);
      const n = +count;
      if (n >= 1 && s.length * n > host.maxString) host.tooLong("repeat");
      return apply(repeat, s, [n]);
    },
    padStart(length) {
      const s = text(this);
      const n = +length;
      if (n > host.maxString) host.tooLong("padStart");
      return arguments.length > 1 ? apply(padStart, s, [n, arguments[1]]) : apply(padStart, s, [n]);
    },
    padEnd(length) {
      const s = text(this);
      const n = +length;
      if (n > host.maxString) host.tooLong("padEnd");
      return arguments.length > 1 ? apply(padEnd, s, [n, arguments[1]]) : apply(padEnd, s, [n]);
    },
  };
  hide(stringProto, "repeat", strings.repeat);
  hide(stringProto, "padStart", strings.padStart);
  hide(stringProto, "padEnd", strings.padEnd);
});
