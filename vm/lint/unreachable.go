package lint

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// unreachable looks for statements that nothing leads to.
func (r *report) unreachable(n *node) {
	dead := false
	for _, kid := range n.kids {
		if dead && runs(kid.syntax) {
			r.say(kid, Warning, UnreachableCode, "", "nothing leads here: the statement before goes elsewhere", "remove it, or move it up")
			return
		}
		switch kid.syntax.(type) {
		case *ast.ReturnStatement, *ast.ThrowStatement, *ast.BranchStatement:
			dead = true
		}
	}
}

// runs says that a statement does something where it stands; functions can be used before.
func runs(syntax ast.Node) bool {
	switch t := syntax.(type) {
	case *ast.FunctionDeclaration, *ast.EmptyStatement, *ast.ClassDeclaration:
		return false
	case *ast.VariableStatement:
		return slices.ContainsFunc(t.List, func(b *ast.Binding) bool { return b.Initializer != nil })
	case *ast.LexicalDeclaration:
		return t.Token != token.LET || slices.ContainsFunc(t.List, func(b *ast.Binding) bool { return b.Initializer != nil })
	case *ast.ExpressionStatement:
		call, ok := t.Expression.(*ast.CallExpression)
		if !ok {
			return true
		}
		id, ok := call.Callee.(*ast.Identifier)
		return !ok || id.Name != "__name" // the bundler's, behind a function
	}
	return true
}
