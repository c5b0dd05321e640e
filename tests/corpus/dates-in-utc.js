export const meta = { name: "dates-in-utc", description: "dates of explicit instants" };
const d = new Date("2021-04-18T23:59:59Z");
const t = d.getTime();
const parts = [d.getFullYear(), d.getMonth(), d.getDate(), d.getHours(), d.getTimezoneOffset()];
const approval = await planApprove({ due: t });
return { t, parts, iso: d.toISOString(), invalid: Number.isNaN(new Date(undefined).getTime()), decision: approval.decision };
