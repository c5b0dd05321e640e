// Built-ins of ECMAScript that the engine does not have yet. They go through the protocols that the standard names (iterators,
// constructors), and for everything else use what stands here, not what a script may have made of it.
(function (host) {
  "use strict";
  const { apply, construct, defineProperty, ownKeys } = Reflect;
  const { iterator: iteratorSymbol, asyncIterator: asyncIteratorSymbol } = Symbol;
  const { get: mapGet, set: mapSet, has: mapHas } = Map.prototype;
  const { min, trunc } = Math;
  const ArrayCtor = Array;
  const MapCtor = Map;
  const ObjectCtor = Object;
  const TypeErrorCtor = TypeError;
  const { hide } = host;
  const install = (target, methods, lengths) => {
    for (const name in lengths) {
      hide(target, name, host.named(methods[name], name, lengths[name]));
    }
  };
  const put = (target, key, value) => {
    if (!defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true })) {
      throw new TypeErrorCtor("cannot define a property of the result");
    }
  };
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");
  const callable = (f, what) => {
    if (typeof f !== "function") throw new TypeErrorCtor(`${what}: ${host.describe(f)} is not a function`);
  };

  // group calls add(key, item) for every item.
  const group = (items, key, what, add) => {
    if (items === undefined || items === null) throw new TypeErrorCtor(`${what}: ${items} is not iterable`);
    callable(key, what);
    let i = 0;
    for (const item of items) {
      add(key(item, i), item);
      i += 1;
    }
  };
  install(Object, {
    groupBy(items, key) {
      const groups = { __proto__: null };
      group(items, key, "Object.groupBy", (value, item) => {
        const name = ownKeys({ __proto__: null, [value]: 0 })[0]; // as a property's key
        if (groups[name] === undefined) groups[name] = [];
        put(groups[name], groups[name].length, item);
      });
      return groups;
    },
  }, { groupBy: 2 });
  install(Map, {
    groupBy(items, key) {
      const groups = new MapCtor();
      group(items, key, "Map.groupBy", (value, item) => {
        if (!apply(mapHas, groups, [value])) apply(mapSet, groups, [value, []]);
        const list = apply(mapGet, groups, [value]);
        put(list, list.length, item);
      });
      return groups;
    },
  }, { groupBy: 2 });

  // capability makes a promise of a constructor that may be a subclass.
  const capability = (C) => {
    const made = { promise: undefined, resolve: undefined, reject: undefined };
    made.promise = new C((resolve, reject) => {
      if (made.resolve !== undefined || made.reject !== undefined) throw new TypeErrorCtor("the promise has its functions already");
      made.resolve = resolve;
      made.reject = reject;
    });
    callable(made.resolve, "the resolve function");
    callable(made.reject, "the reject function");
    return made;
  };
  install(Promise, {
    withResolvers() { return capability(this); },
    try(work, ...args) {
      if (!isObject(this)) throw new TypeErrorCtor("Promise.try was called on something that is no constructor");
      const made = capability(this);
      let value;
      try {
        callable(work, "Promise.try");
        value = apply(work, undefined, args);
      } catch (error) {
        apply(made.reject, undefined, [error]);
        return made.promise;
      }
      apply(made.resolve, undefined, [value]);
      return made.promise;
    },
  }, { withResolvers: 0, try: 1 });

  const text = (value) => {
    if (value === undefined || value === null) throw new TypeErrorCtor("String.prototype method called on null or undefined");
    return `${value}`;
  };
  install(String.prototype, {
    isWellFormed() {
      const s = text(this);
      return host.wellFormed(s) === s;
    },
    toWellFormed() { return host.wellFormed(text(this)); },
  }, { isWellFormed: 0, toWellFormed: 0 });

  const method = (target, key) => {
    const f = target[key];
    if (f === undefined || f === null) return undefined;
    callable(f, "Array.fromAsync");
    return f;
  };
  const isConstructor = (f) => {
    try {
      construct(ObjectCtor, [], f);
      return true;
    } catch {
      return false;
    }
  };
  const length = (list) => {
    const n = trunc(+list.length);
    return n > 0 ? min(n, 9007199254740991) : 0;
  };
  // close ends an iteration early. What the iterator says to that does not matter: the first error counts.
  const close = async (iterator) => {
    try {
      const f = method(iterator, "return");
      if (f !== undefined) await apply(f, iterator, []);
    } catch { /* the first error counts */ }
  };
  const collect = async (C, items, map, self) => {
    if (map !== undefined) callable(map, "Array.fromAsync");
    if (items === undefined || items === null) throw new TypeErrorCtor(`Array.fromAsync: ${items} is not iterable`);
    const later = method(items, asyncIteratorSymbol);
    const now = later === undefined ? method(items, iteratorSymbol) : undefined;
    const own = isConstructor(C);
    if (later === undefined && now === undefined) {
      const list = ObjectCtor(items);
      const n = length(list);
      const result = own ? new C(n) : new ArrayCtor(n);
      for (let i = 0; i < n; i += 1) {
        let value = await list[i];
        if (map !== undefined) value = await apply(map, self, [value, i]);
        put(result, i, value);
      }
      result.length = n;
      return result;
    }
    const result = own ? new C() : [];
    const iterator = apply(later === undefined ? now : later, items, []);
    if (!isObject(iterator)) throw new TypeErrorCtor("Array.fromAsync: the iterator is no object");
    const { next } = iterator;
    for (let i = 0; ; i += 1) {
      let step = apply(next, iterator, []);
      if (later !== undefined) step = await step;
      if (!isObject(step)) throw new TypeErrorCtor("Array.fromAsync: the iterator gave something that is no object");
      if (step.done) {
        result.length = i;
        return result;
      }
      let { value } = step;
      try {
        if (later === undefined) value = await value;
        if (map !== undefined) value = await apply(map, self, [value, i]);
        put(result, i, value);
      } catch (error) {
        await close(iterator);
        throw error;
      }
    }
  };
  install(Array, {
    fromAsync(items, map, self) { return collect(this, items, map, self); },
  }, { fromAsync: 1 });
  install(Math, { f16round(x) { return host.f16round(+x); } }, { f16round: 1 });
});
