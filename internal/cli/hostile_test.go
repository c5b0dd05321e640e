package cli_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// obeyed is what a terminal, or a shell, would obey: ESC, a C1 control, CR, BEL, an override of
// the direction, a line end, and commands.
const obeyed = "x\x1b[2J\u009b31m\ry\a\u202e\n`touch /x`$(touch x);'\"z"

// raw is what must never reach a screen.
var raw = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]")

// quotedWord is what a shell takes as it is.
var quotedWord = regexp.MustCompile(`'[^']*'|"'"`)

// spoil puts the hostile text into every string of a record that has none yet.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			spoil(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			spoil(v.Field(i))
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			if v.Len() == 0 {
				text, _ := json.Marshal(map[string]string{obeyed: obeyed})
				v.Set(reflect.ValueOf(json.RawMessage(text)))
			}
			return
		}
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			spoil(v.Index(i))
		}
	case reflect.String:
		if v.String() == "" {
			v.SetString(obeyed)
		}
	}
}

// spoiled is a record that is whole but for its words.
func spoiled[T any](r T) T {
	spoil(reflect.ValueOf(&r).Elem())
	return r
}

const (
	aHash  = "5a3c9e1f0000000000000000000000000000000000000000000000000000abcd"
	aNonce = "00112233445566778899aabbccddeeff"
)

