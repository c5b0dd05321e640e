export const meta = { name: "plan-revised-with-feedback", description: "a plan that is revised by what the person asks for" };
let plan = { steps: ["write"], revision: 0 };
for (let i = 0; i < 3; i += 1) {
  const approval = await planApprove(plan, { prompt: `Approve revision ${i}?` });
  if (approval.decision === true) {
    const done = await agent("Do it", { label: "worker", under: approval });
    return { done, revision: plan.revision };
  }
  if (approval.decision === false) return { success: false, revision: plan.revision };
  plan = { steps: [...plan.steps, approval.decision], revision: plan.revision + 1 };
}
return { success: false, gaveUp: true };
