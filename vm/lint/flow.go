package lint

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

func logical(op token.Token) bool {
	return op == token.LOGICAL_AND || op == token.LOGICAL_OR || op == token.COALESCE
}

// dropped says that nothing takes an expression's value.
func (s *script) dropped(n *node) bool {
	for up := n.up; up.syntax != nil; n, up = up, up.up {
		switch t := up.syntax.(type) {
		case *ast.ExpressionStatement:
			return true
		case *ast.ForStatement:
			return t.Update == n.syntax || t.Initializer != nil && n.up == up && isInitializer(t, n)
		case *ast.SequenceExpression:
			if t.Sequence[len(t.Sequence)-1] != n.syntax {
				return true
			}
		case *ast.BinaryExpression:
			if !logical(t.Operator) || t.Right != n.syntax {
				return false
			}
		case *ast.ConditionalExpression:
			if t.Test == n.syntax {
				return false
			}
		case *ast.UnaryExpression:
			return t.Operator == token.VOID
		case *ast.OptionalChain, *ast.Optional, *ast.ArrayLiteral:
		case *ast.DotExpression:
			// Whoever only catches does not look at what came of it.
			call, ok := up.up.syntax.(*ast.CallExpression)
			if method := t.Identifier.Name; !ok || call.Callee != up.syntax || method != "catch" && method != "finally" {
				return false
			}
			up = up.up
		default:
			return false
		}
	}
	return false
}

func isInitializer(t *ast.ForStatement, n *node) bool {
	i, ok := t.Initializer.(*ast.ForLoopInitializerExpression)
	return ok && i.Expression == n.syntax
}

// condition says that an expression decides by its truth, and gives the whole condition that it is part of.
func (s *script) condition(n *node) (*node, bool) {
	found := false
	whole := n
	for up := n.up; up.syntax != nil; n, up = up, up.up {
		switch t := up.syntax.(type) {
		case *ast.IfStatement:
			return n, t.Test == n.syntax || found
		case *ast.WhileStatement:
			return n, t.Test == n.syntax || found
		case *ast.DoWhileStatement:
			return n, t.Test == n.syntax || found
		case *ast.ForStatement:
			return n, t.Test == n.syntax || found
		case *ast.ConditionalExpression:
			if t.Test == n.syntax {
				return n, true
			}
			return whole, found
		case *ast.UnaryExpression:
			if t.Operator != token.NOT {
				return whole, found
			}
			found = true
		case *ast.BinaryExpression:
			if !logical(t.Operator) {
				return whole, found
			}
			found = found || t.Operator == token.LOGICAL_AND && t.Left == n.syntax
		case *ast.CallExpression:
			return n, found || s.global(t.Callee) == "Boolean"
		case *ast.OptionalChain, *ast.Optional:
		default:
			return whole, found
		}
		whole = up
	}
	return whole, found
}

// branch says whether what n stands in takes only one of its children, and which of them n is.
func branch(up, n *node) (place int, branches bool) {
	switch t := up.syntax.(type) {
	case *ast.IfStatement:
		if t.Test == n.syntax {
			return 0, false
		}
	case *ast.ConditionalExpression:
		if t.Test == n.syntax {
			return 0, false
		}
	case *ast.TryStatement:
		// A catch may run after all of the body; but then something went wrong.
		if t.Finally != nil && n.syntax == ast.Node(t.Finally) {
			return 0, false
		}
	case *ast.SwitchStatement:
		if t.Discriminant == n.syntax {
			return 0, false
		}
	default:
		return 0, false
	}
	return n.place, true
}

// apart is asked before two places are held against each other. It says that b, which stands after a, may be in another branch than a, or that a's branch may never come to b.
func (s *script) apart(a, b *node) bool {
	around := map[*node]*node{} // what is around b, and the part of it that b is in
	for n := b; n.up != nil; n = n.up {
		around[n.up] = n
	}
	for n := a; n.up != nil; n = n.up {
		other, meet := around[n.up]
		if meet {
			x, one := branch(n.up, n)
			y, two := branch(n.up, other)
			return one && two && x != y
		}
		if s.functions[n] == nil && leavesAfter(n) {
			return true
		}
	}
	return false
}

