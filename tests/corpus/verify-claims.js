export const meta = { name: "verify-claims", description: "adversarial reviewers of claims" };
const claims = ["water is wet", "the moon is cheese"];
const votes = await parallel(claims.map((claim) => () => verify(claim, { reviewers: 2, threshold: 1, lens: ["facts", "logic"] })));
return votes.map((v) => ({ real: v.real, realCount: v.realCount, total: v.total }));
