package vm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// tryRegExps runs rows of [pattern, flags, subject] and tells everything that an expression does with its subject.
const tryRegExps = `
	const plain = (v) => JSON.stringify(v, (k, x) => x === undefined ? "<undefined>" : x);
	const attempt = ([pattern, flags, subject]) => {
		let all;
		try {
			const once = new RegExp(pattern, flags);
			all = new RegExp(pattern, flags + "g");
			const m = once.exec(subject);
			return plain([m && [[...m], m.index, m.groups ? Object.entries(m.groups) : 0], [...subject.matchAll(all)].map((m) => [m.index, ...m]), subject.split(once)]);
		} catch (e) { return e.code === undefined || e.code === "SCRIPT_SYNTAX" ? e.name : e.name + " " + e.code }
	};
	const rows = JSON.parse(table).map(attempt);`

func regExpsHere(t *testing.T, table [][3]string) (rows []string) {
	t.Helper()
	text, err := json.Marshal(halves(t, table))
	require.NoError(t, err)
	p := start(t, vm.New(compile(t, "const table = args;"+tryRegExps+"return rows"), vm.Config{}), text)
	require.NoError(t, json.Unmarshal([]byte(p.result()), &rows))
	return rows
}

func regExpsInNode(t *testing.T, table [][3]string) (rows []string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	text, err := json.Marshal(halves(t, table))
	require.NoError(t, err)
	command := exec.Command(node, "-")
	command.Stdin = strings.NewReader("const table = " + string(text) + ";" + tryRegExps + "process.stdout.write(JSON.stringify(rows))")
	out, err := command.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &rows))
	return rows
}

// halves gives the table as JSON text. In its texts, ‹d83d› stands for half of a surrogate pair, which Go cannot hold.
func halves(t *testing.T, table [][3]string) string {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(table))
	return strings.NewReplacer("‹", `\u`, "›", "").Replace(out.String())
}

// patternGrammar writes random patterns.
type patternGrammar struct {
	r      *rand.Rand
	groups int
	flags  string
}

func (g *patternGrammar) one(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *patternGrammar) pattern(depth int) string {
	var b strings.Builder
	for i := range 1 + g.r.IntN(2) {
		if i > 0 {
			b.WriteByte('|')
		}
		for range g.r.IntN(4) {
			b.WriteString(g.term(depth))
		}
	}
	return b.String()
}

func (g *patternGrammar) term(depth int) string {
	quantifier := g.one("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}", "{1,}?")
	switch kind := g.r.IntN(16); {
	case kind < 5 && depth > 0:
		opened := g.one("(", "(", "(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n%d>")
		if strings.Contains(opened, "%d") {
			opened = fmt.Sprintf(opened, g.groups)
		}
		if opened == "(" || strings.HasPrefix(opened, "(?<n") {
			g.groups++
		}
		inner := g.pattern(depth - 1)
		if strings.HasPrefix(opened, "(?<=") || strings.HasPrefix(opened, "(?<!") {
			quantifier = ""
		}
		return opened + inner + ")" + quantifier
	case kind == 5:
		return g.one("^", "$", `\b`, `\B`)
	case kind == 6:
		return g.one(`\1`, `\2`) + quantifier
	case kind < 9:
		var b strings.Builder
		for range 1 + g.r.IntN(3) {
			b.WriteString(g.one("a", "b", "é", "-", "a-c", `\w`, `\W`, `\s`, `\S`, `\d`, "[", ":", "&&", "^", `\]`, `\b`, `\-`, "😀", `\u00e9`, `\x61`, "A-Z", ".", "$", "à-ö"))
		}
		return g.one("[", "[^") + b.String() + "]" + quantifier
	case kind < 12:
		return g.one(".", `\w`, `\W`, `\s`, `\S`, `\d`, `\D`, `[^]`, `[]`) + quantifier
	default:
		return g.one("a", "b", "c", "é", "É", "A", " ", "-", "1", "😀", `\n`, `\r`, `\u2028`, `\u00e9`, `\x61`, `\$`, `\.`, `\t`, `\0`, "a", "b", "ab", `\/`) + quantifier
	}
}

