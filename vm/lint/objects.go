package lint

import "github.com/dop251/goja/ast"

// Objects as they are written down. A computed key, an accessor or a spread hides what stands in them, so members are looked for by
// plain keys alone.

// property gives the value of a member of an object that is written down, nil if it is not there in this form.
func property(o *ast.ObjectLiteral, key string) ast.Expression {
	for _, p := range o.Value {
		if keyed, ok := p.(*ast.PropertyKeyed); ok && !keyed.Computed && keyed.Kind == ast.PropertyKindValue && keyOf(keyed) == key {
			return keyed.Value
		}
	}
	return nil
}

// short says that an object has a member by the name of a variable, as in {key}.
func short(o *ast.ObjectLiteral, key string) bool {
	for _, p := range o.Value {
		if s, ok := p.(*ast.PropertyShort); ok && name(s.Name.Name) == key {
			return true
		}
	}
	return false
}

func keyOf(p *ast.PropertyKeyed) string {
	if key, ok := p.Key.(*ast.StringLiteral); ok {
		return name(key.Value)
	}
	return ""
}

// objects gives the objects that are written down in an array.
func objects(e ast.Expression) []*ast.ObjectLiteral {
	array, ok := e.(*ast.ArrayLiteral)
	if !ok {
		return nil
	}
	var found []*ast.ObjectLiteral
	for _, element := range array.Value {
		if o, ok := element.(*ast.ObjectLiteral); ok {
			found = append(found, o)
		}
	}
	return found
}
