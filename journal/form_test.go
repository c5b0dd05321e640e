package journal_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// changed is a draft of which a member of the data, a.b for one of a part, has another value.
func changed(t *testing.T, d journal.Draft, member string, value any) journal.Draft {
	t.Helper()
	var data map[string]any
	require.NoError(t, json.Unmarshal(marshal(t, d.Data), &data))
	part := data
	path := strings.Split(member, ".")
	for _, name := range path[:len(path)-1] {
		if part[name] == nil {
			part[name] = map[string]any{}
		}
		part = part[name].(map[string]any)
	}
	part[path[len(path)-1]] = value
	into := reflect.New(reflect.TypeOf(d.Data))
	require.NoError(t, json.Unmarshal(marshal(t, data), into.Interface()))
	d.Data = into.Elem().Interface()
	return d
}

// formedRun is a store with a run of one finished call (entry 2) and one pending gate (entry 3).
func formedRun(t *testing.T) (*journal.Store, journal.Run) {
	t.Helper()
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, finished(0), asked("g1", true))
	require.NoError(t, err)
	return s, r
}

// What the format calls one of a list, an id or a hash is nothing else: it is not written, and
// what holds it is damaged.
func TestWhatIsOneOfAListIsNothingElse(t *testing.T) {
	failed := finished(1)
	failed.Data = journal.CallFinished{
		Call: &journal.Call{Name: "agent", After: 1}, Failure: &journal.Failure{Code: "AGENT_FAILED", Message: "no", Class: "ordinary", ChosenBy: &journal.Who{}},
		Changes: &journal.Changes{Files: []journal.FileChange{{Path: "a", Kind: "added"}}},
	}
	question := asked("g2", true)
	question.Data = func(a journal.GateAsked) journal.GateAsked {
		a.Artifact, a.Validation = &journal.Artifact{Path: "a", SHA256: planSum}, &journal.Validation{Call: "k", Model: "m", Verdict: "sound"}
		return a
	}(question.Data.(journal.GateAsked))
	paused := journal.Draft{Kind: journal.KindRunPaused, Data: journal.RunPaused{State: "paused"}}
	note := journal.Draft{Kind: journal.KindNote, Data: journal.Note{Type: "log", Text: "hello", After: 2}}
	confirm := journal.Draft{Kind: journal.KindGateAsked, Key: "/checkpoint#0", Identity: identity, Data: journal.GateAsked{
		Gate: "q", Nonce: nonce, Kind: "confirm", Prompt: "Go on?", Checksum: identity, After: 1, Suspended: true,
	}}
	work := finished(2)
	work.Data = func(f journal.CallFinished) journal.CallFinished {
		f.Call = &journal.Call{Name: "agent", After: 1, Isolated: true}
		return f
	}(left())
	const bad = "\x1b[2Jeverything"
	for name, c := range map[string]struct {
		good   journal.Draft
		member string
		value  any
	}{
		"state of a pause":      {paused, "state", bad},
		"no state":              {paused, "state", ""},
		"class":                 {failed, "failure.class", bad},
		"no class":              {failed, "failure.class", ""},
		"who chose":             {failed, "failure.chosenBy.way", bad},
		"changed files":         {failed, "changes.files", []any{map[string]any{"path": "a", "kind": bad}}},
		"files of a worktree":   {work, "worktree.files", []any{map[string]any{"path": "a", "kind": bad}}},
		"branch":                {work, "worktree.branch", "main;touch x"},
		"branch, an option":     {work, "worktree.branch", "--output=x"},
		"branch, a range":       {work, "worktree.branch", "a..b"},
		"base":                  {work, "worktree.base", "HEAD"},
		"commit":                {work, "worktree.commit", strings.ToUpper(commit)},
		"more files":            {work, "worktree.more", -1},
		"transcript, elsewhere": {work, "transcript.name", "../agent-0-1.ndjson"},
		"transcript, a device":  {work, "transcript.name", "nul.ndjson"},
		"transcript, large":     {work, "transcript.name", "Agent.ndjson"},
		"transcript, no name":   {work, "transcript.name", ""},
		"hash of a transcript":  {work, "transcript.sha256", "00"},
		"size of a patch":       {work, "patch.size", -1},
		"name of a patch":       {work, "patch.name", bad},
		"repeats":               {begun(1), "repeats", bad},
		"note":                  {note, "type", bad},
		"kind":                  {question, "kind", bad},
		"headless":              {question, "headless", bad},
		"gate id":               {question, "gate", "g $(touch x)"},
		"gate id, an option":    {question, "gate", "-rf"},
		"gate id, long":         {question, "gate", strings.Repeat("g", 65)},
		"no gate id":            {question, "gate", ""},
		"nonce":                 {question, "nonce", "c0ffee"},
		"nonce, no hex":         {question, "nonce", strings.Repeat("$", 32)},
		"checksum":              {question, "checksum", strings.ToUpper(planSum)},
		"program":               {question, "program", "$(touch x)"},
		"revises":               {question, "revises", "$(touch x)"},
		"revises nothing":       {question, "revises", "g7"},
		"copy":                  {question, "artifact.sha256", "00"},
		"verdict":               {question, "validation.verdict", bad},
		"another's checksum":    {confirm, "checksum", planSum},
		"a plan, and no plan":   {confirm, "plan", planText},
		"mode":                  {answered("g1", "true"), "mode", bad},
		"way":                   {answered("g1", "true"), "who.way", bad},
		"unanswered":            {answered("g1", "false"), "unanswered", bad},
		"state of a closing":    {closed("g1", journal.Expired), "state", bad},
		"call, later cause":     {begun(1), "after", 999999999},
		"call, its own cause":   {begun(1), "after", 4},
		"call, no such cause":   {begun(1), "after", 3},
		"answer, later cause":   {failed, "call.after", 999999999},
		"question, later cause": {question, "after", 999999999},
		"question, a question":  {question, "after", 3},
		"note, later cause":     {note, "after", 999999999},
		"note, no such cause":   {note, "after", 3},
	} {
		t.Run(name, func(t *testing.T) {
			s, r := formedRun(t)
			forged := changed(t, c.good, c.member, c.value)
			_, err := journal.Append(t.Context(), r, forged)
			require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), "%v", err)
			text := exported(t, s, r.ID())
			_, err = journal.Append(t.Context(), r, c.good)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			verified(t, s, r.ID())

			last := parsed(t, text)
			e := journal.Entry{Seq: last.Seq + 1, Prev: last.Hash(), At: last.At, Kind: forged.Kind, Key: forged.Key, Identity: forged.Identity, Data: marshal(t, forged.Data)}
			if strings.Contains("gate.answered gate.closed", string(e.Kind)) {
				e.Seal = s.ForgeSeal(r.ID(), e)
			}
			text += string(e.Bytes()) + "\n"
			report, err := journal.VerifyExport(strings.NewReader(text), s.PublicKey())
			require.NoError(t, err)
			require.Len(t, report.Problems, 1, "%v", report.Problems)
			require.Equal(t, string(fault.JournalDamaged), report.Problems[0].Code)
			require.Equal(t, uint64(4), report.Problems[0].Seq)
			o := newOptions(t)
			_, err = importInto(t, open(t, o), text, s.PublicKey())
			require.Equal(t, fault.JournalDamaged, fault.CodeOf(err), "%v", err)
			noRun(t, o)
		})
	}
}