// regExps are pattern, flags, subject, and what Node.js 24 says. Each of them is something that another dialect takes for something else,
// or is next to it.
var regExps = [][4]string{
	{"\\bé", "", "é aé", "[[[\"é\"],3,0],[[3,\"é\"]],[\"é a\",\"\"]]"},
	{"\\b\\w+\\b", "", "naïve été", "[[[\"na\"],0,0],[[0,\"na\"],[3,\"ve\"],[7,\"t\"]],[\"\",\"ï\",\" é\",\"é\"]]"},
	{"(?=)\\B", "", "é", "[[[\"\"],0,0],[[0,\"\"],[1,\"\"]],[\"é\"]]"},
	{"^b$", "m", "a\u000d\u000ab\u000d\u000ac", "[[[\"b\"],3,0],[[3,\"b\"]],[\"a\\r\\n\",\"\\r\\nc\"]]"},
	{"^.*$", "m", "a\u000db\u2028c", "[[[\"a\"],0,0],[[0,\"a\"],[2,\"b\"],[4,\"c\"]],[\"\",\"\\r\",\"\u2028\",\"\"]]"},
	{"$", "m", "\u000d", "[[[\"\"],0,0],[[0,\"\"],[1,\"\"]],[\"\\r\"]]"},
	{".", "", "\u2028\u0085", "[[[\"\u0085\"],1,0],[[1,\"\u0085\"]],[\"\u2028\",\"\"]]"},
	{"a.b", "s", "a\u000ab", "[[[\"a\\nb\"],0,0],[[0,\"a\\nb\"]],[\"\",\"\"]]"},
	{"\\s", "", "\ufeff\u180e\u00a0\u0085", "[[[\"\ufeff\"],0,0],[[0,\"\ufeff\"],[2,\"\u00a0\"]],[\"\",\"\u180e\",\"\u0085\"]]"},
	{"[^\\S]", "", "a\u3000b", "[[[\"\u3000\"],1,0],[[1,\"\u3000\"]],[\"a\",\"b\"]]"},
	{"\\d", "", "٣3", "[[[\"3\"],1,0],[[1,\"3\"]],[\"٣\",\"\"]]"},
	{"[[:alpha:]]", "", "a:]", "[[[\":]\"],1,0],[[1,\":]\"]],[\"a\",\"\"]]"},
	{"(?=)[a-z-[aeiou]]", "", "b-]a]", "[[[\"-]\"],1,0],[[1,\"-]\"],[3,\"a]\"]],[\"b\",\"\",\"\"]]"},
	{"(?=)\\A\\z", "", "Az", "[[[\"Az\"],0,0],[[0,\"Az\"]],[\"\",\"\"]]"},
	{"(?=)\\a\\e", "", "ae\u0007\u001b", "[[[\"ae\"],0,0],[[0,\"ae\"]],[\"\",\"\\u0007\\u001b\"]]"},
	{"[\\c1\\c_]", "", "\u0011\u001f", "[[[\"\\u0011\"],0,0],[[0,\"\\u0011\"],[1,\"\\u001f\"]],[\"\",\"\",\"\"]]"},
	{"\\c", "", "\\c", "[[[\"\\\\c\"],0,0],[[0,\"\\\\c\"]],[\"\",\"\"]]"},
	{"\\400", "", " 0", "[[[\" 0\"],0,0],[[0,\" 0\"]],[\"\",\"\"]]"},
	{"(a)\\10", "", "a\u0008", "[[[\"a\\b\",\"a\"],0,0],[[0,\"a\\b\",\"a\"]],[\"\",\"a\",\"\"]]"},
	{"\\8", "", "8", "[[[\"8\"],0,0],[[0,\"8\"]],[\"\",\"\"]]"},
	{"[\\b]", "", "\u0008", "[[[\"\\b\"],0,0],[[0,\"\\b\"]],[\"\",\"\"]]"},
	{"[]", "", "a", "[null,[],[\"a\"]]"},
	{"[^]", "u", "𠀀\u000a", "[[[\"𠀀\"],0,0],[[0,\"𠀀\"],[2,\"\\n\"]],[\"\",\"\",\"\"]]"},
	{"[a-\\d]", "", "-3b", "[[[\"-\"],0,0],[[0,\"-\"],[1,\"3\"]],[\"\",\"\",\"b\"]]"},
	{"x{,2}", "", "x{,2}", "[[[\"x{,2}\"],0,0],[[0,\"x{,2}\"]],[\"\",\"\"]]"},
	{"(?=)\"([^\"]*)\"|[^,]+", "", "\"a,b\",c", "[[[\"\\\"a,b\\\"\",\"a,b\"],0,0],[[0,\"\\\"a,b\\\"\",\"a,b\"],[6,\"c\",\"<undefined>\"]],[\"\",\"a,b\",\",\",\"<undefined>\",\"\"]]"},
	{"(?=)a?[^a]", "", "ab", "[[[\"ab\"],0,0],[[0,\"ab\"]],[\"\",\"\"]]"},
	{"(?=)(?:ab|[^$$]c|[^b-b]d)", "", "xab", `[[["ab"],1,0],[[1,"ab"]],["x",""]]`},
	{"[^\"]+", "u", "a\"b􏿿", "[[[\"a\"],0,0],[[0,\"a\"],[2,\"b􏿿\"]],[\"\",\"\\\"\",\"\"]]"},
	{"(?<y>\\d{4})-(?<m>\\d\\d)", "", "2020-12", "[[[\"2020-12\",\"2020\",\"12\"],0,[[\"y\",\"2020\"],[\"m\",\"12\"]]],[[0,\"2020-12\",\"2020\",\"12\"]],[\"\",\"2020\",\"12\",\"\"]]"},
	{"(?<sign>-)?\\d+", "u", "é12", "[[[\"12\",\"<undefined>\"],1,[[\"sign\",\"<undefined>\"]]],[[1,\"12\",\"<undefined>\"]],[\"é\",\"<undefined>\",\"\"]]"},
	{"(?<a>.)\\k<a>", "", "xx", "[[[\"xx\",\"x\"],0,[[\"a\",\"x\"]]],[[0,\"xx\",\"x\"]],[\"\",\"x\",\"\"]]"},
	{"\\k<a>", "", "k<a>", "[[[\"k<a>\"],0,0],[[0,\"k<a>\"]],[\"\",\"\"]]"},
	{"(?<n>a)(b)\\2", "", "abb", "[[[\"abb\",\"a\",\"b\"],0,[[\"n\",\"a\"]]],[[0,\"abb\",\"a\",\"b\"]],[\"\",\"a\",\"b\",\"\"]]"},
	{"(?<x>a)(?<x>b)", "", "ab", "SyntaxError"},
	{"(?<=\\$)\\d+", "", "a $42", "[[[\"42\"],3,0],[[3,\"42\"]],[\"a $\",\"\"]]"},
	{"(?<!\\$)\\b\\d+", "", "$42 7", "[[[\"7\"],4,0],[[4,\"7\"]],[\"$42 \",\"\"]]"},
	{"(?<=(\\d+)(\\d+))$", "", "1053", "[[[\"\",\"1\",\"053\"],4,0],[[4,\"\",\"1\",\"053\"]],[\"1053\"]]"},
	{"(?=(a*))\\1b", "", "aaab", "[[[\"aaab\",\"aaa\"],0,0],[[0,\"aaab\",\"aaa\"]],[\"\",\"aaa\",\"\"]]"},
	{"(?=.*(c))(a)", "", "abc", "[[[\"a\",\"c\",\"a\"],0,0],[[0,\"a\",\"c\",\"a\"]],[\"\",\"c\",\"a\",\"bc\"]]"},
	{"a", "y", "aab", "[[[\"a\"],0,0],[[0,\"a\"],[1,\"a\"]],[\"\",\"\",\"b\"]]"},
	{"^a", "my", "a\u000aa", "[[[\"a\"],0,0],[[0,\"a\"]],[\"\",\"\\n\",\"\"]]"},
	{"s", "iu", "ſ", "[[[\"ſ\"],0,0],[[0,\"ſ\"]],[\"\",\"\"]]"},
	{"k", "iu", "K", "[[[\"K\"],0,0],[[0,\"K\"]],[\"\",\"\"]]"},
	{"\\w", "iu", "ſ", "[[[\"ſ\"],0,0],[[0,\"ſ\"]],[\"\",\"\"]]"},
	{"[^\\W]", "iu", "ſ", "[[[\"ſ\"],0,0],[[0,\"ſ\"]],[\"\",\"\"]]"},
	{"\\b.", "iu", "ſ", "[[[\"ſ\"],0,0],[[0,\"ſ\"]],[\"\",\"\"]]"},
	{"é", "i", "É", "[[[\"É\"],0,0],[[0,\"É\"]],[\"\",\"\"]]"},
	{"ß", "iu", "ẞ", "[[[\"ẞ\"],0,0],[[0,\"ẞ\"]],[\"\",\"\"]]"},
	{"[à-ö]", "i", "Ö", "[[[\"Ö\"],0,0],[[0,\"Ö\"]],[\"\",\"\"]]"},
	{"𐐀", "iu", "𐐨", "[[[\"𐐨\"],0,0],[[0,\"𐐨\"]],[\"\",\"\"]]"},
	{"(?:(a)|b)*", "", "ab", "[[[\"ab\",\"<undefined>\"],0,0],[[0,\"ab\",\"<undefined>\"],[2,\"\",\"<undefined>\"]],[\"\",\"<undefined>\",\"\"]]"},
	{"(a*)*", "", "b", "[[[\"\",\"<undefined>\"],0,0],[[0,\"\",\"<undefined>\"],[1,\"\",\"<undefined>\"]],[\"b\"]]"},
	{"(.*)?", "", "", "[[[\"\",\"<undefined>\"],0,0],[[0,\"\",\"<undefined>\"]],[]]"},
	{"(?:|a)+", "", "aaa", "[[[\"aaa\"],0,0],[[0,\"aaa\"],[3,\"\"]],[\"\",\"\"]]"},
	{"(z)((a+)?(b+)?(c))*", "", "zaacbbbcac", "[[[\"zaacbbbcac\",\"z\",\"ac\",\"a\",\"<undefined>\",\"c\"],0,0],[[0,\"zaacbbbcac\",\"z\",\"ac\",\"a\",\"<undefined>\",\"c\"]],[\"\",\"z\",\"ac\",\"a\",\"<undefined>\",\"c\",\"\"]]"},
	{"(?:\\s*(?:foo|bar)?)*", "", "foo bar", "[[[\"foo bar\"],0,0],[[0,\"foo bar\"],[7,\"\"]],[\"\",\"\"]]"},
	{"(\\w+)(,\\w+)*", "", "a,b,c", "[[[\"a,b,c\",\"a\",\",c\"],0,0],[[0,\"a,b,c\",\"a\",\",c\"]],[\"\",\"a\",\",c\",\"\"]]"},
	{"😀", "", "a😀b", "[[[\"😀\"],1,0],[[1,\"😀\"]],[\"a\",\"b\"]]"},
	{"😀|🎉", "", "a🎉", "[[[\"🎉\"],1,0],[[1,\"🎉\"]],[\"a\",\"\"]]"},
	{"😀|🎉", "u", "a🎉b😀", "[[[\"🎉\"],1,0],[[1,\"🎉\"],[4,\"😀\"]],[\"a\",\"b\",\"\"]]"},
	{"\\ud83d\\ude00+", "u", "😀😀", "[[[\"😀😀\"],0,0],[[0,\"😀😀\"]],[\"\",\"\"]]"},
	{"[\\ud800-\\udbff][\\udc00-\\udfff]", "", "😀", "[[[\"😀\"],0,0],[[0,\"😀\"]],[\"\",\"\"]]"},
	{"\\p{L}", "u", "é", "[[[\"é\"],0,0],[[0,\"é\"]],[\"\",\"\"]]"},
	{"\\p{L}", "", "p{L}", "[[[\"p{L}\"],0,0],[[0,\"p{L}\"]],[\"\",\"\"]]"},
	{"(?:)", "", "ab", "[[[\"\"],0,0],[[0,\"\"],[1,\"\"],[2,\"\"]],[\"a\",\"b\"]]"},
	{"x*", "", "axb", "[[[\"\"],0,0],[[0,\"\"],[1,\"x\"],[2,\"\"],[3,\"\"]],[\"a\",\"b\"]]"},
	{"a{1001}", "", "a", "[null,[],[\"a\"]]"},
	{"(?i:a)", "", "a", "[[[\"a\"],0,0],[[0,\"a\"]],[\"\",\"\"]]"},
	{"\\-", "u", "-", "SyntaxError"},
	{"a**", "", "a", "SyntaxError"},
	{"[b-a]", "", "a", "SyntaxError"},
}

