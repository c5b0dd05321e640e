// What uses of built-ins read of all that a script can change, and what they give if all the rest of it is useless.
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys, getPrototypeOf } = Reflect;
const textOf = String;
const { stringify } = JSON;
const { isView } = ArrayBuffer;
const AsyncFunction = (async () => {}).constructor;
const uses = USES;

const slots = [];
const seen = new Set();
const walk = (object, path) => {
  if (object === null || (typeof object !== "object" && typeof object !== "function") || seen.has(object)) return;
  seen.add(object);
  const later = [];
  for (const key of ownKeys(object)) {
    const own = { __proto__: null, ...getOwnPropertyDescriptor(object, key) };
    const name = path === "" ? textOf(key) : `${path}.${textOf(key)}`;
    if (own.configurable && !(typeof object === "function" && (key === "name" || key === "length"))) slots.push({ object, key, own, name });
    later.push([own.value, name]);
  }
  for (const [value, name] of later) walk(value, name);
  walk(getPrototypeOf(object), `${path}.__proto__`);
};
walk(globalThis, "");
walk(async () => {}, "async");
walk(function* () {}, "generator");
for (const [name, made] of [
  ["ArrayIterator", [].values()], ["MapIterator", new Map().keys()], ["SetIterator", new Set().keys()], ["StringIterator", ""[Symbol.iterator]()],
  ["RegExpStringIterator", "".matchAll(/x/g)], ["IteratorHelper", [].values().map((x) => x)], ["WrapForIterator", Iterator.from({ next() {} })],
  ["SearchParamsIterator", new URLSearchParams().keys()],
]) walk(getPrototypeOf(made), name);

// Names that objects of the language's own code could be asked for although they are not there.
for (const key of [
  "get", "set", "value", "writable", "enumerable", "configurable", "next", "done", "return", "throw", "index", "input", "groups", "indices",
  "lastIndex", "message", "name", "cause", "code", "size", "source", "flags", "exec", "list", "url", "iterator", "advance", "close", "running",
  "state", "result", "read", "written", "k", "v", "key", "id", "ok", "run", "dependsOn", "status", "default", "headless", "decision", "toJSON",
  "promise", "resolve", "reject", "matcher", "unicode", "global", "0", "1", "2", "3", "-1", "apply", "construct", "phase", "label", "schema",
  "feedback", "until", "attempts", "raw", "stack", "length", "maxByteLength", "fatal", "ignoreBOM", "stream", "transfer",
  Symbol.iterator, Symbol.asyncIterator, Symbol.toPrimitive, Symbol.species, Symbol.match, Symbol.matchAll,
  Symbol.replace, Symbol.search, Symbol.split, Symbol.hasInstance, Symbol.isConcatSpreadable, Symbol.toStringTag, Symbol.unscopables,
]) {
  if (getOwnPropertyDescriptor(Object.prototype, key) === undefined) slots.push({ object: Object.prototype, key, own: { __proto__: null }, name: `Object.prototype.${textOf(key)}` });
}
for (const key of ["0", "1", "2", "3"]) slots.push({ object: Array.prototype, key, own: { __proto__: null }, name: `Array.prototype.${key}` });

const shown = (value) => stringify(value, (_, v) => {
  if (isView(v)) return Array.from(new Uint8Array(v.buffer, v.byteOffset, v.byteLength));
  if (v instanceof ArrayBuffer) return Array.from(new Uint8Array(v));
  if (v instanceof Error) return `${v.name}: ${v.message}`;
  if (v instanceof Map || v instanceof Set) return [...v];
  if (v instanceof RegExp || typeof v === "bigint") return textOf(v);
  return v === undefined ? "undefined" : v;
});
const later = uses.map((use) => use.constructor === AsyncFunction);
let armed = false;
// outcome does not wait for what is no promise: the engine asks whatever is awaited for its constructor.
const outcome = async (i, before, after) => {
  let value;
  before();
  armed = true;
  try {
    value = later[i] ? await uses[i]() : uses[i]();
  } catch (error) {
    value = error;
  }
  armed = false;
  after();
  return shown(value);
};
const nothing = () => {};
const results = [];
for (let i = 0; i < uses.length; i += 1) results.push({ first: await outcome(i, nothing, nothing), second: "", third: "", reads: [] });

// With an accessor in the place of every property. The engine fills descriptors and the results of iterators in by assignment; that
// does not count.
const made = { __proto__: null, get: true, set: true, value: true, writable: true, enumerable: true, configurable: true, done: true };
const hit = slots.map(() => false);
const took = (i) => {
  if (armed) hit[i] = true;
};
const restore = (slot) => {
  if (ownKeys(slot.own).length === 0) deleteProperty(slot.object, slot.key);
  else defineProperty(slot.object, slot.key, slot.own);
};
for (let i = 0; i < slots.length; i += 1) {
  const { object, key, own } = slots[i];
  defineProperty(object, key, {
    get() {
      took(i);
      return own.get === undefined ? own.value : apply(own.get, this, []);
    },
    set(value) {
      if (made[key] === undefined) took(i);
      if (own.set !== undefined) apply(own.set, this, [value]);
      else defineProperty(this, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    },
    __proto__: null, configurable: true, enumerable: false,
  });
}
for (let i = 0; i < uses.length; i += 1) {
  results[i].second = await outcome(i, () => { for (let k = 0; k < slots.length; k += 1) hit[k] = false; }, nothing);
  results[i].read = slots.filter((_, k) => hit[k]);
}
for (let i = 0; i < slots.length; i += 1) restore(slots[i]);

// With something useless in the place of every property that was not read.
const useless = { __proto__: null, value: () => { throw "useless"; }, writable: true, configurable: true, enumerable: false };
for (let i = 0; i < uses.length; i += 1) {
  const read = new Set(results[i].read);
  const rest = slots.filter((slot) => !read.has(slot));
  results[i].third = await outcome(i, () => { for (let k = 0; k < rest.length; k += 1) defineProperty(rest[k].object, rest[k].key, useless); }, () => { for (let k = 0; k < rest.length; k += 1) restore(rest[k]); });
  results[i].reads = [...read].map(({ name }) => name);
  delete results[i].read;
}
return results;
