package issuedelivery_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// call calls delivery.stop for a run.
func (w *world) stop(run string, options object) (object, error) {
	w.t.Helper()
	text, err := json.Marshal(options)
	require.NoError(w.t, err)
	f := issuedelivery.StopFunction(&issuedelivery.Host{Store: w.store, Workspace: w.dir, Work: w.work, Environ: []string{"FORGE_TOKEN=tops3cret"}})
	req, err := f.Parse([]json.RawMessage{text})
	if err != nil {
		return nil, err
	}
	require.True(w.t, req.ReadOnly)
	value, err := f.Answer(w.t.Context(), req, journal.NewStep(run, "/delivery.stop#0", nil))
	if err != nil {
		return nil, err
	}
	var got object
	require.NoError(w.t, json.Unmarshal(value, &got))
	return got, nil
}

// What agents wrote stands in the note as text, without secrets, and cut; the note has all that a person
// needs, and is the same however often it is written.
func TestHandoverSaysHowToGoOn(t *testing.T) {
	w := newWorld(t)
	w.fail("worker", errBroken)
	run := w.asked(issuedelivery.LaneNoPR, "true")
	hostile := "It is bad.\n```\n# What was approved\n\x1b[2Jeverything\ntoken: tops3cret\n" + strings.Repeat("long ", 50_000)
	options := object{
		"by": "verifier", "step": "one", "reason": "**not** [good](http://x)\n# yes", "findings": []string{"first", hostile}, "branch": "assent/x",
		"attempts": []object{{"step": "one", "tries": 3, "state": "failed"}, {"step": "two", "tries": 1, "state": "done"}},
		"plan":     object{"steps": []object{{"id": "one", "title": "Write <b>one</b>"}}}, "repair": object{"path": "/tmp/it's here", "branch": "assent/x-repair"},
	}
	got, err := w.stop(run.Run, options)
	require.NoError(t, err)
	require.Equal(t, []any{false, "verifier", "needs-human", "one", "assent deliver --finish " + run.Run},
		[]any{got["success"], got["stoppedBy"], got["status"], got["step"], got["next"]})
	require.Equal(t, options["reason"], got["reason"])
	text, err := os.ReadFile(got["handover"].(string))
	require.NoError(t, err)
	note := string(text)
	require.Less(t, len(note), 20_000)
	for _, part := range []string{
		"# Hand-over: Write two files\n", "The delivery stopped by `verifier`: ", "- run: `" + run.Run + "`\n", "- step: `one`\n", "- branch of the result: `assent/x`\n",
		"cd '/tmp/it'\\''s here'\ngit add -A && git commit\ncd '" + w.dir + "'\nassent deliver --finish " + run.Run + "\nassent show " + run.Run,
		"1.\n\n```text\nfirst\n```\n", "\n````text\nIt is bad.\n```\n# What was approved\n‹ESC›[2Jeverything\n",
		"- `one` Write \\<b>one\\</b>: failed, after 3 attempts\n- `two` : done, after 1 attempt\n",
		"- sha256 `" + run.Approval.Checksum + "` by `ann@here` at `" + run.Approval.ApprovedAt + "` (gate `", "way in: command",
		"## Working trees of the agents\n\n- worker one: `" + w.work,
	} {
		require.Contains(t, note, part)
	}
	require.NotContains(t, note, "tops3cret")
	require.NotContains(t, note, "\x1b")
	require.NotContains(t, note, "\n# yes")
	require.Equal(t, 1, strings.Count(note, "\n## What was approved\n"))

	_, err = w.stop(run.Run, options)
	require.NoError(t, err)
	again, err := os.ReadFile(got["handover"].(string))
	require.NoError(t, err)
	require.Equal(t, note, string(again))
}

// Many findings and steps are cut, and a run without an approval says that there is none.
func TestHandoverIsBounded(t *testing.T) {
	w := newWorld(t)
	run := w.deliver(w.options("Write two files"))
	findings, steps := []string{}, []object{}
	for range 200 {
		findings, steps = append(findings, strings.Repeat("x", 10_000)), append(steps, object{"step": "s", "tries": 0, "state": "waiting"})
	}
	got, err := w.stop(run.Run, object{"by": "checks", "findings": findings, "attempts": steps})
	require.NoError(t, err)
	text, err := os.ReadFile(got["handover"].(string))
	require.NoError(t, err)
	require.Less(t, len(text), 30*4100+20_000)
	require.Contains(t, string(text), "The first 170 are left out.")
	require.Contains(t, string(text), "- and 100 more")
	require.Contains(t, string(text), "## What was approved\n\nNothing.\n")
	require.NotContains(t, string(text), "--finish", "nobody asks whether it was repaired")
	require.Equal(t, "assent deliver 'Write two files'", got["next"])
	require.Equal(t, "The checks are not good.", got["reason"])
}

// A stop that the table does not have is a mistake of the script.
func TestStopRefusesOthers(t *testing.T) {
	w := newWorld(t)
	for _, options := range []object{{"by": "verifer"}, {"by": "budget"}, {}, {"by": "checks", "status": "fine"}, {"by": "checks", "colour": 1}, {"by": 1}} {
		_, err := w.stop("", options)
		code := fault.CodeOf(err)
		require.True(t, code == fault.OptionInvalid || code == fault.OptionUnknown, "%v: %v", options, err)
	}
	_, err := w.stop("", object{"by": "verifer"})
	e := &fault.Error{}
	require.ErrorAs(t, err, &e)
	require.Equal(t, `did you mean "verifier"?`, e.Next)
}
