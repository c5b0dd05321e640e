package vm

import (
	"strings"

	"github.com/dop251/goja"
)

// textFunctions are what the prelude needs where a text becomes code.
func (m *Machine) textFunctions() map[string]native {
	r := m.realm
	return map[string]native{
		// checkSource gives the text that the engine may take for code.
		"checkSource": func(call goja.FunctionCall) goja.Value {
			text := wtf8(call.Argument(0).(goja.String))
			if _, bad := checkNesting(text, func(int, int) {}); bad != nil {
				panic(r.newError("SyntaxError", bad.what, mark{code: bad.code}))
			}
			changed, bad := rewriteLiterals(text, m.expressions.add)
			if bad != nil {
				m.refusedPattern(bad)
			}
			if changed == text {
				return call.Argument(0)
			}
			return r.stringValue(changed)
		},
	}
}

// rewriteLiterals puts keys into the regular expressions of a text that becomes code.
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
			flags := text[end+1 : t.end]
			if strings.ContainsAny(text[t.start:end], "\n\r\u2028\u2029") {
				return "", refusedf(codeSyntax, "Invalid regular expression: missing /")
			}
			key, bad := rewrite(text[t.start+1:end], flags)
			if bad != nil {
				return "", bad
			}
			out.WriteString(text[done:t.start] + "/" + key + "/" + engineFlags(flags))
			done = t.end
		default: // all else stays
			if t.kind != tokenPunct && lastEscape.MatchString(text[t.start:t.end]) {
				return "", refusedf(codeUnsupported, noLastEscape)
			}
		}
	}
}
