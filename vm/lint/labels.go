package lint

import (
	"strconv"
	"strings"

	"github.com/dop251/goja/ast"
)

// maxCompared bounds how many calls are compared with one, so that a long script takes no time that grows with its square.
const maxCompared = 50

// labels looks for two agents with one label: nobody can tell them apart, neither in the list of calls nor with show --call. Two of
// which only one can run share theirs with good reason.
func (r *report) labels() {
	type level struct {
		function *node
		label    string
	}
	seen := map[level][]*node{}
	for _, n := range r.agents {
		call := n.syntax.(*ast.CallExpression)
		if len(call.ArgumentList) < 2 {
			continue
		}
		options, ok := call.ArgumentList[1].(*ast.ObjectLiteral)
		if !ok {
			continue
		}
		label, ok := property(options, "label").(*ast.StringLiteral)
		if !ok {
			continue
		}
		key := level{r.outline(n), name(label.Value)}
		for _, earlier := range seen[key] {
			if r.apart(earlier, n) {
				continue
			}
			at, _ := r.checked.Place(earlier.syntax.Idx0())
			r.say(&node{syntax: label}, Warning, DuplicateLabel, "", "the agent "+inLine(at.Line)+" has the label "+quoted(key.label)+" too", "give each agent a label of its own, such as `"+ellipsis(key.label)+" ${i}`")
			break
		}
		if len(seen[key]) < maxCompared {
			seen[key] = append(seen[key], n)
		}
	}
}

// outline is the function that a person reads a call in: functions that are written down as arguments belong to what is around.
func (r *report) outline(n *node) *node {
	f := n.function
	for f != nil {
		up := r.parent(f)
		switch up.syntax.(type) {
		case *ast.CallExpression, *ast.ArrayLiteral, *ast.PropertyKeyed:
			f = f.function
		default:
			return f
		}
	}
	return f
}

func inLine(line int) string { return "in line " + strconv.Itoa(line) }

// quoted shows a text of the script in a message.
func quoted(text string) string { return strconv.Quote(ellipsis(text)) }

func ellipsis(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
