package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"

	"github.com/seed-8d4a6081/assent/vm"
)

// names looks for options that a call does not know. Only an object that is written down at the call is looked at; what a name or a
// spread brings along is for the call itself to refuse.
func (r *report) names(call *ast.CallExpression) {
	global := r.global(call.Callee)
	if global == "" {
		return
	}
	known, argument := r.options.Calls[global], 1
	if helper, ok := vm.Helpers()[global]; ok {
		known, argument = Names{Known: helper.Names, Value: known.Value}, helper.Argument
	}
	if known.Known == nil || len(call.ArgumentList) <= argument || spreads(call.ArgumentList[:argument]) {
		return
	}
	if global == "dag" {
		for _, o := range objects(call.ArgumentList[argument]) {
			r.object("a node of dag", o, known)
		}
		return
	}
	if o, ok := call.ArgumentList[argument].(*ast.ObjectLiteral); ok {
		r.object(global, o, known)
	}
}

func spreads(list []ast.Expression) bool {
	return slices.ContainsFunc(list, func(e ast.Expression) bool {
		_, ok := e.(*ast.SpreadElement)
		return ok
	})
}

func (r *report) object(of string, o *ast.ObjectLiteral, known Names) {
	for _, p := range o.Value {
		var key string
		var at ast.Node
		switch p := p.(type) {
		case *ast.PropertyShort:
			key, at = name(p.Name.Name), &p.Name
		case *ast.PropertyKeyed:
			if p.Computed {
				continue
			}
			key, at = keyOf(p), p.Key
		default:
			continue
		}
		n := &node{syntax: at}
		switch {
		case key == "":
		case slices.Contains(known.Known, key):
			r.valueOf(p, key, known)
		case slices.Contains(known.Ignored, key):
			r.say(n, Warning, ForeignOption, "", fmt.Sprintf("%s: the option %q belongs to other runners and has no effect here", of, key), "leave it out")
		default:
			fix := "the options are " + strings.Join(known.Known, ", ")
			if near := vm.Nearest(key, known.Known); near != "" {
				fix = fmt.Sprintf("did you mean %q?", near)
			}
			r.say(n, Error, UnknownOption, "OPTION_UNKNOWN", fmt.Sprintf("%s has no option %q", of, key), fix)
		}
	}
}
