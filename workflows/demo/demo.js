/// <reference path="../assent.d.ts" />
// @ts-nocheck: the editor takes a return at the top level for a mistake; here it is none.

export const meta = {
  name: "demo",
  description: "Look, plan, ask a person, work, check, verify, commit",
};

const task = args.task ?? "greet the whole world when nobody is named";
const planForm = {
  type: "object",
  required: ["goal", "steps", "openQuestions"],
  properties: {
    goal: { type: "string" },
    steps: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["title", "file"],
        properties: { title: { type: "string" }, file: { type: "string" } },
      },
    },
    openQuestions: { type: "array", items: { type: "string" } },
  },
};

phase("look");
const findings = await agent(`Read this project and report what matters for the task: ${task}`, {
  label: "scout",
  readOnly: true,
});

phase("plan");
let plan = await agent(`Plan this task, one file a step: ${task}\n\nWhat was found: ${findings}`, {
  label: "planner",
  readOnly: true,
  schema: planForm,
});
let approval = await planApprove(plan, { prompt: "Change these files?" });

// Instead of yes or no a person can say what to change; then there is a new plan, and a new question.
for (let round = 1; typeof approval.decision === "string" && round <= 3; round += 1) {
  const wish = approval.decision;
  plan = await agent(`Revise this plan: ${JSON.stringify(approval.plan)}\n\nA person asks for: ${wish}`, {
    label: "planner, again",
    readOnly: true,
    schema: planForm,
  });
  approval = await planApprove({ ...plan, revisedFor: wish }, { prompt: "Change these files, as revised?" });
}
if (approval.decision !== true) {
  return { success: false, reason: "the plan was not approved" };
}

phase("work");
const reports = await parallel(
  approval.plan.steps.map((step) => () =>
    agent(`Do this step and nothing else: ${JSON.stringify(step)}`, { label: `worker ${step.file}`, under: approval }),
  ),
);
if (reports.includes(null)) {
  return { success: false, reason: "a worker failed" };
}

phase("check");
const checked = await agent("Run sh check.sh and report what it says.", { label: "checks", under: approval });
if (checked === null) {
  return { success: false, reason: "the checks failed" };
}
const verdict = await agent(
  `Does the work fulfil the plan? Plan: ${JSON.stringify(approval.plan)}\n\nReports: ${JSON.stringify(reports)}\n\nChecks: ${checked}`,
  {
    label: "verifier",
    readOnly: true,
    schema: {
      type: "object",
      required: ["passed", "remarks"],
      properties: { passed: { type: "boolean" }, remarks: { type: "array", items: { type: "string" } } },
    },
  },
);
if (verdict?.passed !== true) {
  return { success: false, reason: "the verifier refused the work", remarks: verdict?.remarks };
}

phase("commit");
const committed = await agent("Commit the change.", { label: "commit", under: approval });
return { success: committed !== null, approved: approval.checksum, checks: checked, commit: committed };
