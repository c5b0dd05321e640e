package issuedelivery_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// whole is a delivery from its beginning to its end: real git, the host's own functions, and a scripted
// agent that edits files. Only the checks are small: no file of the tree may have the word RED in it.
type whole struct {
	*world
	config issuedelivery.Config

	mu sync.Mutex
	// answers are what agents say next, asked what they were asked. Guarded by mu.
	answers *agent.Scripted
	asked   []agent.Request
	// before, if it is set, is told of a request before it is answered.
	before func(req agent.Request)
}

// newWhole is a repository with one file. More files are given as names and texts in turn.
func newWhole(t *testing.T, files ...string) *whole {
	t.Helper()
	e := &whole{world: newWorld(t), config: issuedelivery.Config{Checks: map[string][]string{"words": {"sh", "-c", "! grep -rq RED ."}}}}
	e.git("config", "user.name", "Ann")
	e.git("config", "user.email", "ann@example.com")
	e.put("README.md", "shop\n")
	for i := 0; i < len(files); i += 2 {
		e.put(files[i], files[i+1])
	}
	e.git("add", ".")
	e.git("commit", "-q", "-m", "second")
	e.commit = e.git("rev-parse", "HEAD")
	t.Cleanup(e.noWorkerBeforeApproval)
	return e
}

