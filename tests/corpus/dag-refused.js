export const meta = { name: "dag-refused", description: "graphs that are refused before anything runs" };
const say = (e) => e.message;
const run = () => 1;
return [
  await dag([{ id: "a", dependsOn: ["b"], run }, { id: "b", dependsOn: ["a"], run }]).catch(say),
  await dag([{ id: "a", run }, { id: "a", run }]).catch(say),
  await dag([{ id: "a", dependsOn: ["x"], run }]).catch(say),
  await dag([{ id: "constructor", run }]).catch(say),
  await dag([{ id: "a" }]).catch(say),
].map((m) => /cycle|two nodes|no node has|reserved|has to be a function/.exec(m)?.[0]);
