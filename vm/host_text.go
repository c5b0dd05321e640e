package vm

import (
	"strings"

	"github.com/dop251/goja"
)

// maxPatterns bounds what is remembered of how patterns were written.
const maxPatterns = 20_000

// textFunctions are what the prelude needs where a text becomes code or a regular expression.
func (m *Machine) textFunctions() map[string]native {
	r := m.realm
	return map[string]native{
		// checkSource gives the text that the engine may take for code.
		"checkSource": func(call goja.FunctionCall) goja.Value {
			text := wtf8(call.Argument(0).(goja.String))
			if _, bad := checkNesting(text, func(int, int) {}); bad != nil {
				panic(r.newError("SyntaxError", bad.what, mark{code: bad.code}))
			}
			changed, bad := rewriteLiterals(text, m.rewriteRegExp)
			if bad != nil {
				panic(r.newError("SyntaxError", bad.what, mark{code: bad.code}))
			}
			if changed == text {
				return call.Argument(0)
			}
			return r.stringValue(changed)
		},
		"isRegExp": func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(0).(*goja.Object)
			return r.vm.ToValue(ok && r.kind(o) == kindRegExp)
		},
		// pattern gives the pattern for the engine that means what ECMAScript says of the script's.
		"pattern": func(call goja.FunctionCall) goja.Value {
			source := wtf8(call.Argument(0).(goja.String))
			pattern, bad := m.rewriteRegExp(source, call.Argument(1).String())
			if bad != nil {
				panic(r.newError("SyntaxError", bad.what, mark{code: bad.code}))
			}
			return r.stringValue(pattern)
		},
		"canBeEmpty": func(call goja.FunctionCall) goja.Value {
			p := &patternWriter{src: m.writtenAs(wtf8(call.Argument(0).(goja.String)))}
			return r.vm.ToValue(p.write() && (p.top().nullable || p.top().empty))
		},
		// searching gives the flags for an expression that looks for its next match.
		"searching": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(strings.NewReplacer("y", "", "g", "").Replace(call.Argument(0).String()) + "g")
		},
		// authored gives what the author wrote of a pattern that the engine shows.
		"authored": func(call goja.FunctionCall) goja.Value {
			return r.stringValue(m.writtenAs(wtf8(call.Argument(0).(goja.String))))
		},
	}
}

func (m *Machine) writtenAs(pattern string) string {
	for _, patterns := range []map[string]string{m.patterns, m.program.patterns} {
		if source, known := patterns[pattern]; known {
			return source
		}
	}
	return pattern
}

// rewriteRegExp does for a pattern that the running script makes what Compile did for its literals.
func (m *Machine) rewriteRegExp(source, flags string) (string, *refused) {
	pattern, bad := rewriteRegExp(source, flags)
	if bad == nil && pattern != source && len(m.patterns) < maxPatterns {
		m.patterns[pattern] = source
	}
	return pattern, bad
}

// rewriteLiterals puts new patterns into the regular expressions of a text that becomes code.
func rewriteLiterals(text string, rewrite func(source, flags string) (string, *refused)) (string, *refused) {
	l := lexer{src: text}
	var out strings.Builder
	done := 0
	for {
		switch t := l.next(); t.kind {
		case tokenEnd, tokenBroken:
			out.WriteString(text[done:])
			return out.String(), nil
		case tokenUnsure:
			return "", refusedf(codeUnsupported, "cannot tell whether a / divides or starts a regular expression; put what stands before it into parentheses, or end it with ;")
		case tokenRegexp:
			end := strings.LastIndexByte(text[:t.end], '/')
			pattern, bad := rewrite(text[t.start+1:end], text[end+1:t.end])
			if bad != nil {
				return "", bad
			}
			out.WriteString(text[done:t.start] + "/" + pattern + "/")
			done = end + 1
		default: // all else stays
		}
	}
}
