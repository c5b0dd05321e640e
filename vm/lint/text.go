package lint

import (
	"strings"

	"github.com/dop251/goja/ast"

	"github.com/seed-8d4a6081/assent/vm"
)

// spelled gives an expression as the author wrote it, if it is a name or a member of one; the bundler may have given the name
// another number. Anything else is "…".
func (s *script) spelled(e ast.Expression) string {
	switch t := e.(type) {
	case *ast.Identifier:
		if at, ok := s.checked.Place(t.Idx); ok {
			if word := wordAt(s.lineAt(at), at.Column); word != "" {
				return word
			}
		}
		return name(t.Name)
	case *ast.DotExpression:
		return s.spelled(t.Left) + "." + name(t.Identifier.Name)
	case *ast.BracketExpression:
		if key, ok := t.Member.(*ast.StringLiteral); ok {
			left := s.spelled(t.Left)
			if _, optional := t.Left.(*ast.Optional); optional {
				left += "."
			}
			return left + "[" + quoted(name(key.Value)) + "]"
		}
	case *ast.OptionalChain:
		return s.spelled(t.Expression)
	case *ast.Optional:
		return s.spelled(t.Expression) + "?"
	case *ast.AwaitExpression:
		return "(await …)"
	}
	return "…"
}

// lineAt gives the line of a source that a place is in.
func (s *script) lineAt(at vm.Position) string {
	if s.lines == nil {
		s.lines = map[string][]string{}
		for _, source := range s.checked.Sources() {
			text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.TrimPrefix(source.Text, "\uFEFF"))
			s.lines[source.Path] = strings.Split(text, "\n")
		}
	}
	lines := s.lines[at.File]
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return lines[at.Line-1]
}

// wordAt gives the name that begins at a column of a line.
func wordAt(line string, column int) string {
	units := 1
	for i, c := range line {
		if units >= column {
			rest := line[i:]
			end := strings.IndexFunc(rest, func(c rune) bool {
				return c < 0x80 && c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
			})
			if end < 0 {
				end = len(rest)
			}
			return rest[:end]
		}
		units++
		if c > 0xFFFF {
			units++
		}
	}
	return ""
}
