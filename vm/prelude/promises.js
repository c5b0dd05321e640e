// Promise.any gives one error for many. That it holds a fatal one must be known before a script can look at it, and
// take it out: so the error passes through the host on its way to the promise.
(function (host) {
  "use strict";
  const { apply, construct, defineProperty } = Reflect;
  const nativeAny = Promise.any;
  const TypeErrorCtor = TypeError;
  const promises = {
    any(iterable) {
      const C = this;
      // The constructor that the native one is told of: makes promises of C, and knows how they are rejected.
      const Gathering = function (executor) {
        return construct(C, [(resolve, reject) => executor(resolve, (error) => reject(host.gathered(error)))]);
      };
      defineProperty(Gathering, "resolve", {
        __proto__: null,
        get() {
          const { resolve } = C;
          if (typeof resolve !== "function") throw new TypeErrorCtor("Promise.any: resolve is not a function");
          return (value) => apply(resolve, C, [value]);
        },
      });
      return apply(nativeAny, Gathering, [iterable]);
    },
  };
  host.hide(Promise, "any", host.named(promises.any, "any", 1));
});
