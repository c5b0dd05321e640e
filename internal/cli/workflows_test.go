package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// save writes a workflow into the project's folder.
func (u *user) save(name, text string) {
	u.put(filepath.Join(u.dir, ".assent", "workflows"), name, text)
}

// put writes a file into a folder, which is made.
func (u *user) put(folder, name, text string) string {
	u.t.Helper()
	require.NoError(u.t, os.MkdirAll(folder, 0o755))
	path := filepath.Join(folder, name)
	require.NoError(u.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (u *user) read(name string) string {
	u.t.Helper()
	text, err := os.ReadFile(filepath.Join(u.dir, name))
	require.NoError(u.t, err)
	return string(text)
}

// own is the user's folder of workflows.
func (u *user) own() string {
	return filepath.Join(filepath.Dir(u.dir), "home", ".config", "assent", "workflows")
}

func says(what string) string {
	return "export const meta = { name: 'it', description: 'x' };\nreturn " + what + ";\n"
}

// The places win in their order, from any folder of the workspace; a path is always a path.
func TestRunByName(t *testing.T) {
	t.Parallel()
	u := newUser(t, "same.js", says(`"path"`), "same", "a file without an ending")
	home := filepath.Join(filepath.Dir(u.dir), "home")
	u.put(filepath.Join(home, ".pi", "workflows"), "same.mjs", says(`"home"`))
	u.put(filepath.Join(u.dir, ".claude", "workflows"), "same.js", says(`"claude"`))
	u.put(u.own(), "same.ts", says(`"user" as string`))
	u.save("same.mts", says(`"project" satisfies string`))
	u.put(filepath.Join(u.dir, "sub"), "x", "")
	for _, place := range []struct{ folder, says string }{
		{filepath.Join(u.dir, ".assent", "workflows"), "project"}, {u.own(), "user"}, {filepath.Join(u.dir, ".claude", "workflows"), "claude"}, {filepath.Join(home, ".pi", "workflows"), "home"},
	} {
		cmd := u.command("run", "same", "--quiet")
		cmd.Dir = filepath.Join(u.dir, "sub")
		require.Equal(t, `"`+place.says+`"`+"\n", u.run(cmd).out)
		require.NoError(t, os.RemoveAll(place.folder))
	}
	require.Equal(t, `"path"`+"\n", u.wants(0, "run", "same.js", "--quiet").out)
	require.Contains(t, u.wants(2, "run", "same").errors, "same is no script: the name of one ends in .js")
	u.save("other.js", says("1"))
	require.Contains(t, u.wants(2, "run", "other.js", "--quiet").errors, "next: assent run other --quiet   # a saved workflow goes by its name\n")
	u.save("other.ts", says("1"))
	require.Contains(t, u.wants(2, "run", "other").errors, `WORKFLOW_INVALID: `+u.dir+`/.assent/workflows has several files for the name "other": other.js, other.ts`)
	require.NoDirExists(t, u.store("runs", "x"))
}

// What cannot be used is listed with what is wrong with it, and where, and is no failure.
func TestListOfWorkflows(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.save("fine.js", "export const meta = { name: 'another', description: 'say\\u202e \\u001b[2J\\n it', args: { required: ['n'], properties: { n: { type: 'integer', description: 'how\\u0007' }, m: { enum: ['a', 2] } } }, phases: [{ title: 'p', model: 'big' }] };\nwhile (true) {}\n")
	u.save("broken.js", "export const meta = { name: 'b', description: 'x' };\n\nreturn (1;\n")
	u.save("nometa.ts", "const a = 1;\n")
	u.save("schema.js", script(`{ type: "objekt" }`))
	u.save("large.js", "export const meta = { name: 'l', description: 'x' };\n"+strings.Repeat("/", 600<<10))
	u.save("bytes.js", "export const meta = { name: 'l', description: 'x' };\n\xff")
	u.save("two words.js", says("1"))
	u.put(u.own(), "fine.js", says("1"))
	u.put(u.own(), "deep-research.js", says("1"))
	o := u.object(0, "workflows", "--json")
	require.Empty(t, o["unreadable"])
	rows := map[string]map[string]any{}
	for _, row := range o["workflows"].([]any) {
		row := row.(map[string]any)
		rows[row["from"].(string)+" "+row["name"].(string)] = row
	}
	require.Equal(t, map[string]any{
		"name": "fine", "title": "another", "description": "say\u202e \x1b[2J\n it", "from": "project", "path": filepath.Join(u.dir, ".assent", "workflows", "fine.js"),
		"arguments": []any{
			map[string]any{"name": "n", "type": "integer", "required": true, "description": "how\a"},
			map[string]any{"name": "m", "type": "any", "required": false, "enum": []any{"a", 2.0}},
		},
		"phases": []any{map[string]any{"title": "p", "model": "big"}},
	}, rows["project fine"])
	require.Equal(t, filepath.Join(u.dir, ".assent", "workflows", "fine.js"), rows["user fine"]["hiddenBy"])
	require.Equal(t, filepath.Join(u.own(), "deep-research.js"), rows["built-in deep-research"]["hiddenBy"])
	require.Equal(t, "builtin/plan-then-do.js", rows["built-in plan-then-do"]["path"])
	for name, code := range map[string]string{
		"broken": "SCRIPT_SYNTAX", "nometa": "META_INVALID", "schema": "SCHEMA_INVALID", "large": "SOURCE_TOO_LARGE", "bytes": "SOURCE_NOT_UTF8", "two words": "WORKFLOW_INVALID",
	} {
		require.Equal(t, code, rows["project "+name]["error"].(map[string]any)["code"], name)
	}
	broken := rows["project broken"]["error"].(map[string]any)
	require.Equal(t, []any{".assent/workflows/broken.js", 3.0, 10.0}, []any{broken["file"], broken["line"], broken["column"]})

	text := u.wants(0, "workflows").out
	require.Contains(t, text, "  (another) say‹U+202E› ‹ESC›[2J it\n  n:integer [m:a|2]\n")
	require.Contains(t, text, "  cannot be used: SCRIPT_SYNTAX: .assent/workflows/broken.js:3:10: ")
	require.Regexp(t, `(?m)^deep-research +built-in, hidden by \S+/deep-research.js$`, text)
	require.Regexp(t, `(?m)^fine +project +.assent/workflows/fine.js$`, text)

	one := u.wants(0, "workflows", "fine").out
	require.Contains(t, one, "  meta.name    another\n  from         project\n  path         .assent/workflows/fine.js\n\narguments\n  n  integer, required: how‹BEL›\n  m  one of a, 2\n\nphases\n  p  model big\n\nhides\n  ")
	require.Contains(t, u.wants(1, "workflows", "broken").errors, "SCRIPT_SYNTAX: .assent/workflows/broken.js:3:10:")
	require.Contains(t, u.wants(2, "workflows", "nosuch").errors, "WORKFLOW_UNKNOWN")
	require.Contains(t, u.wants(2, "workflows", "a", "b").errors, "USAGE")
	for _, flags := range []string{"--source", "--copy", "a --source --copy"} {
		require.Contains(t, u.wants(2, append([]string{"workflows"}, strings.Fields(flags)...)...).errors, "USAGE")
	}
	require.Equal(t, "export const meta = { name: 'b', description: 'x' };\n\nreturn (1;\n", u.wants(0, "workflows", "broken", "--source").out)
	require.Contains(t, u.object(0, "workflows", "broken", "--source", "--json")["source"], "return (1;")
	source, err := os.ReadFile(filepath.Join("..", "..", "workflows", "builtin", "plan-then-do.js"))
	require.NoError(t, err)
	require.Equal(t, string(source), u.wants(0, "workflows", "plan-then-do", "--source").out, "to the byte")
	require.NoDirExists(t, u.store())
	u.write(".assent/../x.js", says("1"))
	require.Equal(t, "x.js\n  description  x\n  meta.name    it\n  path         x.js\n", u.wants(0, "workflows", "x.js").out)
}

// A folder that cannot be listed is told of, and hides none of the others from the list.
func TestListWithAFolderThatIsNone(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.put(filepath.Join(u.dir, ".assent"), "workflows", "")
	e := u.wants(0, "workflows")
	require.Contains(t, e.errors, "list the workflows: ")
	require.Contains(t, e.out, "deep-research")
	require.Len(t, u.object(0, "workflows", "--json")["unreadable"], 1)
	require.NotEqual(t, 0, u.assent("run", "deep-research").code, "the name might have stood there")
}

// A run of a built-in workflow keeps its source: it goes on as it began, is no file of the
// workspace, and what wants an edited script wants a copy first.
func TestRunOfABuiltinWorkflow(t *testing.T) {
	t.Parallel()
	u := newUser(t, "fails.toml", "[[answer]]\nlabel = \"*\"\nerror = \"broken\"\n")
	u.put(filepath.Join(u.dir, "builtin"), "plan-then-do.js", says("1"))
	e := u.assent("run", "plan-then-do", "--agent", "script:fails.toml", "mend", "it")
	run := runID.FindString(e.errors)
	require.NotEmpty(t, run, e.errors)
	shown := u.object(0, "show", run, "--json")
	require.Equal(t, "mend it", shown["args"].(map[string]any)["_raw"])
	require.Equal(t, "stopped", shown["state"], e.errors)
	hints := u.wants(0, "show", run).errors
	require.Contains(t, hints, "next: assent workflows plan-then-do --copy   # writes .assent/workflows/plan-then-do.js, to be edited\n")
	require.Regexp(t, `next: assent resume \S+ --script .assent/workflows/plan-then-do.js `, hints)
	require.NotContains(t, u.assent("resume", run).errors, "has changed since", "another file of the workspace is no later version of it")
	u.wants(0, "workflows", "plan-then-do", "--copy")
	require.NotContains(t, u.wants(0, "show", run).errors, "--copy", "it is there")
	require.Equal(t, u.wants(0, "workflows", "plan-then-do", "--source").out, u.read(".assent/workflows/plan-then-do.js"))
	require.Contains(t, u.wants(0, "workflows", "plan-then-do").out, "hides\n  builtin/plan-then-do.js (built-in)\n")
	require.Contains(t, u.wants(2, "workflows", "plan-then-do", "--copy").errors, ".assent/workflows/plan-then-do.js is there already")
	u.save("plan-then-do.js", says("2"))
	require.Equal(t, "2\n", u.wants(0, "resume", run, "--script", "plan-then-do").out)
	u.wants(0, "verify", run)
}

// Of a workflow of the user's own an edit is seen, wherever the run is resumed, and a file of the
// workspace that is called the same is not taken for it.
func TestRunOfTheUsersWorkflow(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	ask := strings.Replace(says("a"), "return a", "return await checkpoint('Go?')", 1)
	u.put(u.own(), "ask.js", ask)
	u.wants(4, "run", "ask", "--on-gate", "suspend")
	run := runID.FindString(u.wants(0, "ls").out)
	u.write("ask.js", says("1"))
	require.NotContains(t, u.wants(4, "resume", run, "--on-gate", "suspend").errors, "has changed")
	require.NoError(t, os.Remove(filepath.Join(u.dir, "ask.js")))
	u.put(u.own(), "ask.js", ask+"// more\n")
	require.Contains(t, u.wants(4, "resume", run, "--on-gate", "suspend").errors, "ask.js has changed since")
	u.wants(0, "verify", run)
}

// The limit of a script is the machine's: one of the largest size is taken, and shown whole.
func TestLargestWorkflow(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	text := says("1")
	u.save("large.js", text+strings.Repeat("/", vm.MaxSource-len(text)))
	require.Len(t, u.wants(0, "workflows", "large", "--source").out, vm.MaxSource)
	require.Equal(t, "1\n", u.wants(0, "run", "large", "--quiet").out)
}

// A script that lies anywhere is saved by a copy, unless it would not find what it imports.
func TestCopyOfAScript(t *testing.T) {
	t.Parallel()
	u := newUser(t, "mine.ts", says("1 as number"), "two words.js", says("1"), "a.js", "export const a = 1;\n", "imports.js", "export const meta = { name: 'i', description: 'x' };\nimport { a } from './a.js';\nreturn a;\n")
	o := u.object(0, "workflows", "mine.ts", "--copy", "--json")
	require.Equal(t, map[string]any{"format": 1.0, "wrote": ".assent/workflows/mine.ts", "next": "assent run mine"}, o)
	require.Equal(t, "1\n", u.wants(0, "run", "mine", "--quiet").out)
	require.Contains(t, u.wants(2, "workflows", "./two words.js", "--copy").errors, "WORKFLOW_INVALID: 'two words' is no name of a workflow")
	require.Contains(t, u.wants(2, "workflows", "imports.js", "--copy").errors, "imports.js imports a.js, which a copy elsewhere would not find")
	require.Contains(t, u.wants(2, "workflows", "nosuch.js", "--copy").errors, "WORKFLOW_UNKNOWN")
	require.NoFileExists(t, filepath.Join(u.dir, ".assent", "workflows", "imports.js"))
	elsewhere := filepath.Join(filepath.Dir(u.dir), "elsewhere")
	require.NoError(t, os.Mkdir(elsewhere, 0o755))
	require.NoError(t, os.RemoveAll(filepath.Join(u.dir, ".assent")))
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(u.dir, ".assent")))
	require.NotEqual(t, 0, u.assent("workflows", "mine.ts", "--copy").code, "no link is followed out of the workspace")
}

// What init wrote in another version is written anew where it is the program's own.
func TestInitUpdatesTheTypes(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.wants(0, "init")
	types := filepath.Join(u.dir, ".assent", "assent.d.ts")
	now, err := os.ReadFile(types)
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(now), "\n")
	u.write(".assent/assent.d.ts", first+"\n// older\n")
	u.write(".assent/workflows/first.js", says("1"))
	o := u.object(0, "init", "--json")
	require.Equal(t, []any{".assent/assent.d.ts"}, o["updated"])
	require.Empty(t, o["wrote"])
	require.NotContains(t, o["kept"], ".assent/assent.d.ts")
	require.Contains(t, o["kept"], ".assent/workflows/first.js")
	again, err := os.ReadFile(types)
	require.NoError(t, err)
	require.Equal(t, string(now), string(again))
	u.write(".assent/assent.d.ts", "// mine\n")
	require.Empty(t, u.object(0, "init", "--json")["updated"], "somebody's own")
	require.Contains(t, u.wants(0, "init").errors, "left as it is: .assent/assent.d.ts")
}
