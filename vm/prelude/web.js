// What scripts know from browsers and Node and that needs no world: structuredClone, TextEncoder, TextDecoder,
// atob, btoa, URL, URLSearchParams. The texts are worked on by the host; here are the objects around them.
(function (host) {
  "use strict";
  const { apply, construct, defineProperty, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { iterator: iteratorSymbol, toStringTag } = Symbol;
  const ErrorCtor = Error;
  const TypeErrorCtor = TypeError;
  const RangeErrorCtor = RangeError;
  const Uint8ArrayCtor = Uint8Array;
  const MapCtor = Map;
  const SetCtor = Set;
  const DateCtor = Date;
  const RegExpCtor = RegExp;
  const ObjectCtor = Object;
  const unboxed = { __proto__: null, Boolean: Boolean.prototype.valueOf, Number: Number.prototype.valueOf, String: String.prototype.valueOf, BigInt: BigInt.prototype.valueOf };
  const errors = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const typedArrays = {
    __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array,
  };
  const typedProto = Object.getPrototypeOf(Uint8Array.prototype);
  const getter = (target, key) => getOwnPropertyDescriptor(target, key).get;
  const [typedName, typedBuffer, typedOffset, typedLength] = [getter(typedProto, toStringTag), getter(typedProto, "buffer"), getter(typedProto, "byteOffset"), getter(typedProto, "length")];
  const typedBytes = getter(typedProto, "byteLength");
  const [regexpSource, regexpFlags] = [getter(RegExp.prototype, "source"), getter(RegExp.prototype, "flags")];
  const { getTime: dateTime } = Date.prototype;
  const { slice: bufferSlice } = ArrayBuffer.prototype;
  const { get: mapGet, set: mapSet, has: mapHas, forEach: mapForEach } = Map.prototype;
  const { add: setAdd, forEach: setForEach } = Set.prototype;
  const global = (name, value) => host.global(name, value, value.length);
  const tag = (prototype, name) => defineProperty(prototype, toStringTag, { __proto__: null, value: name, configurable: true });
  const error = (name, message) => {
    const e = new ErrorCtor(message);
    defineProperty(e, "name", { __proto__: null, value: name, writable: true, configurable: true });
    return e;
  };

  // atob and btoa.
  const texts = {
    atob(data) {
      if (arguments.length === 0) throw new TypeErrorCtor("atob: 1 argument is needed");
      const decoded = host.atob(`${data}`);
      if (decoded === null) throw error("InvalidCharacterError", "atob: the text is not base64");
      return decoded;
    },
    btoa(data) {
      if (arguments.length === 0) throw new TypeErrorCtor("btoa: 1 argument is needed");
      const encoded = host.btoa(`${data}`);
      if (encoded === null) throw error("InvalidCharacterError", "btoa: the text has a character above U+00FF; encode it as UTF-8 first");
      return encoded;
    },
  };
  global("atob", texts.atob);
  global("btoa", texts.btoa);

  // TextEncoder and TextDecoder: UTF-8.
  class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(text = "") { return new Uint8ArrayCtor(host.encode(`${text}`)); }
    encodeInto(text, into) {
      if (apply(typedName, into, []) !== "Uint8Array") throw new TypeErrorCtor("TextEncoder.encodeInto: the second argument has to be a Uint8Array");
      const [bytes, read] = host.encodeInto(`${text}`, apply(typedLength, into, []));
      const from = new Uint8ArrayCtor(bytes);
      for (let i = 0; i < from.length; i += 1) into[i] = from[i];
      return { read, written: from.length };
    }
  }
  tag(TextEncoder.prototype, "TextEncoder");
  // bytesOf gives what a buffer or a view of one holds as a buffer of its own.
  const bytesOf = (source) => {
    if (apply(typedName, source, []) !== undefined) {
      const start = apply(typedOffset, source, []);
      return apply(bufferSlice, apply(typedBuffer, source, []), [start, start + apply(typedBytes, source, [])]);
    }
    if (host.kind(source) === "ArrayBuffer") return source;
    throw new TypeErrorCtor("TextDecoder.decode: the argument has to be an ArrayBuffer or a typed array");
  };
  class TextDecoder {
    #fatal;
    #ignoreBOM;
    constructor(label = "utf-8", options = undefined) {
      if (!host.isUTF8(`${label}`)) throw new RangeErrorCtor(`TextDecoder: ${host.describe(label)} is no encoding that is known here; utf-8 is`);
      const o = options === undefined || options === null ? { __proto__: null } : options;
      this.#fatal = Boolean(o.fatal);
      this.#ignoreBOM = Boolean(o.ignoreBOM);
    }
    get encoding() { return "utf-8"; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    decode(bytes = undefined, options = undefined) {
      if (options !== undefined && options !== null && options.stream) throw host.typeError("TextDecoder.decode: stream is not available; decode the whole text at once");
      const text = host.decode(bytes === undefined ? undefined : bytesOf(bytes), this.#fatal, this.#ignoreBOM);
      if (text === null) throw new TypeErrorCtor("TextDecoder.decode: the bytes are not UTF-8");
      return text;
    }
  }
  tag(TextDecoder.prototype, "TextDecoder");
  global("TextEncoder", TextEncoder);
  global("TextDecoder", TextDecoder);

  // structuredClone (HTML, section 2.7): data of all kinds, also with cycles.
  const uncloneable = (value) => error("DataCloneError", `structuredClone: ${host.describe(value)} cannot be cloned`);
  const { has: weakMapHas } = WeakMap.prototype;
  const { has: weakSetHas } = WeakSet.prototype;
  const isWeak = (value) => {
    const answers = (has) => {
      try {
        apply(has, value, [value]);
        return true;
      } catch {
        return false;
      }
    };
    return answers(weakMapHas) || answers(weakSetHas);
  };
  const clone = (value, seen) => {
    if (typeof value === "symbol" || typeof value === "function") throw uncloneable(value);
    if (value === null || typeof value !== "object") return value;
    if (apply(mapHas, seen, [value])) return apply(mapGet, seen, [value]);
    const remember = (copy) => {
      apply(mapSet, seen, [value, copy]);
      return copy;
    };
    const typed = apply(typedName, value, []);
    if (typed !== undefined) {
      const buffer = clone(apply(typedBuffer, value, []), seen);
      return remember(construct(typedArrays[typed], [buffer, apply(typedOffset, value, []), apply(typedLength, value, [])]));
    }
    const kind = host.kind(value);
    switch (kind) {
      case "Boolean": case "Number": case "String": case "BigInt": return remember(ObjectCtor(apply(unboxed[kind], value, [])));
      case "Date": return remember(new DateCtor(apply(dateTime, value, [])));
      case "RegExp": return remember(new RegExpCtor(apply(regexpSource, value, []), apply(regexpFlags, value, [])));
      case "ArrayBuffer": return remember(apply(bufferSlice, value, [0]));
      case "Map": {
        const copy = remember(new MapCtor());
        const pairs = [];
        apply(mapForEach, value, [(v, k) => { defineProperty(pairs, pairs.length, { __proto__: null, value: { k, v }, writable: true, enumerable: true, configurable: true }); }]);
        for (let i = 0; i < pairs.length; i += 1) apply(mapSet, copy, [clone(pairs[i].k, seen), clone(pairs[i].v, seen)]);
        return copy;
      }
      case "Set": {
        const copy = remember(new SetCtor());
        const items = [];
        apply(setForEach, value, [(v) => { defineProperty(items, items.length, { __proto__: null, value: { v }, writable: true, enumerable: true, configurable: true }); }]);
        for (let i = 0; i < items.length; i += 1) apply(setAdd, copy, [clone(items[i].v, seen)]);
        return copy;
      }
      case "Error": {
        const { name } = value;
        const C = errors[name] === undefined ? ErrorCtor : errors[name];
        const message = getOwnPropertyDescriptor(value, "message");
        const copy = remember(message === undefined || !("value" in message) ? new C() : new C(message.value));
        const { stack } = value;
        if (typeof stack === "string") defineProperty(copy, "stack", { __proto__: null, value: stack, writable: true, configurable: true });
        const cause = getOwnPropertyDescriptor(value, "cause");
        if (cause !== undefined && "value" in cause) defineProperty(copy, "cause", { __proto__: null, value: clone(cause.value, seen), writable: true, configurable: true });
        return copy;
      }
      case "Array": case "Object": case "Instance": {
        if (kind === "Instance" && isWeak(value)) throw uncloneable(value);
        const copy = remember(kind === "Array" ? [] : {});
        if (kind === "Array") copy.length = value.length;
        const keys = ownKeys(value);
        for (let i = 0; i < keys.length; i += 1) {
          const key = keys[i];
          if (typeof key !== "string") continue;
          const own = getOwnPropertyDescriptor(value, key);
          if (own === undefined || !own.enumerable) continue;
          defineProperty(copy, key, { __proto__: null, value: clone(value[key], seen), writable: true, enumerable: true, configurable: true });
        }
        return copy;
      }
      default: throw uncloneable(value);
    }
  };
  const cloning = {
    structuredClone(value, options = undefined) {
      if (arguments.length === 0) throw new TypeErrorCtor("structuredClone: 1 argument is needed");
      if (options !== undefined && options !== null && options.transfer !== undefined) throw host.typeError("structuredClone: transfer is not available; everything is copied");
      return clone(value, new MapCtor());
    },
  };
  global("structuredClone", cloning.structuredClone);

  // URLSearchParams: a list of pairs [name, value, name, value, …], kept without holes.
  const lists = new WeakMap();
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const listOf = (params) => {
    const list = apply(weakGet, lists, [params]);
    if (list === undefined) throw new TypeErrorCtor("URLSearchParams: this is none");
    return list;
  };
  const put = (list, value) => defineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  const usv = (value) => host.wellFormed(`${value}`);
  const fromPairs = (list, init) => {
    for (const pair of init) {
      const parts = [];
      for (const part of pair) put(parts, part);
      if (parts.length !== 2) throw new TypeErrorCtor("URLSearchParams: each pair has to have a name and a value");
      put(list, usv(parts[0]));
      put(list, usv(parts[1]));
    }
  };
  class URLSearchParams {
    constructor(init = "") {
      const state = { __proto__: null, list: [], url: undefined };
      apply(weakSet, lists, [this, state]);
      if (typeof init === "object" && init !== null || typeof init === "function") {
        const iterate = init[iteratorSymbol];
        if (iterate !== undefined && iterate !== null) {
          fromPairs(state.list, init);
        } else {
          const keys = ownKeys(init);
          for (let i = 0; i < keys.length; i += 1) {
            const own = getOwnPropertyDescriptor(init, keys[i]);
            if (own === undefined || !own.enumerable) continue;
            if (typeof keys[i] === "symbol") throw new TypeErrorCtor("URLSearchParams: a name cannot be a symbol");
            put(state.list, usv(keys[i]));
            put(state.list, usv(init[keys[i]]));
          }
        }
        return;
      }
      const text = usv(init);
      state.list = host.formParse(host.without(text, "?"));
    }
    get size() { return listOf(this).list.length / 2; }
    append(name, value) {
      const state = listOf(this);
      put(state.list, usv(name));
      put(state.list, usv(value));
      state.url?.();
    }
    delete(name, value = undefined) {
      const state = listOf(this);
      const [n, v] = [usv(name), value === undefined ? undefined : usv(value)];
      const kept = [];
      for (let i = 0; i < state.list.length; i += 2) {
        if (state.list[i] === n && (v === undefined || state.list[i + 1] === v)) continue;
        put(kept, state.list[i]);
        put(kept, state.list[i + 1]);
      }
      state.list = kept;
      state.url?.();
    }
    get(name) {
      const { list } = listOf(this);
      const n = usv(name);
      for (let i = 0; i < list.length; i += 2) if (list[i] === n) return list[i + 1];
      return null;
    }
    getAll(name) {
      const { list } = listOf(this);
      const n = usv(name);
      const found = [];
      for (let i = 0; i < list.length; i += 2) if (list[i] === n) put(found, list[i + 1]);
      return found;
    }
    has(name, value = undefined) {
      const { list } = listOf(this);
      const [n, v] = [usv(name), value === undefined ? undefined : usv(value)];
      for (let i = 0; i < list.length; i += 2) if (list[i] === n && (v === undefined || list[i + 1] === v)) return true;
      return false;
    }
    set(name, value) {
      const state = listOf(this);
      const [n, v] = [usv(name), usv(value)];
      const kept = [];
      let found = false;
      for (let i = 0; i < state.list.length; i += 2) {
        if (state.list[i] === n) {
          if (found) continue;
          found = true;
          put(kept, n);
          put(kept, v);
          continue;
        }
        put(kept, state.list[i]);
        put(kept, state.list[i + 1]);
      }
      if (!found) {
        put(kept, n);
        put(kept, v);
      }
      state.list = kept;
      state.url?.();
    }
    sort() {
      const state = listOf(this);
      state.list = host.formSort(state.list);
      state.url?.();
    }
    toString() { return host.formText(listOf(this).list); }
    forEach(visit, self = undefined) {
      if (typeof visit !== "function") throw new TypeErrorCtor("URLSearchParams.forEach: the argument has to be a function");
      for (let i = 0; i < listOf(this).list.length; i += 2) {
        const { list } = listOf(this);
        apply(visit, self, [list[i + 1], list[i], this]);
      }
    }
    *entries() {
      for (let i = 0; i < listOf(this).list.length; i += 2) yield [listOf(this).list[i], listOf(this).list[i + 1]];
    }
    *keys() {
      for (let i = 0; i < listOf(this).list.length; i += 2) yield listOf(this).list[i];
    }
    *values() {
      for (let i = 0; i < listOf(this).list.length; i += 2) yield listOf(this).list[i + 1];
    }
  }
  defineProperty(URLSearchParams.prototype, iteratorSymbol, { __proto__: null, value: URLSearchParams.prototype.entries, writable: true, configurable: true });
  tag(URLSearchParams.prototype, "URLSearchParams");
  global("URLSearchParams", URLSearchParams);

  // URL: the host parses and writes; an object keeps its href.
  const invalid = (text) => {
    const e = new TypeErrorCtor(`Invalid URL: ${host.describe(text)}`);
    defineProperty(e, "code", { __proto__: null, value: "ERR_INVALID_URL", writable: true, enumerable: true, configurable: true });
    return e;
  };
  class URL {
    #href;
    #params;
    constructor(url, base = undefined) {
      if (arguments.length === 0) throw new TypeErrorCtor("URL: 1 argument is needed");
      const text = usv(url);
      const href = host.urlParse(text, base === undefined ? undefined : usv(base));
      if (href === null) throw invalid(text);
      this.#href = href;
    }
    static canParse(url, base = undefined) {
      return host.urlParse(usv(url), base === undefined ? undefined : usv(base)) !== null;
    }
    static parse(url, base = undefined) {
      try {
        return base === undefined ? new URL(url) : new URL(url, base);
      } catch {
        return null;
      }
    }
    #set(part, value) {
      this.#href = host.urlSet(this.#href, part, usv(value));
      if (this.#params !== undefined) listOf(this.#params).list = host.formParse(host.without(this.search, "?"));
    }
    get href() { return this.#href; }
    set href(value) {
      const href = host.urlParse(usv(value));
      if (href === null) throw invalid(value);
      this.#href = href;
      if (this.#params !== undefined) listOf(this.#params).list = host.formParse(host.without(this.search, "?"));
    }
    get origin() { return host.urlGet(this.#href, "origin"); }
    get protocol() { return host.urlGet(this.#href, "protocol"); }
    set protocol(value) { this.#set("protocol", value); }
    get username() { return host.urlGet(this.#href, "username"); }
    set username(value) { this.#set("username", value); }
    get password() { return host.urlGet(this.#href, "password"); }
    set password(value) { this.#set("password", value); }
    get host() { return host.urlGet(this.#href, "host"); }
    set host(value) { this.#set("host", value); }
    get hostname() { return host.urlGet(this.#href, "hostname"); }
    set hostname(value) { this.#set("hostname", value); }
    get port() { return host.urlGet(this.#href, "port"); }
    set port(value) { this.#set("port", value); }
    get pathname() { return host.urlGet(this.#href, "pathname"); }
    set pathname(value) { this.#set("pathname", value); }
    get search() { return host.urlGet(this.#href, "search"); }
    set search(value) { this.#set("search", value); }
    get hash() { return host.urlGet(this.#href, "hash"); }
    set hash(value) { this.#set("hash", value); }
    get searchParams() {
      if (this.#params === undefined) {
        this.#params = new URLSearchParams(this.search);
        listOf(this.#params).url = () => {
          const text = host.formText(listOf(this.#params).list);
          this.#href = host.urlSet(this.#href, "search", text);
        };
      }
      return this.#params;
    }
    toString() { return this.#href; }
    toJSON() { return this.#href; }
  }
  tag(URL.prototype, "URL");
  global("URL", URL);
});
