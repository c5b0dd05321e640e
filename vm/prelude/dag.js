// dag(nodes): functions that wait for each other. As in fanout.js, frames are entered and left around the
// author's functions, and all waiting happens outside of them.
(function (host) {
  "use strict";
  const P = Promise;
  const { isArray } = Array;
  const reserved = { __proto__: null, ["__proto__"]: true, constructor: true, prototype: true };

  // read checks all nodes before any starts, and gives them as {id, dependsOn, run} with places for ids.
  const read = (nodes) => {
    if (!isArray(nodes)) {
      throw host.typeError(`dag: the argument is ${host.describe(nodes)}; it has to be an array of nodes {id, dependsOn, run}`);
    }
    const n = nodes.length;
    host.checkFanOut(n);
    const list = host.nulls(n);
    const places = { __proto__: null };
    for (let i = 0; i < n; i += 1) {
      const node = host.options(`dag: node ${i}`, nodes[i], "id", "dependsOn", "run");
      const { id } = node;
      if (typeof id !== "string" || id === "") throw host.typeError(`dag: the id of node ${i} is ${host.describe(id)}; it has to be a text that is not empty`);
      if (reserved[id]) throw host.typeError(`dag: the id ${host.describe(id)} is reserved`);
      if (places[id] !== undefined) throw host.typeError(`dag: two nodes have the id ${host.describe(id)}`);
      if (typeof node.run !== "function") throw host.typeError(`dag: run of node ${host.describe(id)} is ${host.describe(node.run)}; it has to be a function`);
      places[id] = i;
      list[i] = { __proto__: null, id, run: node.run, given: node.dependsOn, needs: undefined, left: 0, status: "waiting", value: undefined, error: undefined };
    }
    for (let i = 0; i < n; i += 1) {
      const { id, given } = list[i];
      if (given !== undefined && !isArray(given)) throw host.typeError(`dag: dependsOn of node ${host.describe(id)} is ${host.describe(given)}; it has to be an array of ids`);
      const count = given === undefined ? 0 : given.length;
      host.checkFanOut(count);
      const needs = host.nulls(count);
      for (let k = 0; k < count; k += 1) {
        const place = typeof given[k] === "string" ? places[given[k]] : undefined;
        if (place === undefined) throw host.typeError(`dag: node ${host.describe(id)} depends on ${host.describe(given[k])}, and no node has that id`);
        needs[k] = place;
      }
      list[i].needs = needs;
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
          let text = list[to].id;
          for (let k = depth; way[k] !== to; k -= 1) text = `${list[way[k]].id} → ${text}`;
          throw host.typeError(`dag: a cycle: ${list[to].id} → ${text}`);
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

  const run = (fan, phase, list) => new P((resolve, reject) => {
    const n = list.length;
    let left = n;
    for (let i = 0; i < n; i += 1) list[i].left = list[i].needs.length;

    const ended = (i) => {
      left -= 1;
      if (left === 0) {
        resolve(outcome(list));
        return;
      }
      const failed = list[i].status !== "completed";
      for (let k = 0; k < n; k += 1) {
        const node = list[k];
        if (node.status !== "waiting") continue;
        let waits = false;
        for (let d = 0; d < node.needs.length; d += 1) {
          if (node.needs[d] === i) {
            waits = true;
            node.left -= 1;
          }
        }
        if (!waits) continue;
        if (failed) {
          node.status = "skipped";
          ended(k);
        } else if (node.left === 0) {
          begin(k);
        }
      }
    };

    const collect = async (i, promise) => {
      try {
        list[i].value = await promise;
        list[i].status = "completed";
      } catch (error) {
        if (host.isFatal(error)) {
          reject(error);
          return;
        }
        list[i].error = error;
        list[i].status = "failed";
        host.nodeFailed(fan, list[i].id, error);
      }
      ended(i);
    };

    const begin = (i) => {
      const node = list[i];
      node.status = "running";
      const deps = {};
      for (let d = 0; d < node.needs.length; d += 1) host.define(deps, list[node.needs[d]].id, list[node.needs[d]].value);
      const work = node.run;
      let promise;
      host.enterNode(fan, node.id, phase);
      try {
        promise = P.resolve(work(deps));
      } catch (error) {
        promise = P.reject(error);
      } finally {
        host.leave();
      }
      host.enterNone();
      try {
        collect(i, promise);
      } finally {
        host.leave();
      }
    };

    if (n === 0) resolve(outcome(list));
    for (let i = 0; i < n; i += 1) {
      if (list[i].status === "waiting" && list[i].left === 0) begin(i);
    }
  });

  host.global("dag", (nodes) => new P((resolve) => {
    const fan = host.fan("dag");
    resolve(run(fan, host.phaseHere(), read(nodes)));
  }), 1);
});
