// Proxies of functions, of which the engine gets two things wrong.
(function (host) {
  "use strict";
  const { apply, defineProperty, get, getPrototypeOf } = Reflect;
  const { hasInstance: hasInstanceSymbol } = Symbol;
  const TypeErrorCtor = TypeError;
  const { hide, named } = host;
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");

  // The list of arguments that a trap gets is a window into the engine's stack, and changes once the trap has returned. So the traps
  // of a function's Proxy are called with a copy. And instanceof does not take such a Proxy for a function.
  const NativeProxy = Proxy;
  const { revocable } = NativeProxy;
  const nativeInstance = Function.prototype[hasInstanceSymbol];
  const instances = {
    [hasInstanceSymbol](value) {
      if (typeof this !== "function" || !isObject(value)) return false;
      const { prototype } = this;
      if (!isObject(prototype)) throw new TypeErrorCtor("instanceof: the function's prototype is no object");
      for (let o = getPrototypeOf(value); o !== null; o = getPrototypeOf(o)) if (o === prototype) return true;
      return false;
    },
  };
  const lists = { __proto__: null, apply: 2, construct: 1 };
  const copied = (handler) => new NativeProxy({ __proto__: null }, {
    __proto__: null,
    get(_, key) {
      const trap = handler[key];
      if (key === "get" && (trap === undefined || trap === null || typeof trap === "function")) {
        return (target, name, self) => {
          const value = typeof trap === "function" ? apply(trap, handler, [target, name, self]) : get(target, name, self);
          return name === hasInstanceSymbol && value === nativeInstance ? instances[hasInstanceSymbol] : value;
        };
      }
      if (typeof trap !== "function") return trap;
      return function () {
        const given = [];
        for (let i = 0; i < arguments.length; i += 1) put(given, arguments[i]);
        const at = lists[key];
        if (at !== undefined) {
          const list = [];
          for (let i = 0; i < given[at].length; i += 1) put(list, given[at][i]);
          given[at] = list;
        }
        return apply(trap, handler, given);
      };
    },
  });
  const put = (list, value) =>
    defineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  const safe = (target, handler) => (typeof target === "function" && isObject(handler) ? copied(handler) : handler);
  const proxies = {
    Proxy: function (target, handler) {
      if (new.target === undefined) throw new TypeErrorCtor("Proxy is a constructor: write new Proxy(…)");
      return new NativeProxy(target, safe(target, handler));
    },
    revocable(target, handler) { return revocable(target, safe(target, handler)); },
  };
  const Guarded = named(proxies.Proxy, "Proxy", 2);
  Guarded.prototype = undefined; // so that it cannot be extended
  hide(Guarded, "revocable", proxies.revocable);
  hide(globalThis, "Proxy", Guarded);
});
