package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// gitFolder is a repository with one commit.
func gitFolder(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o600))
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=Ann", "-c", "user.email=a@example.org", "commit", "-q", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return dir
}

// scripted is an agent that writes a file, runs a command, or only answers.
func scripted(t testing.TB) *agent.Scripted {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.toml")
	require.NoError(t, os.WriteFile(path, []byte(`[[answer]]
label = "writes"
write = { "new.txt" = "x" }
text = "done"
[[answer]]
label = "commits"
run = "git -c user.name=Ann -c user.email=a@example.org commit -q --allow-empty -m second"
error = "and then it failed"
[[answer]]
label = "*"
text = "looked"
`), 0o600))
	s, err := agent.LoadScripted(path)
	require.NoError(t, err)
	return s
}

// What an agent changed in its repository is kept with its answer, or with its failure; of a
// read-only call nothing is looked at.
func TestChangesAreJournaled(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `await agent("1", {label: "looks", readOnly: true});
await agent("2", {label: "writes"});
await agent("3", {label: "commits"});
await agent("4", {label: "does nothing"});
`), engine.Options{Store: store, Agent: scripted(t), Workspace: gitFolder(t)})
	require.Equal(t, "completed", r.State)
	calls := state(t, store, r.Run).Calls
	require.Nil(t, calls["/agent#0"].Finish.Changes)
	require.Equal(t, &journal.Changes{Files: []journal.FileChange{{Path: "new.txt", Kind: "added"}}}, calls["/agent#1"].Finish.Changes)
	failed := calls["/agent#2"].Finish
	require.NotNil(t, failed.Failure)
	require.Len(t, failed.Changes.Commits, 1)
	require.Equal(t, "second", failed.Changes.Commits[0].Subject)
	require.Equal(t, "main", failed.Changes.Branches[0].Name)
	require.Equal(t, &journal.Changes{}, calls["/agent#3"].Finish.Changes)
}

// A call that runs again keeps what its earlier answers changed.
func TestChangesOfEarlierAttemptsAreKept(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: scripted(t), Workspace: gitFolder(t)}
	r := run(t, script(t, `return await agent("1", {label: "writes"})`), o)
	o.RerunChanged = true
	again := resume(t, r.Run, script(t, `return await agent("another prompt", {label: "commits"})`), o)
	require.Equal(t, "completed", again.State)
	call := state(t, store, r.Run).Calls["/agent#0"]
	require.Equal(t, []*journal.Changes{{Files: []journal.FileChange{{Path: "new.txt", Kind: "added"}}}}, call.Earlier)
	require.Zero(t, call.CutOff)
	require.Len(t, call.Finish.Changes.Commits, 1)
}

// BenchmarkEffectfulCall measures one call that may change something, in a folder that is a
// repository, in one that is none, and as read-only.
func BenchmarkEffectfulCall(b *testing.B) {
	for name, c := range map[string]struct {
		workspace, body string
	}{
		"repository": {gitFolder(b), `return await agent("1")`},
		"folder":     {b.TempDir(), `return await agent("1")`},
		"readOnly":   {gitFolder(b), `return await agent("1", {readOnly: true})`},
	} {
		b.Run(name, func(b *testing.B) {
			o := engine.Options{Store: newStore(b), Agent: &team{}, Workspace: c.workspace}
			p := script(b, c.body)
			for b.Loop() {
				run(b, p, o)
			}
		})
	}
}
