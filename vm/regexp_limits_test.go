package vm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

const tooMuchToRead = "SyntaxError REGEXP_LIMIT: a regular expression takes too much to be read; make it shorter, or divide it"

// Reading a pattern takes no more time and memory than its length allows.
func TestRegExpsAreBoundedWhenTheyAreRead(t *testing.T) {
	t.Parallel()
	long := func(n int) string {
		return fmt.Sprintf("SyntaxError REGEXP_LIMIT: a regular expression of %d characters; it may have at most 65536", n)
	}
	deep := "SyntaxError SCRIPT_UNSUPPORTED: a regular expression with groups nested more than 500 deep: not supported here"
	for js, want := range map[string]string{
		`new RegExp("(?:".repeat(1e6) + ")".repeat(1e6))`:         long(4000000),
		`new RegExp("a".repeat(65537))`:                           long(65537),
		`/a/.compile("😀".repeat(32769))`:                          long(65538),
		`"a".match("a".repeat(65537))`:                            long(65537),
		`eval("/" + "a".repeat(65537) + "/")`:                     long(65537),
		`new RegExp("a".repeat(65536))`:                           "nothing",
		`new RegExp("😀".repeat(32768), "u")`:                      "nothing",
		`new RegExp("", "g".repeat(1e7))`:                         "SyntaxError SCRIPT_SYNTAX: Invalid flags supplied to RegExp constructor: 10000000 characters",
		`new RegExp("(?:".repeat(10000) + ")".repeat(10000))`:     deep,
		`new RegExp("[".repeat(10000) + "]".repeat(10000), "v")`:  "SyntaxError SCRIPT_SYNTAX: Invalid regular expression: classes nest too deep",
		`new RegExp("(?<a>)|".repeat(9000) + "\\k<a>")`:           tooMuchToRead,
		`new RegExp("[\\0-\\uffff]".repeat(5000), "i").test("x")`: "nothing", // the same set again and again
		`new RegExp(Array.from({length: 5000}, (_, i) => "[\\0-\\u" + (i + 0xa000).toString(16) + "]").join(""), "i")`:                                    tooMuchToRead,
		`new RegExp("[" + "\\p{L}".repeat(13000) + "]", "u")`:                                                                                             "nothing",
		`new RegExp("\\P{L}".repeat(13000), "iv")`:                                                                                                        "nothing",
		`new RegExp("[\\p{L}" + "--\\p{Lu}".repeat(8000) + "]", "iv")`:                                                                                    "nothing",
		`new RegExp("[\\p{L}" + "&&\\p{Any}".repeat(7000) + "]", "v")`:                                                                                    "nothing",
		`new RegExp("[\\q{" + Array.from({length: 9000}, (_, i) => "a" + i).join("|") + "}]", "v")`:                                                       "nothing",
		`new RegExp("(" .repeat(400) + "a" + ")*".repeat(400))`:                                                                                           "nothing",
		`for (let i = 0; i < 50; i++) new RegExp(i + "(a|[b-d]{2,5})*".repeat(4000))`:                                                                     "nothing",
		`if (!/^((a{1000}){1000}){1000}$/.test("a".repeat(10)) && /^((a{10}){10}){10}$/.test("a".repeat(1000)) && /^(?:){2147483647}$/.test("")) throw 1`: "undefined undefined: undefined",
	} {
		got := caught(t, js)
		if strings.HasPrefix(want, "SyntaxError SCRIPT_SYNTAX: Invalid regular") {
			require.Contains(t, got, "classes nest too deep", js)
			continue
		}
		require.Equal(t, want, got, js)
	}
}

// A literal is refused where it stands, when the script is loaded.
func TestRegExpLiteralsAreBoundedWhenTheyAreRead(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&many, "/[\\0-\\u%04x]/i;\n", 0xa000+i)
	}
	for body, want := range map[string]string{
		"let a;\n  a = /" + strings.Repeat("a", 65537) + "/": `main.js:3:7: REGEXP_LIMIT: a regular expression of 65537 characters; it may have at most 65536`,
		many.String(): "REGEXP_LIMIT: a regular expression takes too much to be read; make it shorter, or divide it",
	} {
		_, err := vm.Compile(fstest.MapFS{"main.js": {Data: []byte(header + body)}}, "main.js")
		require.ErrorContains(t, err, want)
		require.Regexp(t, `^main\.js:[0-9]+:[0-9]+: REGEXP_LIMIT`, err.Error())
	}
}

