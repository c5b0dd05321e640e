export const meta = { name: "read-only-stamp", description: "what is read-only, and by whose word" };
const looked = await agent("look", { label: "look", readOnly: true });
const changed = await agent("change", { label: "change" });
return { looked, changed };
