// structuredClone: HTML, sections 2.7.3 and 2.7.6, in one walk. Data of all kinds, also with cycles, and each thing once, so that
// views of one buffer still share it. What a thing is the host says, whatever it says of itself.
(function (host) {
  "use strict";
  const { apply, construct, defineProperty, getPrototypeOf, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { hasOwn } = Object;
  const { isArray } = Array;
  const ErrorCtor = Error;
  const TypeErrorCtor = TypeError;
  const MapCtor = Map;
  const SetCtor = Set;
  const DateCtor = Date;
  const RegExpCtor = RegExp;
  const DataViewCtor = DataView;
  const ObjectCtor = Object;
  const unboxed = { __proto__: null, Boolean: Boolean.prototype.valueOf, Number: Number.prototype.valueOf, String: String.prototype.valueOf, BigInt: BigInt.prototype.valueOf };
  const errors = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const typedArrays = {
    __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array,
  };
  const getter = (target, key) => getOwnPropertyDescriptor(target, key).get;
  const reading = (target, length) => ({ __proto__: null, buffer: getter(target, "buffer"), offset: getter(target, "byteOffset"), length: getter(target, length) });
  const typedProto = getPrototypeOf(Uint8Array.prototype);
  const typedName = getter(typedProto, Symbol.toStringTag);
  const readTyped = reading(typedProto, "length");
  const readView = reading(DataView.prototype, "byteLength");
  const { getTime: dateTime } = Date.prototype;
  const { get: mapGet, set: mapSet, has: mapHas, forEach: mapForEach } = Map.prototype;
  const { add: setAdd, forEach: setForEach } = Set.prototype;

  const uncloneable = (value) => {
    const e = new ErrorCtor(`structuredClone: ${host.describe(value)} cannot be cloned`);
    defineProperty(e, "name", { __proto__: null, value: "DataCloneError", writable: true, configurable: true });
    return e;
  };
  const hidden = (target, key, value) => defineProperty(target, key, { __proto__: null, value, writable: true, configurable: true });
  const put = (target, key, value) => defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });

  const clone = (value, seen) => {
    if (typeof value === "symbol" || typeof value === "function") throw uncloneable(value);
    if (value === null || typeof value !== "object") return value;
    if (apply(mapHas, seen, [value])) return apply(mapGet, seen, [value]);
    const remember = (copy) => {
      apply(mapSet, seen, [value, copy]);
      return copy;
    };
    // A view of a buffer that is gone has nowhere to look.
    const view = (Ctor, read) => {
      const buffer = clone(apply(read.buffer, value, []), seen);
      return remember(construct(Ctor, [buffer, apply(read.offset, value, []), apply(read.length, value, [])]));
    };
    const kind = host.cloneKind(value);
    switch (kind) {
      case "Boolean": case "Number": case "String": case "BigInt": return remember(ObjectCtor(apply(unboxed[kind], value, [])));
      case "Date": return remember(new DateCtor(apply(dateTime, value, [])));
      case "RegExp": return remember(new RegExpCtor(host.regexpText(value), host.regexpFlags(value)));
      case "ArrayBuffer": {
        if (host.detached(value)) throw uncloneable(value);
        return remember(host.bytes(value));
      }
      case "DataView": return view(DataViewCtor, readView);
      case "TypedArray": return view(typedArrays[apply(typedName, value, [])], readTyped);
      case "Map": {
        const copy = remember(new MapCtor());
        const pairs = [];
        apply(mapForEach, value, [(v, k) => { put(pairs, pairs.length, { k, v }); }]);
        for (let i = 0; i < pairs.length; i += 1) apply(mapSet, copy, [clone(pairs[i].k, seen), clone(pairs[i].v, seen)]);
        return copy;
      }
      case "Set": {
        const copy = remember(new SetCtor());
        const items = [];
        apply(setForEach, value, [(v) => { put(items, items.length, { v }); }]);
        for (let i = 0; i < items.length; i += 1) apply(setAdd, copy, [clone(items[i].v, seen)]);
        return copy;
      }
      case "Error": {
        const { name } = value;
        const C = typeof name !== "string" || errors[name] === undefined ? ErrorCtor : errors[name];
        const message = getOwnPropertyDescriptor(value, "message");
        const copy = remember(message === undefined || !hasOwn(message, "value") ? new C() : new C(`${message.value}`));
        const { stack } = value;
        if (typeof stack === "string") hidden(copy, "stack", stack);
        const cause = getOwnPropertyDescriptor(value, "cause");
        if (cause !== undefined && hasOwn(cause, "value")) hidden(copy, "cause", clone(cause.value, seen));
        return copy;
      }
      case "Array": case "Object": {
        if (host.hasState(value)) throw uncloneable(value);
        const copy = remember(kind === "Array" ? [] : {});
        if (kind === "Array") copy.length = value.length;
        const keys = ownKeys(value);
        for (let i = 0; i < keys.length; i += 1) {
          const key = keys[i];
          if (typeof key !== "string") continue;
          const own = getOwnPropertyDescriptor(value, key);
          if (own === undefined || !own.enumerable) continue;
          put(copy, key, clone(value[key], seen));
        }
        return copy;
      }
      default: throw uncloneable(value);
    }
  };

  // options: a list of what is handed over and not copied. Nothing can be; an empty list asks for nothing.
  const refuseTransfer = (options) => {
    if (options === undefined || options === null) return;
    if (typeof options !== "object" && typeof options !== "function") throw new TypeErrorCtor("structuredClone: the second argument has to be an object");
    const { transfer } = options;
    if (transfer === undefined || isArray(transfer) && transfer.length === 0) return;
    throw host.typeError("structuredClone: transfer is not available; everything is copied");
  };
  const cloning = {
    structuredClone(value, options = undefined) {
      if (arguments.length === 0) throw new TypeErrorCtor("structuredClone: 1 argument is needed");
      refuseTransfer(options);
      return clone(value, new MapCtor());
    },
  };
  host.global("structuredClone", cloning.structuredClone, 1);
});
