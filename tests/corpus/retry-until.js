export const meta = { name: "retry-until", description: "bounded retries by value and by error" };
let tries = 0;
const value = await retry(async (i) => { tries += 1; return agent(`Attempt ${i}`, { label: `try ${i}` }); }, { attempts: 4, until: (v) => v === "good" });
const thrown = await retry((i) => agent("never", { label: `bad ${i}`, onError: "throw" }), { attempts: 2 }).catch((e) => e.message.includes("still broken"));
return { value, tries, thrown };
