package engine_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// newTree is a git repository with one commit of file.txt, and git in it.
func newTree(t *testing.T) (dir string, git func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	git = func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	git("init", "-q", "-b", "main")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file.txt"), []byte("one\n"), 0o644))
	git("add", ".")
	git("commit", "-q", "-m", "first")
	return dir, git
}

// B75, S19: whatever a planner changes before the plan is approved is found before the question is
// asked: the run stops, nobody is asked, no worker starts, and no script can catch it.
func TestB75_MutationBeforeApproval(t *testing.T) {
	for name, mutate := range map[string]func(dir string, git func(...string) string) error{
		"a tracked file": func(dir string, _ func(...string) string) error {
			return os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o644)
		},
		"an untracked file": func(dir string, _ func(...string) string) error {
			return os.WriteFile(filepath.Join(dir, "new.txt"), []byte("x"), 0o644)
		},
		"a commit": func(_ string, git func(...string) string) error {
			git("commit", "-q", "--allow-empty", "-m", "mine")
			return nil
		},
		"a branch": func(_ string, git func(...string) string) error {
			git("branch", "mine")
			return nil
		},
		"a hook": func(dir string, _ func(...string) string) error {
			hooks := filepath.Join(dir, ".git", "hooks")
			return os.WriteFile(filepath.Join(hooks, "pre-commit"), []byte("#!/bin/sh\n"), 0o755)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, git := newTree(t)
			workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
				return "a plan", mutate(dir, git)
			}}
			ann := says("true")
			o := engine.Options{Store: newStore(t), Agent: workers, Asker: ann, Workspace: dir}
			r := run(t, planFirst(t, `let plan = "none";
try { [plan] = await parallel([() => agent("plan")]) } catch (e) {}
await planApprove({plan});
return agent("work");`), o)
			require.Equal(t, "stopped", r.State, "%v", r.Err)
			require.Equal(t, "READ_ONLY_VIOLATED", r.Code)
			require.Equal(t, []string{"plan"}, workers.take())
			require.Empty(t, ann.take(), "nobody is asked")

			visit, err := o.Store.Visit(t.Context(), r.Run)
			require.NoError(t, err)
			defer visit.Close()
			finish := visit.State().Calls["/parallel#0[0]/agent#0"].Finish
			require.Equal(t, journal.FailureFatal, finish.Failure.Class)
			require.NotNil(t, finish.Patch)
		})
	}
}

// Wherever a planner works, the workspace is looked at: from a tree of its own, from a repository inside.
// So is the user's own configuration, which says who answers.
func TestB75_MutationFromElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		options string
		mutate  func(dir, config string, git func(...string) string) error
		says    string
	}{
		"from a worktree": {`isolation: "worktree"`, func(dir, _ string, _ func(...string) string) error {
			return os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o644)
		}, "changed: file.txt"},
		"from a repository inside": {`cwd: "inner"`, func(_, _ string, git func(...string) string) error {
			git("commit", "-q", "--allow-empty", "-m", "mine")
			return nil
		}, "branch main moved"},
		"the user's configuration": {``, func(_, config string, _ func(...string) string) error {
			return os.WriteFile(filepath.Join(config, "config.toml"), []byte("[approval]\n"), 0o600)
		}, "config.toml"},
		"another run's branch": {``, func(_, _ string, git func(...string) string) error {
			git("branch", "-D", "assent/abcdef/agent-0")
			return nil
		}, "branch assent/abcdef/agent-0 was removed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, git := newTree(t)
			git("branch", "assent/abcdef/agent-0")
			git("init", "-q", "inner")
			config := t.TempDir()
			workers := &team{answer: func(context.Context, agent.Request) (any, error) { return "x", c.mutate(dir, config, git) }}
			ann := says("true")
			o := engine.Options{Store: newStore(t), Agent: workers, Asker: ann, Workspace: dir, Work: t.TempDir(), Guarded: []string{config}}
			r := run(t, planFirst(t, `const plan = await agent("plan", {`+c.options+`}); await planApprove({plan}); return agent("work");`), o)
			require.Equal(t, "READ_ONLY_VIOLATED", r.Code, "%v", r.Err)
			require.ErrorContains(t, r.Err, c.says)
			require.Equal(t, []string{"plan"}, workers.take())
			require.Empty(t, ann.take())
		})
	}
}

