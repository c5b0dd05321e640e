package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const shortScript = "export const meta = { name: 'short', description: 'x' };\nreturn 1;\n"

func runOf(o map[string]any) string { return o["run"].(string) }

// runsIn are the ids of the runs in an object of prune.
func runsIn(o map[string]any) []string {
	ids := []string{}
	for _, r := range o["runs"].([]any) {
		ids = append(ids, runOf(r.(map[string]any)))
	}
	return ids
}

func TestPrune(t *testing.T) {
	t.Parallel()
	u := newUser(t, "plain.js", shortScript, "gate.js", gateScript, "answers.toml", answers, "two.js", `export const meta = { name: "two", description: "x" };
await checkpoint("Go?", { kind: "confirm", headless: "suspend" });
`)
	var ended []string
	for range 4 {
		ended = append(ended, runOf(u.object(0, "run", "plain.js", "--json")))
	}
	waiting := runOf(u.object(4, "run", "gate.js", "--on-gate", "suspend", "--json"))
	paused := runOf(u.object(4, "run", "two.js", "--json"))
	u.wants(0, "answer", paused, "yes")

	before := u.hashes()
	require.Equal(t, []string{ended[1], ended[0]}, runsIn(u.object(0, "prune", "--keep", "2", "--dry-run", "--json")))
	require.Equal(t, []string{paused, ended[3]}, runsIn(u.object(0, "prune", "--also-unfinished", "--dry-run", "--json"))[:2])
	require.Empty(t, runsIn(u.object(0, "prune", "--older-than", "1d", "--json")))
	u.wants(0, "prune", "--older-than", "2w")
	for _, args := range [][]string{
		{"prune"},
		{"prune", "--all"},
		{"prune", "--also-unfinished"},
		{"prune", ended[0], "--keep", "1"},
		{"prune", "--older-than", "-1d"},
		{"prune", "--older-than", "soon"},
		{"prune", "--older-than", "NaNd"},
		{"prune", "--keep", "-1"},
		{"prune", "01AAAAAAAAAAAAAAAAAAAAAAAA"},
	} {
		u.wants(2, args...)
	}
	u.wants(4, "prune", ended[0], waiting)
	require.Equal(t, before, u.hashes(), "what only looks, and what is refused, changes nothing")

	o := u.object(0, "prune", "--keep", "2", "--json")
	require.Equal(t, []string{ended[1], ended[0]}, runsIn(o))
	require.Positive(t, o["bytes"])
	require.NoFileExists(t, u.store("runs", ended[0]+".db"))
	require.Contains(t, u.wants(0, "prune", paused, ended[2]).errors, "removed 2 runs")
	u.wants(2, "show", paused)
	require.Equal(t, []string{ended[3]}, runsIn(u.object(0, "prune", "--older-than", "0s", "--json")))
	for _, args := range [][]string{{"verify", waiting}, {"prune", "--keep", "0"}, {"compact"}, {"verify", waiting}} {
		u.wants(0, args...)
	}
	require.Len(t, u.object(0, "ls", "--json")["runs"], 1)
}

func TestPruneKeepsToItsWorkspace(t *testing.T) {
	t.Parallel()
	u := newUser(t, "plain.js", shortScript)
	here := runOf(u.object(0, "run", "plain.js", "--json"))
	elsewhere := *u
	elsewhere.dir = filepath.Join(filepath.Dir(u.dir), "other")
	require.NoError(t, os.MkdirAll(filepath.Join(elsewhere.dir, ".git"), 0o755))
	require.Empty(t, runsIn(elsewhere.object(0, "prune", "--keep", "0", "--json")))
	require.Equal(t, []string{here}, runsIn(elsewhere.object(0, "prune", "--keep", "0", "--all", "--json")))
}

// The log of a run goes with it, and so does what a kill left.
func TestPruneLeavesNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t, "plain.js", shortScript)
	run := runOf(u.object(0, "run", "plain.js", "--detach", "--json"))
	u.wants(0, "run", "plain.js")
	require.Eventually(t, func() bool { return u.object(0, "show", run, "--json")["state"] == "completed" }, time.Minute, 20*time.Millisecond)
	require.FileExists(t, u.store("logs", run+".log"))
	const dead, gone = "01AAAAAAAAAAAAAAAAAAAAAAAA", "01BBBBBBBBBBBBBBBBBBBBBBBB"
	for _, path := range []string{
		u.store("runs", dead+".new"), u.store("locks", dead+".lock"), u.store("locks", dead+".lease"), u.store("logs", gone+".log"),
	} {
		require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	u.write("../store/logs/starting-1-2.log", "")
	o := u.object(0, "prune", "--older-than", "1h", "--json")
	require.Empty(t, o["runs"])
	require.Len(t, o["leftovers"], 2)
	require.NoFileExists(t, u.store("runs", dead+".new"))
	require.NoFileExists(t, u.store("locks", dead+".lease"))
	require.NoFileExists(t, u.store("logs", gone+".log"))
	require.FileExists(t, u.store("logs", "starting-1-2.log"))
	u.wants(0, "prune", run)
	require.NoFileExists(t, u.store("logs", run+".log"))
	u.wants(0, "verify")
}

// A link in the place of the folder of logs is refused before anything goes, and what it leads to is
// left alone.
func TestPruneFollowsNoLinkToLogs(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege there")
	}
	u := newUser(t, "plain.js", shortScript)
	run := runOf(u.object(0, "run", "plain.js", "--json"))
	elsewhere := filepath.Join(filepath.Dir(u.dir), "elsewhere")
	require.NoError(t, os.Mkdir(elsewhere, 0o700))
	for _, id := range []string{run, "01ARZ3NDEKTSV4RRFFQ69G5FAV"} {
		require.NoError(t, os.WriteFile(filepath.Join(elsewhere, id+".log"), []byte("precious"), 0o600))
	}
	require.NoError(t, os.Symlink(elsewhere, u.store("logs")))
	for _, args := range [][]string{{"--keep", "0"}, {run}, {"--older-than", "1d"}, {"--dry-run"}} {
		e := u.wants(1, append([]string{"prune"}, args...)...)
		require.Contains(t, e.errors, "STORE_UNSAFE")
		require.Contains(t, e.errors, "is a symbolic link")
	}
	u.wants(0, "verify", run)
	for _, id := range []string{run, "01ARZ3NDEKTSV4RRFFQ69G5FAV"} {
		require.FileExists(t, filepath.Join(elsewhere, id+".log"))
	}
	require.NoError(t, os.Remove(u.store("logs")))
	u.wants(0, "prune", run)
}

// A pipe in the place of an anchor is named, and the rest goes.
func TestPrunePassesOverWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	u := newUser(t, "a.js", "export const meta = { name: \"a\", description: \"x\" };\n")
	run := u.object(0, "run", "a.js", "--json")["run"].(string)
	const odd = "01M8PNVF9DVF27VBXN7R8A3QXC"
	require.NoError(t, os.Mkdir(filepath.Join(filepath.Dir(u.dir), "home", ".local", "share", "assent", "keys", "anchors", odd), 0o700))
	e := u.wants(0, "prune", "--keep", "0", "--all")
	require.Contains(t, e.out, run)
	require.Contains(t, e.errors, "what is left of run "+odd+" stays: NOT_A_JOURNAL")
	require.NoFileExists(t, u.store("runs", run+".db"))
}
