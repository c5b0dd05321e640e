export const meta = { name: "loop-until-dry", description: "the helper that collects until nothing new comes" };
const bugs = await loopUntilDry({
  round: async (i) => agent(`Find bugs, round ${i}`, { label: `hunt ${i}`, schema: { type: "array" } }),
  key: (bug) => `${bug.file}:${bug.line}`,
  consecutiveEmpty: 1,
});
return bugs.map((b) => b.file);
