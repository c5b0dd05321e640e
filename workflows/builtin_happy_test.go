package workflows_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// happy are runs in which nobody fails, with what has to come of the prepared answers.
var happy = map[string]struct{ args, want string }{
	"deep-research": {`{"question": "how do bees fly", "maxAngles": 2}`, `{
		"success": true,
		"question": "how do bees fly",
		"answer": "By beating fast [1] and by a vortex [2], with a load too [3].",
		"caveats": [],
		"missing": ["how much a bee can carry"],
		"claims": [
			{"claim": "Bees beat their wings 230 times a second.", "source": "https://example.org/wings", "votes": "2 of 2", "reasons": []},
			{"claim": "A vortex at the wing's edge gives most of the lift.", "source": "https://example.org/vortex", "votes": "2 of 2", "reasons": []},
			{"claim": "A bee carries up to 80 percent of its own weight.", "source": "https://example.org/load", "votes": "2 of 2", "reasons": []}
		],
		"refuted": [{"claim": "Bees cannot fly by the laws of physics.", "source": "https://example.org/myth", "votes": "0 of 2",
			"reasons": ["the source calls it a myth", "the source calls it a myth"]}],
		"unchecked": [],
		"notSearched": []}`},
	"code-review": {`{"target": "main...feature", "dimensions": ["bugs", "security"]}`, `{
		"success": true,
		"target": "main...feature",
		"verdict": "change",
		"summary": "One place needs work.",
		"findings": [{"dimension": "security", "file": "parse.go", "line": 40, "severity": "high", "title": "the length is trusted",
			"detail": "it comes from the file", "suggestion": "bound it", "votes": "2 of 2", "reasons": [],
			"also": [{"dimension": "bugs", "title": "the last line is lost", "detail": "without a newline at its end"}]}],
		"unchecked": [],
		"refuted": [{"dimension": "bugs", "file": "parse.go", "line": 12, "severity": "low", "title": "an unused result",
			"detail": "of the second call", "votes": "0 of 2", "reasons": ["it is used below", "it is used below"]}],
		"notReviewed": []}`},
	"adversarial-review": {`{"subject": "the new queue", "lenses": ["cost", "failure"]}`, `{
		"success": true,
		"verdict": "needs work",
		"dry": true,
		"standing": [{"id": "1.1", "lens": "cost", "objection": "It doubles the memory.", "severity": "serious", "because": "two copies are kept",
			"response": "The copies are small.", "ruling": "stands", "reason": "nobody measured it"}],
		"undecided": [],
		"answered": [{"id": "1.2", "lens": "failure", "objection": "A crash loses the queue.", "severity": "fatal", "because": "it is in memory only",
			"response": "It is written to disk first.", "ruling": "answered", "reason": "the write comes first"}],
		"minor": [{"lens": "cost", "objection": "The name is long.", "severity": "minor", "because": "it has 30 letters"}],
		"failed": []}`},
	"multi-perspective": {`{"question": "should we rewrite the parser", "count": 2}`, `{
		"success": true,
		"question": "should we rewrite the parser",
		"answer": "Rewrite the lexer.",
		"agreements": ["the tests stay"],
		"dissent": [{"perspective": "maintainer", "view": "Any rewrite costs more than it gives."}],
		"best": {"perspective": "user", "score": 0.75},
		"positions": [
			{"perspective": "user", "position": "Rewrite the lexer only.", "because": "the rest is fast", "confidence": 0.8, "changed": true,
				"objections": [{"to": "maintainer", "objection": "tests do not make it fast"}], "heardOthers": true},
			{"perspective": "maintainer", "position": "Keep it.", "because": "it is tested", "confidence": 0.6, "changed": false,
				"objections": [], "heardOthers": true}
		],
		"silent": []}`},
	"codebase-audit": {`{"goals": "errors that nobody handles", "maxModules": 2}`, `{
		"success": true,
		"goals": "errors that nobody handles",
		"areas": [],
		"audited": ["net", "store"],
		"summary": "One error is dropped.",
		"bySeverity": {"critical": 0, "high": 1, "medium": 0, "low": 0},
		"findings": [{"module": "net", "file": "net/get.go", "line": 7, "severity": "high", "title": "an error is dropped",
			"detail": "when the body is cut", "status": "confirmed", "votes": "2 of 2", "reasons": []}],
		"unchecked": [],
		"refuted": [{"module": "store", "file": "store/w.go", "line": 3, "severity": "critical", "title": "no sync",
			"detail": "after a write", "status": "refuted", "votes": "0 of 2", "reasons": ["its caller syncs", "its caller syncs"]}],
		"notLookedAt": [
			{"path": "vendor", "why": "the scout left it out"},
			{"path": "docs", "why": "beyond the first 2 modules"},
			{"path": "net/table.go", "why": "not read in the audit of net"}
		]}`},
	"plan-then-do": {`{"task": "add --quiet"}`, `{
		"success": true,
		"checksum": "` + quietSum + `",
		"steps": [
			{"id": "flag", "title": "Add the flag", "status": "completed", "report": "The flag is there.", "repaired": false},
			{"id": "docs", "title": "Document it", "status": "completed", "report": "README.txt has an example.", "repaired": true}
		],
		"failed": [],
		"skipped": []}`},
}

