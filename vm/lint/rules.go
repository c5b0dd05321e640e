package lint

import "github.com/dop251/goja/ast"

// The names of the rules. They are stable: comments in scripts have them.
const (
	// UnawaitedGate is a gate that nobody waits for.
	UnawaitedGate = "unawaited-gate"
	// UnawaitedCall is another call that nobody waits for.
	UnawaitedCall = "unawaited-call"
	// PromiseCondition is a promise in a condition, where its value was meant.
	PromiseCondition = "promise-condition"
	// PromiseInParallel is a promise where a function is wanted.
	PromiseInParallel = "promise-in-parallel"
	// ForEachPromises are promises that forEach drops.
	ForEachPromises = "foreach-promises"
	// TruthyDecision is a decision that is used as a truth value.
	TruthyDecision = "truthy-decision"
	// UncheckedApproval is work behind a plan whose answer nobody looks at.
	UncheckedApproval = "unchecked-approval"
	// UnknownMember is a member that no approval has.
	UnknownMember = "unknown-member"
	// ApprovalDefault is a default of planApprove that would approve.
	ApprovalDefault = "approval-default"
	// CheckpointDefault is a checkpoint that is to take a default that it does not have.
	CheckpointDefault = "checkpoint-default"
	// SwallowedGate is a gate whose failure is hidden.
	SwallowedGate = "swallowed-gate"
	// DuplicateLabel are two agents that cannot be told apart.
	DuplicateLabel = "duplicate-label"
	// UnknownOption and ForeignOption are names in options.
	UnknownOption = "unknown-option"
	ForeignOption = "foreign-option"
	// InvalidOption is a value that an option does not take.
	InvalidOption = "invalid-option"
	// Nondeterministic is what reads the clock or rolls dice.
	Nondeterministic = "nondeterministic"
	// MissingGlobal is a name that nothing has.
	MissingGlobal = "missing-global"
	// UnreachableCode is what nothing leads to.
	UnreachableCode = "unreachable-code"
	// UnknownRule is a comment that names no rule.
	UnknownRule = "unknown-rule"
)

// Rules are the names of all rules that look at what a script does. A refusal of the program itself has the name of its code, as
// script-syntax has that of SCRIPT_SYNTAX.
func Rules() []string {
	return []string{
		UnawaitedGate, TruthyDecision, UncheckedApproval, UnknownMember, PromiseCondition, PromiseInParallel, ApprovalDefault, UnknownOption, InvalidOption,
		Nondeterministic, UnawaitedCall, ForEachPromises, CheckpointDefault, SwallowedGate, DuplicateLabel, ForeignOption, MissingGlobal,
		UnreachableCode, UnknownRule,
	}
}

// look lets every rule look at the tree.
func (r *report) look() {
	r.collect(r.root)
	before := r.compared()
	for _, kid := range r.root.kids {
		r.visit(kid, before)
	}
	r.missing()
	r.labels()
}

// collect finds the calls that rules compare others with, in the order of the text.
func (r *report) collect(n *node) {
	if call, ok := n.syntax.(*ast.CallExpression); ok {
		if r.effect(call) {
			r.effects = append(r.effects, n)
		}
		if r.global(call.Callee) == "agent" {
			r.agents = append(r.agents, n)
		}
	}
	for _, kid := range n.kids {
		r.collect(kid)
	}
}

func (r *report) visit(n *node, before decided) {
	switch t := n.syntax.(type) {
	case *ast.CallExpression:
		r.unawaited(n, t)
		r.started(t)
		r.forEach(n, t)
		r.names(t)
		r.unchecked(n, t)
		r.approvalDefault(t)
		r.checkpointDefault(n, t)
		r.swallowed(n, t)
		r.chance(n)
	case *ast.NewExpression:
		r.chance(n)
	case *ast.AwaitExpression:
		r.awaitedList(n, t)
	case *ast.DotExpression:
		r.ofPromise(n, t)
		r.process(n, t)
		r.method(n, t)
		r.memberOf(n, t.Left, name(t.Identifier.Name))
	case *ast.BracketExpression:
		if key, ok := t.Member.(*ast.StringLiteral); ok {
			r.memberOf(n, t.Left, name(key.Value))
		}
	case *ast.Binding:
		r.membersTaken(t)
	case *ast.BlockStatement, *ast.CaseStatement:
		r.unreachable(n)
	}
	if e, ok := n.syntax.(ast.Expression); ok {
		r.truthy(n, e)
		r.decision(n, e, before)
		r.approved(n, e)
	}
	for _, kid := range n.kids {
		r.visit(kid, before)
	}
}
