// Iterator and its helpers (ECMA-262 2025, 27.1.3 and 27.1.4), which the engine does not have.
(function (host) {
  "use strict";
  const { apply, defineProperty, getPrototypeOf, construct } = Reflect;
  const { create } = Object;
  const { iterator: iteratorSymbol, toStringTag } = Symbol;
  const { trunc } = Math;
  const TypeErrorCtor = TypeError;
  const RangeErrorCtor = RangeError;
  const ObjectCtor = Object;
  const iteratorProto = getPrototypeOf(getPrototypeOf([][iteratorSymbol]()));
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");
  const { hide } = host;

  function Iterator() {
    if (new.target === undefined || new.target === Iterator) throw new TypeErrorCtor("Iterator is abstract: extend it, or use Iterator.from()");
    return construct(ObjectCtor, [], new.target);
  }
  defineProperty(Iterator, "prototype", { __proto__: null, value: iteratorProto, writable: false, enumerable: false, configurable: false });

  // These two are accessors, so that assigning to them makes an own property of the object at hand and changes
  // nothing for anybody else.
  const weird = (key, value) => {
    const pair = {
      get get() { return value; },
      set get(given) {
        if (!isObject(this)) throw new TypeErrorCtor("Iterator.prototype: this is no object");
        if (this === iteratorProto) throw new TypeErrorCtor("Iterator.prototype cannot be changed in this way");
        defineProperty(this, key, { __proto__: null, value: given, writable: true, enumerable: true, configurable: true });
      },
    };
    const own = ObjectCtor.getOwnPropertyDescriptor(pair, "get");
    defineProperty(iteratorProto, key, { __proto__: null, get: own.get, set: own.set, enumerable: false, configurable: true });
  };
  weird("constructor", Iterator);
  weird(toStringTag, "Iterator");

  // direct is an iterator with its next method, read once.
  const direct = (iterator) => {
    if (!isObject(iterator)) throw new TypeErrorCtor("Iterator.prototype: this is no object");
    return { __proto__: null, iterator, next: iterator.next };
  };
  const step = (d) => {
    const result = apply(d.next, d.iterator, []);
    if (!isObject(result)) throw new TypeErrorCtor("Iterator: next() gave something that is no object");
    return result;
  };
  const closeQuietly = (iterator) => {
    try {
      const f = iterator.return;
      if (f !== undefined && f !== null) apply(f, iterator, []);
    } catch { /* the first error counts */ }
  };
  const close = (iterator) => {
    const f = iterator.return;
    if (f === undefined || f === null) return;
    if (!isObject(apply(f, iterator, []))) throw new TypeErrorCtor("Iterator: return() gave something that is no object");
  };
  // guarded runs work; if it throws, the iterator is closed.
  const guarded = (iterator, work) => {
    try {
      return work();
    } catch (error) {
      closeQuietly(iterator);
      throw error;
    }
  };
  const receiver = (value) => {
    if (!isObject(value)) throw new TypeErrorCtor("Iterator.prototype: this is no object");
    return value;
  };
  const callable = (iterator, f, what) => {
    if (typeof f !== "function") {
      closeQuietly(iterator);
      throw new TypeErrorCtor(`Iterator.prototype.${what}: ${host.describe(f)} is not a function`);
    }
  };
  const limitOf = (iterator, value, what) => guarded(iterator, () => {
    const number = +value;
    if (number !== number) throw new RangeErrorCtor(`Iterator.prototype.${what}: ${host.describe(value)} is no number`);
    const limit = trunc(number);
    if (limit < 0) throw new RangeErrorCtor(`Iterator.prototype.${what}: ${host.describe(value)} is negative`);
    return limit;
  });

  // withState notes an object of ours that has state beside it, as built-ins have internal slots: it is no plain data.
  const stateful = new WeakSet();
  const { add: weakSetAdd, has: weakSetHas } = WeakSet.prototype;
  host.withState = (made) => { apply(weakSetAdd, stateful, [made]); };
  host.hasState = (value) => apply(weakSetHas, stateful, [value]);

  // helper is %IteratorHelperPrototype%. What an object does on next() and return() is kept beside it.
  const states = new WeakMap();
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const stateOf = (value) => {
    const state = isObject(value) ? apply(weakGet, states, [value]) : undefined;
    if (state === undefined) throw new TypeErrorCtor("Iterator helper: this is none");
    if (state.running) throw new TypeErrorCtor("Iterator helper: it is running already");
    return state;
  };
  const helperProto = create(iteratorProto);
  const methods = {
    next() {
      const state = stateOf(this);
      if (state.done) return { value: undefined, done: true };
      state.running = state.started = true;
      try {
        const result = state.advance();
        if (result === undefined) {
          state.done = true;
          return { value: undefined, done: true };
        }
        return { value: result.value, done: false };
      } catch (error) {
        state.done = true;
        throw error;
      } finally {
        state.running = false;
      }
    },
    return() {
      const state = stateOf(this);
      if (state.done) return { value: undefined, done: true };
      state.done = true;
      state.running = true;
      try {
        state.close();
      } finally {
        state.running = false;
      }
      return { value: undefined, done: true };
    },
  };
  hide(helperProto, "next", methods.next);
  hide(helperProto, "return", methods.return);
  defineProperty(helperProto, toStringTag, { __proto__: null, value: "Iterator Helper", writable: false, enumerable: false, configurable: true });
  const helper = (iterator, advance, closing) => {
    const made = create(helperProto);
    host.withState(made);
    apply(weakSet, states, [made, { __proto__: null, advance, close: closing === undefined ? () => close(iterator) : closing, done: false, running: false, started: false }]);
    return made;
  };

  // flattable gives the iterator of what flatMap's function or Iterator.from was given.
  const flattable = (value, texts) => {
    if (!isObject(value) && !(texts && typeof value === "string")) throw new TypeErrorCtor(`Iterator: ${host.describe(value)} is not iterable`);
    const method = value[iteratorSymbol];
    if (method !== undefined && method !== null && typeof method !== "function") throw new TypeErrorCtor("Iterator: [Symbol.iterator] is not a function");
    const iterator = method === undefined || method === null ? value : apply(method, value, []);
    return direct(iterator);
  };

  const proto = {
    map(f) {
      const iterator = receiver(this);
      callable(iterator, f, "map");
      const d = direct(iterator);
      let i = 0;
      return helper(iterator, () => {
        const s = step(d);
        if (s.done) return undefined;
        const { value } = s;
        return guarded(iterator, () => ({ __proto__: null, value: f(value, i++) }));
      });
    },
    filter(f) {
      const iterator = receiver(this);
      callable(iterator, f, "filter");
      const d = direct(iterator);
      let i = 0;
      return helper(iterator, () => {
        for (;;) {
          const s = step(d);
          if (s.done) return undefined;
          const { value } = s;
          if (guarded(iterator, () => f(value, i++))) return { __proto__: null, value };
        }
      });
    },
    take(limit) {
      const iterator = receiver(this);
      let left = limitOf(iterator, limit, "take");
      const d = direct(iterator);
      return helper(iterator, () => {
        if (left === 0) {
          close(iterator);
          return undefined;
        }
        left -= 1;
        const s = step(d);
        return s.done ? undefined : { __proto__: null, value: s.value };
      });
    },
    drop(limit) {
      const iterator = receiver(this);
      let left = limitOf(iterator, limit, "drop");
      const d = direct(iterator);
      return helper(iterator, () => {
        for (;;) {
          const s = step(d);
          if (s.done) return undefined;
          if (left === 0) return { __proto__: null, value: s.value };
          left -= 1;
        }
      });
    },
    flatMap(f) {
      const iterator = receiver(this);
      callable(iterator, f, "flatMap");
      const d = direct(iterator);
      let i = 0;
      let inner;
      return helper(iterator, () => {
        for (;;) {
          if (inner === undefined) {
            const s = step(d);
            if (s.done) return undefined;
            const { value } = s;
            inner = guarded(iterator, () => flattable(f(value, i++), false));
          }
          const result = guarded(iterator, () => {
            const s = step(inner);
            return s.done ? undefined : { __proto__: null, value: s.value };
          });
          if (result !== undefined) return result;
          inner = undefined;
        }
      }, () => {
        if (inner !== undefined) guarded(iterator, () => close(inner.iterator));
        close(iterator);
      });
    },
    reduce(f, ...initial) {
      const iterator = receiver(this);
      callable(iterator, f, "reduce");
      const d = direct(iterator);
      let accumulator;
      let i = 0;
      if (initial.length > 0) {
        accumulator = initial[0];
      } else {
        const s = step(d);
        if (s.done) throw new TypeErrorCtor("Iterator.prototype.reduce: nothing to begin with");
        accumulator = s.value;
        i = 1;
      }
      for (;;) {
        const s = step(d);
        if (s.done) return accumulator;
        const { value } = s;
        accumulator = guarded(iterator, () => f(accumulator, value, i++));
      }
    },
    toArray() {
      const d = direct(receiver(this));
      const list = [];
      for (;;) {
        const s = step(d);
        if (s.done) return list;
        defineProperty(list, list.length, { __proto__: null, value: s.value, writable: true, enumerable: true, configurable: true });
      }
    },
    forEach(f) {
      const iterator = receiver(this);
      callable(iterator, f, "forEach");
      const d = direct(iterator);
      for (let i = 0; ; i += 1) {
        const s = step(d);
        if (s.done) return undefined;
        const { value } = s;
        guarded(iterator, () => f(value, i));
      }
    },
  };
  const search = (what, verdict, otherwise) => function (f) {
    const iterator = receiver(this);
    callable(iterator, f, what);
    const d = direct(iterator);
    for (let i = 0; ; i += 1) {
      const s = step(d);
      if (s.done) return otherwise;
      const { value } = s;
      const found = verdict(guarded(iterator, () => f(value, i)), value);
      if (found !== undefined) {
        close(iterator);
        return found.value;
      }
    }
  };
  const some = search("some", (passed) => (passed ? { __proto__: null, value: true } : undefined), false);
  const every = search("every", (passed) => (passed ? undefined : { __proto__: null, value: false }), true);
  const find = search("find", (passed, value) => (passed ? { __proto__: null, value } : undefined), undefined);
  const install = (name, f, length) => {
    hide(iteratorProto, name, host.named(f, name, length));
  };
  for (const name of ["map", "filter", "take", "drop", "flatMap", "reduce", "forEach"]) install(name, proto[name], 1);
  install("toArray", proto.toArray, 0);
  install("some", some, 1);
  install("every", every, 1);
  install("find", find, 1);

  // Iterator.from gives what is an Iterator as it is, and wraps anything else.
  const wrapProto = create(iteratorProto);
  const wrapped = new WeakMap();
  const wraps = (value) => {
    const d = isObject(value) ? apply(weakGet, wrapped, [value]) : undefined;
    if (d === undefined) throw new TypeErrorCtor("Iterator: this is none that Iterator.from made");
    return d;
  };
  const wrapMethods = {
    next() {
      const d = wraps(this);
      return apply(d.next, d.iterator, []);
    },
    return() {
      const { iterator } = wraps(this);
      const f = iterator.return;
      if (f === undefined || f === null) return { value: undefined, done: true };
      return apply(f, iterator, []);
    },
  };
  hide(wrapProto, "next", wrapMethods.next);
  hide(wrapProto, "return", wrapMethods.return);
  const statics = {
    from(value) {
      const d = flattable(value, true);
      for (let o = d.iterator; o !== null; o = getPrototypeOf(o)) {
        if (getPrototypeOf(o) === iteratorProto) return d.iterator;
      }
      const made = create(wrapProto);
      host.withState(made);
      apply(weakSet, wrapped, [made, d]);
      return made;
    },
  };
  hide(Iterator, "from", statics.from);
  defineProperty(globalThis, "Iterator", { __proto__: null, value: Iterator, writable: true, enumerable: false, configurable: true });
});