// leavesAfter says that what stands behind n in its block, or n itself, surely leaves the block.
func leavesAfter(n *node) bool {
	if leaves(n.syntax) {
		return true
	}
	switch n.up.syntax.(type) {
	case *ast.BlockStatement, *ast.CaseStatement:
	default:
		return false
	}
	for _, kid := range n.up.kids[n.place+1:] {
		if leaves(kid.syntax) {
			return true
		}
	}
	return false
}

// leaves says that a statement surely goes elsewhere.
func leaves(syntax ast.Node) bool {
	switch syntax.(type) {
	case *ast.ReturnStatement, *ast.ThrowStatement, *ast.BranchStatement:
		return true
	}
	return false
}

// sure says that the script comes to an expression whatever it does, unless something fails before. It is too careful rather than too
// bold: any return, loop, branch or function on the way makes it unsure.
func (s *script) sure(n *node) bool {
	for up := n.up; up.syntax != nil; n, up = up, up.up {
		switch t := up.syntax.(type) {
		case *ast.FunctionLiteral:
			return false
		case *ast.ArrowFunctionLiteral:
			if !s.isBody(up) {
				return false
			}
		case *ast.ConditionalExpression:
			if t.Test != n.syntax {
				return false
			}
		case *ast.IfStatement:
			if t.Test != n.syntax {
				return false
			}
		case *ast.BinaryExpression:
			if logical(t.Operator) && t.Left != n.syntax {
				return false
			}
		case *ast.TryStatement:
			if t.Catch != nil || t.Finally != nil && n.syntax == ast.Node(t.Finally) {
				return false
			}
		case *ast.BlockStatement:
			if s.leaver(up) < n.place {
				return false
			}
		case *ast.ForStatement, *ast.ForInStatement, *ast.ForOfStatement, *ast.WhileStatement, *ast.DoWhileStatement, *ast.SwitchStatement,
			*ast.WithStatement, *ast.CatchStatement, *ast.OptionalChain, *ast.ClassLiteral, *ast.AssignExpression, *ast.PropertyShort, *ast.Binding:
			if _, declared := up.syntax.(*ast.Binding); declared && plainBinding(up) {
				continue
			}
			if a, ok := up.syntax.(*ast.AssignExpression); ok && a.Operator == token.ASSIGN && a.Right == n.syntax {
				continue
			}
			return false
		}
	}
	return true
}

func plainBinding(n *node) bool {
	_, ok := n.syntax.(*ast.Binding).Target.(*ast.Identifier)
	if !ok {
		return false
	}
	switch n.up.syntax.(type) {
	case *ast.LexicalDeclaration, *ast.VariableStatement:
		return true
	}
	return false // a default value
}

// isBody says that a function is one of those that the machine puts around a script.
func (s *script) isBody(n *node) bool {
	if s.functions[n] == nil || !s.functions[n].arrow {
		return false
	}
	if n.function == nil || n.function.function == nil {
		return true // around everything
	}
	up := s.parent(n)
	assigned, ok := up.syntax.(*ast.AssignExpression)
	if !ok {
		return false
	}
	id, ok := assigned.Left.(*ast.Identifier)
	return ok && id.Name == "$body" && n.function.function.function == nil
}

// leaver gives the first statement of a block that may leave it early.
func (s *script) leaver(block *node) int {
	if at, known := s.leaving[block]; known {
		return at
	}
	at := 0
	for at < len(block.kids) && !mayLeave(block.kids[at]) {
		at++
	}
	s.leaving[block] = at
	return at
}

func mayLeave(n *node) bool {
	switch n.syntax.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		return false
	}
	if leaves(n.syntax) {
		return true
	}
	for _, kid := range n.kids {
		if mayLeave(kid) {
			return true
		}
	}
	return false
}

// within says that a node stands inside of another.
func within(n, around *node) bool {
	for ; n != nil; n = n.up {
		if n == around {
			return true
		}
	}
	return around == nil
}
