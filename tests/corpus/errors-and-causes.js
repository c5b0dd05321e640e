export const meta = { name: "errors-and-causes", description: "errors with causes" };
class PlanError extends Error { constructor(message, options) { super(message, options); this.name = "PlanError"; } }
const inner = await agent("fail", { label: "fail", onError: "throw" }).catch((e) => e);
const outer = new PlanError("could not plan", { cause: inner });
const sum = new AggregateError([outer, new RangeError("r")], "both");
let finallyRan = false;
try { try { throw outer; } finally { finallyRan = true; } } catch (e) { if (!(e instanceof PlanError)) throw e; }
return { name: outer.name, cause: outer.cause.message.includes("no luck"), errors: sum.errors.length, finallyRan, text: String(outer) };
