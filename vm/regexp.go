package vm

import (
	"encoding/base64"
	"math"
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
	key    func(source, flags string) string
	effort func() *effort // for reading the next one
	byKey  map[string]*expression
	keys   map[[2]string]string // of source and flags
	bytes  int                  // that they take, about
	most   int                  // of these
}

func newExpressions() *expressions {
	return &expressions{byKey: map[string]*expression{}, keys: map[[2]string]string{}}
}

// ofProgram numbers the expressions of the program with that hash: they live as long as it does.
func ofProgram(hash string) *expressions {
	all := newExpressions()
	all.key = func(string, string) string { return "p" + hash[:16] + "_" + strconv.Itoa(len(all.keys)) }
	together := newEffort(maxLiterals, nil)
	all.effort = func() *effort { return together }
	all.most = math.MaxInt // effort bounds it; none is let go
	return all
}

// keyText writes bytes so that a key can stand in brackets.
var keyText = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.").WithPadding(base64.NoPadding)

// ofMachine has all of an expression in its key, so that it can be read again: nobody says when the engine lets one go. For the engine, the key is a
// set of characters, which takes little of it however long the key is.
func ofMachine(check func() error) *expressions {
	all := newExpressions()
	all.key = func(source, flags string) string {
		return "[r" + flags + "," + keyText.EncodeToString([]byte(source)) + "]"
	}
	all.effort = func() *effort { return newEffort(1, check) }
	all.most = maxMade
	return all
}

// made reads an expression again.
func (all *expressions) made(key string) (*expression, *refused) {
	flags, source, found := strings.Cut(strings.TrimPrefix(key, "[r"), ",")
	text, err := keyText.DecodeString(strings.TrimSuffix(source, "]"))
	if !found || err != nil {
		return nil, nil
	}
	if _, bad := all.add(string(text), flags); bad != nil {
		return nil, bad
	}
	return all.byKey[key], nil
}

const validFlags = "dgimsuvy"

// newExpression reads a pattern.
func newExpression(source, flags string, e *effort) (*expression, *refused) {
	if bad := checkLength(unitsOf(source)); bad != nil {
		return nil, bad
	}
	for i, flag := range flags {
		if !strings.ContainsRune(validFlags, flag) || strings.ContainsRune(flags[:i], flag) {
			return nil, refusedf(codeSyntax, "Invalid flags supplied to RegExp constructor '%s'", clip(flags, 40))
		}
	}
	if strings.Contains(flags, "u") && strings.Contains(flags, "v") {
		return nil, refusedf(codeSyntax, "Invalid flags supplied to RegExp constructor '%s': u and v exclude each other", flags)
	}
	code, bad := compileRegExp(source, flags, e)
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
	x, bad := newExpression(source, flags, all.effort())
	if bad != nil {
		return "", bad
	}
	key := all.key(source, flags)
	if all.bytes += x.code.bytes + len(key); all.bytes > all.most {
		clear(all.keys)
		clear(all.byKey)
		all.bytes = x.code.bytes + len(key)
	}
	all.keys[id], all.byKey[key] = key, x
	return key, nil
}

// engineFlags are those of the flags that the engine knows.
func engineFlags(flags string) string { return strings.NewReplacer("d", "", "v", "").Replace(flags) }

// expression gives what the machine knows of a regular expression that the engine holds; nil if o is none.
func (m *Machine) expression(o *goja.Object) *expression {
	if o == nil {
		return nil
	}
	if x := m.recent.find(o); x != nil {
		return x
	}
	if m.realm.kind(o) != kindRegExp {
		return nil
	}
	key, ok := m.regexpSource(goja.FunctionCall{This: o}).(goja.String)
	if !ok {
		return nil
	}
	x := m.expressionOf(key.String())
	if x != nil {
		m.recent.put(o, x)
	}
	return x
}

func (m *Machine) expressionOf(key string) *expression {
	for _, p := range m.programs {
		if x := p.expressions.byKey[key]; x != nil {
			return x
		}
	}
	if x := m.expressions.byKey[key]; x != nil {
		return x
	}
	x, bad := m.expressions.made(key)
	if bad != nil {
		m.refusedPattern(bad)
	}
	return x
}

// regexps is what a machine keeps for regular expressions.
type regexps struct {
	expressions  *expressions // that the script made while it ran
	regexpSource native       // the engine's own getter of what it takes for the pattern
	recent       recent
	lastSubject  lastSubject
	spare        *matcher     // is used again and again, but for matches within a match
	execOwn      *goja.Object // RegExp.prototype.exec as it was made
}

// recent are the objects that were asked for last. They hold so few that nobody has to let them go.
type recent struct {
	objects     [4]*goja.Object
	expressions [4]*expression
	next        int
}

func (r *recent) find(o *goja.Object) *expression {
	for i, other := range r.objects {
		if o == other {
			return r.expressions[i]
		}
	}
	return nil
}

func (r *recent) put(o *goja.Object, x *expression) {
	r.objects[r.next], r.expressions[r.next] = o, x
	r.next = (r.next + 1) % len(r.objects)
}

// forget is for an object that became another expression.
func (r *recent) forget(o *goja.Object) {
	for i, other := range r.objects {
		if o == other {
			r.objects[i], r.expressions[i] = nil, nil
		}
	}
}
