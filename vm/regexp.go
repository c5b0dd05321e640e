package vm

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// The libraries that the engine hands regular expressions to were made for other dialects, and differ from ECMAScript without saying
// so. So the machine has its own: a pattern is read as ECMA-262 22.2.1 and its Annex B say (regexp_syntax.go, regexp_class.go),
// becomes a list of instructions (regexp_compile.go), and these are executed by backtracking (regexp_match.go), with all of
// the standard's rules for captures, empty rounds and letter case. The engine's own expressions are only the objects; what stands in
// them as their pattern is a key, under which the machine finds what the author wrote.

// expression is a regular expression that was read. It does not change, and machines can share it.
type expression struct {
	source string // as the author wrote it, in WTF-8
	flags  string
	code   *regexpProgram
}

// has says whether the expression has a flag.
func (x *expression) has(flag string) bool { return strings.Contains(x.flags, flag) }

// expressions are known by their key, which is what the engine takes for their pattern.
type expressions struct {
	key   func(source, flags string) string
	byKey map[string]*expression
	keys  map[[2]string]string // of source and flags
}

func newExpressions() *expressions {
	return &expressions{byKey: map[string]*expression{}, keys: map[[2]string]string{}}
}

// ofProgram numbers the expressions: they live as long as the program.
func ofProgram() *expressions {
	all := newExpressions()
	all.key = func(string, string) string { return "p" + strconv.Itoa(len(all.keys)) }
	return all
}

// maxMade is how many of the expressions that a running script makes stay read.
const maxMade = 10_000

// ofMachine has all of an expression in its key, so that it can be read again: nobody says when the engine lets one go.
func ofMachine() *expressions {
	all := newExpressions()
	all.key = func(source, flags string) string {
		if len(all.keys) >= maxMade {
			clear(all.keys)
			clear(all.byKey)
		}
		return "r" + hex.EncodeToString([]byte(flags)) + "_" + hex.EncodeToString([]byte(source))
	}
	return all
}

// made reads an expression again.
func (all *expressions) made(key string) *expression {
	flags, source, found := strings.Cut(strings.TrimPrefix(key, "r"), "_")
	letters, bad := hex.DecodeString(flags)
	text, worse := hex.DecodeString(source)
	if !found || bad != nil || worse != nil {
		return nil
	}
	if _, wrong := all.add(string(text), string(letters)); wrong != nil {
		return nil
	}
	return all.byKey[key]
}

const validFlags = "dgimsuvy"

// newExpression reads a pattern.
func newExpression(source, flags string) (*expression, *refused) {
	for i, flag := range flags {
		if !strings.ContainsRune(validFlags, flag) || strings.ContainsRune(flags[:i], flag) {
			return nil, refusedf(codeSyntax, "Invalid flags supplied to RegExp constructor '%s'", clip(flags, 40))
		}
	}
	if strings.Contains(flags, "u") && strings.Contains(flags, "v") {
		return nil, refusedf(codeSyntax, "Invalid flags supplied to RegExp constructor '%s': u and v exclude each other", flags)
	}
	code, bad := compileRegExp(source, flags)
	if bad != nil {
		return nil, bad
	}
	letters := []byte(flags)
	slices.Sort(letters) // the order in which flags shows them
	return &expression{source: source, flags: string(letters), code: code}, nil
}

// add gives the key of an expression, and makes one if there is none yet.
func (all *expressions) add(source, flags string) (string, *refused) {
	id := [2]string{source, flags}
	if key, known := all.keys[id]; known {
		return key, nil
	}
	x, bad := newExpression(source, flags)
	if bad != nil {
		return "", bad
	}
	key := all.key(source, flags)
	all.keys[id], all.byKey[key] = key, x
	return key, nil
}

// engineFlags are those of the flags that the engine knows.
func engineFlags(flags string) string { return strings.NewReplacer("d", "", "v", "").Replace(flags) }

// expression gives what the machine knows of a regular expression that the engine holds; nil if o is none.
func (m *Machine) expression(o *goja.Object) *expression {
	if o == nil || m.realm.kind(o) != kindRegExp {
		return nil
	}
	key, ok := m.regexpSource(goja.FunctionCall{This: o}).(goja.String)
	if !ok {
		return nil
	}
	return m.expressionOf(key.String())
}

func (m *Machine) expressionOf(key string) *expression {
	if x := m.program.expressions.byKey[key]; x != nil {
		return x
	}
	if x := m.expressions.byKey[key]; x != nil {
		return x
	}
	return m.expressions.made(key)
}