// A planner that is still at work when its plan is asked about, or that the script does not wait for, is
// looked at all the same: then, and at the end.
func TestB75_MutationWhileAtWork(t *testing.T) {
	for name, body := range map[string]string{
		"before the question": `const slow = agent("slow"); await sleep(50); await agent("quick"); await planApprove({a: 1}); return [await agent("work"), await slow]`,
		"at the end":          `const slow = agent("slow"); await agent("quick"); return "done"`,
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := newTree(t)
			written := make(chan struct{})
			workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
				switch req.Prompt {
				case "slow":
					err := os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o644)
					close(written)
					<-ctx.Done()
					return nil, errors.Join(err, ctx.Err())
				case "quick":
					<-written
				}
				return "x", nil
			}}
			ann := says("true")
			store := newStore(t)
			r := run(t, planFirst(t, body), engine.Options{Store: store, Agent: workers, Asker: ann, Workspace: dir, Settings: journal.Settings{Concurrency: 2}})
			require.Equal(t, "stopped", r.State, "%v", r.Err)
			require.Equal(t, "READ_ONLY_VIOLATED", r.Code)
			require.NotContains(t, workers.take(), "work")
			require.Empty(t, ann.take())
			_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
			require.NoError(t, err)
		})
	}
}

// A runner that panics is looked at too.
func TestB75_MutationAndAPanic(t *testing.T) {
	dir, _ := newTree(t)
	workers := &team{answer: func(context.Context, agent.Request) (any, error) {
		if err := os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o644); err != nil {
			return nil, err
		}
		panic("over")
	}}
	r := run(t, script(t, `try { await agent("x", {readOnly: true}) } catch (e) {} return 1`), engine.Options{Store: newStore(t), Agent: workers, Workspace: dir})
	require.Equal(t, "READ_ONLY_VIOLATED", r.Code, "%v", r.Err)
}

// What a worker in a tree of its own does to what all trees share is not laid at a reader's door.
func TestBranchesOfAWorkerAreNoViolation(t *testing.T) {
	dir, git := newTree(t)
	did, looking := make(chan struct{}), make(chan struct{})
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if !req.Isolated {
			close(looking)
			<-did
			return "seen", nil
		}
		<-looking
		git("branch", "feature")
		git("tag", "v1")
		git("config", "user.nick", "ada")
		close(did)
		return "done", nil
	}}
	r := run(t, script(t, `return parallel([() => agent("look", {readOnly: true}), () => agent("w", {isolation: "worktree"})])`),
		engine.Options{Store: newStore(t), Agent: workers, Workspace: dir, Work: t.TempDir(), Settings: journal.Settings{Concurrency: 2}})
	require.Equal(t, "completed", r.State, "%v", r.Err)
}

// The tree of the user's is left as it is; the patch that is kept undoes the change.
func TestAViolationIsKeptAsAPatch(t *testing.T) {
	dir, git := newTree(t)
	workers := &team{answer: func(context.Context, agent.Request) (any, error) {
		return "x", os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o644)
	}}
	store := newStore(t)
	r := run(t, script(t, `return agent("look", {readOnly: true})`), engine.Options{Store: store, Agent: workers, Workspace: dir})
	require.Equal(t, "READ_ONLY_VIOLATED", r.Code, "%v", r.Err)
	require.ErrorContains(t, r.Err, "file.txt")
	text, err := os.ReadFile(filepath.Join(dir, "file.txt"))
	require.NoError(t, err)
	require.Equal(t, "two\n", string(text))

	visit, err := store.Visit(t.Context(), r.Run)
	require.NoError(t, err)
	defer visit.Close()
	patch, err := visit.Attachment(visit.State().Calls["/agent#0"].Finish.Patch.Name)
	require.NoError(t, err)
	defer patch.Close()
	path := filepath.Join(t.TempDir(), "patch")
	out, err := os.Create(path)
	require.NoError(t, err)
	_, err = out.ReadFrom(patch)
	require.NoError(t, err)
	require.NoError(t, out.Close())
	git("apply", "-R", path)
	text, err = os.ReadFile(filepath.Join(dir, "file.txt"))
	require.NoError(t, err)
	require.Equal(t, "one\n", string(text))
}

// While another call may change the same tree, nobody can tell whose a change is: it is remarked, and
// the run goes on.
func TestAChangeOfAnothersIsNoViolation(t *testing.T) {
	dir, _ := newTree(t)
	written, looking := make(chan struct{}), make(chan struct{})
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.ReadOnly {
			close(looking)
			<-written
			return "seen", nil
		}
		<-looking
		defer close(written)
		return "done", os.WriteFile(filepath.Join(dir, "file.txt"), []byte("two\n"), 0o644)
	}}
	store := newStore(t)
	r := run(t, script(t, `return parallel([() => agent("look", {readOnly: true}), () => agent("write")])`),
		engine.Options{Store: store, Agent: workers, Workspace: dir, Settings: journal.Settings{Concurrency: 2}})
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, `["seen","done"]`, string(r.Value))
	visit, err := store.Visit(t.Context(), r.Run)
	require.NoError(t, err)
	defer visit.Close()
	require.Contains(t, visit.State().Calls["/parallel#0[0]/agent#0"].Finish.Note, "file.txt")
}

