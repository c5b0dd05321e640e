export const meta = { name: "polluted-prototypes", description: "built-ins that a script changes do not decide" };
Object.prototype.default = true;
Object.prototype.decision = true;
Array.prototype.toJSON = function () { return "changed"; };
String.prototype.toString = () => "changed";
const approval = await planApprove({ x: [1] }, {});
return { own: Object.getOwnPropertyDescriptor(approval, "decision").value, plan: approval.plan.x.length };
