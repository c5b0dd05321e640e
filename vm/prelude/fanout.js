// parallel and pipeline. They are JavaScript because the host must never call back into it: frames are
// entered and left around the call of the author's function, and nothing here looks up anything
// that a script could have changed.
(function (host) {
  "use strict";
  const P = Promise;
  const { isArray } = Array;

  // run starts work(i) for every i in a frame of its own, and collects what they give. The waiting
  // happens outside any frame, so that it takes no strand away from the author's code. Once a fatal error has
  // rejected the whole, nothing more is started: neither here nor by work, which can ask the second argument.
  const run = (fan, n, work) => new P((resolve, reject) => {
    const results = host.nulls(n);
    const whole = { __proto__: null, stopped: false };
    let left = n;
    const collect = async (i, promise) => {
      try {
        results[i] = await promise;
      } catch (error) {
        if (host.isFatal(error)) {
          whole.stopped = true;
          reject(error);
          return;
        }
        if (whole.stopped) return;
        host.failed(fan, i, error);
      }
      left -= 1;
      if (left === 0) resolve(results);
    };
    if (n === 0) resolve(results);
    for (let i = 0; i < n && !whole.stopped; i += 1) {
      let promise;
      host.enter(fan, i);
      try {
        promise = P.resolve(work(i, whole));
      } catch (error) {
        promise = P.reject(error);
      } finally {
        host.leave();
      }
      if (host.isLost(promise)) whole.stopped = true;
      host.enterNone();
      try {
        collect(i, promise);
      } finally {
        host.leave();
      }
    }
  });

  const copy = (list) => {
    const n = list.length;
    host.checkFanOut(n);
    const items = host.nulls(n);
    for (let i = 0; i < n; i += 1) items[i] = list[i];
    return items;
  };

  const refuseItem = (name, what, i, item) => {
    if (host.isPromise(item)) {
      throw host.typeError(`${name}: ${what} ${i} is a promise, so it has started already; pass functions: ${name}([() => agent(…)])`);
    }
    throw host.typeError(`${name}: ${what} ${i} is ${host.describe(item)}; it has to be a function`);
  };

  const attempt = (work) => new P((resolve) => resolve(work()));

  const helpers = {
    parallel(thunks) {
      return attempt(() => {
        const fan = host.fan("parallel");
        if (!isArray(thunks)) {
          throw host.typeError(`parallel: the argument is ${host.describe(thunks)}; it has to be an array of functions`);
        }
        const list = copy(thunks);
        for (let i = 0; i < list.length; i += 1) {
          if (typeof list[i] !== "function") refuseItem("parallel", "item", i, list[i]);
        }
        return run(fan, list.length, (i) => {
          const thunk = list[i];
          return thunk();
        });
      });
    },
    pipeline(items, ...stages) {
      return attempt(() => {
        const fan = host.fan("pipeline");
        if (!isArray(items)) {
          throw host.typeError(`pipeline: the first argument is ${host.describe(items)}; it has to be an array of items`);
        }
        for (let i = 0; i < stages.length; i += 1) {
          if (typeof stages[i] !== "function") refuseItem("pipeline", "stage", i, stages[i]);
        }
        const list = copy(items);
        return run(fan, list.length, async (i, whole) => {
          const item = list[i];
          let value = item;
          for (let s = 0; s < stages.length && !whole.stopped; s += 1) {
            const stage = stages[s];
            value = await stage(value, item, i);
            if (value === null) break;
          }
          return value;
        });
      });
    },
    // start runs the author's body in the root frame, and leaves nothing behind.
    start(body, args, meta) {
      let ended;
      host.enterRoot();
      try {
        ended = body(args, meta);
      } finally {
        host.leave();
      }
      host.then(ended);
    },
    // child runs the body of another workflow in a frame of its own.
    child(body, args, meta, returned, failed) {
      let ended;
      host.enterWorkflow();
      try {
        ended = body(args, meta);
      } catch (error) {
        ended = P.reject(error);
      } finally {
        host.leave();
      }
      host.thenSettle(ended, returned, failed);
    },
  };
  // each is parallel for our own helpers, with frames of its own name.
  host.each = (name, n, work) => run(host.fan(name), n, work);
  host.helpers(helpers.parallel, helpers.pipeline, helpers.start, helpers.child);
});
