package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// writes is an agent that writes a file where it works.
func writes(name, text string, v any) *team {
	return &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		return v, os.WriteFile(filepath.Join(req.Cwd, name), []byte(text), 0o644)
	}}
}

// With isolation, work lands on a branch of the call's own, uncommitted work too; the user's tree is
// as it was, and the answer says where the work is.
func TestIsolatedWork(t *testing.T) {
	dir, git := newTree(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file.txt"), []byte("mine, not committed\n"), 0o644))
	o := engine.Options{Store: newStore(t), Agent: writes("new.txt", "x\n", "I wrote it."), Workspace: dir, Work: t.TempDir()}
	r := run(t, script(t, `return agent("write", {isolation: "worktree"})`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)

	visit, err := o.Store.Visit(t.Context(), r.Run)
	require.NoError(t, err)
	defer visit.Close()
	call := visit.State().Calls["/agent#0"]
	require.True(t, call.Call.Isolated)
	left := call.Finish.Worktree
	require.NotNil(t, left)
	require.Equal(t, strings.TrimSpace(git("rev-parse", "main")), left.Base)
	require.Equal(t, strings.TrimSpace(git("rev-parse", left.Branch)), left.Commit)
	require.NotEqual(t, left.Base, left.Commit)
	require.Equal(t, []journal.FileChange{{Path: "new.txt", Kind: "added"}}, left.Files)
	require.Equal(t, "x\n", git("show", left.Branch+":new.txt"))
	require.Equal(t, " M file.txt\n", git("status", "--porcelain"))

	var text string
	require.NoError(t, json.Unmarshal(r.Value, &text))
	require.Equal(t, "I wrote it.\n\n[worktree: branch "+left.Branch+", commit "+left.Commit+", base "+left.Base+"; added new.txt]", text)
	again := resume(t, r.Run, nil, o)
	require.Equal(t, r.Value, again.Value)
	require.Zero(t, again.Live)
}

// An object gets a member; a schema that has one of that name is refused.
func TestIsolatedWorkOfAnObject(t *testing.T) {
	dir, _ := newTree(t)
	o := engine.Options{Store: newStore(t), Agent: writes("new.txt", "x\n", map[string]any{"ok": true}), Workspace: dir, Work: t.TempDir()}
	r := run(t, script(t, `const r = await agent("write", {isolation: "worktree", schema: {type: "object"}});
return [r.ok, Object.keys(r), Object.keys(r.worktree), r.worktree.changedFiles]`), o)
	require.JSONEq(t, `[true,["ok","worktree"],["base","branch","changedFiles","commit","path"],["new.txt"]]`, string(r.Value), "%v", r.Err)

	r = run(t, script(t, `try { await agent("write", {isolation: "worktree", schema: {type: "object", properties: {worktree: {}}}}) } catch (e) { return e.code }`), o)
	require.JSONEq(t, `"OPTION_INVALID"`, string(r.Value))
}

// An isolated call that was cut off changed nothing but its own tree: it is made again without
// asking, in a tree that is put back, and what was in that is kept.
func TestIsolatedWorkThatIsCutOff(t *testing.T) {
	dir, git := newTree(t)
	ctx, cancel := context.WithCancel(t.Context())
	cut := &team{answer: func(work context.Context, req agent.Request) (any, error) {
		err := os.WriteFile(filepath.Join(req.Cwd, "half.txt"), []byte("half\n"), 0o644)
		cancel()
		<-work.Done()
		return nil, errors.Join(err, work.Err())
	}}
	o := engine.Options{Store: newStore(t), Agent: cut, Workspace: dir, Work: t.TempDir()}
	program := script(t, `return agent("write", {isolation: "worktree"})`)
	r, err := engine.Run(ctx, program, o)
	require.NoError(t, err)
	require.Equal(t, "interrupted", r.State)

	there := true
	o.Agent = &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		_, err := os.Lstat(filepath.Join(req.Cwd, "half.txt"))
		there = err == nil
		return "done", os.WriteFile(filepath.Join(req.Cwd, "whole.txt"), []byte("whole\n"), 0o644)
	}}
	again := resume(t, r.Run, nil, o)
	require.Equal(t, "completed", again.State, "%v", again.Err)
	require.False(t, there, "the tree was put back")
	kept := strings.Fields(git("for-each-ref", "--format=%(refname)", "refs/assent/kept"))
	require.Len(t, kept, 1)
	require.Equal(t, "half\n", git("show", kept[0]+":half.txt"))
	require.Contains(t, string(again.Value), "added whole.txt")
	require.NotContains(t, string(again.Value), "half.txt")
}

// Finished work in a tree of its own was paid for: it is repeated only with leave, like other work.
func TestIsolatedWorkIsNotRepeatedSilently(t *testing.T) {
	dir, _ := newTree(t)
	o := engine.Options{Store: newStore(t), Agent: writes("new.txt", "x\n", "done"), Workspace: dir, Work: t.TempDir()}
	r := run(t, script(t, `return agent("write", {isolation: "worktree"})`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	edited := script(t, `return agent("write more", {isolation: "worktree"})`)
	held := resume(t, r.Run, edited, o)
	require.Equal(t, "FINISHED_WORK_WOULD_REPEAT", held.Code)
	o.RerunChanged = true
	again := resume(t, r.Run, edited, o)
	require.Equal(t, "completed", again.State, "%v", again.Err)
}

// Without a repository, or without a folder for worktrees, the call fails and says so.
func TestIsolationNeedsARepository(t *testing.T) {
	for _, o := range []engine.Options{
		{Workspace: t.TempDir(), Work: t.TempDir()},
		{Workspace: t.TempDir()},
	} {
		workers := &team{}
		o.Store, o.Agent = newStore(t), workers
		r := run(t, script(t, `try { await agent("x", {isolation: "worktree", onError: "throw"}) } catch (e) { return e.code }`), o)
		require.JSONEq(t, `"WORKTREE_UNAVAILABLE"`, string(r.Value), "%v", r.Err)
		require.Empty(t, workers.take())
	}
}

// Work in trees of their own changes nothing for those who only read at the same time: the branches
// and trees of a run are no violation.
func TestIsolatedWorkDisturbsNoReader(t *testing.T) {
	dir, _ := newTree(t)
	began, left := make(chan struct{}), make(chan struct{})
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if !req.Isolated {
			close(began)
			<-left
			return "seen", nil
		}
		<-began
		return "done", os.WriteFile(filepath.Join(req.Cwd, "new.txt"), []byte("x\n"), 0o644)
	}}
	o := engine.Options{
		Store: newStore(t), Agent: workers, Workspace: dir, Work: t.TempDir(), Settings: journal.Settings{Concurrency: 2},
		Observe: func(e engine.Event) {
			if e.Type == engine.CallEnded && e.Label == "write" {
				close(left)
			}
		},
	}
	r := run(t, script(t, `return parallel([() => agent("look", {readOnly: true}), () => agent("write", {label: "write", isolation: "worktree"})])`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	visit, err := o.Store.Visit(t.Context(), r.Run)
	require.NoError(t, err)
	defer visit.Close()
	require.Empty(t, visit.State().Calls["/parallel#0[0]/agent#0"].Finish.Note)
}
