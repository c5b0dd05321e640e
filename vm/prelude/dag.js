// dag(nodes): functions that wait for each other. As in fanout.js, frames are entered and left around the
// author's functions, and all waiting happens outside of them.
(function (host) {
  "use strict";
  const P = Promise;
  const { isArray } = Array;
  const shown = 10; // ids at each end of a long cycle
  const reserved = { __proto__: null, ["__proto__"]: true, constructor: true, prototype: true };

  // read checks all nodes before any starts, and gives them as {id, run, needs} with places for ids, and with
  // the places of those that need them.
  const read = (nodes) => {
    if (!isArray(nodes)) {
      throw host.typeError(`dag: the argument is ${host.describe(nodes)}; it has to be an array of nodes {id, dependsOn, run}`);
    }
    host.checkFanOut(nodes.length);
    const given = host.elements(nodes);
    const n = given.length;
    const list = host.nulls(n);
    const places = { __proto__: null };
    for (let i = 0; i < n; i += 1) {
      const node = host.options(`dag: node ${i}`, given[i], "id", "dependsOn", "run");
      const { id } = node;
      if (typeof id !== "string" || id === "") throw host.typeError(`dag: the id of node ${i} is ${host.describe(id)}; it has to be a text that is not empty`);
      if (reserved[id]) throw host.typeError(`dag: the id ${host.describe(id)} is reserved`);
      if (places[id] !== undefined) throw host.typeError(`dag: two nodes have the id ${host.describe(id)}`);
      if (typeof node.run !== "function") throw host.typeError(`dag: run of node ${host.describe(id)} is ${host.describe(node.run)}; it has to be a function`);
      places[id] = i;
      list[i] = {
        __proto__: null, id, run: node.run, dependsOn: node.dependsOn, needs: undefined, neededBy: undefined, needers: 0,
        left: 0, status: "waiting", value: undefined, error: undefined,
      };
    }
    for (let i = 0; i < n; i += 1) {
      const { id, dependsOn } = list[i];
      if (dependsOn !== undefined && !isArray(dependsOn)) throw host.typeError(`dag: dependsOn of node ${host.describe(id)} is ${host.describe(dependsOn)}; it has to be an array of ids`);
      const needs = dependsOn === undefined ? host.nulls(0) : host.elements(dependsOn);
      for (let k = 0; k < needs.length; k += 1) {
        const place = typeof needs[k] === "string" ? places[needs[k]] : undefined;
        if (place === undefined) throw host.typeError(`dag: node ${host.describe(id)} depends on ${host.describe(needs[k])}, and no node has that id${host.nearest(needs[k], places)}`);
        needs[k] = place;
        list[place].needers += 1;
      }
      list[i].needs = needs;
      list[i].left = needs.length;
    }
    for (let i = 0; i < n; i += 1) list[i].neededBy = host.nulls(list[i].needers);
    for (let i = n - 1; i >= 0; i -= 1) {
      const { needs } = list[i];
      for (let k = 0; k < needs.length; k += 1) {
        const before = list[needs[k]];
        before.needers -= 1;
        before.neededBy[before.needers] = i;
      }
    }
    refuseCycle(list);
    return list;
  };

  // refuseCycle follows what nodes need, from each node, and prints the first way back to where it came by.
  const refuseCycle = (list) => {
    const n = list.length;
    const seen = host.nulls(n); // null: not yet; 1: on the way; 2: leads to no cycle
    const way = host.nulls(n);
    const next = host.nulls(n);
    for (let start = 0; start < n; start += 1) {
      if (seen[start] !== null) continue;
      let depth = 0;
      way[0] = start;
      next[0] = 0;
      seen[start] = 1;
      while (depth >= 0) {
        const { needs } = list[way[depth]];
        if (next[depth] === needs.length) {
          seen[way[depth]] = 2;
          depth -= 1;
          continue;
        }
        const to = needs[next[depth]];
        next[depth] += 1;
        if (seen[to] === 2) continue;
        if (seen[to] === 1) {
          let from = depth;
          while (way[from] !== to) from -= 1;
          let text = list[to].id;
          for (let k = from + 1; k <= depth; k += 1) {
            // Of a long way both ends.
            if (k - from > shown && depth - k >= shown) text += k - from === shown + 1 ? ` → … (${depth - from - 2 * shown} more)` : "";
            else text += ` → ${list[way[k]].id}`;
          }
          throw host.typeError(`dag: a cycle: ${text} → ${list[to].id}`);
        }
        depth += 1;
        way[depth] = to;
        next[depth] = 0;
        seen[to] = 1;
      }
    }
  };

  // outcome is what dag gives: everything by id, in the order of the nodes.
  const outcome = (list) => {
    const results = {};
    const status = {};
    const errors = {};
    let ok = true;
    let skips = 0;
    for (let i = 0; i < list.length; i += 1) {
      const node = list[i];
      host.define(status, node.id, node.status);
      if (node.status === "completed") {
        host.define(results, node.id, node.value);
        continue;
      }
      ok = false;
      if (node.status === "failed") host.define(errors, node.id, host.message(node.error));
      else skips += 1;
    }
    const skipped = host.nulls(skips);
    for (let i = list.length - 1; i >= 0; i -= 1) {
      if (list[i].status === "skipped") {
        skips -= 1;
        skipped[skips] = list[i].id;
      }
    }
    return { results, status, errors, skipped, ok };
  };

  // run starts what waits for nothing, and then what each end sets free. A node that ends looks only at those
  // that need it, and what a failure skips is worked off from a list, so that a chain may be as long as a dag.
  const run = (fan, list) => new P((resolve, reject) => {
    const n = list.length;
    let left = n;
    let stopped = false; // a fatal error has rejected the whole; nothing starts any more
    const queue = host.nulls(n);

    const ended = (first) => {
      let end = 1;
      queue[0] = first;
      for (let q = 0; q < end; q += 1) {
        const { status, neededBy } = list[queue[q]];
        left -= 1;
        for (let k = 0; k < neededBy.length && !stopped; k += 1) {
          const node = list[neededBy[k]];
          if (node.status !== "waiting") continue;
          node.left -= 1;
          if (status !== "completed") {
            node.status = "skipped";
            queue[end] = neededBy[k];
            end += 1;
          } else if (node.left === 0) {
            begin(neededBy[k]);
          }
        }
      }
      if (left === 0) resolve(outcome(list));
    };

    const collect = async (i, promise) => {
      const node = list[i];
      try {
        node.value = await promise;
        node.status = "completed";
      } catch (error) {
        if (host.isFatal(error)) {
          stopped = true;
          reject(error);
          return;
        }
        node.error = error;
        node.status = "failed";
        if (!stopped) host.nodeFailed(fan, node.id, error);
      }
      if (!stopped) ended(i);
    };

    const begin = (i) => {
      const node = list[i];
      node.status = "running";
      const deps = {};
      for (let d = 0; d < node.needs.length; d += 1) host.define(deps, list[node.needs[d]].id, list[node.needs[d]].value);
      const work = node.run;
      let promise;
      host.enterNode(fan, node.id);
      try {
        promise = P.resolve(work(deps));
      } catch (error) {
        promise = P.reject(error);
      } finally {
        host.leave();
      }
      if (host.isLost(promise)) stopped = true;
      host.enterNone();
      try {
        collect(i, promise);
      } finally {
        host.leave();
      }
    };

    if (n === 0) resolve(outcome(list));
    for (let i = 0; i < n && !stopped; i += 1) {
      if (list[i].left === 0) begin(i);
    }
  });

  host.global("dag", (nodes) => new P((resolve) => {
    const fan = host.fan("dag");
    host.frameHere(fan);
    resolve(run(fan, read(nodes)));
  }), 1);
});
