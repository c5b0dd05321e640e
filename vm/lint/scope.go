package lint

import (
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/unistring"
)

// scope holds the names that are declared in one place of the text.
type scope struct {
	up    *scope
	names map[unistring.String]*binding
}

// binding is a declared name and what is known of its values.
type binding struct {
	id *ast.Identifier
	// values are all that it is ever set to; unsure says that there are others.
	values []ast.Expression
	unsure bool
	// key is set if the name gets this member of values, as in const {key: name} = value.
	key string
	// of and place say of which function it is which parameter; of is nil otherwise.
	of    *node
	place int
	reads []*node
	// element counts from 1: the name gets this element of values, as in const [name] = value.
	element int
}

// alone says that a name has one value, all of it.
func (b *binding) alone() bool {
	return !b.unsure && b.of == nil && b.key == "" && b.element == 0 && len(b.values) == 1
}

func (c *scope) find(id unistring.String) *binding {
	for ; c != nil; c = c.up {
		if b := c.names[id]; b != nil {
			return b
		}
	}
	return nil
}

// declare makes a binding. A name that is declared twice could be either.
func (c *scope) declare(s *script, id *ast.Identifier, value ast.Expression) *binding {
	if c.names == nil {
		c.names = map[unistring.String]*binding{}
	}
	b := c.names[id.Name]
	if b == nil {
		b = &binding{id: id}
		c.names[id.Name] = b
	} else {
		b.unsure = true
	}
	s.bound[id] = b
	if value != nil {
		b.values = append(b.values, value)
	}
	return b
}

// vars declares what var does, wherever it stands in a function.
func (c *scope) vars(s *script, declarations []*ast.VariableDeclaration) {
	for _, d := range declarations {
		c.list(s, d.List)
	}
}

func (c *scope) list(s *script, bindings []*ast.Binding) {
	for _, b := range bindings {
		c.target(s, b.Target, b.Initializer)
	}
}

// lexical declares what a list of statements declares for itself.
func (c *scope) lexical(s *script, statements []ast.Statement) {
	for _, statement := range statements {
		if labelled, ok := statement.(*ast.LabelledStatement); ok {
			statement = labelled.Statement
		}
		switch t := statement.(type) {
		case *ast.LexicalDeclaration:
			c.list(s, t.List)
		case *ast.FunctionDeclaration:
			c.declare(s, t.Function.Name, t.Function)
		case *ast.ClassDeclaration:
			if t.Class.Name != nil {
				c.declare(s, t.Class.Name, nil).unsure = true
			}
		}
	}
}

// target declares the names of a target. value is what it gets, nil if nobody knows.
func (c *scope) target(s *script, target ast.Expression, value ast.Expression) {
	switch t := target.(type) {
	case *ast.Identifier:
		c.declare(s, t, value)
	case *ast.AssignExpression:
		c.unknown(s, t.Left)
	case *ast.Binding:
		c.unknown(s, t.Target)
	case *ast.ArrayPattern:
		for i, element := range t.Elements {
			if id, ok := element.(*ast.Identifier); ok && value != nil {
				c.declare(s, id, value).element = i + 1
			} else {
				c.unknown(s, element)
			}
		}
		c.unknown(s, t.Rest)
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			c.member(s, p, value)
		}
		c.unknown(s, t.Rest)
	}
}

// member declares what one property of a pattern declares.
func (c *scope) member(s *script, p ast.Property, value ast.Expression) {
	switch p := p.(type) {
	case *ast.PropertyShort:
		b := c.declare(s, &p.Name, value)
		b.key = name(p.Name.Name)
		b.unsure = b.unsure || p.Initializer != nil || value == nil
	case *ast.PropertyKeyed:
		key, plain := p.Key.(*ast.StringLiteral)
		if id, ok := p.Value.(*ast.Identifier); ok && plain && !p.Computed {
			b := c.declare(s, id, value)
			b.key = name(key.Value)
			b.unsure = b.unsure || value == nil
			return
		}
		c.unknown(s, p.Value)
	}
}

// unknown declares the names of a target that gets values from somewhere else.
func (c *scope) unknown(s *script, target ast.Expression) {
	c.target(s, target, nil)
	c.unsure(target)
}

// unsure marks a name that gets values that are not followed.
func (c *scope) unsure(target ast.Expression) {
	if id, ok := target.(*ast.Identifier); ok {
		if b := c.names[id.Name]; b != nil {
			b.unsure = true
		}
	}
}

// parameter declares a function's parameter.
func (c *scope) parameter(s *script, p *ast.Binding, of *node, place int) {
	mark := func(b *binding) { b.of, b.place = of, place }
	switch t := p.Target.(type) {
	case *ast.Identifier:
		b := c.declare(s, t, nil)
		b.unsure = p.Initializer != nil
		mark(b)
	case *ast.ObjectPattern:
		c.target(s, t, nil)
		for _, property := range t.Properties {
			switch property := property.(type) {
			case *ast.PropertyShort:
				b := c.names[property.Name.Name]
				b.unsure = property.Initializer != nil || p.Initializer != nil
				mark(b)
			case *ast.PropertyKeyed:
				if id, ok := property.Value.(*ast.Identifier); ok && c.names[id.Name].key != "" {
					b := c.names[id.Name]
					b.unsure = p.Initializer != nil
					mark(b)
				}
			}
		}
	default:
		c.unknown(s, p.Target)
	}
}
