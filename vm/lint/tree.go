package lint

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"

	"github.com/seed-8d4a6081/assent/vm"
)

// node is a piece of syntax in its place.
type node struct {
	syntax ast.Node
	up     *node
	kids   []*node
	// place is that among the kids of up.
	place int
	// function is the innermost function around it, nil outside of all; of a function itself, the one around that.
	function *node
}

// function is what is known of one.
type function struct {
	async, generator, arrow bool
	// returns are the values of its return statements, nil for a bare one.
	returns []ast.Expression
	awaits  bool
}

// script is the tree of a script with what was found out while it was walked once.
type script struct {
	checked *vm.Checked
	root    *node
	nodes   map[ast.Node]*node
	// bound maps an identifier that is read or written to what it names; a global has no entry.
	bound     map[*ast.Identifier]*binding
	functions map[*node]*function
	// promising are the functions of the embedder that give a promise.
	promising map[string]bool
	// kinds remembers what kind found.
	kinds map[ast.Expression]kind
	// globals are identifiers that name no binding, in the order of the text.
	globals []*node
	// lines are those of the sources, by path; nil until one is asked for.
	lines map[string][]string
	// leaving maps a block to the first of its statements that may leave it.
	leaving map[*node]int
}

func read(checked *vm.Checked, functions []string) *script {
	s := &script{
		checked: checked, nodes: map[ast.Node]*node{}, bound: map[*ast.Identifier]*binding{}, functions: map[*node]*function{},
		kinds: map[ast.Expression]kind{}, leaving: map[*node]int{}, promising: map[string]bool{},
	}
	for _, f := range functions {
		s.promising[f] = true
	}
	s.root = &node{}
	outer := &scope{}
	outer.vars(s, checked.Tree.DeclarationList)
	outer.lexical(s, checked.Tree.Body)
	b := builder{script: s, scope: outer}
	for _, statement := range checked.Tree.Body {
		b.add(s.root, statement)
	}
	return s
}

// builder makes the nodes of one scope.
type builder struct {
	script *script
	scope  *scope
	// function is the innermost one.
	function *node
}

// add makes the node of a piece of syntax, and those of all below it.
func (b builder) add(up *node, syntax ast.Node) {
	s := b.script
	n := &node{syntax: syntax, up: up, function: b.function, place: len(up.kids)}
	up.kids = append(up.kids, n)
	s.nodes[syntax] = n
	switch t := syntax.(type) {
	case *ast.Identifier:
		b.reads(n, t)
		return
	case *ast.FunctionLiteral:
		b.enter(n, &function{async: t.Async, generator: t.Generator}).body(n, t)
		return
	case *ast.ArrowFunctionLiteral:
		b.enter(n, &function{async: t.Async, arrow: true}).arrow(n, t)
		return
	case *ast.AwaitExpression:
		b.awaits()
	case *ast.ForOfStatement:
		b = b.open()
		b.into(n, t.Into)
	case *ast.ForInStatement:
		b = b.open()
		b.into(n, t.Into)
	case *ast.ForStatement:
		b = b.open()
		if declared, ok := t.Initializer.(*ast.ForLoopInitializerLexicalDecl); ok {
			b.scope.list(s, declared.LexicalDeclaration.List)
		}
	case *ast.BlockStatement:
		b = b.open()
		b.scope.lexical(s, t.List)
	case *ast.SwitchStatement:
		b = b.open()
		for _, c := range t.Body {
			b.scope.lexical(s, c.Consequent)
		}
	case *ast.CatchStatement:
		b = b.open()
		b.scope.unknown(s, t.Parameter)
		b.target(n, t.Parameter, false)
		b.add(n, t.Body)
		return
	case *ast.ClassLiteral:
		b = b.open()
		if t.Name != nil {
			b.scope.declare(s, t.Name, nil)
		}
	case *ast.ClassStaticBlock:
		b = b.enter(n, &function{})
		b.scope.vars(s, t.DeclarationList)
	case *ast.ReturnStatement:
		if f := s.functions[b.function]; f != nil {
			f.returns = append(f.returns, t.Argument)
		}
	case *ast.Binding:
		b.target(n, t.Target, false)
		b.maybe(n, t.Initializer)
		return
	case *ast.AssignExpression:
		b.assign(n, t)
		return
	case *ast.UnaryExpression:
		if id, ok := t.Operand.(*ast.Identifier); ok && (t.Operator == token.INCREMENT || t.Operator == token.DECREMENT) {
			if to := b.scope.find(id.Name); to != nil {
				to.unsure = true
			}
		}
	}
	children(syntax, func(kid ast.Node) { b.add(n, kid) })
}

