package issuedelivery_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// program compiles a script of a test's own.
func program(t *testing.T, body string) *vm.Program {
	t.Helper()
	p, err := vm.Compile(fstest.MapFS{"test.js": {Data: []byte(`export const meta = { name: "test", description: "a test" };` + "\n" + body)}}, "test.js")
	require.NoError(t, err)
	return p
}

// Each way to stop has its row in the table, and once what was wrong is mended, the command of that row
// goes on to the end, and does nothing again that was done.
func TestStoppedDeliveriesGoOn(t *testing.T) {
	red := object{"ok": false, "state": "failed", "commit": "c", "summary": "1 check failed", "checks": []string{}}
	extra := object{"ok": false, "changed": []string{}, "extra": []string{"more.txt"}, "missing": []string{}, "forbidden": []string{}, "markers": []string{}}
	broken := func(name string) [2]func(w *world) {
		return [2]func(w *world){func(w *world) { w.fail(name, errBroken) }, func(w *world) { w.fail(name, nil) }}
	}
	gives := func(name string, v any) [2]func(w *world) {
		return [2]func(w *world){func(w *world) { w.give(name, v) }, func(w *world) { w.give(name, nil) }}
	}
	for name, c := range map[string]struct {
		by      string
		at      issuedelivery.Stage
		status  string
		lane    string
		answer  string // to the plan; "" is nobody's
		trouble [2]func(w *world)
		next    string // resume, finish or anew
		workers int    // how many calls of workers there were until the stop
	}{
		"not ready":      {by: "not-ready", at: "preflight", status: "needs-human", trouble: broken("delivery.begin"), next: "resume"},
		"no checks":      {by: "no-checks", at: "preflight", status: "needs-human", trouble: [2]func(w *world){func(w *world) { w.fail("delivery.begin", fault.New("CHECKS_NOT_FOUND", "none", "")) }, func(w *world) { w.fail("delivery.begin", nil) }}, next: "resume"},
		"unsafe":         {by: "prototype-safety", at: "preflight", status: "needs-human", lane: "prototype", trouble: gives("prototypeSafetyCheck", object{"ok": false, "reason": "It is the only copy.", "nextAction": "", "details": []string{}}), next: "anew"},
		"scout":          {by: "scout", at: "scout", status: "failed", trouble: broken("scout"), next: "resume"},
		"thinker":        {by: "thinker", at: "thinker", status: "failed", trouble: broken("thinker"), next: "resume"},
		"bad plan":       {by: "plan-validation", at: "plan", status: "needs-human", trouble: gives("delivery.checkPlan", object{"ok": false, "violations": []any{object{"code": "STEP_TWICE", "what": "two steps are one"}}, "warnings": []string{}, "order": []string{}, "waves": []string{}}), next: "anew"},
		"declined":       {by: "plan-approval", at: "approval", status: "needs-human", answer: "false", next: "anew"},
		"nobody answers": {by: "plan-approval", at: "approval", status: "needs-human", answer: "", next: "resume"},
		"worker":         {by: "worker", at: "repair", status: "needs-human", answer: "true", trouble: broken("worker"), next: "finish", workers: 3},
		"checks":         {by: "checks", at: "repair", status: "needs-human", answer: "true", trouble: gives("stageCheck", red), next: "finish", workers: 3},
		"other files":    {by: "plan-conformance", at: "repair", status: "needs-human", answer: "true", trouble: gives("delivery.conform", extra), next: "", workers: 2},
		"verifier":       {by: "verifier", at: "repair", status: "needs-human", answer: "true", trouble: gives("verifier", verdict(false)), next: "finish", workers: 3},
		"conflict": {by: "integration", at: "repair", status: "needs-human", answer: "true", trouble: [2]func(w *world){func(w *world) {
			w.give("delivery.stack", object{"commit": w.commit, "applied": []string{}, "commits": object{}, "conflict": object{"step": "one", "files": []string{"one.txt"}, "commit": w.commit, "tip": w.commit}})
		}, func(w *world) { w.give("delivery.stack", nil) }}, next: "finish", workers: 1},
		"no verdict":        {by: "verifier", at: "verifier", status: "needs-human", answer: "true", trouble: broken("verifier"), next: "resume", workers: 1},
		"moved and touched": {by: "base-moved", at: "approval", status: "needs-human", answer: "true", trouble: gives("delivery.movedBase", object{"moved": true, "commit": "0000000000000000000000000000000000000001", "rewritten": false, "touched": []string{"one.txt"}}), next: "", workers: 2},
		"publish":           {by: "pull-request", at: "pull-request", status: "needs-human", lane: "pull-request", answer: "true", trouble: broken("delivery.publish"), next: "resume", workers: 2},
		"not final":         {by: "finalization", at: "repair", status: "needs-finalize", answer: "true", trouble: gives("checkFinalization", object{"ok": false, "status": "needs-finalize", "reason": "It is not pushed.", "nextAction": "Push it.", "details": []string{}}), next: "finish", workers: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if c.trouble[0] != nil {
				c.trouble[0](w)
			}
			lane := c.lane
			if lane == "" {
				lane = issuedelivery.LaneNoPR
			}
			var got issuedelivery.Outcome
			if c.answer == "" {
				o := w.options("Write two files")
				o.Lane = lane
				got = w.deliver(o)
			} else {
				got = w.asked(lane, c.answer)
			}
			require.Equal(t, []any{"stopped", 3, issuedelivery.StageStopped, c.at, c.by, c.status, false}, []any{got.State, got.Exit, got.Stage, got.At, got.StoppedBy, got.Status, got.Success}, "%+v", got)
			require.NotEmpty(t, got.Reason)
			require.NotEmpty(t, got.NextAction)
			require.Equal(t, c.workers, w.count("worker"))
			note, err := os.ReadFile(got.Handover)
			require.NoError(t, err)
			require.Contains(t, string(note), "The delivery stopped by `"+c.by+"`")
			require.Contains(t, string(note), got.Next, "the note has the next command")

			if c.trouble[1] != nil {
				c.trouble[1](w)
			}
			require.Equal(t, c.next == "finish" || c.by == "plan-conformance", got.Finish)
			switch c.next {
			case "resume":
				require.Equal(t, "assent resume "+got.Run, got.Next)
				if c.answer == "" && c.by != "plan-approval" { // as soon as somebody can answer
					got = w.resume(got.Run)
					require.Equal(t, "plan-approval", got.StoppedBy, "%+v", got)
				}
				o := w.options("")
				o.Resume, o.Engine.OnGate = got.Run, "suspend"
				if got = w.deliver(o); c.answer == "" {
					require.Equal(t, "waiting", got.State, "%+v", got)
					w.answer(got.Run, "true")
					got = w.resume(got.Run)
				}
				require.True(t, got.Success, "%+v", got)
			case "finish":
				require.Equal(t, "assent deliver --finish "+got.Run, got.Next)
				got = w.deliver(w.finishing(got.Run))
				require.True(t, got.Success, "%+v", got)
				require.True(t, got.Stages.Repair.Repaired)
				require.Equal(t, c.workers, w.count("worker"), "a repair pays for no worker")
			case "anew":
				if c.by == "prototype-safety" {
					require.Equal(t, "assent deliver --prototype 'Write two files'", got.Next)
				} else {
					require.Equal(t, "assent deliver 'Write two files'", got.Next)
				}
				require.True(t, w.asked(lane, "true").Success)
			}
		})
	}
}

