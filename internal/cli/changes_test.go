package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// show --changes lists, call by call, what agents did to the repository.
func TestShowChanges(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	u := newUser(t, "work.js", `export const meta = { name: "work", description: "x" };
await agent("1", { label: "looks", readOnly: true });
await agent("2", { label: "writes" });
await agent("3", { label: "commits" });
await agent("4", { label: "does nothing" });
`, "answers.toml", `[[answer]]
label = "writes"
write = { "new.txt" = "x" }
text = "done"
[[answer]]
label = "commits"
run = "git checkout -q -b topic && git -c user.name=Ann -c user.email=a@example.org commit -q --allow-empty -m \"$(printf 'bad \\033[31mnews')\""
text = "done"
[[answer]]
label = "*"
text = "fine"
`)
	require.NoError(t, os.RemoveAll(filepath.Join(u.dir, ".git")))
	git := exec.Command("git", "init", "-q", "-b", "main")
	git.Dir = u.dir
	if err := git.Run(); err != nil {
		t.Skip("needs git: ", err)
	}
	u.wants(0, "run", "work.js", "--agent", "script:answers.toml")
	head := exec.Command("git", "rev-parse", "HEAD")
	head.Dir = u.dir
	out, err := head.Output()
	require.NoError(t, err)
	id := string(out[:12])
	require.Equal(t, `"writes" (agent /agent#1):
  file    added   new.txt
"commits" (agent /agent#2):
  branch  topic: new, at `+id+`
  commit  `+id+` bad ‹ESC›[31mnews
"does nothing" (agent /agent#3): nothing
`, u.wants(0, "show", "--changes").out)
	require.Contains(t, u.wants(0, "show").out, "changes    1 branch, 1 commit, 1 file   (--changes lists them)\n")
	o := u.object(0, "show", "--changes", "--json")
	require.Equal(t, []any{1.0, 1.0, 1.0}, []any{o["branches"], o["commits"], o["files"]})
	require.Equal(t, map[string]any{
		"key": "/agent#1", "name": "agent", "label": "writes", "state": "done", "known": true,
		"changes": map[string]any{"files": []any{map[string]any{"path": "new.txt", "kind": "added"}}},
	}, o["calls"].([]any)[0])
	u.wants(2, "show", "--changes", "--result")
}

// Where nothing is known, that is said, and why.
func TestShowChangesThatAreNotKnown(t *testing.T) {
	t.Parallel()
	u, run := ranPair(t) // its .git is an empty folder
	require.Equal(t, `"b" (agent /agent#1): unknown: there was no repository, or no git, to look at`+"\n", u.wants(0, "show", run, "--changes").out)
	require.NotContains(t, u.wants(0, "show", run).out, "changes")
	u.write("looks.js", "export const meta = { name: 'looks', description: 'x' };\nawait agent('1', { readOnly: true });\n")
	run = u.object(0, "run", "looks.js", "--agent", "script:answers.toml", "--json")["run"].(string)
	require.Equal(t, "No call of this run could change anything.\n", u.wants(0, "show", run, "--changes").out)
}
