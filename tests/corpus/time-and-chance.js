export const meta = { name: "time-and-chance", description: "seeded chance, journaled time, and what is refused" };
const began = now();
await sleep(5);
const later = now();
const [a, b] = await parallel([async () => random(), async () => random()]);
const id = uuid();
const shown = await agent(`Seed ${random()} ${uuid()} at ${later}`, { label: "seeded" });
const banned = [() => Date.now(), () => new Date(), () => Math.random()].map((f) => { try { return f(); } catch (e) { return e.code; } });
return { order: later >= began, different: a !== b, inRange: a >= 0 && a < 1, id: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), shown, banned };