func TestB12_RegExpsAreECMAScripts(t *testing.T) {
	t.Parallel()
	var table [][3]string
	for _, row := range regExps {
		table = append(table, [3]string(row[:3]))
	}
	for i, got := range regExpsHere(t, table) {
		require.Equal(t, regExps[i][3], got, "%q", table[i])
	}
}

// Whatever the pattern, it does what it does in another implementation.
func TestRegExpsAgreeWithNode(t *testing.T) {
	t.Parallel()
	batches, batch := 1, 400
	if os.Getenv("ASSENT_LONG") != "" {
		batches, batch = 40, 3000
	}
	subjects := []string{"", "ab", "aab", "abab c", "a\r\nb\rc\u2028é\u2029b\n", "naïve été", "é-É ab1", "a.b$c", "‹d83d›a‹de00›", "a:b]&[^-", "ba ab\tcab"}
	r := rand.New(rand.NewPCG(1, 2))
	for range batches {
		var table [][3]string
		for range batch {
			g := &patternGrammar{r: r}
			for _, flag := range []string{"i", "m", "s", "u", "y"} {
				if r.IntN(4) == 0 {
					g.flags += flag
				}
			}
			subject := g.one(subjects...)
			if !strings.Contains(g.flags, "u") && r.IntN(8) == 0 {
				subject = "😀a😀b" // with u, Node.js matches empty texts inside of a pair, which the standard does not
			}
			table = append(table, [3]string{g.pattern(3), g.flags, subject})
		}
		want, got := regExpsInNode(t, table), regExpsHere(t, table)
		for i, row := range table {
			require.Equal(t, want[i], got[i], "%q", row)
		}
	}
}