// hostileRun is a run in which every free word is hostile, as somebody makes one who has a key of
// their own: it holds, and waits for answers.
func hostileRun(t *testing.T, u *user, ended bool) (run string) {
	t.Helper()
	store, err := journal.Open(journal.Options{Dir: u.store(), KeyDir: filepath.Join(filepath.Dir(u.dir), "elsewhere")})
	require.NoError(t, err)
	manner := journal.Manner{Asker: true, OnGate: "suspend"}
	program := spoiled(journal.Program{Hash: "-", Language: vm.Language})
	program.Hash = vm.SourcesHash(program.Name, []vm.Source{{Path: program.Sources[0].Path, Text: program.Sources[0].Text}})
	started := spoiled(journal.RunStarted{Run: "-", Seed: aHash, Program: program, Workspace: u.dir, Args: json.RawMessage(`{}`), Manner: manner})
	started.Run, started.Settings = "", journal.Settings{MaxCalls: 9, Concurrency: 1, StretchMs: 1000}
	r, err := store.Create(t.Context(), started)
	require.NoError(t, err)
	plan, err := canonical.Transform(json.RawMessage(`{"steps":["` + strings.Trim(jsonText(t, obeyed), `"`) + `"],` + jsonText(t, obeyed) + `:1}`))
	require.NoError(t, err)
	changed := string(plan[:len(plan)-1]) + `,"z":1}`
	who := journal.Who{Way: "command"}
	asked := func(gate, kind, key string) journal.Draft {
		g := journal.GateAsked{Gate: gate, Nonce: aNonce, Kind: kind, Program: aHash, After: 1, Suspended: true, Headless: "suspend", Revises: "-", Deadline: time.Now().Add(time.Hour).UTC()}
		g.Artifact, g.Validation = &journal.Artifact{SHA256: aHash, Size: 1}, &journal.Validation{Verdict: "doubtful"}
		g.Plan, g.Checksum = "-", aHash
		if kind == "plan" {
			if g.Plan = string(plan); gate == "g2" {
				g.Plan = changed
			}
			g.Checksum = canonical.Sum([]byte(g.Plan))
		}
		g = spoiled(g)
		if g.Revises = ""; gate == "g2" {
			g.Revises = "g1"
		}
		if kind != "plan" {
			g.Plan = ""
		}
		return journal.Draft{Kind: journal.KindGateAsked, Key: key, Identity: aHash, Data: g}
	}
	answered := func(gate, key, decision, checksum string, plan bool) journal.Draft {
		a := journal.GateAnswered{Gate: gate, Nonce: aNonce, Checksum: checksum, Program: aHash, Decision: json.RawMessage(decision), Unanswered: "-", Mode: "auto", Who: who}
		if plan {
			a.PlanApproval = &journal.PlanApproval{Checksum: checksum, Decision: json.RawMessage(decision)}
		}
		a = spoiled(a)
		a.Unanswered = ""
		return journal.Draft{Kind: journal.KindGateAnswered, Key: key, Identity: aHash, Data: a}
	}
	key := func(name string) string { return "/" + obeyed + name }
	call := journal.Call{After: 1, Args: []json.RawMessage{json.RawMessage(jsonText(t, obeyed)), nil}}
	failed := spoiled(journal.CallFinished{Call: &call, Failure: &journal.Failure{Class: "ordinary", ChosenBy: &who}, Changes: &journal.Changes{Files: []journal.FileChange{{Kind: "added"}}}})
	failed.Value = nil
	done := spoiled(journal.CallFinished{Call: &call, Changes: &journal.Changes{Files: []journal.FileChange{{Kind: "changed"}}}})
	begun := spoiled(journal.CallStarted{Call: call, Repeats: "failed"})
	revoked := spoiled(journal.GateRevoked{Gate: "g1", Nonce: aNonce, Checksum: canonical.Sum(plan), Who: who})
	closed := spoiled(journal.GateClosed{Gate: "q1", State: "superseded"})
	for _, drafts := range [][]journal.Draft{
		{{Kind: journal.KindNote, Data: spoiled(journal.Note{Type: "log", After: 1})}, {Kind: journal.KindNote, Data: spoiled(journal.Note{Type: "phase", After: 1})}, {Kind: journal.KindNote, Data: spoiled(journal.Note{Type: "status", After: 1})}},
		{{Kind: journal.KindCallFinished, Key: key("agent#0"), Identity: obeyed, Data: failed}, {Kind: journal.KindCallFinished, Key: key("agent#1"), Identity: obeyed, Data: done}},
		{asked("q0", "input", key("checkpoint#0"))},
		{answered("q0", key("checkpoint#0"), jsonText(t, obeyed), aHash, false)},
		{asked("q1", "confirm", key("checkpoint#1"))},
		{{Kind: journal.KindGateClosed, Key: key("checkpoint#1"), Identity: aHash, Data: closed}},
		{asked("g1", "plan", key("planApprove#0"))},
		{answered("g1", key("planApprove#0"), "true", canonical.Sum(plan), true)},
		{{Kind: journal.KindGateRevoked, Key: key("planApprove#0"), Identity: aHash, Data: revoked}},
		{{Kind: journal.KindRunPaused, Data: spoiled(journal.RunPaused{State: "paused"})}},
		{asked("g0", "plan", key("planApprove#1"))},
		{answered("g0", key("planApprove#1"), jsonText(t, obeyed), canonical.Sum(plan), true)},
		{asked("g2", "plan", key("planApprove#0")), asked("q2", "select", key("checkpoint#2")), asked("q3", "input", key("checkpoint#3"))},
		{{Kind: journal.KindCallStarted, Key: key("agent#2"), Identity: obeyed, Data: begun}},
		{{Kind: journal.KindRunPaused, Data: spoiled(journal.RunPaused{State: "waiting"})}},
	} {
		_, err := journal.Append(t.Context(), r, drafts...)
		require.NoError(t, err)
	}
	if ended {
		finished := spoiled(journal.RunFinished{State: "failed", Who: &who})
		var drafts []journal.Draft
		for _, g := range r.State().Pending() {
			drafts = append(drafts, journal.Draft{Kind: journal.KindGateClosed, Key: g.Key, Identity: g.Identity, Data: spoiled(journal.GateClosed{Gate: g.Asked.Gate, State: "cancelled"})})
		}
		_, err := journal.Append(t.Context(), r, append(drafts, journal.Draft{Kind: journal.KindRunFinished, Data: finished})...)
		require.NoError(t, err)
	}
	require.NoError(t, r.Close())
	return r.ID()
}

