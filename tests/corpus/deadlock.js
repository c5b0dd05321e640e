export const meta = { name: "deadlock", description: "a promise that nothing settles" };
await agent("before", { label: "before" });
await new Promise(() => {});
return "never";
