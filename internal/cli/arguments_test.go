package cli_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// script makes a script that gives its arguments back, with a schema.
func script(schema string) string {
	head := "export const meta = { name: 'echo', description: 'x'"
	if schema != "" {
		head += ", args: " + schema
	}
	return head + " };\nreturn args;\n"
}

const auditSchema = `{ type: "object", additionalProperties: false, required: ["part"], properties: {
  part: { type: "string", description: "the folder\u001b[2J" }, depth: { type: "integer", minimum: 1, maximum: 5, default: 2 },
  mode: { enum: ["quick", "whole", "3"], default: "quick" }, ok: { type: "boolean" }, ratio: { type: "number" },
  skip: { type: "array", items: { type: "string" } }, more: { type: "object" }, either: { type: ["string", "null"] },
  ref: { $ref: "#/$defs/text" }, any: {}, "odd name": { anyOf: [{ type: "integer" }, { type: "string" }] } },
  $defs: { text: { type: "string" } } }`

// What a typed value becomes is what JSON Schema (2020-12, section 6) says of its type; where both
// the JSON and the text fit, it is the JSON.
func TestArgumentsByType(t *testing.T) {
	t.Parallel()
	u := newUser(t, "echo.js", script(auditSchema), "open.js", script(""))
	for pair, want := range map[string]string{
		"depth=3": `"depth":3`, "depth=3.0": `"depth":3`, "ratio=1e1": `"ratio":10`, "ok=true": `"ok":true`,
		"mode=3": `"mode":"3"`, "mode=whole": `"mode":"whole"`, `mode="3"`: `"mode":"3"`,
		"either=null": `"either":null`, "either=4": `"either":"4"`, "either=true": `"either":"true"`,
		`skip=["a","b"]`: `"skip":["a","b"]`, `more={"a":1}`: `"more":{"a":1}`,
		"ref=1.10": `"ref":"1.10"`, "any=1.10": `"any":1.1`, "any=x": `"any":"x"`, "odd name=7": `"odd name":7`, "odd name=true": `"odd name":"true"`,
	} {
		e := u.wants(0, "run", "echo.js", "--quiet", "--arg", "part=1.10", "--arg", pair)
		require.Contains(t, e.out, `{"part":"1.10",`+want, pair)
	}
	e := u.wants(0, "run", "open.js", "--quiet", "--arg", "a=1", "--arg", "b=x=y", "--arg", "c=", "--task", "1", "two", "words")
	require.Equal(t, `{"a":1,"b":"x=y","c":"","task":"1","_raw":"two words"}`+"\n", e.out)
}

// Everything that is wrong is told at once, with path, actual and expected; nothing starts.
func TestArgumentsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	u := newUser(t, "echo.js", script(auditSchema))
	e := u.wants(2, "run", "echo.js", "--arg", "prat=x", "--arg", "depth=9", "--arg", "ok=maybe", "--arg", "mode=slow", "--arg", "skip=[1]", "--arg", "zzzzzzzz=1")
	for _, part := range []string{
		"ARGS_INVALID: the arguments do not fit what echo.js takes: ",
		`there is no argument "prat", did you mean "part"?`, `there is no argument "zzzzzzzz", only part, depth, mode, ok`,
		"$.depth: maximum: got 9, want 5", `$.ok: got string, want boolean (it is "maybe")`, `$.mode: value must be one of 'quick', 'whole', '3' (it is "slow")`,
		"$.skip[0]: got number, want string", "$: missing property 'part'",
	} {
		require.Contains(t, e.errors, part)
	}
	require.NotContains(t, e.errors, "additional propert", "it is said once")
	require.Contains(t, e.errors, "next: assent run echo.js --help   # shows what it takes\n")
	require.NoDirExists(t, u.store())
	require.Contains(t, u.wants(2, "run", "echo.js", "--args", `{"part":"x","extra":1}`).errors, `there is no argument "extra"`)
	require.Contains(t, u.wants(2, "run", "echo.js", "--detach").errors, "missing property 'part'", "also for what would go into the background")
	require.Contains(t, u.wants(2, "run", "echo.js", "--arg", "part=\xff").errors, "ARGS_INVALID: --arg part is not UTF-8")
	require.Contains(t, u.wants(2, "run", "echo.js", "wo\xffrd", "--arg", "part=x").errors, "takes no words")

	u.write("default.js", script(`{ properties: { n: { type: "integer", default: "three" } } }`))
	require.Contains(t, u.wants(2, "run", "default.js").errors, `$.n: got string, want integer (it is "three", the script's own default)`)
	u.write("schema.js", script(`{ type: "objekt" }`))
	require.Contains(t, u.wants(1, "run", "schema.js").errors, "SCHEMA_INVALID: meta.args of schema.js is no JSON Schema: ")
	require.NoDirExists(t, u.store())
}