func jsonText(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	require.NoError(t, err)
	return string(quoted)
}

// Whatever stands in the words of a run that somebody else made: no command that looks at it, and
// no answer to it, prints what a screen would obey, and no command that it names does anything else.
func TestB57_NoWordOfARunReachesTheScreenRaw(t *testing.T) {
	t.Parallel()
	for _, ended := range []bool{false, true} {
		t.Run(strconv.FormatBool(ended), func(t *testing.T) {
			t.Parallel()
			lookAtHostileRun(t, ended)
		})
	}
}

func lookAtHostileRun(t *testing.T, ended bool) {
	t.Helper()
	eve := newUser(t)
	run := hostileRun(t, eve, ended)
	store, err := journal.Open(journal.Options{Dir: eve.store(), KeyDir: filepath.Join(filepath.Dir(eve.dir), "elsewhere")})
	require.NoError(t, err)
	var export bytes.Buffer
	require.NoError(t, journal.Export(t.Context(), store, run, &export))
	key := hex.EncodeToString(store.PublicKey())

	bob := newUser(t, "run.ndjson", export.String(), "a.js", "export const meta = { name: \"a\", description: \"x\" };\n")
	looks := func(args ...string) {
		t.Helper()
		for _, more := range [][]string{nil, {"--json"}} {
			e := bob.assent(append(args, more...)...)
			require.Empty(t, raw.FindString(e.out+e.errors), "assent %s: %q %q", strings.Join(args, " "), e.out, e.errors)
			require.NotContains(t, e.errors, "panic")
			for line := range strings.Lines(e.errors) {
				// Not even behind #, which begins no comment at a prompt of zsh.
				bare := quotedWord.ReplaceAllString(line, "")
				require.False(t, strings.HasPrefix(line, "next: assent ") && strings.Contains(bare, "touch"), line)
			}
		}
	}
	for _, file := range []string{"run.ndjson", "cut.ndjson"} {
		text := export.String()
		if file == "cut.ndjson" {
			text = text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]
		}
		bob.write(file, text)
		looks("verify", "--file", file, "--key", key)
	}
	bob.wants(0, "import", "run.ndjson", "--key", key)
	for _, command := range []string{
		"", "ls", "ls --all", "show", "show --result", "show --plan --gate g2", "show --plan --gate g1", "show --changes", "show --timeline", "show --call /nosuch",
		"watch RUN", "history", "diff", "diff --gate g2 --script", "verify", "export --markdown", "replay RUN", "replay RUN --against a.js", "replay --against a.js --all", "replay",
		"review RUN", "resume RUN --dry-run", "explain", "approve --gate g2", "approve --gate g2 --checksum " + aHash, "answer --gate q2 x", "reject --gate nosuch",
		"revoke RUN --gate g1", "prune --dry-run", "show --call",
	} {
		words := strings.Fields(strings.ReplaceAll(command, "RUN", run))
		if len(words) > 1 && words[len(words)-1] == "--call" {
			looks(append(words, "/"+obeyed+"agent#0")...)
			looks(append(words, "/"+obeyed+"agent#2")...)
			looks(append(words, obeyed)...)
			continue
		}
		looks(words...)
	}
	for _, words := range [][]string{{"show", ""}, {"show", "--call", ""}, {"approve", "--gate", ""}, {"show", "--gate", ""}, {"resume", "--agent", ""}} {
		e := bob.assent(append([]string{"__complete"}, words...)...)
		require.Empty(t, raw.FindString(strings.ReplaceAll(e.out, "\t", "")), "%q", e.out)
		for line := range strings.Lines(e.out) {
			value, _, _ := strings.Cut(line, "\t")
			require.NotContains(t, value, "touch")
		}
	}
	bob.wants(2, "resume", "nosuch")
	require.NoFileExists(t, filepath.Join(bob.dir, "x"))
	_, err = os.Stat("/x")
	require.ErrorIs(t, err, os.ErrNotExist)
}