// A text that becomes an expression is refused just as a literal is when a script is loaded.
func TestRegExpsFromTextsAreRefusedAsLiteralsAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pattern, flags string }{
		{`\p{Emoji}`, "u"}, {`[^\P{Script_Extensions=Greek}x]`, "u"}, {`\p{RGI_Emoji}`, "v"}, {`[a--\p{sc=Tayo}]`, "iv"},
	} {
		text, _ := json.Marshal(c.pattern)
		literal := "/" + c.pattern + "/" + c.flags
		_, err := vm.Compile(fstest.MapFS{"main.js": {Data: []byte(header + "let a;\n a = " + literal)}}, "main.js")
		var refusal *vm.Error
		require.ErrorAs(t, err, &refusal, literal)
		require.Equal(t, "SCRIPT_UNSUPPORTED", refusal.Code)
		require.Equal(t, "main.js", refusal.File)
		require.Equal(t, 3, refusal.Line)
		args := "(" + string(text) + `, "` + c.flags + `")`
		code, _ := json.Marshal(literal)
		returned, _ := json.Marshal("return " + literal)
		for _, js := range []string{
			"new RegExp" + args, "RegExp" + args, "Reflect.construct(RegExp, [" + args[1:len(args)-1] + "])", "new (class extends RegExp {})" + args,
			"new (/x/.constructor)" + args, "/x/.compile" + args, "new RegExp({ [Symbol.match]: true, source: " + string(text) + `, flags: "` + c.flags + `" })`,
			"eval(" + string(code) + ")", "(0, eval)(" + string(code) + ")", "Function(" + string(returned) + ")()", `Function("a = ` + strings.Trim(string(code), `"`) + `", "")`,
		} {
			require.Equal(t, "SyntaxError SCRIPT_UNSUPPORTED: "+refusal.Message, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(caught(t, js)), js)
		}
	}
	for _, js := range []string{`eval("/\\p{XIDS}/u")`, `new RegExp(/\p{L}/u.source.replace("L", "Emoji"), "v")`} {
		require.Contains(t, caught(t, js), "SyntaxError SCRIPT_UNSUPPORTED", js)
	}
}

