export const meta = { name: "parallel-nulls", description: "what each kind of branch becomes in the results" };
const results = await parallel([
  () => agent("one", { label: "one" }),
  () => { throw new Error("before any agent"); },
  async () => { await agent("three", { label: "three" }); throw new Error("after an agent"); },
  () => "plain",
  () => undefined,
]);
return { results: results.map((r) => (r === undefined ? "undefined" : r)), empty: await parallel([]) };