// finishing are the options that finish a run for a person, where nobody else is.
func (w *world) finishing(run string) issuedelivery.Options {
	o := w.options("")
	o.Finish, o.Who = run, journal.Who{User: "ann", Host: "here"}
	return o
}

// What is wrong with a repair is asked about again: one yes is not two.
func TestFinishAnswersOnce(t *testing.T) {
	w := newWorld(t)
	w.fail("worker", errBroken)
	got := w.asked(issuedelivery.LaneNoPR, "true")
	w.give("delivery.repaired", object{"commit": w.commit, "clean": false, "dirty": []string{"one.txt"}})
	got = w.deliver(w.finishing(got.Run))
	require.Equal(t, []any{"waiting", 4, issuedelivery.StageRepair, "waiting", true, "assent deliver --finish " + got.Run},
		[]any{got.State, got.Exit, got.Stage, got.StoppedBy, got.Finish, got.Next}, "%+v", got)
	w.give("delivery.repaired", nil)
	got = w.deliver(w.finishing(got.Run))
	require.True(t, got.Success, "%+v", got)
	require.True(t, got.Stages.Repair.Repaired)
	require.Equal(t, 2, w.count("delivery.repaired"))

	_, err := issuedelivery.Deliver(t.Context(), w.finishing(got.Run))
	require.True(t, fault.Is(err, fault.RepairNotAsked), "%v", err)
}