// What is written anew does not show. The expectations are those of ECMA-262, checked with Node.js 20.
func TestRegExpsLookAsTheAuthorWroteThem(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`return [/^a.[^b]$/m.source, String(/\b[[]/gi), new RegExp("^.$", "m").source, RegExp("").source, RegExp.prototype.source, String(RegExp.prototype)]`:                                                                               `["^a.[^b]$","/\\b[[]/gi","^.$","(?:)","(?:)","/(?:)/"]`,
		`const r = /^b./m; return [RegExp(r) === r, new RegExp(r) === r, new RegExp(r, "g").source, new RegExp(r).flags, RegExp(r, "").flags, new RegExp(r, "gm").test("a\rbc")]`:                                                           `[true,false,"^b.","m","",true]`,
		`return [RegExp.name, RegExp.length, /x/ instanceof RegExp, /x/.constructor === RegExp, Object.getPrototypeOf(/x/) === RegExp.prototype, RegExp[Symbol.species] !== undefined]`:                                                     `["RegExp",2,true,true,true,true]`,
		`class Twice extends RegExp { exec(s) { const m = super.exec(s); if (m) m[0] += m[0]; return m } }; const r = new Twice("\\bé", "m"); return [r.exec("é"), r instanceof Twice, r.source, "xé ab".replace(new Twice("\\ba"), "$&")]`: `[null,true,"\\bé","xé aa"]`,
		`const r = /a/g; r.lastIndex = 3; r.compile("^.$", "m"); return [r.source, r.flags, r.lastIndex, r.test("x\ry"), r.compile(/b/i).flags]`:                                                                                            `["^.$","m",0,true,"i"]`,
		`return [eval("/^b.$/m").test("a\rbc"), eval("/^b.$/m").source, Function("s", "return /\\bb/.test(s)")("éb"), Function("s", "return /\\bb/.test(s)")("ab"), eval("4 / 2 / 1")]`:                                                     `[true,"^b.$",true,false,2]`,
		`return ["éa".search("\\ba"), "é\u2028a".match(".a"), [..."xéx".matchAll("\\bx")].length, "a.b".match(".")[0], "null".match(null)[0]]`:                                                                                              `[1,null,2,"a","null"]`,
		`return ["aXbxc".split(/x/i, 2), "test".split(/(?:)/), "A<B>b</B>".split(/<(\/)?([^<>]+)>/), "naï".split(/a*/), "".split(/a*/), "ab".split(/(?:)/, 0), "x".split(/^/m), "😀b".split(/(?:)/u)].map((l) => l.map(String))`:             `[["a","b"],["t","e","s","t"],["A","undefined","B","b","/","B",""],["n","ï"],[],[],["x"],["😀","b"]]`,
		`return ["a\r\nb".replace(/$/gm, ";"), "x-y".replace(/(?<l>\w)-(?<r>\w)/u, "$<r>$<l>"), "é1 2".replace(/\b./g, (c, i) => c + i), /(?<n>a)/u.exec("éa").groups.n]`:                                                                   `["a;\r;\nb;","yx","é11 223","a"]`,
	} {
		require.Equal(t, want, play(t, body).result(), body)
	}
}

