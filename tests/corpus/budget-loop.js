export const meta = { name: "budget-loop", description: "a loop that looks at the budget" };
const parts = [];
while (budget.remaining() > 250 && parts.length < 20) {
  const part = await agent(`Part ${parts.length}`, { label: `part ${parts.length}` });
  if (part === null) break;
  parts.push(part);
}
return { parts: parts.length, total: budget.total, spent: budget.spent() };