// An argument that is typed as if it were a flag is told from a flag that there is not.
func TestArgumentsAreNoFlags(t *testing.T) {
	t.Parallel()
	u := newUser(t, "echo.js", script(auditSchema))
	require.Contains(t, u.wants(2, "run", "--quiet", "echo.js", "--depth", "3").errors, "unknown flag: --depth\nnext: assent run echo.js --arg depth=VALUE   # integer, default 2\n")
	require.Contains(t, u.wants(2, "run", "echo.js", "--part=x").errors, "--arg part=VALUE   # string, required: the folder‹ESC›[2J\n")
	require.Contains(t, u.wants(2, "run", "echo.js", "--headles").errors, "did you mean --headless?")
	require.Contains(t, u.wants(2, "run", "nosuch.js", "--depth").errors, "next: assent run --help")
}

// A schema that says nothing of other names takes them in an object, as JSON Schema has it; a name
// that is typed is held to be a slip. One that says that it takes them, takes them.
func TestUnknownArguments(t *testing.T) {
	t.Parallel()
	u := newUser(t, "silent.js", script(`{ properties: { topic: { type: "string" } } }`),
		"open.js", script(`{ properties: { topic: { type: "string" } }, additionalProperties: true }`),
		"pattern.js", script(`{ properties: { topic: {} }, patternProperties: { "^x-": {} }, additionalProperties: false }`))
	require.Contains(t, u.wants(2, "run", "silent.js", "--arg", "topik=x").errors, `there is no argument "topik", did you mean "topic"?`)
	require.Contains(t, u.wants(2, "run", "silent.js", "--task", "x").errors, `there is no argument "task"`)
	require.Equal(t, `{"topik":"x"}`+"\n", u.wants(0, "run", "silent.js", "--quiet", "--args", `{"topik":"x"}`).out)
	require.Equal(t, `{"topik":"x"}`+"\n", u.wants(0, "run", "open.js", "--quiet", "--arg", "topik=x").out)
	require.Equal(t, `{"x-a":"x"}`+"\n", u.wants(0, "run", "pattern.js", "--quiet", "--arg", "x-a=x").out)
	require.Contains(t, u.wants(2, "run", "pattern.js", "--arg", "y=x").errors, "additional properties 'y' not allowed")
	// Of two arguments one, and no others.
	u.write("one.js", script(`{ anyOf: [{ required: ["topic"] }, { required: ["_raw"] }], properties: { topic: {}, _raw: {} }, additionalProperties: false }`))
	require.Contains(t, u.wants(2, "run", "one.js", "--arg", "topik=x").errors, `there is no argument "topik", did you mean "topic"?`)
	require.Contains(t, u.wants(2, "run", "one.js").errors, "takes: there is no topic; give --arg topic=VALUE or words behind the script's name\nnext: ")
	require.Equal(t, `{"topic":1,"_raw":"x"}`+"\n", u.wants(0, "run", "one.js", "--quiet", "x", "--arg", "topic=1").out)
	require.Equal(t, `{"_raw":"x"}`+"\n", u.wants(0, "run", "one.js", "--quiet", "x").out)
}