// A read-only call in a tree of its own has that put back.
func TestATreeOfTheRunsIsPutBack(t *testing.T) {
	dir, _ := newTree(t)
	work := t.TempDir()
	var folder string
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		folder = req.Cwd
		return "x", os.WriteFile(filepath.Join(req.Cwd, "file.txt"), []byte("two\n"), 0o644)
	}}
	r := run(t, script(t, `return agent("look", {readOnly: true, isolation: "worktree"})`),
		engine.Options{Store: newStore(t), Agent: workers, Workspace: dir, Work: work})
	require.Equal(t, "READ_ONLY_VIOLATED", r.Code, "%v", r.Err)
	require.NotEqual(t, dir, folder)
	text, err := os.ReadFile(filepath.Join(folder, "file.txt"))
	require.NoError(t, err)
	require.Equal(t, "one\n", string(text))
}

// An agent at work that asks for leave is answered by a person, as a question of the run; the script
// sees nothing of it, and a replay looks for none.
func TestAnAgentAsksForLeave(t *testing.T) {
	for said, want := range map[string]string{"true": "may", "false": "may not"} {
		store := newStore(t)
		workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
			if req.Ask == nil {
				return "nobody", nil
			}
			may, err := req.Ask(ctx, agent.Permission{Tool: "shell", Title: "clean up", Input: "rm -rf build"})
			if may {
				return "may", err
			}
			return "may not", err
		}}
		ann := says(said)
		o := engine.Options{Store: store, Agent: workers, Asker: ann}
		r := run(t, script(t, `return [await agent("x", {label: "cleaner"}), await checkpoint("sure?", {default: false})]`), o)
		require.JSONEq(t, `["`+want+`",`+said+`]`, string(r.Value), "%v", r.Err)
		asked := ann.take()
		require.Len(t, asked, 2)
		require.Equal(t, "The agent of agent \"cleaner\" at /agent#0 asks: may it use shell?\nclean up\nrm -rf build", asked[0].Gate.Prompt)
		require.Equal(t, "/agent#0", asked[0].Gate.Call)
		again := resume(t, r.Run, nil, o)
		require.Zero(t, again.Live)
		_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
		require.NoError(t, err)
	}
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) { return req.Ask == nil, nil }}
	r := run(t, script(t, `return agent("x", {schema: {}})`), engine.Options{Store: newStore(t), Agent: workers, OnGate: checkpoint.Suspend})
	require.JSONEq(t, `true`, string(r.Value), "nobody is here")
}

// Who leaves such a question for later says no to an agent that waits for it: the run goes on.
func TestLaterIsNoLeave(t *testing.T) {
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		may, err := req.Ask(ctx, agent.Permission{Tool: "shell"})
		return may, err
	}}
	later := checkpoint.AskerFunc(func(context.Context, checkpoint.Asked) (checkpoint.Answer, error) {
		return checkpoint.Answer{Later: true}, nil
	})
	r := run(t, script(t, `return agent("x", {schema: {}})`), engine.Options{Store: newStore(t), Agent: workers, Asker: later})
	require.JSONEq(t, `false`, string(r.Value), "%v", r.Err)
}

// A question of an agent whose call has ended is closed: nobody waits for its answer.
func TestAnAgentThatDoesNotWaitForLeave(t *testing.T) {
	store := newStore(t)
	asked := make(chan struct{})
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		ctx, cancel := context.WithCancel(ctx)
		go func() { <-asked; cancel() }()
		_, err := req.Ask(ctx, agent.Permission{Tool: "shell"})
		require.ErrorIs(t, err, context.Canceled)
		return "went on", nil
	}}
	waits := checkpoint.AskerFunc(func(ctx context.Context, _ checkpoint.Asked) (checkpoint.Answer, error) {
		close(asked)
		<-ctx.Done()
		return checkpoint.Answer{Later: true}, nil
	})
	r := run(t, script(t, `return agent("x")`), engine.Options{Store: store, Agent: workers, Asker: waits})
	require.JSONEq(t, `"went on"`, string(r.Value), "%v", r.Err)
	require.Empty(t, r.Waiting)
	visit, err := store.Visit(t.Context(), r.Run)
	require.NoError(t, err)
	defer visit.Close()
	require.Equal(t, journal.Superseded, visit.State().Gates[visit.State().GateOrder[0]].State)
}
