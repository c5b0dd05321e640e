export const meta = { name: "pipeline-stages", description: "items through stages, with a null and a failure in between" };
const files = ["a.go", "b.go", "c.go"];
const out = await pipeline(files,
  (file, item, i) => agent(`Read ${file} (${i})`, { label: `read ${file}` }),
  (text, file) => (text === "skip" ? null : agent(`Review ${file}: ${text}`, { label: `review ${file}` })),
  (review, file, i) => ({ file, i, review }),
);
return out;
