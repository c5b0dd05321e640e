export const meta = { name: "frames-in-frames", description: "a pipeline in a parallel branch in a workflow in a node of a dag" };
const child = `export const meta = { name: "leaf", description: "pipeline in a workflow" };
return pipeline(args.items, (x) => agent("first " + x, { label: "f" + x }), (v, x) => parallel([() => agent("second " + x, { label: "s" + x }), async () => v]));`;
const graph = await dag([
  { id: "left", run: () => parallel([() => workflow(child, { items: ["a", "b"] }), () => workflow(child, { items: ["c"] })]) },
  { id: "right", run: () => pipeline(["p", "q"], (x) => agent(`right ${x}`, { label: `r${x}` })) },
  { id: "join", dependsOn: ["left", "right"], run: ({ left, right }) => agent(`join ${left.flat(3).length} ${right.length}`, { label: "join" }) },
]);
return graph.results;
