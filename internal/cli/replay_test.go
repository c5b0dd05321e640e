package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const twoScript = `export const meta = { name: "pair", description: "two calls" };
const a = await agent("first", { label: "a", readOnly: true });
const b = await agent("second", { label: "b" });
return [a, b];
`

// ranPair is a user with a finished run of twoScript.
func ranPair(t *testing.T, files ...string) (*user, string) {
	t.Helper()
	u := newUser(t, append([]string{"pair.js", twoScript, "answers.toml", "[[answer]]\nlabel = \"*\"\ntext = \"done\"\n", "gate.js", gateScript}, files...)...)
	u.wants(0, "run", "pair.js", "--agent", "script:answers.toml")
	return u, runID.FindString(u.wants(0, "ls").out)
}

func TestReplayProvesResults(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t)
	before := u.hashes()
	require.Equal(t, "run "+run+": proved: completed, by 2 answers from the journal\n", u.wants(0, "replay").out)
	o := u.object(0, "replay", run, run, "--json")
	require.Equal(t, map[string]any{
		"format": 1.0, "exit": 0.0, "left": []any{}, "runs": []any{map[string]any{"run": run, "proved": true, "state": "completed", "replayed": 2.0}},
	}, o)
	require.Equal(t, before, u.hashes())

	waiting := u.object(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	e := u.wants(1, "replay", run, waiting)
	require.Contains(t, e.out, "run "+run+": proved")
	require.Contains(t, e.out, "run "+waiting+": NOT PROVED: REPLAY_DIVERGED: run "+waiting+" has not finished")
	e = u.wants(0, "replay", "--all")
	require.Contains(t, e.out, waiting+` "gate": it has not finished: it is waiting`)
	u.wants(0, "cancel", waiting)
	require.Contains(t, u.wants(0, "replay", "--all").out, waiting+` "gate": it was cancelled`)
	require.Contains(t, u.wants(1, "replay", waiting).out, "ended from outside (cancelled)")
}

// A journal that cannot be read fails with its own exit code, and the others are told of all the
// same.
func TestReplayOfADamagedRun(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t)
	other := u.object(0, "run", "pair.js", "--agent", "script:answers.toml", "--json")["run"].(string)
	path := u.store("runs", run+".db")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	damaged := strings.ReplaceAll(string(data), `"second"`, `"secund"`)
	require.NotEqual(t, string(data), damaged)
	require.NoError(t, os.WriteFile(path, []byte(damaged), 0o600))
	for _, args := range [][]string{{"replay", "--all"}, {"replay", "--against", "pair.js", "--all"}, {"replay", run, other}} {
		e := u.wants(7, args...)
		require.Regexp(t, "run "+run+": NOT (PROVED|COMPARED): JOURNAL_", e.out)
		require.Contains(t, e.out, "run "+other)
	}
	row := u.object(7, "replay", "--against", "pair.js", "--all", "--json")["runs"].([]any)[0].(map[string]any)
	require.Equal(t, run, row["run"])
	require.Equal(t, true, row["diverges"])
	require.Regexp(t, "^JOURNAL_", row["error"].(map[string]any)["code"])
}

// A journal of another workspace that cannot be used is named, and fails nobody else's check; one
// that does not say whose it is neither, while there is another run to check.
func TestReplayAllPassesOverOthersDamage(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t)
	elsewhere := filepath.Join(filepath.Dir(u.dir), "elsewhere")
	require.NoError(t, os.MkdirAll(filepath.Join(elsewhere, ".git"), 0o755))
	require.NoError(t, os.Rename(filepath.Join(u.dir, "pair.js"), filepath.Join(elsewhere, "pair.js")))
	require.NoError(t, os.Rename(filepath.Join(u.dir, "answers.toml"), filepath.Join(elsewhere, "answers.toml")))
	there := u.command("run", "pair.js", "--agent", "script:answers.toml", "--json")
	there.Dir = elsewhere
	other := parsed(t, u.run(there).out)["run"].(string)
	path := u.store("runs", other+".db")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(data), `"second"`, `"secund"`)), 0o600))
	e := u.wants(0, "replay", "--all")
	require.Contains(t, e.out, "run "+run+": proved")
	require.Contains(t, e.out, other+` "": it says that it is of `+elsewhere+": ")
	check := u.command("replay", "--all")
	check.Dir = elsewhere
	require.Equal(t, 7, u.run(check).code, "it is this workspace's own")

	const empty = "01M8PNVF9DVF27VBXN7R8A3QXB"
	require.NoError(t, os.WriteFile(u.store("runs", empty+".db"), nil, 0o600))
	e = u.wants(0, "replay", "--all")
	require.Contains(t, e.out, empty+` "": nobody can tell whose it is: `)
	require.Contains(t, e.out, "an empty file")
	require.NoError(t, os.Remove(u.store("runs", run+".db")))
	e = u.wants(7, "replay", "--all")
	require.Contains(t, e.out, "run "+empty+": NOT PROVED: NOT_A_JOURNAL")
}