// parsed is the last entry of an export.
func parsed(t *testing.T, text string) journal.Entry {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	e, err := journal.ParseEntry([]byte(lines[len(lines)-1]))
	require.NoError(t, err)
	return e
}

// How a run begins and goes on is of a fixed form too.
func TestWhatARunBeginsWithIsOfItsForm(t *testing.T) {
	s := open(t, newOptions(t))
	for _, spoil := range []func(*journal.RunStarted){
		func(r *journal.RunStarted) { r.Program.Hash = "$(touch x)" },
		func(r *journal.RunStarted) { r.Manner.OnGate = "\x1b" },
	} {
		first := started()
		spoil(&first)
		_, err := s.Create(t.Context(), first)
		require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), "%v", err)
	}
	s2, r2 := formedRun(t)
	require.NoError(t, r2.Close())
	_, err := s2.Take(t.Context(), r2.ID(), func(st *journal.State) (journal.RunResumed, error) {
		return journal.RunResumed{Settings: st.Settings, Program: &journal.Program{Hash: "$(touch x)"}}, nil
	})
	require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), "%v", err)
	verified(t, s2, r2.ID())
}

// A run that no script makes names no program, and no cause.
func TestARunWithoutAScript(t *testing.T) {
	s := open(t, newOptions(t))
	r, err := s.Create(t.Context(), journal.RunStarted{Title: "by a program"})
	require.NoError(t, err)
	call, question := finished(0), asked("g1", true)
	call = changed(t, call, "call.after", 0)
	question = changed(t, changed(t, question, "after", 0), "program", "")
	_, err = journal.Append(t.Context(), r, call, question)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}