// maybe adds an expression that need not be there.
func (b builder) maybe(up *node, e ast.Expression) {
	if e != nil {
		b.add(up, e)
	}
}

// open is the builder of a scope within.
func (b builder) open() builder {
	b.scope = &scope{up: b.scope}
	return b
}

// enter is the builder of a function's inside.
func (b builder) enter(n *node, f *function) builder {
	b.script.functions[n] = f
	b = b.open()
	b.function = n
	return b
}

func (b builder) body(n *node, t *ast.FunctionLiteral) {
	s := b.script
	if _, declared := n.up.syntax.(*ast.FunctionDeclaration); t.Name != nil && !declared {
		b.scope.declare(s, t.Name, t)
	}
	b.scope.declare(s, &ast.Identifier{Name: "arguments"}, nil)
	b.parameters(n, t.ParameterList)
	b.scope.vars(s, t.DeclarationList)
	b.scope.lexical(s, t.Body.List)
	b.statements(n, t.Body)
}

func (b builder) arrow(n *node, t *ast.ArrowFunctionLiteral) {
	s := b.script
	b.parameters(n, t.ParameterList)
	b.scope.vars(s, t.DeclarationList)
	switch body := t.Body.(type) {
	case *ast.BlockStatement:
		b.scope.lexical(s, body.List)
		b.statements(n, body)
	case *ast.ExpressionBody:
		s.functions[n].returns = append(s.functions[n].returns, body.Expression)
		b.add(n, body)
	}
}

// statements adds a function's block, which has no scope of its own.
func (b builder) statements(up *node, block *ast.BlockStatement) {
	n := &node{syntax: block, up: up, function: b.function, place: len(up.kids)}
	up.kids = append(up.kids, n)
	b.script.nodes[block] = n
	for _, statement := range block.List {
		b.add(n, statement)
	}
}

func (b builder) parameters(n *node, list *ast.ParameterList) {
	if list == nil {
		return
	}
	for i, p := range list.List {
		b.scope.parameter(b.script, p, n, i)
	}
	if list.Rest != nil {
		b.scope.unknown(b.script, list.Rest)
		b.target(n, list.Rest, false)
	}
	for _, p := range list.List {
		b.add(n, p)
	}
}

// into declares or overwrites what a loop over something sets.
func (b builder) into(n *node, into ast.ForInto) {
	switch t := into.(type) {
	case *ast.ForDeclaration:
		b.scope.unknown(b.script, t.Target)
		b.target(n, t.Target, false)
	case *ast.ForIntoVar:
		b.target(n, t.Binding.Target, true)
	case *ast.ForIntoExpression:
		b.target(n, t.Expression, true)
	}
}

func (b builder) assign(n *node, t *ast.AssignExpression) {
	if id, ok := t.Left.(*ast.Identifier); ok {
		to := b.scope.find(id.Name)
		switch {
		case to == nil:
			b.add(n, t.Left)
		case t.Operator == token.ASSIGN:
			b.script.bound[id] = to
			to.values = append(to.values, t.Right)
		default:
			to.unsure = true
			b.add(n, t.Left)
		}
	} else {
		b.target(n, t.Left, true)
	}
	b.add(n, t.Right)
}

// target adds what stands on the left: defaults and computed keys are read, names are not. write says that the names
// were declared elsewhere and are overwritten.
func (b builder) target(up *node, e ast.Expression, write bool) {
	switch t := e.(type) {
	case nil:
	case *ast.Identifier:
		if to := b.scope.find(t.Name); write && to != nil {
			to.unsure = true
		} else if write {
			b.add(up, t)
		}
	case *ast.AssignExpression:
		b.target(up, t.Left, write)
		b.add(up, t.Right)
	case *ast.Binding:
		b.target(up, t.Target, write)
		b.maybe(up, t.Initializer)
	case *ast.ArrayPattern:
		for _, element := range t.Elements {
			b.target(up, element, write)
		}
		b.target(up, t.Rest, write)
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				b.target(up, &p.Name, write)
				b.maybe(up, p.Initializer)
			case *ast.PropertyKeyed:
				if p.Computed {
					b.add(up, p.Key)
				}
				b.target(up, p.Value, write)
			}
		}
		b.target(up, t.Rest, write)
	default:
		b.add(up, e)
	}
}

func (b builder) reads(n *node, id *ast.Identifier) {
	s := b.script
	to := b.scope.find(id.Name)
	if to == nil {
		s.globals = append(s.globals, n)
		return
	}
	s.bound[id] = to
	to.reads = append(to.reads, n)
}

func (b builder) awaits() {
	if f := b.script.functions[b.function]; f != nil {
		f.awaits = true
	}
}

// name is an identifier's name as the engine has it; the bundler may have changed the author's.
func name(id unistring.String) string { return id.String() }
