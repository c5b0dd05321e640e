package issuedelivery_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

func fourParts() object { return planOf(part("a"), part("b"), part("c", "a"), part("d", "a", "b")) }

// B71: two independent and two dependent steps become four commits in their order, beside a tree of the
// user's in which work is going on.
func TestB71_WholeDelivery(t *testing.T) {
	t.Parallel()
	e := newWhole(t, "old.txt", "old\n")
	e.put("old.txt", "an edit that nobody committed\n")
	e.put("notes/mine.txt", "a file that git does not know\n")
	e.put("staged.txt", "staged\n")
	e.git("add", "staged.txt")
	status, before := e.git("status", "--porcelain", "-uall"), files(t, e.dir)
	e.says(good(fourParts())...)
	p := says("true")
	got := e.start(p)
	require.Equal(t, []any{"completed", 0, true, issuedelivery.StageDone, "completed"}, []any{got.State, got.Exit, got.Success, got.Stage, got.Status}, "%+v", got)
	require.Len(t, p.saw, 1)
	require.Equal(t, `Approve this execution plan for: "Build the shop"?`, p.saw[0].Prompt)

	require.Equal(t, status, e.git("status", "--porcelain", "-uall"))
	require.Equal(t, before, files(t, e.dir), "the user's tree is as it was")
	require.Equal(t, e.commit, e.git("rev-parse", "main"))
	require.Equal(t, "main", e.git("branch", "--show-current"))

	require.Equal(t, "Add a\nAdd b\nAdd c\nAdd d", e.git("log", "--reverse", "--format=%s", e.commit+".."+got.Branch))
	require.Empty(t, e.git("log", "--merges", got.Branch))
	for i, id := range []string{"a", "b", "c", "d"} {
		commit := e.git("rev-parse", got.Branch+"~"+[]string{"3", "2", "1", "0"}[i])
		require.Equal(t, id+".txt", e.git("diff", "--name-only", commit+"~1", commit))
		require.Equal(t, "Assent-Run: "+got.Run+"\nAssent-Step: "+id+"\nAssent-Plan: sha256:"+got.Approval.Checksum+"\nApproved-by: ann@here",
			e.git("log", "-1", "--format=%(trailers)", commit))
		require.Equal(t, "Ann <ann@example.com> Ann", e.git("log", "-1", "--format=%an <%ae> %cn", commit))
	}
	require.Equal(t, "README.md a.txt b.txt c.txt d.txt old.txt", strings.ReplaceAll(e.git("ls-tree", "-r", "--name-only", got.Branch), "\n", " "))

	require.Len(t, got.Checks, 5, "each step and the whole")
	for _, c := range got.Checks {
		require.Equal(t, []any{true, "passed"}, []any{c.OK, c.State})
	}
	require.Len(t, got.Verdicts, 4)
	require.Equal(t, "assent/"+strings.ToLower(got.Run[len(got.Run)-6:])+"-build-the-shop", got.Branch)
	require.Equal(t, got.Branch+"\nmain", e.git("branch", "--format=%(refname:short)"), "nothing else is left")
	require.Len(t, strings.Split(e.git("worktree", "list"), "\n"), 1)
	require.Equal(t, []string{"scout", "thinker", "verifier a", "verifier b", "verifier c", "verifier d", "worker a", "worker b", "worker c", "worker d"}, e.labels())
	for _, req := range e.requests("worker") {
		require.Equal(t, "small", req.Tier)
	}

	var result struct {
		Success                             bool
		Status, Branch, Commit, Merge, Base string
		Steps                               []struct {
			ID       string
			Attempts int
			Commit   string
		}
	}
	require.NoError(t, json.Unmarshal(got.Result, &result))
	require.Equal(t, []any{true, "completed", got.Branch, e.git("rev-parse", got.Branch), "git merge " + got.Branch, "main", 4},
		[]any{result.Success, result.Status, result.Branch, result.Commit, result.Merge, result.Base, len(result.Steps)})
	for _, s := range result.Steps {
		require.Equal(t, 1, s.Attempts)
		require.Equal(t, s.ID, e.git("show", s.Commit+":"+s.ID+".txt"))
	}
	again := e.goOn(got.Run, nil)
	require.Equal(t, got.Commit, again.Commit)
	require.Len(t, e.labels(), 10, "what is done is not done again")
}

// files are all files of a working tree, without those of git and of Assent, which git ignores.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := everything(t, dir)
	for path := range all {
		if strings.HasPrefix(path, filepath.Join(dir, ".git")) || strings.HasPrefix(path, filepath.Join(dir, ".assent")) {
			delete(all, path)
		}
	}
	return all
}
