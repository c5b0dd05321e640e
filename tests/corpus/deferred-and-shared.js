export const meta = { name: "deferred-and-shared", description: "promises that branches share" };
const cache = new Map();
const ask = (name) => {
  if (!cache.has(name)) cache.set(name, agent(`About ${name}`, { label: name }));
  return cache.get(name);
};
const pairs = await parallel([["a", "b"], ["b", "c"], ["c", "a"]].map(([x, y]) => async () => `${await ask(x)}${await ask(y)}`));
return { pairs, asked: cache.size };
