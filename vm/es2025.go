package vm

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/dop251/goja"
)

// es2025Functions are built-ins of ECMA-262 (2025) that are a calculation and nothing else.
func (m *Machine) es2025Functions() map[string]native {
	r := m.realm
	return map[string]native{
		"regexpEscape": func(call goja.FunctionCall) goja.Value {
			made := &making{m: m, what: "RegExp.escape: the string"}
			return r.stringValue(regexpEscape(wtf8(call.Argument(0).(goja.String)), made.add))
		},
		"f16round": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(f16round(call.Argument(0).ToFloat())) },
	}
}

// f16round is the nearest value that binary16 has (21.3.2.17); ties go to the even one.
func f16round(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	_, exponent := math.Frexp(x) // |x| = fraction * 2^exponent, 0.5 <= fraction < 1
	quantum := math.Ldexp(1, max(exponent-1, -14)-10)
	rounded := math.RoundToEven(x/quantum) * quantum
	if math.Abs(rounded) > 65504 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return math.Copysign(rounded, x)
}

// regexpEscape is EncodeForRegExpEscape (22.2.5.1.1) over a text in WTF-8. add is told how many units more there are.
func regexpEscape(text string, add func(units int)) string {
	const syntax = `^$\.*+?()[]{}|/`
	control := map[rune]string{'\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`, '\r': `\r`}
	var out strings.Builder
	for at := 0; at < len(text); {
		c, size := decodeWTF8(text[at:])
		before := out.Len()
		switch {
		case at == 0 && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'):
			fmt.Fprintf(&out, `\x%02x`, c)
		case c < 0x80 && strings.ContainsRune(syntax, c):
			out.WriteString(`\` + string(c))
		case control[c] != "":
			out.WriteString(control[c])
		case strings.ContainsRune(",-=<>#&!%:;@~'`\"", c) && c < 0x80, isSpace(c), c >= 0xD800 && c <= 0xDFFF:
			if c <= 0xFF {
				fmt.Fprintf(&out, `\x%02x`, c)
			} else {
				fmt.Fprintf(&out, `\u%04x`, c)
			}
		default:
			out.WriteString(text[at : at+size])
		}
		at += size
		add(unitsOf(out.String()[before:]))
	}
	return out.String()
}

// isSpace says that c is WhiteSpace or LineTerminator (12.2, 12.3).
func isSpace(c rune) bool {
	return c == '\t' || c == '\v' || c == '\f' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 || c == 0xFEFF || unicode.Is(unicode.Zs, c)
}
