// What scripts know from browsers and Node and that needs no world: TextEncoder, TextDecoder, atob, btoa, URL,
// URLSearchParams. The texts are worked on by the host; here are the objects around them.
(function (host) {
  "use strict";
  const { apply, defineProperty, getPrototypeOf, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { create } = Object;
  const { propertyIsEnumerable: isEnumerable } = Object.prototype;
  const { iterator: iteratorSymbol, toStringTag } = Symbol;
  const ErrorCtor = Error;
  const TypeErrorCtor = TypeError;
  const RangeErrorCtor = RangeError;
  const Uint8ArrayCtor = Uint8Array;
  const typedProto = getPrototypeOf(Uint8Array.prototype);
  const getter = (target, key) => getOwnPropertyDescriptor(target, key).get;
  const typedName = getter(typedProto, toStringTag);
  const typedBuffer = getter(typedProto, "buffer");
  const typedOffset = getter(typedProto, "byteOffset");
  const typedLength = getter(typedProto, "length");
  const typedBytes = getter(typedProto, "byteLength");
  const viewBuffer = getter(DataView.prototype, "buffer");
  const viewOffset = getter(DataView.prototype, "byteOffset");
  const viewBytes = getter(DataView.prototype, "byteLength");
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
    constructor() { host.withState(this); }
    get encoding() { return "utf-8"; }
    encode(text = "") { return new Uint8ArrayCtor(host.encode(`${text}`)); }
    encodeInto(text, into) {
      const s = `${text}`;
      if (apply(typedName, into, []) !== "Uint8Array") throw new TypeErrorCtor("TextEncoder.encodeInto: the second argument has to be a Uint8Array");
      return host.encodeInto(s, apply(typedBuffer, into, []), apply(typedOffset, into, []), apply(typedLength, into, []));
    }
  }
  tag(TextEncoder.prototype, "TextEncoder");
  // viewed gives the buffer of a DataView, and undefined for anything else.
  const viewed = (value) => {
    try {
      return apply(viewBuffer, value, []);
    } catch {
      return undefined;
    }
  };
  // bytesOf gives what a buffer or a view of one holds as a buffer of its own.
  const bytesOf = (source) => {
    if (apply(typedName, source, []) !== undefined) return host.bytes(apply(typedBuffer, source, []), apply(typedOffset, source, []), apply(typedBytes, source, []));
    if (host.isBuffer(source)) return source;
    const buffer = viewed(source);
    if (buffer !== undefined) return host.bytes(buffer, apply(viewOffset, source, []), apply(viewBytes, source, []));
    throw new TypeErrorCtor("TextDecoder.decode: the argument has to be an ArrayBuffer, a typed array or a DataView");
  };
  class TextDecoder {
    #fatal;
    #ignoreBOM;
    constructor(label = "utf-8", options = undefined) {
      host.withState(this);
      if (!host.isUTF8(`${label}`)) throw new RangeErrorCtor(`TextDecoder: ${host.describe(label)} is no encoding that is known here; utf-8 is`);
      const o = options === undefined || options === null ? { __proto__: null } : options;
      this.#fatal = !!o.fatal;
      this.#ignoreBOM = !!o.ignoreBOM;
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
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");
  const sequence = (items, iterate) => {
    if (typeof iterate !== "function") throw new TypeErrorCtor("URLSearchParams: each pair has to have a name and a value");
    const list = [];
    const iterator = apply(iterate, items, []);
    const { next } = iterator;
    for (;;) {
      const step = apply(next, iterator, []);
      if (!isObject(step)) throw new TypeErrorCtor("URLSearchParams: the iterator gave something that is no object");
      if (step.done) return list;
      put(list, step.value);
    }
  };
  const fromPairs = (list, init, iterate) => {
    const pairs = sequence(init, iterate);
    for (let i = 0; i < pairs.length; i += 1) {
      const parts = sequence(pairs[i], isObject(pairs[i]) ? pairs[i][iteratorSymbol] : undefined);
      if (parts.length !== 2) throw new TypeErrorCtor("URLSearchParams: each pair has to have a name and a value");
      put(list, usv(parts[0]));
      put(list, usv(parts[1]));
    }
  };
  class URLSearchParams {
    constructor(init = "") {
      const state = { __proto__: null, list: [], url: undefined };
      host.withState(this);
      apply(weakSet, lists, [this, state]);
      if (isObject(init)) {
        const iterate = init[iteratorSymbol];
        if (iterate !== undefined && iterate !== null) {
          fromPairs(state.list, init, iterate);
        } else {
          const keys = ownKeys(init);
          for (let i = 0; i < keys.length; i += 1) {
            if (!apply(isEnumerable, init, [keys[i]])) continue;
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
      const n = usv(name);
      const v = usv(value);
      put(state.list, n);
      put(state.list, v);
      state.url?.();
    }
    delete(name, value = undefined) {
      const state = listOf(this);
      const n = usv(name);
      const v = value === undefined ? undefined : usv(value);
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
      const n = usv(name);
      const v = value === undefined ? undefined : usv(value);
      for (let i = 0; i < list.length; i += 2) if (list[i] === n && (v === undefined || list[i + 1] === v)) return true;
      return false;
    }
    set(name, value) {
      const state = listOf(this);
      const n = usv(name);
      const v = usv(value);
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
    entries() { return walk(this, (list, i) => [list[i], list[i + 1]]); }
    keys() { return walk(this, (list, i) => list[i]); }
    values() { return walk(this, (list, i) => list[i + 1]); }
  }
  // walk gives an iterator over what there is at the time of each step.
  const walks = new WeakMap();
  const walkProto = create(getPrototypeOf(getPrototypeOf([][iteratorSymbol]())));
  const walk = (params, show) => {
    const made = create(walkProto);
    host.withState(made);
    apply(weakSet, walks, [made, { __proto__: null, pairs: listOf(params), show, next: 0 }]);
    return made;
  };
  const steps = {
    next() {
      const state = apply(weakGet, walks, [this]);
      if (state === undefined) throw new TypeErrorCtor("URLSearchParams Iterator: this is none");
      const { list } = state.pairs;
      if (state.next >= list.length) return { value: undefined, done: true };
      const value = state.show(list, state.next);
      state.next += 2;
      return { value, done: false };
    },
  };
  defineProperty(walkProto, "next", { __proto__: null, value: steps.next, writable: true, enumerable: true, configurable: true });
  tag(walkProto, "URLSearchParams Iterator");
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
      host.withState(this);
      this.#href = href;
    }
    static canParse(url, base = undefined) {
      return host.urlParse(usv(url), base === undefined ? undefined : usv(base)) !== null;
    }
    static parse(url, base = undefined) {
      const text = usv(url);
      const from = base === undefined ? undefined : usv(base);
      return host.urlParse(text, from) === null ? null : new URL(text, from);
    }
    #query() { return host.without(host.urlGet(this.#href, "search"), "?"); }
    #changed(href) {
      this.#href = href;
      if (this.#params !== undefined) listOf(this.#params).list = host.formParse(this.#query());
    }
    #set(part, value) { this.#changed(host.urlSet(this.#href, part, usv(value))); }
    get href() { return this.#href; }
    set href(value) {
      const href = host.urlParse(usv(value));
      if (href === null) throw invalid(value);
      this.#changed(href);
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
        this.#params = new URLSearchParams();
        listOf(this.#params).list = host.formParse(this.#query());
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
