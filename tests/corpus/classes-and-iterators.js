export const meta = { name: "classes-and-iterators", description: "classes, private fields, generators, iterator helpers" };
class Queue {
  #items = [];
  static of(...items) { const q = new this(); items.forEach((i) => q.add(i)); return q; }
  add(item) { this.#items.push(item); return this; }
  *[Symbol.iterator]() { yield* this.#items; }
  get size() { return this.#items.length; }
}
class Numbered extends Queue { add(item) { return super.add(`${this.size + 1}. ${item}`); } }
const asked = [];
for (const item of Numbered.of("read", "write")) asked.push(await agent(item, { label: item }));
const first = Numbered.of("x", "y", "z").size;
return { asked, first, mapped: [...new Queue().add(2).add(3)].values().map((n) => n * n).toArray() };
