package issuedelivery_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// world is all that a delivery meets: a repository, agents, a person, and stand-ins for the functions
// of the host, so that each can be made to fail.
type world struct {
	t      *testing.T
	store  *journal.Store
	dir    string
	work   string
	commit string

	mu sync.Mutex
	// fails are labels of agents that fail, and names of functions, with their error. Guarded by mu.
	fails map[string]error
	// gives are answers of functions and agents in place of their own. Guarded by mu.
	gives map[string]any
	// calls counts what was called. Guarded by mu.
	calls map[string]int
	// plan is what the thinker answers; meanwhile, if it is set, is told of every agent that is asked.
	plan      map[string]any
	meanwhile func(who string, req agent.Request)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := &world{
		t: t, dir: filepath.Join(root, "repo"), work: filepath.Join(root, "work"),
		fails: map[string]error{}, gives: map[string]any{}, calls: map[string]int{}, plan: twoSteps(),
	}
	w.store, err = journal.Open(journal.Options{Dir: filepath.Join(root, "store"), KeyDir: filepath.Join(root, "keys")})
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(w.dir, 0o755))
	w.git("init", "-q", "-b", "main")
	w.git("-c", "user.name=ann", "-c", "user.email=ann@example.com", "commit", "-q", "--allow-empty", "-m", "first")
	w.commit = w.git("rev-parse", "HEAD")
	t.Cleanup(func() {
		runs, err := w.store.List(context.Background())
		require.NoError(t, err)
		for _, r := range runs {
			report, err := journal.Verify(context.Background(), w.store, r.ID)
			require.NoError(t, err)
			require.True(t, report.OK, "%v", report.Problems)
		}
	})
	return w
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	out, err := cmd.CombinedOutput()
	require.NoError(w.t, err, "git %v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// twoSteps is a plan whose second step needs the first.
func twoSteps() map[string]any {
	step := func(id, file string, needs ...string) map[string]any {
		return map[string]any{
			"id": id, "title": "Write " + file, "files": []string{file}, "instructions": "Write it.", "expectedOutput": file,
			"acceptance": []string{file + " is there"}, "dependencies": append([]string{}, needs...),
		}
	}
	return map[string]any{
		"summary": "Two files.", "openQuestions": []string{}, "outOfScope": []string{},
		"steps": []any{step("one", "one.txt"), step("two", "two.txt", "one")},
	}
}

// fail makes a function or the agents whose labels begin so fail, or be good again.
func (w *world) fail(name string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fails[name] = err
}

// give makes a function give something else; nil is its own again.
func (w *world) give(name string, v any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gives[name] = v
}

// count is how often something was called.
func (w *world) count(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[name]
}

// called counts a call, and says how it goes if that was said.
func (w *world) called(name string) (v any, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[name]++
	return w.gives[name], w.fails[name]
}

// Run is the agent: it tells who is asked by the label.
func (w *world) Run(_ context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	who, rest, _ := strings.Cut(strings.ReplaceAll(req.Label, ",", ""), " ")
	given, err := w.called(who)
	if w.meanwhile != nil {
		w.meanwhile(who, req)
	}
	if err != nil {
		return agent.Response{}, err
	}
	answer := given
	if answer == nil {
		answer = map[string]func() any{
			"scout":   func() any { return "There is nothing yet." },
			"thinker": func() any { return w.plan },
			"worker": func() any {
				id, _, _ := strings.Cut(rest, " ")
				err = os.WriteFile(filepath.Join(req.Cwd, id+".txt"), []byte(id+"\n"), 0o600)
				return map[string]any{"summary": "Wrote it.", "criteria": []any{}, "notDone": []string{}}
			},
			"verifier": func() any { return verdict(true) },
		}[who]()
	}
	value, e := json.Marshal(answer)
	return agent.Response{Value: value, Usage: journal.Usage{Input: 10, Output: 1}}, errors.Join(err, e)
}

// TakesTiers is true: it is the same whatever the tier.
func (w *world) TakesTiers() bool { return true }

func verdict(passed bool) map[string]any {
	criteria := []any{}
	for n := 1; n <= 2; n++ {
		criteria = append(criteria, map[string]any{"criterion": n, "met": passed, "evidence": "seen"})
	}
	return map[string]any{"passed": passed, "feedback": "Looked at it.", "tautologicalTestDetected": false, "criteria": criteria}
}

// stand is a stand-in for a function of the host.
type stand struct {
	w        *world
	name     string
	readOnly bool
	do       func(in map[string]json.RawMessage) any
}

func (s stand) Name() string        { return s.name }
func (s stand) TakesApproval() bool { return true }

func (s stand) Parse(args []json.RawMessage) (engine.Request, error) {
	identity, err := json.Marshal(args)
	return engine.Request{Identity: identity, ReadOnly: s.readOnly, Idempotent: !s.readOnly, Value: args}, err
}

func (s stand) Answer(_ context.Context, req engine.Request, _ *journal.Step) (json.RawMessage, error) {
	given, err := s.w.called(s.name)
	if err != nil {
		return nil, err
	}
	if given == nil {
		in := map[string]json.RawMessage{}
		for _, arg := range req.Value.([]json.RawMessage) {
			if err := json.Unmarshal(arg, &in); err != nil {
				return nil, err
			}
		}
		given = s.do(in)
	}
	return json.Marshal(given)
}

type object = map[string]any

// functions are stand-ins for all functions of the host but delivery.stop, which is the real one.
func (w *world) functions(h *issuedelivery.Host) ([]engine.Primitive, []engine.Calculation) {
	type in = map[string]json.RawMessage
	none := []string{}
	var all []engine.Primitive
	add := func(name string, readOnly bool, do func(in) any) { all = append(all, stand{w, name, readOnly, do}) }
	add("prototypeSafetyCheck", true, func(in) any { return object{"ok": true, "reason": "", "nextAction": "", "details": none} })
	add("delivery.begin", true, func(in) any {
		return object{
			"task": "Write two files", "title": "Write two files", "slug": "write-two-files", "branch": "assent/abc123-write-two-files", "here": true,
			"base": object{"branch": "main", "commit": w.commit}, "issues": none, "notes": none, "setup": none, "warnings": none,
			"checks": []any{object{"name": "test", "command": []string{"make", "test"}, "kind": "test", "source": "Makefile"}},
		}
	})
	add("delivery.checkPlan", true, func(in) any {
		return object{"ok": true, "violations": none, "warnings": none, "order": []string{"one", "two"}, "waves": [][]string{{"one"}, {"two"}}}
	})
	add("delivery.stack", false, func(in in) any {
		var steps []struct{ ID, Commit string }
		_ = json.Unmarshal(in["steps"], &steps)
		ids, commit := []string{}, in["onto"]
		for _, s := range steps {
			ids, commit = append(ids, s.ID), json.RawMessage(`"`+s.Commit+`"`)
		}
		return object{"commit": commit, "applied": ids, "commits": object{}, "conflict": nil}
	})
	add("delivery.seal", false, func(in in) any { return object{"commit": in["commit"], "files": none} })
	add("delivery.conform", true, func(in) any {
		return object{"ok": true, "changed": none, "extra": none, "missing": none, "forbidden": none, "markers": none}
	})
	add("delivery.compare", true, func(in) any { return object{"patch": "", "cut": false, "files": none} })
	add("delivery.movedBase", false, func(in) any {
		return object{"moved": false, "commit": w.commit, "rewritten": false, "touched": none}
	})
	add("delivery.branch", false, func(in in) any { return object{"branch": in["branch"], "commit": in["commit"]} })
	add("delivery.publish", false, func(in in) any {
		return object{"adopted": false, "pushed": true, "warnings": none, "pr": object{"number": 7, "url": "https://forge/pull/7", "state": "OPEN", "draft": true, "head": in["branch"], "base": "main"}}
	})
	add("delivery.repair", false, func(in in) any { return object{"path": filepath.Join(w.work, "repair"), "branch": in["branch"]} })
	add("delivery.repaired", true, func(in) any { return object{"commit": w.commit, "clean": true, "dirty": none} })
	add("delivery.tidy", false, func(in) any { return object{"removed": none} })
	add("stageCheck", false, func(in in) any {
		return object{"ok": true, "state": "passed", "commit": in["commit"], "summary": "1 check passed", "checks": none}
	})
	add("checkFinalization", true, func(in) any {
		return object{"ok": true, "status": "completed", "reason": "All is so.", "nextAction": "", "details": []any{object{"condition": "clean", "ok": true, "found": "clean"}}}
	})
	all = append(all, issuedelivery.StopFunction(h))
	var texts []engine.Calculation
	for _, name := range []string{"compactFeedback", "renderCorrectionDelta", "renderStageCheckFeedback"} {
		texts = append(texts, engine.Calculation{Name: name, Do: func([]json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`"what was wrong"`), nil }})
	}
	return all, texts
}