// A schema can ask for one of several arguments. What it says of that is told in words that help, and once.
func TestArgumentsOfWhichOneIsNeeded(t *testing.T) {
	t.Parallel()
	u := newUser(t, "words.js", script(`{ oneOf: [{ required: ["topic"] }, { required: ["_raw"] }], additionalProperties: false,
  properties: { topic: { type: "string", pattern: "\\S" }, _raw: {}, n: { type: "integer" } } }`),
		"two.js", script(`{ anyOf: [{ required: ["a"] }, { required: ["b"] }], required: ["c"] }`),
		"default.js", script(`{ anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: { default: 1 } } }`),
		"more.js", script(`{ anyOf: [{ required: ["a", "b"] }, { required: ["c"] }] }`))
	require.Contains(t, u.wants(2, "run", "words.js", "--arg", "n=x").errors, `takes: there is no topic; give --arg topic=TEXT or words behind the script's name; $.n: got string, want integer (it is "x")`+"\n")
	require.Contains(t, u.wants(2, "run", "words.js", "y", "--arg", "topic=x").errors, "takes: give only one of --arg topic=TEXT and words behind the script's name\n")
	require.Contains(t, u.wants(2, "run", "words.js", "--arg", "topic= ").errors, `takes: $.topic: there has to be more than white space (it is " ")`+"\n")
	require.Contains(t, u.wants(2, "run", "two.js").errors, "takes: there is no a and no b; give --arg a=VALUE or --arg b=VALUE; $: missing property 'c'\n")
	require.Equal(t, `{"a":1}`+"\n", u.wants(0, "run", "default.js", "--quiet").out)
	require.Contains(t, u.wants(2, "run", "more.js").errors, "missing property 'c'", "what is more than a choice keeps the schema's own words")
}

// Words behind the script are one text, wherever flags stand, unless the schema takes no others.
func TestBareWords(t *testing.T) {
	t.Parallel()
	u := newUser(t, "open.js", script(`{ properties: { n: { type: "integer" } } }`), "closed.js", script(auditSchema),
		"named.js", script(`{ additionalProperties: false, properties: { _raw: { type: "string" }, n: {} } }`), "none.js", script(`{ additionalProperties: false }`))
	for _, name := range []string{"open.js", "named.js"} {
		require.Equal(t, `{"n":1,"_raw":"make the  login --work"}`+"\n", u.wants(0, "run", "--quiet", name, "make", "--arg", "n=1", "the ", "login", "--", "--work").out)
	}
	require.Equal(t, `{"_raw":""}`+"\n", u.wants(0, "run", "open.js", "--quiet", "").out)
	require.Equal(t, "{}\n", u.wants(0, "run", "open.js", "--quiet").out)
	e := u.wants(2, "run", "closed.js", "the", "lib")
	require.Contains(t, e.errors, `closed.js takes no words behind its name, such as "the": its arguments are part, depth, `)
	require.Contains(t, e.errors, "next: assent run closed.js --arg 'part=the lib'   # if that is the part\n")
	require.Contains(t, u.wants(2, "run", "none.js", "x").errors, "it takes no arguments")
	require.Contains(t, u.wants(2, "run", "open.js", "x", "--arg", "_raw=y").errors, `the argument "_raw" is given twice`)
}

// An object is given as itself, in a file, or on standard input.
func TestWholeArguments(t *testing.T) {
	t.Parallel()
	u := newUser(t, "echo.js", script(""), "in.json", ` {"b": 1, "a": {"y": 2, "x": 3}}`, "{odd}.json", "{}")
	const want = `{"b":1,"a":{"y":2,"x":3}}` + "\n"
	for _, given := range []string{"in.json", "@in.json", "./in.json", ` {"b": 1, "a": {"y": 2, "x": 3}}`} {
		require.Equal(t, want, u.wants(0, "run", "echo.js", "--quiet", "--args", given).out, given)
	}
	for _, given := range []string{"-", "@-"} {
		cmd := u.command("run", "echo.js", "--quiet", "--args", given)
		cmd.Stdin = strings.NewReader(`{"b": 1, "a": {"y": 2, "x": 3}}`)
		e := u.run(cmd)
		require.Equal(t, want, e.out, e.errors)
	}
	require.Equal(t, "{}\n", u.wants(0, "run", "echo.js", "--quiet", "--args", "./{odd}.json").out)
	for given, why := range map[string]string{
		`[1]`: "--args is not one JSON object: it begins with [", `"x"`: `it begins with "`, `{"a":1,"a":2}`: "--args is not one JSON object", `{`: "--args is not one JSON object",
		"nosuch.json": "the file of arguments cannot be read", "@": "the file of arguments cannot be read",
	} {
		require.Contains(t, u.wants(2, "run", "echo.js", "--args", given).errors, why, given)
	}
	require.Contains(t, u.wants(2, "run", "echo.js", "--detach", "--args", "@-").errors, "has no standard input")
}

