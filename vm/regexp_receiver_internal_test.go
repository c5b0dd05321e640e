package vm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
)

// machineFor compiles a body. leaked is there as a regular expression that the engine made by itself.
func machineFor(t *testing.T, body string) *Machine {
	t.Helper()
	p, err := Compile(fstest.MapFS{"main.js": {Data: []byte("export const meta = {name: \"t\", description: \"d\"};\n" + body)}}, "main.js")
	require.NoError(t, err)
	m := New(p, Config{})
	leaked, err := m.realm.vm.RunString(`/x/g`)
	require.NoError(t, err)
	require.NoError(t, m.realm.vm.Set("leaked", leaked))
	return m
}

func resultOf(t *testing.T, m *Machine) string {
	t.Helper()
	turn, err := m.Start(context.Background(), nil, At{Now: time.Unix(0, 0)})
	require.NoError(t, err)
	require.Nil(t, turn.Err)
	return string(turn.Result)
}

// Whatever stands where an expression should, it is a TypeError if the standard does not say what else it is.
func TestRegExpMethodsOnSomethingElse(t *testing.T) {
	t.Parallel()
	receivers := []string{
		`leaked`, `new Proxy(/x/g, {})`, `Object.create(RegExp.prototype)`, `Object.create(/x/g)`, `Object.setPrototypeOf([], RegExp.prototype)`,
		`Reflect.construct(Array, [], RegExp)`, `Object.setPrototypeOf(leaked, {constructor: RegExp, __proto__: RegExp.prototype})`,
	}
	for _, receiver := range receivers {
		for _, call := range []string{
			`r.exec("x")`, `r.test("x")`, `RegExp.prototype.exec.call(r, "x")`, `"x".match(r)`, `[..."x".matchAll(r)]`, `"x".search(r)`, `"x".replace(r, "y")`,
			`"x".replaceAll(r, () => "y")`, `"xax".split(r)`, `RegExp.prototype.compile.call(r, "y")`, `r.flags`, `r.source`, `r.global`, `r.unicodeSets`,
			`RegExp.prototype[Symbol.match].call(r, "x")`, `RegExp.prototype[Symbol.split].call(r, "x")`, `RegExp.prototype[Symbol.replace].call(r, "x", "y")`,
		} {
			got := resultOf(t, machineFor(t, `const r = `+receiver+`; try { return [`+call+`] } catch (e) { return e.name }`))
			require.Equal(t, `"TypeError"`, got, "%s with %s", call, receiver)
		}
	}
	for _, receiver := range []string{`undefined`, `null`, `1`, `"x"`, `Symbol()`, `{}`, `() => 1`} {
		for _, method := range []string{"exec", "test", "compile"} {
			got := resultOf(t, machineFor(t, `try { return [RegExp.prototype.`+method+`.call(`+receiver+`, "x")] } catch (e) { return e.name }`))
			require.Equal(t, `"TypeError"`, got, "%s of %s", method, receiver)
		}
	}
	// These values are those of Node.js 24.
	for body, want := range map[string]string{
		`return [RegExp.prototype.test.call({exec: () => ({})}, "x"), RegExp.prototype.test.call({exec: () => null}, "x"), RegExp.prototype.toString.call({source: 1, flags: 2})]`: `[true,false,"/1/2"]`,
		`return [RegExp.prototype.flags, RegExp.prototype.source, String(RegExp.prototype.global), RegExp.prototype.exec.length, RegExp.prototype.test.name]`:                      `["","(?:)","undefined",1,"test"]`,
		`const r = /a/g; r.lastIndex = {valueOf() { r.compile("(b)(c)?", "g"); return 1 }}; return [[...r.exec("abab")], r.lastIndex]`:                                             `[["b","b",null],2]`,
		`const r = /(a)(b)/; r.lastIndex = {valueOf() { r.compile("a"); return 0 }}; return "abab".replace(r, "[$1$2]")`:                                                           `"[$1$2]bab"`,
		`const r = /a/g; return "aaa".replace(r, (c, i) => { r.compile("b", "g"); return r.test("ab") + c + i })`:                                                                  `"truea0truea1truea2"`,
		`const r = /a/y; return "aaa".replace(/a/g, (c, i) => "bab".replace(/b/g, () => r.test("aa") ? "T" : "F"))`:                                                                `"TaTFaTTaF"`,
		`const r = Object.freeze(/a/g); try { r.test("a") } catch (e) { return [e.name, /b/.test("b")] }`:                                                                          `["TypeError",true]`,
		`const r = /a/g; return [-1, NaN, 1.9, "1", 1e300, null, true].map((n) => { r.lastIndex = n; return [r.test("aa"), r.lastIndex] })`:                                        `[[true,1],[true,1],[true,2],[true,2],[false,0],[true,1],[true,2]]`,
		`try { /a/g.test(Symbol()) } catch (e) { return e.name }`:                                                                                                                  `"TypeError"`,
		`try { "a".replace(/a/g, () => Symbol()) } catch (e) { return e.name }`:                                                                                                    `"TypeError"`,
		`return "a1b2".replace(/\d/g, (d) => d === "1" ? null : {toString: () => [d]+"!"})`:                                                                                        `"anullb2!"`,
		`try { "aa".replace(/a/g, () => { throw new RangeError("mine") }) } catch (e) { return [e.message, "b".replace(/b/, "c")] }`:                                               `["mine","c"]`,
	} {
		require.Equal(t, want, resultOf(t, machineFor(t, body)), body)
	}
}