// asked is a context that counts how often it is asked, and ends after so many times.
type asked struct {
	context.Context
	times, most int
}

func (a *asked) Err() error {
	if a.times++; a.most > 0 && a.times > a.most {
		return context.DeadlineExceeded
	}
	return nil
}

func (*asked) Done() <-chan struct{} { return nil }

// Whatever a match does for long, it asks whether it may go on.
func TestB02_RegExpsAskWhetherTheyMayGoOn(t *testing.T) {
	t.Parallel()
	for _, js := range []string{
		`/^(?=a)(a+)+$/.test("a".repeat(40) + "!")`,
		`/^(a+)+\1$/.test("a".repeat(28) + "!")`,
		`/(?<=b(a+)+)c/.test("a".repeat(40) + "c")`,
		`/(?:a|a)*?$./.test("a".repeat(50))`,
		`/^(?:(?:(?:a?){30}){30}){30}$/.test("a".repeat(60) + "!")`,
		`/(.*?,){25}x/.test("1,".repeat(40))`,
	} {
		ctx := &asked{Context: context.Background(), most: 200}
		_, err := vm.New(compile(t, js), vm.Config{}).Start(ctx, nil, vm.At{Now: noon})
		require.ErrorContains(t, err, "STRETCH_LIMIT", js)
		require.Less(t, ctx.times, 220, js)
	}
	// One step of these goes over the whole text, of a million characters.
	for js, least := range map[string]int{
		`/^(a{500000})\1$/.test("a".repeat(1e6))`:                              30,
		`/^(é{500000})\1$/iu.test("é".repeat(1e6))`:                            30,
		`/a*b/y.test("a".repeat(1e6))`:                                         10,
		`/[^b]*b/iuy.test("é".repeat(1e6))`:                                    10,
		`/[^a]b/.test("a".repeat(1e6))`:                                        10,
		`/x/.test("é".repeat(1e6))`:                                            5,
		`/(?<=^a*)b/.test("a".repeat(1e3) + "c".repeat(1e3))`:                  1,
		`"a".repeat(1e6).replace(/a/g, "$&$1$2$3")`:                            50,
		`"a".repeat(1e6).split(/a/)`:                                           50,
		`new RegExp("()".repeat(20000)).test("")`:                              1,
		`new RegExp("(?:" + "()".repeat(1000) + "a)*").test("a".repeat(1000))`: 50,
		`new RegExp("[\\p{L}" + "&&\\p{Any}".repeat(7000) + "]", "v")`:         50,
	} {
		ctx := &asked{Context: context.Background()}
		_, err := vm.New(compile(t, js), vm.Config{}).Start(ctx, nil, vm.At{Now: noon})
		require.NoError(t, err)
		require.GreaterOrEqual(t, ctx.times, least, js)
	}
}

