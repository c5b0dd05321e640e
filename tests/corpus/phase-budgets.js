export const meta = { name: "phase-budgets", description: "what a phase may use" };
phase("search", { budget: "1k" });
const found = await parallel([1, 2].map((n) => () => agent(`Search ${n}`, { label: `s${n}` })));
phase("write", { budget: 5000 });
const text = await agent(`Write of ${found.length}`, { label: "write" });
const bad = await (async () => phase("x", { budget: "lots" }))().catch((e) => e.code);
return { found, text, bad };
