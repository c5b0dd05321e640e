export const meta = { name: "gate-with-feedback", description: "attempts with the feedback of a validator" };
const written = await gate(
  (feedback, i) => agent(feedback === undefined ? "Write a haiku." : `Write it again: ${feedback}`, { label: `draft ${i}` }),
  (text) => (text.split("/").length === 3 ? { ok: true } : { ok: false, feedback: "three lines, please" }),
  { attempts: 3 },
);
return written;
