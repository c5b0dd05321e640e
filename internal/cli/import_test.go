package cli_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// whereScript tells where it thinks it is, and lets its agents write.
const whereScript = `export const meta = { name: "where", description: "x" };
await agent("first", { label: "first" });
const name = await checkpoint("Which?", { kind: "input", default: "none" });
const no = await planApprove({ never: 1 });
const approval = await planApprove({ steps: ["write"] });
if (approval.decision === true) await agent("write", { label: "worker", under: approval });
return { cwd, name, no: no.decision, decision: approval.decision };
`

// exportedRun is a run of another user, as far as its second plan, and that user's key.
func exportedRun(t *testing.T, decide func(u *user, run string)) (u *user, run, key, text string) {
	t.Helper()
	u = newUser(t, "where.js", whereScript, "answers.toml", answers)
	run = u.object(4, "run", "where.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	u.wants(4, "answer", run, "it", "--resume")
	u.wants(4, "reject", run, "--resume")
	if decide != nil {
		decide(u, run)
	}
	return u, run, u.object(0, "verify", run, "--json")["key"].(string), u.wants(0, "export", run).out
}

// An imported run goes on in the workspace that it was imported into; the script sees the one
// that it was started in, so that what it said before stands.
func TestImportGoesOn(t *testing.T) {
	t.Parallel()
	ann, run, key, text := exportedRun(t, nil)
	bob := newUser(t, "run.ndjson", text, "answers.toml", answers)
	bob.wants(2, "import", "run.ndjson")
	require.NoFileExists(t, bob.store(), "nothing is made for an export that cannot be ours")
	o := bob.object(0, "import", "run.ndjson", "--key", key, "--json")
	require.Equal(t, run, o["run"])
	require.Equal(t, false, o["restored"])
	require.Equal(t, bob.dir, o["workspace"])
	require.Empty(t, o["lapsed"])
	require.Equal(t, key, o["imported"].(map[string]any)["key"])
	require.Contains(t, bob.wants(0, "ls").out, run)
	require.Contains(t, bob.wants(0, "show", run).out, "imported   at entry")
	v := bob.object(0, "verify", run, "--json")
	require.Equal(t, true, v["proven"])
	require.NotEqual(t, key, v["key"])

	// Its own newest export brings it back as it is here, import and all.
	bob.wants(0, "export", run, "--output", "own.ndjson")
	require.NoError(t, os.Remove(bob.store("runs", run+".db")))
	require.Equal(t, true, bob.object(0, "import", "own.ndjson", "--json")["restored"])

	bob.wants(4, "review", run) // writes the copy of the plan
	ended := bob.object(0, "approve", run, "--checksum", planSum, "--resume", "--json")
	require.Equal(t, map[string]any{"cwd": ann.dir, "name": "it", "no": false, "decision": true}, ended["result"])
	require.FileExists(t, filepath.Join(bob.dir, "worked"))
	bob.wants(0, "verify", run)
}

// What was approved elsewhere is asked again, and the review says so.
func TestImportAsksAgain(t *testing.T) {
	t.Parallel()
	_, run, key, text := exportedRun(t, func(u *user, run string) {
		u.wants(0, "approve", run, "--checksum", planSum)
	})
	bob := newUser(t, "run.ndjson", text, "answers.toml", answers)
	said := bob.wants(0, "import", "run.ndjson", "--key", key)
	require.Contains(t, said.errors, "1 approval of it lapsed")
	bob.wants(4, "resume", run, "--on-gate", "suspend")
	require.NoFileExists(t, filepath.Join(bob.dir, "worked"), "nothing works under an approval of another store")
	require.Contains(t, bob.wants(4, "review", run).out, "then the run was imported")
	bob.wants(0, "approve", run, "--checksum", planSum, "--gate", strings.ToLower(run[20:])+"-4", "--resume")
	require.FileExists(t, filepath.Join(bob.dir, "worked"))
	// Without a person it is declined, as any plan is.
	carl := newUser(t, "run.ndjson", text, "answers.toml", answers)
	carl.wants(0, "import", "run.ndjson", "--key", key)
	carl.wants(3, "resume", run)
	require.NoFileExists(t, filepath.Join(carl.dir, "worked"))
}

// A run that was lost comes back with its approvals, if nothing came after the export.
func TestImportRestoresALostRun(t *testing.T) {
	t.Parallel()
	ann, run, _, older := exportedRun(t, nil)
	ann.wants(0, "approve", run, "--checksum", planSum)
	ann.write("older", older)
	ann.wants(0, "export", run, "--output", "newest")
	require.NoError(t, os.Remove(ann.store("runs", run+".db")))
	require.Contains(t, ann.wants(7, "import", "older").errors, "JOURNAL_ROLLED_BACK")
	require.Contains(t, ann.wants(0, "import", "newest").errors, "back as it was")
	require.Equal(t, 0, ann.wants(0, "resume", run).code)
	require.FileExists(t, filepath.Join(ann.dir, "worked"))
	require.Contains(t, ann.wants(2, "import", "newest").errors, "RUN_EXISTS")
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	_, run, key, text := exportedRun(t, nil)
	bob := newUser(t, "run.ndjson", text, "changed", strings.Replace(text, `"decision":false`, `"decision":true`, 1), "empty", "")
	for code, commands := range map[int][]string{
		2: {"import", "import a b", "import nosuch --key " + key, "import run.ndjson --key 12"},
		7: {"import changed --key " + key, "import empty --key " + key, "import run.ndjson --key " + strings.Repeat("0", 64)},
	} {
		for _, command := range commands {
			bob.wants(code, strings.Fields(command)...)
		}
	}
	require.NoFileExists(t, bob.store("runs", run+".db"))
	agent := bob.command("import", "run.ndjson", "--key", key)
	agent.Env = append(agent.Env, "ASSENT_AGENT="+run+"/agent#0")
	require.Contains(t, bob.run(agent).errors, "APPROVER_IS_AGENT")
}

// An export that was cut at an earlier end says what it ends in.
func TestVerifyOfACutExportSaysItsState(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.wants(3, "run", "gate.js", "--agent", "script:answers.toml")
	run := runID.FindString(u.wants(0, "ls").out)
	first := u.wants(0, "export", run).out
	u.wants(4, "resume", run, "--on-gate", "suspend")
	u.wants(0, "approve", run, "--checksum", planSum, "--gate", strings.ToLower(run[20:])+"-2", "--resume")
	key := u.object(0, "verify", run, "--json")["key"].(string)
	whole := u.wants(0, "export", run).out
	require.True(t, strings.HasPrefix(whole, first))
	u.write("first", first)
	u.write("whole", whole)
	require.Contains(t, u.wants(0, "verify", "--file", "first", "--key", key).out, "\nstate    stopped\n")
	require.Contains(t, u.wants(0, "verify", "--file", "whole", "--key", key).out, "\nstate    completed\n")
}

// What is no export is refused before anything is made for it, however large it is.
func TestImportOfNoExportMakesNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t, "text", "root:x:0:0:root:/root:/bin/bash\n")
	require.NoError(t, os.Truncate(filepath.Join(u.dir, "text"), 64<<20)) // sparse
	e := u.wants(7, "import", "text", "--key", strings.Repeat("0", 64))
	require.Contains(t, e.errors, "JOURNAL_DAMAGED")
	require.Contains(t, e.errors, "next: assent verify --file text --key 0000")
	require.NoFileExists(t, u.store())
	require.NoDirExists(t, filepath.Join(filepath.Dir(u.dir), "home", ".local"))
	u.wants(7, "verify", "--file", "text", "--key", strings.Repeat("0", 64))
	require.NoError(t, os.Truncate(filepath.Join(u.dir, "text"), 2<<30))
	u.wants(7, "import", "text", "--key", strings.Repeat("0", 64))
	require.NoFileExists(t, u.store())
	missing := u.wants(2, "import", "nosuch", "--key", strings.Repeat("0", 64))
	require.Contains(t, missing.errors, "next: assent export RUN --output nosuch")
}

