export const meta = { name: "limits-are-fatal", description: "more calls than the run may make" };
const results = [];
for (let i = 0; i < 5; i += 1) results.push(await agent(`n ${i}`, { label: `n${i}` }));
return results.length;
