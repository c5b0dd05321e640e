package lint

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// A person can say yes, no, or what is to change. A script that only turns back on a no lets the third begin the work. Nothing is said
// of one that uses the approval or its decision for anything else: it may have found out there.

// onlyRefusals gives the comparisons of an approval's decision with false, in the order of the text; none if the script looks at it in
// any other way.
func (r *report) onlyRefusals(awaited *node) []*node {
	c := refusals{report: r}
	if declared, ok := awaited.up.syntax.(*ast.Binding); ok && declared.Initializer == awaited.syntax {
		c.declared(declared.Target)
	} else {
		c.approval(awaited)
	}
	if c.other {
		return nil
	}
	slices.SortFunc(c.found, func(a, b *node) int { return int(a.syntax.Idx0()) - int(b.syntax.Idx0()) })
	return c.found
}

// refusals collects what is read of one approval.
type refusals struct {
	*report

	found []*node
	other bool
}

// declared follows the names that get the approval, or members of it.
func (c *refusals) declared(target ast.Expression) {
	switch target := target.(type) {
	case *ast.Identifier:
		c.named(target, c.approval)
	case *ast.ObjectPattern:
		c.other = c.other || target.Rest != nil
		for _, p := range target.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				c.member(name(p.Name.Name), &p.Name)
			case *ast.PropertyKeyed:
				id, ok := p.Value.(*ast.Identifier)
				c.other = c.other || !ok || p.Computed
				if ok {
					c.member(keyOf(p), id)
				}
			}
		}
	default:
		c.other = true
	}
}

func (c *refusals) member(key string, id *ast.Identifier) {
	switch {
	case key == "decision":
		c.named(id, c.decided)
	case !slices.Contains(harmless, key):
		c.other = true
	}
}

// named looks at all places that read a name.
func (c *refusals) named(id *ast.Identifier, each func(*node)) {
	b := c.bound[id]
	if b == nil || b.unsure || len(b.values) != 1 {
		c.other = true
		return
	}
	for _, read := range b.reads {
		each(read)
	}
}

// approval looks at a place that has the approval.
func (c *refusals) approval(n *node) {
	if _, optional := n.up.syntax.(*ast.Optional); optional {
		n = n.up
	}
	key := ""
	switch t := n.up.syntax.(type) {
	case *ast.DotExpression:
		key = name(t.Identifier.Name)
	case *ast.BracketExpression:
		if text, ok := t.Member.(*ast.StringLiteral); ok && t.Left == n.syntax {
			key = name(text.Value)
		}
	}
	switch {
	case key == "decision":
		c.decided(n.up)
	case !slices.Contains(harmless, key):
		c.other = true
	}
}

// decided looks at a place that has the decision.
func (c *refusals) decided(n *node) {
	if _, optional := n.up.syntax.(*ast.OptionalChain); optional {
		n = n.up
	}
	switch t := n.up.syntax.(type) {
	case *ast.Binding:
		if id, ok := t.Target.(*ast.Identifier); ok && t.Initializer == n.syntax {
			c.named(id, c.decided)
			return
		}
	case *ast.BinaryExpression:
		if (t.Operator == token.STRICT_EQUAL || t.Operator == token.STRICT_NOT_EQUAL) && (isFalse(t.Left) || isFalse(t.Right)) {
			c.found = append(c.found, n.up)
			return
		}
	}
	c.other = true
}

func isFalse(e ast.Expression) bool { return isTruth(e) && !isTrue(e) }

// textComesTo says that a text leads to some work as a yes does: no comparison that the work stands behind turns it away.
func (r *report) textComesTo(effect *node, refusals []*node) bool {
	for n, up := effect, effect.up; up.syntax != nil; n, up = up, up.up {
		var test ast.Expression
		then := false
		switch t := up.syntax.(type) {
		case *ast.IfStatement:
			test, then = t.Test, n.syntax == ast.Node(t.Consequent)
		case *ast.ConditionalExpression:
			test, then = t.Test, n.syntax == ast.Node(t.Consequent)
		case *ast.BinaryExpression:
			if logical(t.Operator) {
				test, then = t.Left, t.Operator == token.LOGICAL_AND
			}
		case *ast.WhileStatement:
			test = t.Test
		case *ast.ForStatement:
			test = t.Test
		}
		if test == nil || test == n.syntax {
			continue
		}
		for _, refusal := range refusals {
			if !within(refusal, r.nodes[test]) {
				continue
			}
			whole, ok := test.(*ast.BinaryExpression)
			if !ok || refusal.syntax != ast.Node(whole) || then != (whole.Operator == token.STRICT_NOT_EQUAL) {
				return false
			}
		}
	}
	return true
}

func (r *report) halfGuarded(refusal, effect *node) {
	at, ok := r.checked.Place(effect.syntax.Idx0())
	if !ok {
		return
	}
	compared := refusal.syntax.(*ast.BinaryExpression) // onlyRefusals finds nothing else
	of := compared.Left
	if isFalse(of) {
		of = compared.Right
	}
	spelled := r.spelled(of)
	r.say(refusal, Error, UncheckedApproval, "",
		spelled+" is compared with false only, and the work "+inLine(at.Line)+" is done also if the person asked for a change",
		fix(spelled, compared.Operator, false)+", and pass under: approval to agent()")
}
