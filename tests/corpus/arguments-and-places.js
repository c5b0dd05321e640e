export const meta = { name: "arguments-and-places", description: "arguments, ids, the folder and the header", phases: [{ title: "one" }], args: { type: "object", properties: { task: { type: "string" }, count: { type: "integer", minimum: 1 } } } };
const { task = "nothing", count = 1 } = args;
const frozen = Object.isFrozen(args) && Object.isFrozen(meta);
return { task, count, frozen, run: runId === workflowRunId && runId.length === 26, cwd: cwd === process.cwd(), title: meta.phases[0].title };
