export const meta = { name: "dag-of-steps", description: "steps that depend on each other" };
const { results, status, errors, skipped, ok } = await dag([
  { id: "schema", run: () => agent("schema", { label: "schema" }) },
  { id: "api", dependsOn: ["schema"], run: ({ schema }) => agent(`api on ${schema}`, { label: "api" }) },
  { id: "docs", dependsOn: ["api"], run: () => agent("docs", { label: "docs" }) },
  { id: "ui", dependsOn: ["schema"], run: async ({ schema }) => (await agent(`ui on ${schema}`, { label: "ui" })).toUpperCase() },
]);
return { results, status, failed: Object.keys(errors), skipped, ok };
