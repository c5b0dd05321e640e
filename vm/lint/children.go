package lint

import "github.com/dop251/goja/ast"

// children calls visit for each piece of syntax directly below another, in the order of the text. What declares, and so
// is no child, is for builder to know.
func children(syntax ast.Node, visit func(ast.Node)) {
	one := func(e ast.Expression) {
		if e != nil {
			visit(e)
		}
	}
	switch t := syntax.(type) {
	case *ast.ArrayLiteral:
		each(t.Value, one)
	case *ast.AwaitExpression:
		one(t.Argument)
	case *ast.YieldExpression:
		one(t.Argument)
	case *ast.BinaryExpression:
		one(t.Left)
		one(t.Right)
	case *ast.BracketExpression:
		one(t.Left)
		one(t.Member)
	case *ast.CallExpression:
		one(t.Callee)
		each(t.ArgumentList, one)
	case *ast.NewExpression:
		one(t.Callee)
		each(t.ArgumentList, one)
	case *ast.ConditionalExpression:
		one(t.Test)
		one(t.Consequent)
		one(t.Alternate)
	case *ast.DotExpression:
		one(t.Left)
	case *ast.PrivateDotExpression:
		one(t.Left)
	case *ast.OptionalChain:
		one(t.Expression)
	case *ast.Optional:
		one(t.Expression)
	case *ast.SpreadElement:
		one(t.Expression)
	case *ast.SequenceExpression:
		each(t.Sequence, one)
	case *ast.TemplateLiteral:
		one(t.Tag)
		each(t.Expressions, one)
	case *ast.UnaryExpression:
		one(t.Operand)
	case *ast.ObjectLiteral:
		for _, p := range t.Value {
			one(p)
		}
	case *ast.PropertyShort:
		visit(&t.Name)
		one(t.Initializer)
	case *ast.PropertyKeyed:
		if t.Computed {
			one(t.Key)
		}
		one(t.Value)
	case *ast.ClassLiteral:
		one(t.SuperClass)
		for _, element := range t.Body {
			visit(element)
		}
	case *ast.FieldDefinition:
		if t.Computed {
			one(t.Key)
		}
		one(t.Initializer)
	case *ast.MethodDefinition:
		if t.Computed {
			one(t.Key)
		}
		visit(t.Body)
	case *ast.ClassStaticBlock:
		visit(t.Block)
	case *ast.ExpressionBody:
		one(t.Expression)
	default:
		statement(syntax, visit)
	}
}

func statement(syntax ast.Node, visit func(ast.Node)) {
	one := func(e ast.Expression) {
		if e != nil {
			visit(e)
		}
	}
	list := func(statements []ast.Statement) {
		for _, s := range statements {
			visit(s)
		}
	}
	bindings := func(list []*ast.Binding) {
		for _, b := range list {
			visit(b)
		}
	}
	switch t := syntax.(type) {
	case *ast.BlockStatement:
		list(t.List)
	case *ast.ExpressionStatement:
		one(t.Expression)
	case *ast.ReturnStatement:
		one(t.Argument)
	case *ast.ThrowStatement:
		one(t.Argument)
	case *ast.VariableStatement:
		bindings(t.List)
	case *ast.LexicalDeclaration:
		bindings(t.List)
	case *ast.FunctionDeclaration:
		visit(t.Function)
	case *ast.ClassDeclaration:
		visit(t.Class)
	case *ast.IfStatement:
		one(t.Test)
		visit(t.Consequent)
		if t.Alternate != nil {
			visit(t.Alternate)
		}
	case *ast.ForStatement:
		switch i := t.Initializer.(type) {
		case *ast.ForLoopInitializerExpression:
			visit(i.Expression)
		case *ast.ForLoopInitializerVarDeclList:
			bindings(i.List)
		case *ast.ForLoopInitializerLexicalDecl:
			bindings(i.LexicalDeclaration.List)
		}
		one(t.Test)
		one(t.Update)
		visit(t.Body)
	case *ast.ForInStatement:
		one(t.Source)
		visit(t.Body)
	case *ast.ForOfStatement:
		one(t.Source)
		visit(t.Body)
	case *ast.WhileStatement:
		one(t.Test)
		visit(t.Body)
	case *ast.DoWhileStatement:
		visit(t.Body)
		one(t.Test)
	case *ast.LabelledStatement:
		visit(t.Statement)
	case *ast.WithStatement:
		one(t.Object)
		visit(t.Body)
	case *ast.SwitchStatement:
		one(t.Discriminant)
		for _, c := range t.Body {
			visit(c)
		}
	case *ast.CaseStatement:
		one(t.Test)
		list(t.Consequent)
	case *ast.TryStatement:
		visit(t.Body)
		if t.Catch != nil {
			visit(t.Catch)
		}
		if t.Finally != nil {
			visit(t.Finally)
		}
	}
}

func each(list []ast.Expression, visit func(ast.Expression)) {
	for _, e := range list {
		visit(e)
	}
}
