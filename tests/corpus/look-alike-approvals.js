export const meta = { name: "look-alike-approvals", description: "copies of an approval are none" };
const approval = await planApprove({ step: 1 });
const forged = { ...approval };
const codes = [];
for (const under of [forged, JSON.parse(JSON.stringify(approval)), { decision: true, checksum: approval.checksum }, true]) {
  codes.push(await agent("x", { label: "x", under }).catch((e) => e.code));
}
const real = await agent("y", { label: "y", under: approval });
return { codes: new Set(codes).size, code: codes[0], real, replayed: "replayed" in approval, keys: Object.keys(approval).includes("replayed") };
