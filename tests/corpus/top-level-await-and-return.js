export const meta = { name: "top-level-await-and-return", description: "top-level await, and two returns" };
const first = await agent("Name one fruit.", { label: "one" });
if (first === "apple") return { first, early: true };
return { first };
