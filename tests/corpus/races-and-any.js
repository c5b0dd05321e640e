export const meta = { name: "races-and-any", description: "the combinators of promises over agents" };
const first = await Promise.race([agent("a", { label: "a" }), agent("b", { label: "b" })]);
const any = await Promise.any([agent("c", { label: "c", onError: "throw" }), agent("d", { label: "d" })]);
const all = await Promise.all([agent("e", { label: "e" }), "plain", agent("f", { label: "f" })]);
const settled = await Promise.allSettled([agent("g", { label: "g", onError: "throw" }), agent("h", { label: "h" })]);
return { raced: ["A", "B"].includes(first), any, all, settled: settled.map((s) => s.status) };