var longRepeat = regexp.MustCompile(`[0-9]{3}`)

// Whatever the pattern, it is refused or it works.
func FuzzRegExp(f *testing.F) {
	for _, row := range regExps {
		f.Add(row[0], row[1], row[2])
	}
	program := compile(f, `
		const { pattern, flags, subject } = args;
		let r;
		try { r = new RegExp(pattern, flags + "g") } catch (e) { return [e.name, e.code] }
		r.test(subject);
		r.lastIndex = 1;
		r.test(subject);
		return [new RegExp(r).source === r.source, subject.split(r).length > 0 || subject === ""]`)
	f.Fuzz(func(t *testing.T, pattern, flags, subject string) {
		repeats := len(pattern) - len(strings.NewReplacer("*", "", "+", "", "{", "").Replace(pattern))
		if len(pattern) > 40 || len(subject) > 20 || strings.Contains(flags, "g") || repeats > 2 || longRepeat.MatchString(pattern) {
			return // what runs for long says nothing
		}
		args, err := json.Marshal(map[string]string{"pattern": pattern, "flags": flags, "subject": subject})
		require.NoError(t, err)
		require.Regexp(t, `^\["SyntaxError",|^\[true,true\]$`, start(t, vm.New(program, vm.Config{}), args).result())
	})
}
