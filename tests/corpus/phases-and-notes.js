export const meta = { name: "phases-and-notes", description: "phases, log lines and statuses" };
phase("gather");
log("plain", { n: 1, list: [1, 2] }, null, undefined, 3n);
console.info("info"); console.warn("warn"); console.error("error"); console.debug("debug");
await parallel([
  async () => { phase("left"); await agent("l", { label: "l" }); },
  async () => { await agent("r", { label: "r" }); },
]);
await agent("after", { label: "after" });
setSemanticStatus({ status: "needs-human", reason: "look at it", details: { files: 2 } });
let refused;
try { setSemanticStatus({ status: "great", reason: "x" }); } catch (e) { refused = e.name; }
return refused;