func TestReplayAgainstAnEditedScript(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t, "spaced.js", "\n\n"+twoScript, "edited.js", strings.Replace(twoScript, "second", "other", 1))
	before := u.hashes()
	require.Equal(t, `run `+run+` "pair" (completed): the same
  replayed: 2 calls
`, u.wants(0, "replay", "--against", "spaced.js", run).out)
	require.Equal(t, `run `+run+` "pair" (completed): DIFFERENT, first at edited.js:3:17
  replayed: 1 call
  would run again:
    "b" (agent /agent#1) at edited.js:3:17: the script asks for something else now
      │ @@ -1,4 +1,4 @@
      │ -second
      │ +other
      │  {
      │    "label": "b"
      │  }
      it has finished and may have changed something: a resume repeats it only if you say so, with --rerun-changed
  it stops there: what comes after depends on the answer
`, u.wants(1, "replay", "--against", "edited.js", run).out)
	row := u.object(1, "replay", "--against", "edited.js", "--all", "--json")["runs"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"file": "edited.js", "line": 3.0, "column": 17.0}, row["first"])
	require.Equal(t, before, u.hashes())
}

// --all takes the runs of scripts with the same name or path, and says which it leaves out.
func TestReplayAgainstAllRuns(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t)
	other := u.object(3, "run", "gate.js", "--agent", "script:answers.toml", "--json")["run"].(string)
	waits := u.object(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	u.write("copy.js", twoScript) // the same name
	o := u.object(0, "replay", "--against", "copy.js", "--all", "--json")
	require.Equal(t, filepath.Join(u.dir, "copy.js"), o["script"])
	require.Len(t, o["runs"], 1)
	require.Equal(t, run, o["runs"].([]any)[0].(map[string]any)["run"])
	left := o["left"].([]any)
	require.Len(t, left, 2)
	require.Equal(t, map[string]any{"run": other, "title": "gate", "why": `it runs another script, gate.js ("gate")`}, left[0])
	// The same path, with another name in it.
	u.write("gate.js", strings.Replace(gateScript, `name: "gate"`, `name: "renamed"`, 1))
	o = u.object(0, "replay", "--against", "gate.js", "--all", "--json")
	require.Len(t, o["runs"], 2)
	e := u.wants(1, "replay", "--against", "gate.js", "--all", "--strict")
	require.Contains(t, e.out, "run "+other+` "gate" (stopped): DIFFERENT`)
	require.Contains(t, e.out, `planApprove /planApprove#0 at gate.js:2:24: script changed; assuming the same answer`)
	require.Contains(t, e.out, "2 runs compared: 0 alike, 2 different")
	u.wants(0, "cancel", waits)
	require.Contains(t, u.wants(0, "replay", "--against", "gate.js", "--all").out, waits+` "gate": it was cancelled, and cannot be resumed`)
	u.write("none.js", "export const meta = { name: 'none', description: 'x' };\n")
	require.Contains(t, u.wants(0, "replay", "--against", "none.js", "--all").errors, "no run of this workspace fits")
}

// A script that does not compile is an error of the script, at its place; one that throws, or does
// not take the arguments, is a difference.
func TestReplayAgainstAScriptWithMistakes(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t,
		"broken.js", "export const meta = { name: 'pair', description: 'x' };\nreturn (;\n",
		"throws.js", "export const meta = { name: 'pair', description: 'x' };\nthrow new Error('bad \\u001b[31m news');\n",
		"args.js", "export const meta = { name: 'pair', description: 'x', args: { type: 'object', required: ['n'] } };\nreturn 1;\n")
	require.Contains(t, u.wants(1, "replay", "--against", "broken.js", run).errors, "broken.js:2:")
	e := u.wants(1, "replay", "--against", "throws.js", run)
	require.Contains(t, e.out, "DIFFERENT, first at throws.js:2:")
	require.Contains(t, e.out, "bad ‹ESC›[31m news")
	require.NotContains(t, e.out, "\x1b")
	require.Contains(t, e.out, `before: completed with ["done","done"]`)
	e = u.wants(1, "replay", "--against", "args.js", run)
	require.Contains(t, e.out, "refused: ARGS_INVALID")
}

func TestReplayFlags(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t)
	for _, args := range [][]string{
		{"replay", "--all", run}, {"replay", "--strict", run}, {"replay", "--against", "pair.js"}, {"replay", "0123"}, {"replay", "--against", "nosuch.js", run},
	} {
		u.wants(2, args...)
	}
}

// What --json prints of replay and of changes has only fields that docs/reference/json.md shows.
func TestReferenceNamesEveryFieldOfReplayAndChanges(t *testing.T) {
	t.Parallel()
	documented := examples(t)
	u, run := ranPair(t, "edited.js", "export const meta = { name: 'pair', description: 'x' };\nawait agent('second', { label: 'b' });\n",
		"throws.js", "export const meta = { name: 'pair', description: 'x' };\nthrow new Error('x');\n")
	waits := u.object(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	for _, c := range []struct {
		example string
		code    int
		args    []string
	}{
		{"replay", 0, []string{"replay", "--all"}},
		{"replay", 1, []string{"replay", run, waits}},
		{"against", 1, []string{"replay", "--against", "edited.js", "--all"}},
		{"against", 1, []string{"replay", "--against", "throws.js", run, waits}},
		{"changes", 0, []string{"show", run, "--changes"}},
	} {
		o := u.object(c.code, append(c.args, "--json")...)
		require.Equal(t, 1.0, o["format"])
		found := map[string]bool{}
		keys(found, "", o)
		for name := range found {
			require.True(t, documented[c.example][name], "%s: %s is not documented", c.example, name)
		}
	}
}
