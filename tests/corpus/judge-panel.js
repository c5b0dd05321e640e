export const meta = { name: "judge-panel", description: "a panel that chooses the best of several drafts" };
const drafts = await parallel(["short", "long", "odd"].map((style) => () => agent(`Write a ${style} text`, { label: style })));
const best = await judgePanel(drafts, { judges: 2, rubric: "clarity" });
return { index: best.index, attempt: best.attempt, score: best.score, judges: best.judgments.length };
