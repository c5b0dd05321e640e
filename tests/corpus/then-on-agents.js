export const meta = { name: "then-on-agents", description: "then, catch and finally on the promises of agents" };
const length = await agent("Say something.", { label: "speaker" }).then((text) => text.length);
const saved = await agent("Fail.", { label: "failing", onError: "throw" })
  .then(() => "never", (error) => error.name)
  .finally(() => log("settled"));
return { length, saved };
