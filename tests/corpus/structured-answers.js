export const meta = { name: "structured-answers", description: "answers that have to fit a schema" };
const schema = {
  type: "object", additionalProperties: false, required: ["title", "tags"],
  properties: { title: { type: "string", minLength: 1 }, tags: { type: "array", items: { enum: ["a", "b"] } }, n: { type: "integer" } },
};
const good = await agent("good", { label: "good", schema });
const text = await agent("text", { label: "text", schema });
const code = await agent("wrong", { label: "wrong", schema }).catch((e) => e.code);
good.tags.push("mine");
return { good, text, code };
