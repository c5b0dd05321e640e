package vm

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
)

// maxRefused is how many literals of a script are refused before reading ends.
const maxRefused = 100

// readRegExps reads a program's regular expressions, and puts their keys into the tree.
func (p *Program) readRegExps(tree *ast.Program, code string) (wrong []*Error) {
	p.expressions = ofProgram(p.hash)
	if !strings.Contains(code, "/") {
		return nil
	}
	for _, literal := range regexpLiterals(tree) {
		key, bad := p.expressions.add(literal.Pattern, literal.Flags)
		if bad != nil {
			e := &Error{Code: bad.code, Message: bad.what, File: p.name}
			at := tree.File.Position(int(literal.Idx) - tree.File.Base())
			if source := p.file(at.Filename); source != "" {
				e.File, e.Line, e.Column = source, at.Line, at.Column
			}
			if wrong = append(wrong, e); bad == errPatternTooLarge || len(wrong) == maxRefused {
				return wrong // of all others the same would be said, or nobody would read on
			}
			continue
		}
		literal.Pattern, literal.Flags = key, engineFlags(literal.Flags)
	}
	return wrong
}

var (
	literalType = reflect.TypeFor[*ast.RegExpLiteral]()
	astPackage  = reflect.TypeFor[ast.Program]().PkgPath()
)

// indirect takes a call of eval for what it is here: one that sees globals only. The engine would keep every name around it alive in
// case the text asks for one, and fails where that is a class's field.
func indirect(call *ast.CallExpression) {
	if callee, ok := call.Callee.(*ast.Identifier); ok && callee.Name == "eval" {
		call.Callee = &ast.SequenceExpression{Sequence: []ast.Expression{&ast.NumberLiteral{Idx: callee.Idx, Literal: "0", Value: int64(0)}, callee}}
	}
}

// regexpLiterals finds the literals in a tree, and makes its calls of eval indirect. The engine's parser has no way to walk its trees. It
// works through a list instead of calling itself: a tree can be deep.
func regexpLiterals(tree *ast.Program) []*ast.RegExpLiteral {
	var found []*ast.RegExpLiteral
	seen := map[*ast.RegExpLiteral]bool{}
	left := []reflect.Value{reflect.ValueOf(tree.Body)}
	for len(left) > 0 {
		v := left[len(left)-1]
		left = left[:len(left)-1]
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				continue
			}
			if v.Type() == literalType {
				if literal := v.Interface().(*ast.RegExpLiteral); !seen[literal] {
					seen[literal] = true
					found = append(found, literal)
				}
				continue
			}
			if call, ok := v.Interface().(*ast.CallExpression); ok {
				indirect(call)
			}
			left = append(left, v.Elem())
		case reflect.Slice:
			for i := v.Len() - 1; i >= 0; i-- {
				left = append(left, v.Index(i))
			}
		case reflect.Struct:
			if v.Type().PkgPath() != astPackage {
				continue
			}
			for i := v.NumField() - 1; i >= 0; i-- {
				// What declares variables is listed a second time, beside the tree.
				if name := v.Type().Field(i); name.IsExported() && name.Name != "DeclarationList" {
					left = append(left, v.Field(i))
				}
			}
		default: // a text, a number, a position
		}
	}
	return found
}
