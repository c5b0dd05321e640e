export const meta = { name: "defensive-json", description: "JSON out of whatever a model writes" };
const parse = (text) => {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text ?? "");
  const bare = fenced ? fenced[1] : text;
  try {
    return JSON.parse(bare);
  } catch {
    const braces = bare?.match(/\{[\s\S]*\}/);
    try { return braces ? JSON.parse(braces[0]) : null; } catch { return null; }
  }
};
const texts = await parallel(["fenced", "bare", "prose", "broken"].map((label) => () => agent(`Answer as JSON (${label})`, { label })));
return texts.map(parse).map((v) => v?.n ?? null);