// What is to be read is not, once the stretch has ended, and the script does not catch that.
func TestRegExpsAreNotReadForEver(t *testing.T) {
	t.Parallel()
	for _, js := range []string{
		`for (let i = 0; ; i++) try { new RegExp(i + "[\\0-\\uffff]".repeat(1000), "iu") } catch {}`,
		`for (let i = 0; ; i++) try { "a".match(i + "|\\P{L}".repeat(1000)) } catch {}`,
		`for (let i = 0; ; i++) try { eval("/" + i + "|a".repeat(20000) + "/") } catch {}`,
	} {
		ctx := &asked{Context: context.Background(), most: 20}
		_, err := vm.New(compile(t, js), vm.Config{}).Start(ctx, nil, vm.At{Now: noon})
		require.ErrorContains(t, err, "STRETCH_LIMIT", js)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := vm.New(compile(t, `for (;;) /^(a+)+\1$/.test("a".repeat(28) + "!")`), vm.Config{}).Start(ctx, nil, vm.At{Now: noon})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// The places that a match can go back to are bounded.
func TestRegExpsUseBoundedMemory(t *testing.T) {
	t.Parallel()
	const want = "RangeError REGEXP_LIMIT: the regular expression has too many ways to match this text; make it more exact, so that one part cannot match what the next one does"
	for _, js := range []string{
		`/(?:|a){1000000000}/.test("")`,
		`/(?:(a)|(b)|(c))*d/.test("abc".repeat(1e6))`,
	} {
		require.Equal(t, want, caught(t, js), js)
	}
}

// No step of an expression makes a string that is longer than a string may be, or a list that takes as much.
func TestRegExpsKeepToTheLimitOfStrings(t *testing.T) {
	t.Parallel()
	replace := "RangeError STRING_LIMIT: replace: the string would be longer than 1000"
	for js, want := range map[string]string{
		`S.repeat(100).replace(/X/g, "y".repeat(10)).length`:                                                           "1000",
		`S.repeat(100).replace(/X/g, "y".repeat(10) + "é").length`:                                                     replace,
		`S.repeat(101).replace(/X/g, "y".repeat(10))`:                                                                  replace,
		`S.repeat(101).replace(/X/g, () => "y".repeat(10))`:                                                            replace,
		`S.repeat(101).replaceAll(/X/g, "y".repeat(10))`:                                                               replace,
		`S.repeat(100).replaceAll("X", "é".repeat(10)).length`:                                                         "1000",
		`S.repeat(101).replaceAll("X", "é".repeat(10))`:                                                                replace,
		`S.repeat(101).replaceAll("X", () => "é".repeat(10))`:                                                          replace,
		`S.repeat(500).replace("X", "$'$'$'")`:                                                                         replace,
		`S.repeat(40).replace(/X/g, "$` + "`" + `")`:                                                                   "VALUE",
		`S.repeat(60).replace(/X/g, "$` + "`" + `")`:                                                                   replace,
		`S.repeat(500).replace(/X+/, "$&$&$&")`:                                                                        replace,
		`S.repeat(500).replace(/(?<n>X+)/, "$<n>$<n>$<n>")`:                                                            replace,
		`S.repeat(500).replace(Object.assign(/X/g, {exec() { return this.n++ ? null : ["X", "b"] }, n: 0}), "$'$'$'")`: replace,
		`S.repeat(20).replace(Object.assign(/X/g, {exec() { return this.n++ > 9 ? null : {0: "X", index: this.n, length: 1} }, n: 0}), () => "y".repeat(100))`: replace,
		`S.replace(/X/, "$&".repeat(61)).length`: "61",
		`S.replace(/X/, "$&".repeat(64))`:        "RangeError STRING_LIMIT: replace: the template would be longer than 1000",
		`S.repeat(50).split(/(?:)/).length`:      "50",
		`S.repeat(70).split(/(?:)/)`:             "RangeError STRING_LIMIT: split: the parts together would be longer than 1000",
		`S.repeat(20).split(/(X)(X)/).length`:    "31",
		`S.repeat(50).split(/(X)(X)/)`:           "RangeError STRING_LIMIT: split: the parts together would be longer than 1000",
		`RegExp.escape(".".repeat(500)).length`:  "1000",
		`RegExp.escape(".".repeat(501))`:         "RangeError STRING_LIMIT: RegExp.escape: the string would be longer than 1000",
		`RegExp.escape(" ".repeat(251))`:         "RangeError STRING_LIMIT: RegExp.escape: the string would be longer than 1000",
		`S.repeat(50).match(/X/g).length`:        "50",
		`S.repeat(70).match(/X/g)`:               "RangeError STRING_LIMIT: match: the texts together would be longer than 1000",
	} {
		for _, letter := range []string{"a", "é"} {
			body := strings.ReplaceAll(js, "X", letter)
			p := playWith(t, `const S = "`+letter+`"; try { return String(`+body+`) } catch (e) { return e.name + " " + e.code + ": " + e.message }`, vm.Config{Limits: vm.Limits{String: 1000}})
			if want == "VALUE" {
				require.NotContains(t, p.result(), "Error", body)
				continue
			}
			require.Equal(t, `"`+want+`"`, p.result(), body)
		}
	}
	// The engine copies what it takes out of a text that is not ASCII.
	nested := strings.Repeat("(", 20) + "é" + strings.Repeat("é)", 20)
	for js, want := range map[string]string{
		`/` + nested + `/.exec("é".repeat(200)).length`:                           "21",
		`/` + strings.ReplaceAll(nested, "é", "é{5}") + `/.exec("é".repeat(200))`: "RangeError STRING_LIMIT: exec: what the groups captured would be longer than 1000",
		`[..."é".repeat(200).matchAll(/(?=(.*))/g)].length`:                       "201",
		`"é".repeat(60).split(/(?=(.*))/).length`:                                 "RangeError STRING_LIMIT: split: the parts together would be longer than 1000",
	} {
		p := playWith(t, `try { return String(`+js+`) } catch (e) { return e.name + " " + e.code + ": " + e.message }`, vm.Config{Limits: vm.Limits{String: 1000}})
		require.Equal(t, `"`+want+`"`, p.result(), js)
	}
}