// The journal has the arguments as the script saw them, defaults and all, and a resume keeps them.
func TestDefaultsAreKept(t *testing.T) {
	t.Parallel()
	ask := strings.Replace(script(`{ properties: { a: { default: { k: null } }, n: { type: "integer", default: 2 }, gone: { default: null }, none: {} }, required: ["n"] }`),
		"return args;", `return [await checkpoint("Go?"), args];`, 1)
	u := newUser(t, "ask.js", ask)
	u.wants(4, "run", "ask.js", "--on-gate", "suspend", "--arg", "n=7")
	want := map[string]any{"n": 7.0, "a": map[string]any{"k": nil}, "gone": nil}
	shown := u.object(0, "show", "--json")
	require.Equal(t, want, shown["args"])
	u.write("ask.js", strings.Replace(ask, "k: null", "k: 1", 1))
	e := u.wants(0, "answer", shown["run"].(string), "yes", "--resume")
	require.Equal(t, `[true,{"n":7,"a":{"k":null},"gone":null}]`+"\n", e.out)
}

// Behind a script --help tells of that script, and runs nothing.
func TestHelpOfAScript(t *testing.T) {
	t.Parallel()
	u := newUser(t, "echo.js", strings.Replace(script(auditSchema), "return args", "throw new Error(await agent('x'))", 1),
		"broken.js", "export const meta = { name: 'b', description: 'x' };\nreturn (1;\n", "schema.js", script(`{ type: "objekt" }`))
	e := u.wants(0, "run", "echo.js", "--arg", "part=x", "-h")
	require.Contains(t, e.out, "x\n\nUsage:\n  assent run echo.js [--arg NAME=VALUE]... [FLAGS]\n")
	require.Contains(t, e.out, "\n  part      string, required: the folder‹ESC›[2J\n")
	require.Contains(t, e.out, "\n  depth     integer, default 2\n")
	require.Contains(t, e.out, "\n  mode      one of quick, whole, 3, default \"quick\"\n")
	require.Contains(t, e.out, "\n      --on-gate string ")
	require.Contains(t, u.wants(0, "run", "deep-research", "--help").out, "assent run deep-research [WORDS...] [--arg NAME=VALUE]... [FLAGS]")
	require.Contains(t, u.wants(0, "run", "--help").out, "assent run FILE|NAME [WORDS...] [flags]")
	require.Contains(t, u.wants(2, "run", "nosuch", "--help").errors, "WORKFLOW_UNKNOWN")
	require.Contains(t, u.wants(1, "run", "broken.js", "--help").errors, "SCRIPT_SYNTAX: broken.js:2:10:")
	require.Contains(t, u.wants(1, "run", "schema.js", "--help").errors, "SCHEMA_INVALID")
	require.NoDirExists(t, u.store())
}

// The arguments of the script on the line are offered, and values where they are few.
func TestCompletionOfArguments(t *testing.T) {
	t.Parallel()
	u := newUser(t, "echo.js", script(auditSchema), "broken.js", "}")
	offers, directive := u.completes("run", "echo.js", "--arg", "")
	require.Equal(t, []string{"part=", "depth=", "mode=", "ok=", "ratio=", "skip=", "more=", "either=", "ref=", "any="}, offers)
	require.Equal(t, ":38", directive, "no space behind, no files, in order")
	require.Contains(t, u.wants(0, "__complete", "run", "echo.js", "--arg", "p").out, "part=\tstring, required: the folder‹ESC›[2J\n")
	offers, _ = u.completes("run", "echo.js", "--arg", "mode=")
	require.Equal(t, []string{"mode=quick", "mode=whole", "mode=3"}, offers)
	offers, _ = u.completes("run", "--arg", "part=x", "echo.js", "--arg", "ok=t")
	require.Equal(t, []string{"ok=true"}, offers)
	for _, words := range [][]string{{"run", "--arg", ""}, {"run", "broken.js", "--arg", ""}, {"run", "nosuch", "--arg", ""}, {"run", "echo.js", ""}, {"run", "echo.js", "--arg", "part="}} {
		offers, directive = u.completes(words...)
		require.Empty(t, offers, words)
		require.Contains(t, []string{nothingElse, ":38"}, directive, words)
	}
	offers, _ = u.completes("workflows", "deep")
	require.Equal(t, []string{"deep-research"}, offers)
	require.NoDirExists(t, u.store())
}
