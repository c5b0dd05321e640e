export const meta = { name: "while-until-dry", description: "a while loop that ends when rounds bring nothing new" };
const seen = new Set();
let round = 0;
let dry = 0;
while (dry < 2 && round < 10) {
  const found = await agent(`Round ${round}: what is new?`, { label: `round ${round}`, schema: { type: "array", items: { type: "string" } } });
  const fresh = (found ?? []).filter((f) => !seen.has(f));
  fresh.forEach((f) => seen.add(f));
  dry = fresh.length === 0 ? dry + 1 : 0;
  round += 1;
}
return { round, found: [...seen] };
