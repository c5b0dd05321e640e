/// <reference path="../assent.d.ts" />
// @ts-nocheck: the editor takes a return at the top level for a mistake; here it is none.

// A workflow is a header and a body. The header is data: it is read without running anything.
export const meta = {
  name: "first",
  description: "Plan a small file, ask you, write it",
};

const task = args.task ?? "say hello to whoever opens this folder";
const planForm = {
  type: "object",
  required: ["goal", "steps"],
  properties: {
    goal: { type: "string" },
    steps: {
      type: "array",
      items: {
        type: "object",
        required: ["title", "file"],
        properties: { title: { type: "string" }, file: { type: "string" } },
      },
    },
  },
};

// Whatever the script wants from the world, it asks for with a call. This agent may only read.
phase("plan");
let plan = await agent(`Plan one small file for this task: ${task}`, { label: "planner", readOnly: true, schema: planForm });

// The run stops here until a person has answered. Only their yes makes the decision true.
let approval = await planApprove(plan, { prompt: "Write this file?" });

// Instead of yes or no they can say what to change: the decision is then their text.
while (typeof approval.decision === "string") {
  plan = await agent(`Revise this plan: ${JSON.stringify(plan)}\n\nA person asks for: ${approval.decision}`, {
    label: "planner, again",
    readOnly: true,
    schema: planForm,
  });
  approval = await planApprove(plan, { prompt: "Write this file, as revised?" });
}
if (approval.decision !== true) {
  return { success: false, reason: "the plan was not approved" };
}

// This agent may change files, and it names the approval that it acts under.
phase("work");
const report = await agent(`Carry out this plan: ${JSON.stringify(approval.plan)}`, {
  label: "worker",
  under: approval,
});
log(report);
return { success: report !== null, report };
