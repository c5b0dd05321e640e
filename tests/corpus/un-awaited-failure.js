export const meta = { name: "un-awaited-failure", description: "a rejection that nobody handles" };
async function work() { await agent("x", { label: "x" }); throw new Error("boom"); }
work();
await agent("y", { label: "y" });
await agent("z", { label: "z" });
return "ok";
