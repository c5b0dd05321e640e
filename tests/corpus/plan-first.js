export const meta = { name: "plan-first", description: "nothing is changed before a plan is approved", planFirst: true };
const refused = await agent("change", { label: "early", readOnly: false }).catch((e) => e.code);
const looked = await agent("look", { label: "look" });
const approval = await planApprove({ looked });
if (approval.decision !== true) return { success: false };
return { refused, done: await agent("change", { label: "late", under: approval }) };
