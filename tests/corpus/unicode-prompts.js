export const meta = { name: "unicode-prompts", description: "prompts and answers with any Unicode" };
const words = ["naïve", "日本語", "עברית", "👩‍👩‍👧‍👦", "e\u0301", "\u{1F600}", "line\u2028break", "Ω≈ç√"];
const answers = [];
for (const [i, word] of words.entries()) answers.push(await agent(`Echo: ${word}`, { label: `w${i}` }));
const letters = words.filter((w) => /^\p{L}+$/u.test(w)).length;
const same = "\u00e9" === "e\u0301".normalize("NFC");
return { answers, letters, same, lengths: words.map((w) => [...w].length) };
