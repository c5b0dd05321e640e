export const meta = { name: "checkpoints-of-all-kinds", description: "a question of each kind" };
const go = await checkpoint("Go on?", { default: false });
const name = await checkpoint("Which name?", { kind: "input", default: "nameless" });
const color = await checkpoint("Which colour?", { kind: "select", choices: ["red", "green"], default: "red" });
return { go, name, color };