func TestBuiltin(t *testing.T) {
	require.Len(t, happy, len(builtinNames(t)))
	for name, c := range happy {
		t.Run(name, func(t *testing.T) {
			workers, store := scripted(t, name, ""), storeAt(t, t.TempDir())
			o := engine.Options{Store: store, Agent: workers, Asker: says("true"), Workspace: t.TempDir()}
			r := start(t, name, c.args, o)
			ends(t, r, "completed", c.want)
			require.Empty(t, r.Failures)
			require.Empty(t, r.Outstanding)
			if name != "plan-then-do" {
				require.Empty(t, effectful(workers.take()))
			}
			_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
			require.NoError(t, err)
		})
	}
}

// Bare words stand for the main argument. Without either, with a blank one, or with both nothing starts.
func TestBuiltinTakesBareWords(t *testing.T) {
	for name, main := range map[string]string{
		"deep-research": "question", "code-review": "target", "adversarial-review": "subject",
		"multi-perspective": "question", "codebase-audit": "goals", "plan-then-do": "task",
	} {
		t.Run(name, func(t *testing.T) {
			named, bare := scripted(t, name, fails("*")), scripted(t, name, fails("*"))
			start(t, name, `{"`+main+`": "one two"}`, engine.Options{Agent: named})
			start(t, name, `{"_raw": "one two"}`, engine.Options{Agent: bare})
			asked := prompts(named.take())
			require.NotEmpty(t, asked)
			require.ElementsMatch(t, asked, prompts(bare.take()))

			for given, why := range map[string]string{
				`{}`: "missing property '_raw'", `{"_raw": " \n"}`: "$._raw", `{"` + main + `": ""}`: "$." + main, `{"` + main + `": "one", "_raw": "two"}`: "'oneOf' failed",
			} {
				store := storeAt(t, t.TempDir())
				_, err := engine.Run(t.Context(), builtin(t, name), engine.Options{Store: store, Agent: scripted(t, name, ""), Args: json.RawMessage(given)})
				require.True(t, fault.Is(err, fault.ArgsInvalid), "%v", err)
				require.ErrorContains(t, err, why)
				runs, err := store.List(t.Context())
				require.NoError(t, err)
				require.Empty(t, runs)
			}
		})
	}
}

// A run that was killed after any of its answers, or while it asked, comes to the same result, and no call that had
// its answer is made again.
func TestBuiltinSurvivesAKill(t *testing.T) {
	for name, c := range happy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, folder := t.TempDir(), t.TempDir()
			o := engine.Options{Store: storeAt(t, dir), Agent: scripted(t, name, ""), Asker: says("true"), Settings: journal.Settings{Concurrency: 2}}
			o.Workspace = folder
			type moment struct {
				dir  string
				paid map[string]bool
			}
			var moments []moment
			paid := map[string]bool{}
			o.Observe = func(e engine.Event) {
				if e.Type != engine.CallEnded && e.Type != engine.GateOpened && e.Type != engine.GateEnded {
					return
				}
				if e.Type == engine.CallEnded {
					paid[e.Key] = true
				}
				m := moment{filepath.Join(dir, "killed", strconv.Itoa(len(moments))), maps.Clone(paid)}
				copyStore(t, dir, m.dir)
				moments = append(moments, m)
			}
			r := start(t, name, c.args, o)
			ends(t, r, "completed", c.want)
			for _, m := range moments {
				workers, ann := scripted(t, name, ""), says("true")
				again, err := engine.Resume(t.Context(), r.Run, nil, engine.Options{
					Store: storeAt(t, m.dir), Agent: workers, Asker: ann, RerunInterrupted: true,
				})
				require.NoError(t, err)
				ends(t, again, "completed", c.want)
				for _, req := range workers.take() {
					require.False(t, m.paid[req.Call], "%s was made twice", req.Label)
				}
				if name == "plan-then-do" && m.paid["/dag#0[flag]/agent#0"] {
					require.Empty(t, ann.shown, "asked twice")
				}
			}
			require.GreaterOrEqual(t, len(moments), 6)
		})
	}
}

// copyStore copies a store as it is on the disk, which is what a process that is killed leaves.
func copyStore(t testing.TB, from, to string) {
	for _, part := range []string{"store", "keys"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(from, part), func(path string, entry os.DirEntry, err error) error {
			require.NoError(t, err)
			rel, err := filepath.Rel(from, path)
			require.NoError(t, err)
			if entry.IsDir() {
				return os.MkdirAll(filepath.Join(to, rel), 0o700)
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			return os.WriteFile(filepath.Join(to, rel), text, 0o600)
		}))
	}
}
