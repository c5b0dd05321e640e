// What the types of assent.d.ts say of results. TestTypesSayWhatComesOut reads the comments.
export const meta = {
  name: "results",
  description: "what comes out",
  phases: [{ title: "plan" }],
  args: { type: "object", properties: { task: { type: "string" } } },
  limits: { budget: "200k", maxCalls: 5 },
  house: "rule",
};

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>) => {};

const text = await agent("a", { label: "a", readOnly: true });
same<typeof text, string | null>(true);
text.length; // wrong: TS18047
const thrown = await agent("a", { onError: "throw" });
same<typeof thrown, string>(true);
agent("a", { lable: "a" }); // wrong: TS2769
agent(5); // wrong: TS2345
agent("a", { under: { decision: true, checksum: "x" } }); // wrong: TS2769

const form = await agent("a", {
  schema: {
    type: "object",
    required: ["title", "steps", "kind"],
    properties: {
      title: { type: "string" },
      kind: { enum: ["small", "big"] },
      steps: { type: "array", items: { type: "object", required: ["n"], properties: { n: { type: "integer" }, done: { type: "boolean" } } } },
      note: { type: "string" },
      rest: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
  },
});
form.title; // wrong: TS18047
if (form !== null) {
  same<typeof form.title, string>(true);
  same<typeof form.kind, "small" | "big">(true);
  same<typeof form.note, string | undefined>(true);
  same<(typeof form.steps)[number]["n"], number>(true);
  form.steps[0].done?.valueOf();
  form.rest.whatever;
  form.titel; // wrong: TS2551
  form.steps.push({ n: 1 });
}
const list = await agent("a", { schema: { type: "array", items: { type: "string" } }, onError: "throw" });
same<typeof list, string[]>(true);
const planForm = { type: "object", properties: { goal: { type: "string" } } };
const loose = await agent("a", { schema: planForm });
loose.whatever;
const named = await agent<{ n: number }>("a", { schema: { type: "object", required: ["n"], properties: { n: { type: "number" } } } });
same<typeof named, { n: number } | null>(true);
const namedThrown = await agent<number[]>("a", { schema: planForm, onError: "throw" });
same<typeof namedThrown, number[]>(true);
agent<{ n: number }>("a"); // wrong: TS2554

same<Awaited<ReturnType<typeof checkpoint>>, boolean>(true);
const yes = await checkpoint("go?", { default: false });
same<typeof yes, boolean>(true);
const which = await checkpoint("which?", { kind: "select", choices: ["a"] });
same<typeof which, string>(true);
checkpoint("x", { kind: "colour" }); // wrong: TS2769

const approval = await planApprove({ goal: "x", steps: [1] });
same<typeof approval.plan, { goal: string; steps: number[] }>(true);
same<typeof approval.decision, string | boolean>(true);
same<typeof approval.approvedAt, string | undefined>(true);
if (typeof approval.decision === "string") approval.decision.toUpperCase();
approval.decision = true; // wrong: TS2540
planApprove({}, { default: true }); // wrong: TS2322
await agent("b", { under: approval });

const both = await parallel([() => agent("a"), async () => 5]);
same<typeof both, [string | null, number | null]>(true);
const many = await parallel(["a", "b"].map((x) => () => agent(x, { onError: "throw" })));
same<typeof many, (string | null)[]>(true);
parallel([agent("a")]); // wrong: TS2322
const staged = await pipeline(
  [1, 2],
  (n, item, i) => agent(`${n + item + i}`),
  (answer, item) => ({ length: answer.length, item }),
);
same<typeof staged, ({ length: number; item: number } | null)[]>(true);

const graph = await dag([{ id: "a", run: () => 1 }, { id: "b", dependsOn: ["a"], run: async ({ a }) => a + 1 }]);
same<typeof graph.skipped, string[]>(true);
same<(typeof graph.status)[string], "completed" | "failed" | "skipped">(true);
dag([{ id: "a" }]); // wrong: TS2741

const tried = await retry((i) => agent(`${i}`), { attempts: 2, until: (v) => v !== null });
same<typeof tried, string | null>(true);
const gated = await gate((feedback, i) => `${feedback}${i}`, (v) => ({ ok: v.length > 1, feedback: "longer" }));
same<typeof gated, { ok: boolean; value: string; attempts: number }>(true);
gate(() => 1, () => "yes"); // wrong: TS2322
const verdict = await verify("x", { reviewers: 3, threshold: 0.5, lens: ["security"] });
same<typeof verdict.votes, { real: boolean; reason?: string }[]>(true);
verify("x", { reviewer: 3 }); // wrong: TS2561
const best = await judgePanel(["a", null], { judges: 1 });
best.attempt; // wrong: TS18048
same<NonNullable<typeof best>["attempt"], string>(true);
const found = await loopUntilDry({ round: async () => ["a"], key: (x) => x.length });
same<typeof found, string[]>(true);
const gaps = await completenessCheck("task", found);
same<typeof gaps, { complete: boolean; missing: string[] } | null>(true);

phase("work", { budget: "200k" });
log("a", { b: 1 });
console.warn("x");
setSemanticStatus({ status: "completed", reason: "done", details: { n: [1, null] } });
setSemanticStatus({ status: "done", reason: "done" }); // wrong: TS2322
same<ReturnType<typeof now>, string>(true);
same<typeof budget.total, number | null>(true);
budget.total = 5; // wrong: TS2540
await sleep(5);
const child = await workflow<{ n: number }>("other", { task: args.task });
return { success: child.n > random() && uuid() !== runId && workflowRunId !== cwd + process.cwd(), left: budget.remaining() - budget.spent() };