// However many expressions a script makes, the machine remembers a bounded number of bytes of them, and all of them work.
func TestRegExpsThatAScriptMakesStayBounded(t *testing.T) {
	t.Parallel()
	m := machineFor(t, `
		const first = new RegExp("^first(?<n>é)$", "dgi");
		for (let i = 0; i < 60; i++) new RegExp(i + "|[b-d]e*".repeat(4000) + "\ud800");
		const again = first.exec("FIRSTÉ");
		for (let i = 0; i < 3000; i++) { const r = new RegExp("a" + i); if (!r.test("a" + i) || r.test("b")) throw 1 }
		return [first.source, first.flags, again.groups.n, again.indices[1], first.lastIndex]`)
	all := m.expressions
	most := 0
	key := all.key
	all.key = func(source, flags string) string {
		most = max(most, all.bytes)
		return key(source, flags)
	}
	require.Equal(t, `["^first(?<n>é)$","dgi","É",[5,6],6]`, resultOf(t, m))
	require.LessOrEqual(t, most, maxMade)
	require.Greater(t, most, maxProgram, "there was enough to forget")
}

// The sets of escapes are made once, and used by all patterns.
func TestRegExpsShareSets(t *testing.T) {
	t.Parallel()
	of := func(source, flags string) *runeRange {
		x, bad := newExpression(source, flags, newEffort(1, nil))
		require.Nil(t, bad)
		return &x.code.code[0].set.set[0]
	}
	for _, source := range []string{`\p{L}`, `\P{Lu}`, `\w`, `\S`, `.`} {
		require.Same(t, of(source, "u"), of(source+"x", "u"), source)
		require.Same(t, of(source, "v"), of(source+"x", "v"), source)
	}
	require.NotSame(t, of(`\P{Lu}`, "u"), of(`\P{Lu}`, "iv"))
	_, bad := newExpression(`\p{L=}`, "u", newEffort(1, nil))
	require.NotNil(t, bad, "whatever was read before")
}

// Operations on sets give what they give one character at a time.
func TestRuneSetOperations(t *testing.T) {
	t.Parallel()
	const size = 60
	r := rand.New(rand.NewPCG(3, 4))
	random := func() (set runeSet) {
		for range r.IntN(8) {
			low := rune(r.IntN(size))
			set = append(set, runeRange{low, low + rune(r.IntN(6))})
		}
		return set.tidy()
	}
	for range 5000 {
		a, b := random(), random()
		for name, c := range map[string]struct {
			got  runeSet
			want func(x, y bool) bool
		}{
			"with":    {a.with(b), func(x, y bool) bool { return x || y }},
			"and":     {a.and(b), func(x, y bool) bool { return x && y }},
			"without": {a.without(b), func(x, y bool) bool { return x && !y }},
			"not":     {a.not(), func(x, _ bool) bool { return !x }},
		} {
			for i := range rune(size + 10) {
				require.Equal(t, c.want(a.has(i), b.has(i)), c.got.has(i), "%s %v %v at %d", name, a, b, i)
			}
			require.True(t, slices.IsSortedFunc(c.got, func(x, y runeRange) int {
				if x.high+1 < y.low {
					return -1
				}
				return 1
			}), "%s %v %v gives %v", name, a, b, c.got)
		}
	}
}

// Where a match cannot start is passed over, and no match with it: each pattern is compared with itself behind an empty group, which hides
// what it starts with.
func TestRegExpsFindWhatTheyPassOver(t *testing.T) {
	t.Parallel()
	texts := []string{"", "a", "xxabcab", "aaab", "éabcé", "😀ab😀", "ab\nab", strings.Repeat("ab", 5) + "abc", "ABC abc", "é😀é"}
	for _, source := range []string{
		"abc", "(ab)c", "ab*c", "^ab", "(^ab)", "^", "$", "ab|c", "(?:a|x)b", "é", "éa", "😀", "[aé]b", `\bab`, "(?<=x)ab", "(?!a)b", "(a)\\1", "a{2}b", "()ab", "(?:)ab", "(?i:a)b", "[^a]b", "b+c", "a{3}b", "(?:a|bc){2}", "c$", "a?b{0}c{1,2}",
	} {
		for _, flags := range []string{"", "u", "m", "i", "y", "iu", "v"} {
			plain, bad := newExpression(source, flags, newEffort(1, nil))
			require.Nil(t, bad)
			hidden, bad := newExpression("(?:(?=)|)(?:"+source+")", flags, newEffort(1, nil))
			require.Nil(t, bad)
			hidden.code.first, hidden.code.prefix, hidden.code.anchored, hidden.code.units = nil, nil, false, 0
			for _, text := range texts {
				for start := range len(text) + 1 {
					var found [2]string
					for i, x := range []*expression{plain, hidden} {
						run := &matcher{regexpProgram: x.code, subject: subjectOf(text), check: func() error { return nil }}
						if start > run.size {
							continue
						}
						groups, err := run.find(start, x.has("y"))
						require.NoError(t, err)
						found[i] = fmt.Sprint(groups)
					}
					require.Equal(t, found[1], found[0], "/%s/%s in %q from %d", source, flags, text, start)
				}
			}
		}
	}
}

func subjectOf(text string) subject {
	if isASCII(text) {
		return subject{narrow: text, size: len(text)}
	}
	var units []uint16
	for _, c := range runesOf(text, false) {
		units = append(units, uint16(c))
	}
	return subject{wide: units, size: len(units)}
}