// options are those of a delivery in this world; task is "" for a run that goes on.
func (w *world) options(task string) issuedelivery.Options {
	return issuedelivery.WithFunctions(issuedelivery.Options{
		Task: task, Lane: issuedelivery.LaneNoPR,
		Engine: engine.Options{Store: w.store, Agent: w, AgentName: "w", Workspace: w.dir, Work: w.work, Environ: append(os.Environ(), "FORGE_TOKEN=tops3cret")},
	}, w.functions)
}

func (w *world) deliver(o issuedelivery.Options) issuedelivery.Outcome {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	got, err := issuedelivery.Deliver(ctx, o)
	require.NoError(w.t, err)
	return got
}

// resume goes on with a run where nobody is.
func (w *world) resume(run string) issuedelivery.Outcome {
	w.t.Helper()
	o := w.options("")
	o.Resume = run
	return w.deliver(o)
}

// asked delivers until the plan waits for an answer, which it gives, and goes on where nobody is.
func (w *world) asked(lane, answer string) issuedelivery.Outcome {
	w.t.Helper()
	o := w.options("Write two files")
	o.Lane, o.Engine.OnGate = lane, checkpoint.Suspend
	waiting := w.deliver(o)
	require.Equal(w.t, "waiting", waiting.State, "%+v", waiting)
	w.answer(waiting.Run, answer)
	return w.resume(waiting.Run)
}

// answer answers the question of a run that waits, by a command.
func (w *world) answer(run, decision string) {
	w.t.Helper()
	visit, err := w.store.Visit(w.t.Context(), run)
	require.NoError(w.t, err)
	defer visit.Close()
	g := visit.State().Pending()[0]
	_, err = planapprove.Respond(w.t.Context(), visit, visit.Executing, time.Now, checkpoint.Response{
		Gate: g.Asked.Gate, Checksum: g.Asked.Checksum, Nonce: g.Asked.Nonce, Decision: json.RawMessage(decision), Who: ann,
	})
	require.NoError(w.t, err)
}

var ann = journal.Who{User: "ann", Host: "here", Way: "command"}

var errBroken = errors.New("it is broken")

// answers is a person: the first is the answer to plans, the second to all else.
type answers [2]string

func (a answers) Ask(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
	said := a[1]
	if q.Gate.Kind == string(checkpoint.KindPlan) {
		said = a[0]
	}
	return checkpoint.Answer{Decision: json.RawMessage(said), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann", Host: "here", Way: "asker"}}, nil
}
