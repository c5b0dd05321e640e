export const meta = { name: "completeness-check", description: "a critic, and what it misses" };
const parts = [await agent("Part one", { label: "one" })];
const check = await completenessCheck("Write two parts", parts);
if (!check.complete) parts.push(...(await parallel(check.missing.map((m) => () => agent(`Write: ${m}`, { label: "more" })))));
return { parts, check };
