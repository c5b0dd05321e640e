export const meta = { name: "a-thrown-error", description: "a mistake of the author" };
await agent("first", { label: "first" });
const config = undefined;
return config.value;
