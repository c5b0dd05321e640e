// What a program can do is a call like any other: its answer stays as it was.
export const meta = { name: "host-functions", description: "Checks, git and texts of the host" };

const place = await prototypeSafetyCheck({ requireClean: true });
log(place.reason);
const rounds = [1, 2].map((index) => ({ index, verdict: "fail", feedback: `--- FAIL: TestAdd (0.0${index}s)\nadd_test.go:${index}: want 3` }));
const delta = compactFeedback({ rounds, maxTokens: 200 });
const told = renderCorrectionDelta(delta);
const result = await agent(`Mend this:\n${told}`, { label: "mender", readOnly: true });
const checks = await stageCheck({ checks: [{ name: "says", command: ["sh", "-c", "echo checked"] }] });
const text = renderStageCheckFeedback(checks);
let final = "";
try {
  await checkFinalization({ branch: "work" });
} catch (error) {
  final = error.code; // this folder is in no repository
}
const stop = await delivery.stop({ by: "checks", step: "a", findings: [told] });
return {
  safe: place.ok, causes: delta.rootCauses.length, result, checked: checks.checks[0].stdout.trim(), text, final, stoppedBy: stop.stoppedBy,
};
