export const meta = { name: "nested-workflows", description: "workflows that start workflows" };
const child = `export const meta = { name: "child", description: "a child" };
phase("inside");
const parts = await parallel(args.names.map((n) => () => agent("Child does " + n, { label: n })));
const inner = args.depth > 1 ? await workflow(args.source, { ...args, depth: args.depth - 1 }) : [];
return [...parts, ...inner];`;
const direct = await workflow({ script: child }, { names: ["a", "b"], depth: 1, source: child });
const [deep] = await parallel([() => workflow(child, { names: ["c"], depth: 3, source: child })]);
return { direct, deep, name: meta.name };