// Finishing answers only the one question: another one waits, and where there is none it is refused.
func TestFinishRefuses(t *testing.T) {
	w := newWorld(t)
	got := w.deliver(w.options("Write two files"))
	require.Equal(t, "plan-approval", got.StoppedBy)
	_, err := issuedelivery.Deliver(t.Context(), w.finishing(got.Run))
	require.True(t, fault.Is(err, fault.RepairNotAsked), "%v", err)

	w.fail("worker", errBroken)
	o := w.options("Write two files")
	o.Engine.Asker = answers{"true", "false"} // the plan is good, and nothing was repaired
	got = w.deliver(o)
	require.Equal(t, []any{"worker", false, "assent deliver 'Write two files'"}, []any{got.StoppedBy, got.Finish, got.Next})
	_, err = issuedelivery.Deliver(t.Context(), w.finishing(got.Run))
	require.ErrorContains(t, err, "ann@here said that it was not repaired")

	t.Setenv("ASSENT_AGENT", "RUN/agent#0")
	_, err = issuedelivery.Deliver(t.Context(), w.finishing(got.Run))
	require.True(t, fault.Is(err, fault.ApproverIsAgent), "%v", err)
}

// An amendment that nobody answered is asked again before the repair is: finishing leaves it to a person.
func TestFinishLeavesAmendments(t *testing.T) {
	w := newWorld(t)
	w.give("delivery.conform", object{"ok": false, "changed": []string{}, "extra": []string{"more.txt"}, "missing": []string{}, "forbidden": []string{}, "markers": []string{}})
	got := w.asked(issuedelivery.LaneNoPR, "true")
	require.Equal(t, "plan-conformance", got.StoppedBy)
	require.Len(t, got.Stages.Asking.Questions, 2)
	require.Equal(t, "one", got.Stages.Asking.Questions[1].Step)
	got = w.deliver(w.finishing(got.Run))
	require.Equal(t, []any{"waiting", issuedelivery.StageAsking, "assent review " + got.Run}, []any{got.State, got.At, got.Next}, "%+v", got)
}

// A repair that changed more than the plan names is asked about. Where nobody is, it stops, and goes on as
// soon as somebody can be asked.
func TestRepairBeyondThePlanIsAsked(t *testing.T) {
	w := newWorld(t)
	w.fail("worker", errBroken)
	o := w.options("Write two files")
	o.Engine.OnGate = checkpoint.Suspend
	got := w.deliver(o)
	w.answer(got.Run, "true")
	o = w.options("")
	o.Resume, o.Engine.OnGate = got.Run, checkpoint.Suspend
	require.Equal(t, []any{"waiting", issuedelivery.StageRepair, true}, []any{w.deliver(o).State, w.deliver(o).At, w.deliver(o).Finish})
	w.give("delivery.conform", object{"ok": false, "changed": []string{}, "extra": []string{"more.txt"}, "missing": []string{}, "forbidden": []string{}, "markers": []string{}})
	w.answer(got.Run, "true") // to the one question, and then nobody is there
	got = w.resume(got.Run)
	require.Equal(t, []any{"stopped", "plan-conformance", false, "assent resume " + got.Run}, []any{got.State, got.StoppedBy, got.Finish, got.Next}, "%+v", got)
	got = w.deliver(o)
	require.Equal(t, []any{"waiting", issuedelivery.StageAsking, "assent review " + got.Run}, []any{got.State, got.At, got.Next}, "%+v", got)
	w.answer(got.Run, "true")
	w.give("delivery.conform", nil)
	got = w.resume(got.Run)
	require.True(t, got.Success, "%+v", got)
}
