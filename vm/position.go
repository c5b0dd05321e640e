package vm

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// position gives the author's place that is executing, or the zero value when goja itself
// called the host function, as in promise.then(agent).
func (m *Machine) position() Position {
	return m.firstPlace(m.realm.vm.CaptureCallStack(0, nil))
}

// maxPlaces bounds what is remembered of where frames are; finding a place decodes a source map.
const maxPlaces = 10_000

// firstPlace gives the innermost place of the author in a stack.
func (m *Machine) firstPlace(stack []goja.StackFrame) Position {
	for i := range stack {
		f := &stack[i]
		p, known := m.places[*f]
		if !known {
			p, _ = m.authored(f.SrcName(), func() (string, int, int) {
				at := f.Position()
				return at.Filename, at.Line, at.Column
			})
			if len(m.places) < maxPlaces {
				m.places[*f] = p
			}
		}
		if p.File != "" {
			return p
		}
	}
	return Position{}
}

// authored says whether a place is in the author's source: not in a native, the prelude, or
// what the compiler added.
func (m *Machine) authored(source string, place func() (string, int, int)) (Position, bool) {
	if source == "" || strings.HasPrefix(source, preludeName) {
		return Position{}, false
	}
	shown, line, column := place()
	file := m.file(shown)
	if line <= 0 || file == "" {
		return Position{}, false
	}
	return Position{File: file, Line: line, Column: column}, true
}

// file gives the path of the source that the engine shows as name, in whichever of the run's programs it is.
func (m *Machine) file(shown string) string {
	for _, p := range m.programs {
		if file := p.file(shown); file != "" {
			return file
		}
	}
	return ""
}

// A line of an error's stack, as goja writes it: "\tat name (file:line:column(pc))".
var stackLine = regexp.MustCompile(`^\s+at (?:.* \()?([^()]+):(\d+):(\d+)\(\d+\)\)?$`)

// errorPlace gives the place where an error object was made, and its stack with the author's
// frames only. An error made outside any function of the author has neither.
func (m *Machine) errorPlace(o *goja.Object) (Position, string) {
	var stack string
	// The stack is text that goja writes when it is first read, and for that it reads name and
	// message, which may be accessors.
	_ = m.realm.vm.Try(func() { stack, _ = m.realm.ownString(o, "stack") })
	var first Position
	var kept []string
	for line := range strings.Lines(stack) {
		line = strings.TrimRight(line, "\n")
		parts := stackLine.FindStringSubmatch(line)
		if parts == nil {
			continue
		}
		row, _ := strconv.Atoi(parts[2])
		column, _ := strconv.Atoi(parts[3])
		p, ok := m.authored(parts[1], func() (string, int, int) { return parts[1], row, column })
		if !ok {
			continue
		}
		if first == (Position{}) {
			first = p
		}
		if len(kept) < 50 {
			kept = append(kept, "  at "+p.File+":"+parts[2]+":"+parts[3])
		}
	}
	return first, strings.Join(kept, "\n")
}
