package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// With base, a tree begins at the commit that the script names, wherever the user's tree is.
func TestIsolatedWorkFromACommit(t *testing.T) {
	dir, git := newTree(t)
	first := strings.TrimSpace(git("rev-parse", "HEAD"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o644))
	git("commit", "-q", "-a", "-m", "second")
	o := engine.Options{Store: newStore(t), Workspace: dir, Work: t.TempDir(), Agent: &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		before, err := os.ReadFile(filepath.Join(req.Cwd, "file.txt"))
		if err != nil {
			return nil, err
		}
		return map[string]any{"saw": string(before)}, os.WriteFile(filepath.Join(req.Cwd, req.Label), []byte("x\n"), 0o644)
	}}}
	r := run(t, script(t, `const schema = {type: "object"};
const one = await agent("a", {label: "a", schema, isolation: "worktree", base: "`+first+`"});
const two = await agent("b", {label: "b", schema, isolation: "worktree", base: one.worktree.commit});
return [one.saw, two.saw, one.worktree.base, two.worktree.base === one.worktree.commit, two.worktree.changedFiles]`), o)
	require.JSONEq(t, `["one\n","one\n","`+first+`",true,["b"]]`, string(r.Value), "%v", r.Err)
	require.Empty(t, git("status", "--porcelain"))
	again := resume(t, r.Run, nil, o)
	require.Zero(t, again.Live)
}

func TestIsolatedBaseThatCannotBe(t *testing.T) {
	dir, _ := newTree(t)
	o := engine.Options{Store: newStore(t), Workspace: dir, Work: t.TempDir(), Agent: &team{}}
	nowhere := strings.Repeat("ab", 20)
	for options, code := range map[string]fault.Code{
		`{base: "` + nowhere + `"}`:                        fault.OptionInvalid,
		`{isolation: "worktree", base: "main"}`:            fault.OptionInvalid,
		`{isolation: "worktree", base: "abc123"}`:          fault.OptionInvalid,
		`{isolation: "worktree", base: 1}`:                 fault.OptionInvalid,
		`{isolation: "worktree", base: "` + nowhere + `"}`: fault.WorktreeUnavailable,
	} {
		r := run(t, script(t, `try { await agent("x", `+options+`) } catch (e) { return e.code }`), o)
		require.JSONEq(t, `"`+string(code)+`"`, string(r.Value), "%s: %v", options, r.Err)
	}
}

// Who reads in a tree of its own after the approval is not blamed for what the user does in theirs; for its own tree it is.
func TestReadersApartFromTheUsersTree(t *testing.T) {
	for _, c := range []struct {
		name, where string
		state       string
	}{
		{"the user's tree", "user", "completed"},
		{"the user's branch", "commit", "completed"},
		{"its own tree", "own", "stopped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, git := newTree(t)
			base := strings.TrimSpace(git("rev-parse", "HEAD"))
			o := engine.Options{Store: newStore(t), Workspace: dir, Work: t.TempDir(), Asker: says("true"), Agent: &team{answer: func(_ context.Context, req agent.Request) (any, error) {
				folder := dir
				if c.where == "own" {
					folder = req.Cwd
				}
				err := os.WriteFile(filepath.Join(folder, "file.txt"), []byte("at work\n"), 0o644)
				if c.where == "commit" {
					git("commit", "-q", "-a", "-m", "mine")
				}
				return "seen", err
			}}}
			r := run(t, planFirst(t, `await planApprove({p: 1}); return agent("verify", {readOnly: true, isolation: "worktree", base: "`+base+`"})`), o)
			require.Equal(t, c.state, r.State, "%v", r.Err)
		})
	}
}
