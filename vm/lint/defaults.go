package lint

import "github.com/dop251/goja/ast"

// approvalDefault looks for a default that would approve.
func (r *report) approvalDefault(call *ast.CallExpression) {
	if r.global(call.Callee) != "planApprove" || len(call.ArgumentList) < 2 {
		return
	}
	options, ok := call.ArgumentList[1].(*ast.ObjectLiteral)
	if !ok {
		return
	}
	value := property(options, "default")
	switch t := value.(type) {
	case *ast.BooleanLiteral:
		if !t.Value {
			return
		}
	case *ast.StringLiteral, *ast.NumberLiteral, *ast.NullLiteral, *ast.ObjectLiteral, *ast.ArrayLiteral:
	default:
		return
	}
	r.say(r.nodes[value], Error, ApprovalDefault, "APPROVAL_DEFAULT_NOT_FALSE", "no default approves a plan: the default of planApprove can only be false", "leave it out")
}

// checkpointDefault looks for a checkpoint that is told to take its default, and has none.
func (r *report) checkpointDefault(n *node, call *ast.CallExpression) {
	if r.global(call.Callee) != "checkpoint" || len(call.ArgumentList) < 2 {
		return
	}
	options, ok := call.ArgumentList[1].(*ast.ObjectLiteral)
	if !ok {
		return
	}
	headless, ok := property(options, "headless").(*ast.StringLiteral)
	if !ok || headless.Value != "default" || property(options, "default") != nil || short(options, "default") {
		return
	}
	for _, p := range options.Value {
		if _, spread := p.(*ast.SpreadElement); spread {
			return
		}
	}
	r.say(n, Warning, CheckpointDefault, "CHECKPOINT_NEEDS_DEFAULT", `headless: "default" takes the default, and this checkpoint has none; it fails where nobody is there`, "add default: …")
}