func (e *whole) put(name, text string) {
	e.t.Helper()
	path := filepath.Join(e.dir, filepath.FromSlash(name))
	require.NoError(e.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(e.t, os.WriteFile(path, []byte(text), 0o600))
}

// says sets what agents say from now on. Tables are tried in order.
func (e *whole) says(tables ...object) {
	e.t.Helper()
	var text strings.Builder
	for _, table := range tables {
		text.WriteString("[[answer]]\n")
		for _, key := range slices.Sorted(maps.Keys(table)) {
			fmt.Fprintf(&text, "%s = %s\n", key, inline(e.t, table[key]))
		}
	}
	answers, err := agent.ParseScripted([]byte(text.String()), "answers.toml")
	require.NoError(e.t, err, "%s", text.String())
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers = answers
}

// inline writes a value as TOML on one line.
func inline(t *testing.T, v any) string {
	t.Helper()
	var parts []string
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case bool, int:
		return fmt.Sprint(v)
	case []string:
		for _, s := range v {
			parts = append(parts, inline(t, s))
		}
	case []any:
		for _, s := range v {
			parts = append(parts, inline(t, s))
		}
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strconv.Quote(key)+" = "+inline(t, v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		require.Failf(t, "no TOML", "%T", v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Run counts the call and answers it.
func (e *whole) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	e.mu.Lock()
	e.asked = append(e.asked, req)
	answers, before := e.answers, e.before
	e.mu.Unlock()
	if before != nil {
		before(req)
	}
	return answers.Run(ctx, req, step)
}

// TakesTiers is true: answers are the same whatever the tier.
func (e *whole) TakesTiers() bool { return true }

// requests are what agents were asked whose labels begin so, in order.
func (e *whole) requests(label string) []agent.Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	var some []agent.Request
	for _, req := range e.asked {
		if strings.HasPrefix(req.Label, label) {
			some = append(some, req)
		}
	}
	return some
}

// labels are those of all calls of agents, sorted.
func (e *whole) labels() []string {
	var all []string
	for _, req := range e.requests("") {
		all = append(all, req.Label)
	}
	slices.Sort(all)
	return all
}

// options are those of a new delivery without a pull request, or of one that goes on if task is "". A
// person answers questions about plans; without one nobody is there.
func (e *whole) options(task string, p *person) issuedelivery.Options {
	o := issuedelivery.Options{
		Task: task, Config: e.config,
		Engine: engine.Options{Store: e.store, Agent: e, AgentName: "e", Workspace: e.dir, Work: e.work},
	}
	if task != "" {
		o.Lane = issuedelivery.LaneNoPR
	}
	if p != nil {
		o.Engine.Asker = p
	}
	return o
}

// start delivers something new.
func (e *whole) start(p *person) issuedelivery.Outcome {
	e.t.Helper()
	return e.to(e.options("Build the shop", nil), p)
}

// to delivers, and a person answers questions about plans by a command, each time that the run waits for
// one. When they have said all, nobody is there.
func (e *whole) to(o issuedelivery.Options, p *person) issuedelivery.Outcome {
	e.t.Helper()
	for {
		if o.Engine.OnGate = ""; p != nil && len(p.left) > 0 {
			o.Engine.OnGate = checkpoint.Suspend
		}
		got := e.deliver(o)
		if o.Engine.OnGate == "" || got.State != "waiting" {
			return got
		}
		visit, err := e.store.Visit(e.t.Context(), got.Run)
		require.NoError(e.t, err)
		asked := visit.State().Pending()[0].Asked
		visit.Close()
		if asked.Kind != string(checkpoint.KindPlan) {
			return got
		}
		p.saw = append(p.saw, asked)
		e.answer(got.Run, p.left[0])
		p.left = p.left[1:]
		o.Task, o.Lane, o.Plan, o.AllowNoChecks, o.Resume = "", "", nil, false, got.Run
	}
}

// goOn resumes a run.
func (e *whole) goOn(run string, p *person) issuedelivery.Outcome {
	e.t.Helper()
	o := e.options("", p)
	o.Resume = run
	return e.deliver(o)
}

// finish goes on with a run that was repaired.
func (e *whole) finish(run string, p *person) issuedelivery.Outcome {
	e.t.Helper()
	o := e.options("", p)
	o.Finish, o.Who = run, journal.Who{User: "ann", Host: "here"}
	return e.deliver(o)
}

// note is the hand-over note, which names the next command and all that is given.
func (e *whole) note(got issuedelivery.Outcome, names ...string) string {
	e.t.Helper()
	text, err := os.ReadFile(got.Handover)
	require.NoError(e.t, err, "%+v", got)
	for _, name := range append(names, "The delivery stopped by `"+got.StoppedBy+"`", got.Next) {
		require.Contains(e.t, string(text), name)
	}
	return string(text)
}

// mend writes files in the working tree that the hand-over note names, and commits them.
func (e *whole) mend(got issuedelivery.Outcome, files ...string) {
	e.t.Helper()
	_, after, found := strings.Cut(e.note(got), "cd '")
	require.True(e.t, found)
	place, _, _ := strings.Cut(after, "'")
	for i := 0; i < len(files); i += 2 {
		require.NoError(e.t, os.WriteFile(filepath.Join(place, files[i]), []byte(files[i+1]), 0o600))
	}
	e.git("-C", place, "add", "-A")
	e.git("-C", place, "commit", "-q", "-m", "mend it")
}

// stoppedBy holds an outcome against its row of the table.
func (e *whole) stoppedBy(got issuedelivery.Outcome, by, status, next string, finish bool) {
	e.t.Helper()
	require.Equal(e.t, []any{"stopped", 3, by, status, next + got.Run, finish, false},
		[]any{got.State, got.Exit, got.StoppedBy, got.Status, got.Next, got.Finish, got.Success}, "%+v", got)
	rows := issuedelivery.Stops()
	require.True(e.t, slices.ContainsFunc(rows, func(s issuedelivery.Stop) bool {
		return s.By == by && s.Status == status && s.Finish == finish && s.Exit == 3 && strings.HasPrefix(next+"RUN", strings.Split(s.Next, ` "TASK"`)[0])
	}), "no row of the table says so: %+v", got)
}

// noWorkerBeforeApproval reads it in the journals.
func (e *whole) noWorkerBeforeApproval() {
	runs, err := e.store.List(context.Background())
	require.NoError(e.t, err)
	for _, r := range runs {
		visit, err := e.store.Visit(context.Background(), r.ID)
		require.NoError(e.t, err)
		first := uint64(0)
		for _, g := range visit.State().Gates {
			if g.State == journal.Approved && (first == 0 || g.AnswerSeq < first) {
				first = g.AnswerSeq
			}
		}
		for key, c := range visit.State().Calls {
			if strings.HasPrefix(c.Call.Label, "worker") || strings.HasPrefix(c.Call.Label, "repair") || c.Call.Name == "delivery.branch" {
				require.True(e.t, first > 0 && c.StartSeq > first, "%s was begun before anybody said yes", key)
			}
		}
		visit.Close()
	}
}

// person answers questions about plans one by one. As an asker they say later to all else, and when
// nothing is left to say.
type person struct {
	mu   sync.Mutex
	left []string
	saw  []journal.GateAsked
}

// says is a person with these decisions, JSON each.
func says(decisions ...string) *person { return &person{left: decisions} }

func (p *person) Ask(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saw = append(p.saw, q.Gate)
	if q.Gate.Kind != string(checkpoint.KindPlan) || len(p.left) == 0 {
		return checkpoint.Answer{Later: true}, nil
	}
	said := p.left[0]
	p.left = p.left[1:]
	return checkpoint.Answer{Decision: json.RawMessage(said), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: ann}, nil
}

// part is a step of a plan that writes the file ID.txt.
func part(id string, needs ...string) object {
	return object{
		"id": id, "title": "Add " + id, "files": []string{id + ".txt"}, "instructions": "Write " + id + " into " + id + ".txt.", "expectedOutput": id + ".txt",
		"acceptance": []string{"grep -q " + id + " " + id + ".txt exits with 0"}, "dependencies": append([]string{}, needs...),
	}
}

func planOf(parts ...object) object {
	var all []any
	for _, p := range parts {
		all = append(all, p)
	}
	return object{"summary": "A shop.", "steps": all, "openQuestions": []string{}, "outOfScope": []string{}}
}

// The answers of agents that do what they are to do.
func scouts() object { return object{"label": "scout", "text": "There is a README.md."} }

func thinks(plan object) object { return object{"label": "thinker*", "value": plan} }

func works(id string) object { return writes("worker "+id+"*", id+".txt", id+"\n") }

// writes is an agent whose label is so that writes files, given as names and texts in turn.
func writes(label string, files ...string) object {
	all := object{}
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = files[i+1]
	}
	return object{"label": label, "write": all, "value": object{"summary": "Wrote it.", "criteria": []any{}, "notDone": []string{}}}
}

func fails(label string) object { return object{"label": label, "error": "no answer today"} }

func verifies() object { return object{"label": "verifier*", "value": passes(12)} }

// passes is a verdict on so many criteria.
func passes(n int) object {
	criteria := []any{}
	for i := 1; i <= n; i++ {
		criteria = append(criteria, object{"criterion": i, "met": true, "evidence": "seen in the tree"})
	}
	return object{"passed": true, "feedback": "It is there.", "tautologicalTestDetected": false, "criteria": criteria}
}

// good are all answers of a delivery that goes through: a plan, and its workers.
func good(plan object) []object {
	tables := []object{scouts(), thinks(plan), verifies()}
	for _, p := range plan["steps"].([]any) {
		tables = append(tables, works(p.(object)["id"].(string)))
	}
	return tables
}
