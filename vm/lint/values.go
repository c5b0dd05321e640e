package lint

import (
	"cmp"
	"encoding/json"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// valueOf looks at the value of an option, if it is written down and nothing in it has to be computed.
func (r *report) valueOf(p ast.Property, key string, known Names) {
	keyed, ok := p.(*ast.PropertyKeyed)
	if !ok || known.Value == nil || keyed.Kind != ast.PropertyKindValue {
		return
	}
	value, ok := literal(keyed.Value, 0)
	if !ok || r.caught(r.nodes[keyed.Value]) {
		return
	}
	text, err := json.Marshal(value)
	if err != nil {
		return // no JSON, such as 1e999
	}
	if refusal := known.Value(key, text); refusal != nil {
		r.say(r.nodes[keyed.Value], Error, InvalidOption, refusal.Code, refusal.What, cmp.Or(refusal.Fix, "give what it takes, or leave it out"))
	}
}

// caught says that a script is ready for what goes wrong at a place: it may want to see the refusal.
func (r *report) caught(n *node) bool {
	for up := n.up; up.syntax != nil; n, up = up, up.up {
		switch t := up.syntax.(type) {
		case *ast.TryStatement:
			if t.Catch != nil && n.syntax == ast.Node(t.Body) {
				return true
			}
		case *ast.DotExpression:
			if call, ok := up.up.syntax.(*ast.CallExpression); ok && call.Callee == up.syntax && t.Identifier.Name == "catch" {
				return true
			}
		}
	}
	return false
}

// deepest is how far literals are followed; no option takes what is deeper.
const deepest = 50

// literal is the value of an expression that has only constants in it.
func literal(e ast.Expression, depth int) (any, bool) {
	if depth > deepest {
		return nil, false
	}
	switch t := e.(type) {
	case *ast.NullLiteral:
		return nil, true
	case *ast.BooleanLiteral:
		return t.Value, true
	case *ast.NumberLiteral:
		return t.Value, true
	case *ast.StringLiteral:
		return name(t.Value), true
	case *ast.UnaryExpression:
		n, ok := literal(t.Operand, depth+1)
		if !ok || t.Operator != token.MINUS {
			return nil, false
		}
		switch n := n.(type) {
		case int64:
			return -n, true
		case float64:
			return -n, true
		}
	case *ast.ArrayLiteral:
		list := make([]any, 0, len(t.Value))
		for _, element := range t.Value {
			value, ok := literal(element, depth+1)
			if !ok {
				return nil, false
			}
			list = append(list, value)
		}
		return list, true
	case *ast.ObjectLiteral:
		members := map[string]any{}
		for _, p := range t.Value {
			keyed, ok := p.(*ast.PropertyKeyed)
			if !ok || keyed.Computed || keyed.Kind != ast.PropertyKindValue {
				return nil, false
			}
			key, ok := keyed.Key.(*ast.StringLiteral)
			if !ok {
				return nil, false
			}
			value, ok := literal(keyed.Value, depth+1)
			if !ok {
				return nil, false
			}
			members[name(key.Value)] = value
		}
		return members, true
	}
	return nil, false
}
