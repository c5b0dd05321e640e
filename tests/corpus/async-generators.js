export const meta = { name: "async-generators", description: "async generators and for await" };
async function* pages(n) {
  for (let i = 0; i < n; i += 1) {
    const page = await agent(`Page ${i}`, { label: `page ${i}` });
    if (page === null) return;
    yield page;
  }
}
const seen = [];
for await (const page of pages(5)) {
  seen.push(page);
  if (seen.length === 3) break;
}
for await (const v of [agent("last", { label: "last" }), "plain"]) seen.push(v);
return seen;
