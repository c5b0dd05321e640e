// Regular expressions (ECMA-262 22.2). The host reads patterns and matches; what the engine holds as a pattern is the host's key.
(function (host) {
  "use strict";
  const Native = RegExp;
  const proto = Native.prototype;
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { match: matchSymbol, matchAll: matchAllSymbol, replace: replaceSymbol, search: searchSymbol, split: splitSymbol, species: speciesSymbol } = Symbol;
  const nativeCompile = proto.compile;
  const stringProto = String.prototype;
  const { slice } = stringProto;
  const { min, trunc } = Math;
  const { is } = Object;
  const TypeErrorCtor = TypeError;
  const { hide } = host;
  const { put } = host;
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");
  const looksLikeRegExp = (value) => {
    if (!isObject(value)) return false;
    const matcher = value[matchSymbol];
    return matcher === undefined ? host.isRegExp(value) : !!matcher;
  };
  const text = (value) => (value === undefined ? "" : `${value}`);
  const whole = (value) => {
    const n = trunc(+value);
    return n === n ? n : 0; // NaN is 0
  };
  const length = (value) => {
    const n = whole(value);
    return n > 0 ? min(n, 9007199254740991) : 0;
  };
  const receiver = (value, name) => {
    if (!isObject(value)) throw new TypeErrorCtor(`RegExp.prototype${name} was called on something that is no object`);
  };

  const Guarded = {
    RegExp: function (pattern, flags) {
      const like = looksLikeRegExp(pattern);
      if (new.target === undefined && like && flags === undefined && pattern.constructor === Guarded) return pattern;
      let source = pattern;
      let wanted = flags;
      if (host.isRegExp(pattern)) {
        source = host.regexpText(pattern);
        if (flags === undefined) wanted = host.regexpFlags(pattern);
      } else if (like) {
        source = pattern.source;
        if (flags === undefined) wanted = pattern.flags;
      }
      const target = new.target === undefined ? Guarded : new.target;
      source = text(source);
      wanted = text(wanted);
      return construct(Native, [host.pattern(source, wanted), host.engineFlags(wanted)], target);
    },
  }.RegExp;
  defineProperty(Guarded, "length", { __proto__: null, value: 2, configurable: true });
  defineProperty(Guarded, "prototype", { __proto__: null, value: proto, writable: false, enumerable: false, configurable: false });
  const species = getOwnPropertyDescriptor({ get [speciesSymbol]() { return this; } }, speciesSymbol).get;
  defineProperty(Guarded, speciesSymbol, { __proto__: null, get: species, enumerable: false, configurable: true });
  const statics = {
    escape(source) {
      if (typeof source !== "string") throw host.typeError(`RegExp.escape: ${host.describe(source)} is not a string`);
      return host.regexpEscape(source);
    },
  };
  hide(Guarded, "escape", statics.escape);
  hide(proto, "constructor", Guarded);
  hide(globalThis, "RegExp", Guarded);

  // The accessors, exec and test are the host's: they are called most.
  const ownExec = host.regexpNatives();
  const methods = {
    toString() {
      receiver(this, ".toString");
      return `/${this.source}/${this.flags}`;
    },
    compile(pattern, flags) {
      const other = host.isRegExp(pattern);
      if (other && flags !== undefined) throw new TypeErrorCtor("RegExp.prototype.compile takes no flags with a regular expression");
      const source = other ? host.regexpText(pattern) : text(pattern);
      const wanted = other ? host.regexpFlags(pattern) : text(flags);
      if (!host.isRegExp(this)) throw new TypeErrorCtor("RegExp.prototype.compile: this is no regular expression");
      const key = host.pattern(source, wanted);
      host.regexpChanged(this);
      return host.regexpChanged(apply(nativeCompile, this, [key, host.engineFlags(wanted)]));
    },
  };
  const exec = (expression, s) => {
    const f = expression.exec;
    if (typeof f !== "function") return apply(ownExec, expression, [s]);
    const result = apply(f, expression, [s]);
    if (result !== null && !isObject(result)) throw new TypeErrorCtor("RegExp: exec() gave something that is neither an object nor null");
    return result;
  };
  const has = (flags, wanted) => {
    for (let i = 0; i < flags.length; i += 1) if (flags[i] === wanted) return true;
    return false;
  };
  const byCharacter = (flags) => has(flags, "u") || has(flags, "v");
  const after = (s, index, unicode) => (unicode && index < s.length && host.codePointAt(s, index) > 0xffff ? index + 2 : index + 1);
  const speciesOf = (expression) => {
    const C = expression.constructor;
    if (C === undefined) return Guarded;
    if (!isObject(C)) throw new TypeErrorCtor("RegExp: the constructor is no object");
    const S = C[speciesSymbol];
    return S === undefined || S === null ? Guarded : S;
  };
  // ordinary says that nothing of the script's would be called: the host can look for one match after the other.
  const ordinary = (expression) => host.isRegExp(expression) && expression.exec === ownExec;

  const protocol = {
    [matchSymbol](string) {
      receiver(this, "[Symbol.match]");
      const s = `${string}`;
      const flags = `${this.flags}`;
      if (!has(flags, "g")) return exec(this, s);
      if (ordinary(this) && flags === host.regexpFlags(this)) {
        this.lastIndex = 0;
        return host.regexpTexts(this, s);
      }
      const unicode = byCharacter(flags);
      this.lastIndex = 0;
      const found = [];
      for (;;) {
        const result = exec(this, s);
        if (result === null) return found.length === 0 ? null : found;
        const matched = `${result[0]}`;
        put(found, matched);
        if (matched === "") this.lastIndex = after(s, length(this.lastIndex), unicode);
      }
    },
    [matchAllSymbol](string) {
      receiver(this, "[Symbol.matchAll]");
      const s = `${string}`;
      const C = speciesOf(this);
      const flags = `${this.flags}`;
      const matcher = new C(this, flags);
      matcher.lastIndex = length(this.lastIndex);
      const iterator = { __proto__: iteratorProto };
      host.withState(iterator);
      apply(weakSet, states, [iterator, { __proto__: null, matcher, s, global: has(flags, "g"), unicode: byCharacter(flags), done: false }]);
      return iterator;
    },
    [searchSymbol](string) {
      receiver(this, "[Symbol.search]");
      const s = `${string}`;
      const before = this.lastIndex;
      if (!is(before, 0)) this.lastIndex = 0;
      const result = exec(this, s);
      if (!is(this.lastIndex, before)) this.lastIndex = before;
      return result === null ? -1 : result.index;
    },
    [splitSymbol](string, limit) {
      receiver(this, "[Symbol.split]");
      const s = `${string}`;
      const C = speciesOf(this);
      const flags = `${this.flags}`;
      if (C === Guarded && ordinary(this) && flags === host.regexpFlags(this)) return host.regexpSplit(this, s, limit === undefined ? 4294967295 : limit >>> 0);
      const unicode = byCharacter(flags);
      const splitter = new C(this, has(flags, "y") ? flags : flags + "y");
      const parts = [];
      const most = limit === undefined ? 4294967295 : limit >>> 0;
      if (most === 0) return parts;
      if (s === "") {
        if (exec(splitter, s) === null) put(parts, s);
        return parts;
      }
      // next gives the first match that starts at from or later; one at the end of the text does not count.
      const next = (from) => {
        for (let at = from; at < s.length; at = after(s, at, unicode)) {
          splitter.lastIndex = at;
          const result = exec(splitter, s);
          if (result !== null) return { at, end: min(length(splitter.lastIndex), s.length), result };
        }
        return null;
      };
      let last = 0;
      let from = 0;
      for (;;) {
        const found = from < s.length ? next(from) : null;
        if (found === null) break;
        if (found.end === last) {
          from = after(s, found.at, unicode);
          continue;
        }
        put(parts, apply(slice, s, [last, found.at]));
        if (parts.length === most) return parts;
        last = found.end;
        from = last;
        const captures = length(found.result.length);
        for (let i = 1; i < captures; i += 1) {
          put(parts, found.result[i]);
          if (parts.length === most) return parts;
        }
      }
      put(parts, apply(slice, s, [last]));
      return parts;
    },
    [replaceSymbol](string, replacement) {
      receiver(this, "[Symbol.replace]");
      const s = `${string}`;
      const call = typeof replacement === "function";
      const template = call ? "" : `${replacement}`;
      const flags = `${this.flags}`;
      const global = has(flags, "g");
      if (global) this.lastIndex = 0;
      if (ordinary(this) && flags === host.regexpFlags(this)) return host.regexpReplace(this, s, call ? replacement : template);
      const unicode = byCharacter(flags);
      const results = [];
      for (;;) {
        const result = exec(this, s);
        if (result === null) break;
        put(results, result);
        if (!global) break;
        if (`${result[0]}` === "") this.lastIndex = after(s, length(this.lastIndex), unicode);
      }
      const out = []; // joined at the end: the engine copies a text whenever something is added
      let done = 0;
      for (let i = 0; i < results.length; i += 1) {
        const result = results[i];
        const count = length(result.length);
        const captures = [`${result[0]}`];
        const position = min(whole(result.index), s.length);
        const at = position > 0 ? position : 0;
        for (let n = 1; n < count; n += 1) {
          const capture = result[n];
          put(captures, capture === undefined ? capture : `${capture}`);
        }
        const matched = captures[0].length;
        let { groups } = result;
        let inserted;
        if (call) {
          put(captures, at);
          put(captures, s);
          if (groups !== undefined) put(captures, groups);
          inserted = `${apply(replacement, undefined, captures)}`;
        } else {
          if (groups !== undefined) {
            if (groups === null) throw new TypeErrorCtor("RegExp: groups is null");
            groups = host.object(groups);
          }
          inserted = host.substitute(template, s, at, captures, groups);
        }
        if (at >= done) {
          put(out, apply(slice, s, [done, at]));
          put(out, inserted);
          done = at + matched;
        }
      }
      if (done < s.length) put(out, apply(slice, s, [done]));
      return host.joined(out);
    },
  };

  const states = new WeakMap();
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const iteratorProto = { __proto__: Reflect.getPrototypeOf(Reflect.getPrototypeOf([][Symbol.iterator]())) };
  const steps = {
    next() {
      const state = isObject(this) ? apply(weakGet, states, [this]) : undefined;
      if (state === undefined) throw new TypeErrorCtor("RegExp String Iterator: next() was called on something else");
      if (state.done) return { value: undefined, done: true };
      const result = exec(state.matcher, state.s);
      if (result === null || !state.global) state.done = true;
      else if (`${result[0]}` === "") state.matcher.lastIndex = after(state.s, length(state.matcher.lastIndex), state.unicode);
      return result === null ? { value: undefined, done: true } : { value: result, done: false };
    },
  };
  hide(iteratorProto, "next", steps.next);
  defineProperty(iteratorProto, Symbol.toStringTag, { __proto__: null, value: "RegExp String Iterator", writable: false, enumerable: false, configurable: true });

  const all = [methods, protocol];
  for (let i = 0; i < all.length; i += 1) {
    const keys = Reflect.ownKeys(all[i]);
    for (let j = 0; j < keys.length; j += 1) hide(proto, keys[j], all[i][keys[j]]);
  }

  // These make an expression of a text by themselves.
  const everywhere = (self, pattern, name) => {
    if (self === undefined || self === null || !looksLikeRegExp(pattern)) return;
    const { flags } = pattern;
    if (flags === undefined || flags === null) throw new TypeErrorCtor(`String.prototype.${name}: the flags are undefined`);
    if (host.indexOf(`${flags}`, "g", 0) < 0) throw new TypeErrorCtor(`String.prototype.${name} needs a regular expression with the flag g`);
  };
  const replaced = (s, what, by, all) => host.replaceText(s, what, typeof by === "function" ? by : `${by}`, all);
  const own = (self, pattern, symbol) => {
    if (self === undefined || self === null) throw new TypeErrorCtor("String.prototype method called on null or undefined");
    if (!isObject(pattern)) return undefined;
    const f = pattern[symbol];
    if (f === undefined || f === null) return undefined;
    if (typeof f !== "function") throw new TypeErrorCtor(`${host.describe(f)} is not a function`);
    return f;
  };
  const strings = {
    match(pattern) {
      const f = own(this, pattern, matchSymbol);
      if (f !== undefined) return apply(f, pattern, [this]);
      const s = `${this}`;
      return new Guarded(pattern)[matchSymbol](s);
    },
    replace(pattern, replacement) {
      const f = own(this, pattern, replaceSymbol);
      if (f !== undefined) return apply(f, pattern, [this, replacement]);
      return replaced(`${this}`, `${pattern}`, replacement, false);
    },
    replaceAll(pattern, replacement) {
      everywhere(this, pattern, "replaceAll");
      const f = own(this, pattern, replaceSymbol);
      if (f !== undefined) return apply(f, pattern, [this, replacement]);
      return replaced(`${this}`, `${pattern}`, replacement, true);
    },
    matchAll(pattern) {
      everywhere(this, pattern, "matchAll");
      const f = own(this, pattern, matchAllSymbol);
      if (f !== undefined) return apply(f, pattern, [this]);
      const s = `${this}`;
      return new Guarded(pattern, "g")[matchAllSymbol](s);
    },
    search(pattern) {
      const f = own(this, pattern, searchSymbol);
      if (f !== undefined) return apply(f, pattern, [this]);
      const s = `${this}`;
      return new Guarded(pattern)[searchSymbol](s);
    },
  };
  for (const name in strings) hide(stringProto, name, strings[name]);
});