// A program that is not the one of its hash is damage, as a resume says that would execute it.
func TestVerifyFindsAnotherProgram(t *testing.T) {
	t.Parallel()
	const script = "export const meta = { name: \"p\", description: \"x\" };\nreturn 1;\n"
	source := journal.Source{Path: "p.js", Text: script}
	hash := vm.SourcesHash("p.js", []vm.Source{{Path: "p.js", Text: script}})
	other := journal.Source{Path: "q.js", Text: "export {};\n"}
	both := vm.SourcesHash("p.js", []vm.Source{{Path: "p.js", Text: script}, {Path: "q.js", Text: other.Text}})
	for name, c := range map[string]struct {
		first, later journal.Program
		wrong        string
	}{
		"whole":          {journal.Program{Name: "p.js", Hash: hash, Sources: []journal.Source{source}}, journal.Program{}, ""},
		"another text":   {journal.Program{Name: "p.js", Hash: hash, Sources: []journal.Source{{Path: "p.js", Text: script + "//"}}}, journal.Program{}, "entry 1: the sources"},
		"another hash":   {journal.Program{Name: "p.js", Hash: aHash, Sources: []journal.Source{source}}, journal.Program{}, "entry 1: the sources"},
		"another name":   {journal.Program{Name: "r.js", Hash: hash, Sources: []journal.Source{source}}, journal.Program{}, "entry 1: the sources"},
		"one too many":   {journal.Program{Name: "p.js", Hash: both, Sources: []journal.Source{source, other}}, journal.Program{}, "entry 1: the program has sources"},
		"at the resume":  {journal.Program{Name: "p.js", Hash: hash, Sources: []journal.Source{source}}, journal.Program{Name: "p.js", Hash: hash, Language: 1, Sources: []journal.Source{other}}, "entry 2: the sources"},
		"no source left": {journal.Program{Name: "p.js", Hash: hash}, journal.Program{}, "entry 1: the sources"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eve, bob := newUser(t), newUser(t)
			store, err := journal.Open(journal.Options{Dir: eve.store(), KeyDir: filepath.Join(filepath.Dir(eve.dir), "elsewhere")})
			require.NoError(t, err)
			c.first.Language = vm.Language
			r, err := store.Create(t.Context(), journal.RunStarted{Title: "p", Program: c.first, Workspace: eve.dir, Args: []byte("{}"), Settings: journal.Settings{MaxCalls: 1, Concurrency: 1, StretchMs: 1000}})
			require.NoError(t, err)
			require.NoError(t, r.Close())
			if c.later.Hash != "" {
				r, err = store.Take(t.Context(), r.ID(), func(st *journal.State) (journal.RunResumed, error) {
					return journal.RunResumed{Settings: st.Settings, Program: &c.later}, nil
				})
				require.NoError(t, err)
				require.NoError(t, r.Close())
			}
			var text bytes.Buffer
			require.NoError(t, journal.Export(t.Context(), store, r.ID(), &text))
			bob.write("run.ndjson", text.String())
			key := hex.EncodeToString(store.PublicKey())
			if c.wrong == "" {
				bob.wants(0, "verify", "--file", "run.ndjson", "--key", key)
				bob.wants(0, "import", "run.ndjson", "--key", key)
				bob.wants(0, "verify")
				bob.wants(0, "resume")
				return
			}
			require.Contains(t, bob.wants(7, "verify", "--file", "run.ndjson", "--key", key).out, "JOURNAL_DAMAGED: "+c.wrong)
			require.Contains(t, bob.wants(7, "import", "run.ndjson", "--key", key).errors, c.wrong)
			require.NoFileExists(t, bob.store())
			eve.env = append(eve.env, "ASSENT_KEYS="+filepath.Join(filepath.Dir(eve.dir), "elsewhere"))
			require.Contains(t, eve.wants(7, "verify", r.ID()).out, c.wrong)
		})
	}
}
