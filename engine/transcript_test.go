package engine_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// transcribed gives an attachment's lines, without their times.
func transcribed(t *testing.T, v journal.Visit, name string) []string {
	t.Helper()
	file, err := v.Attachment(name)
	require.NoError(t, err)
	defer file.Close()
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, line := range lines {
		_, lines[i], _ = strings.Cut(line, `Z",`)
	}
	return lines
}

// What an agent tells is kept beside the journal, which has the hash; another attempt at the run makes
// another file, and an agent that tells nothing makes none.
func TestTranscriptsAreKept(t *testing.T) {
	store := newStore(t)
	failing := true
	var late func(agent.Event)
	agents := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Label == "silent" {
			return "quiet", nil
		}
		req.Say(agent.Event{Type: agent.EventText, Text: "I begin, with abcdefgh"})
		late = req.Tell
		if failing {
			return nil, context.DeadlineExceeded
		}
		return "done", nil
	}}
	p := script(t, `
		await agent("a", {label: "silent", readOnly: true});
		return await agent("do it", {label: "work", retries: 1, readOnly: true});`)
	o := engine.Options{Store: store, Agent: agents, Environ: []string{"THE_TOKEN=abcdefgh"}}
	r := run(t, p, o)
	late(agent.Event{Type: agent.EventText, Text: "too late"})
	v, err := store.Visit(t.Context(), r.Run)
	require.NoError(t, err)
	defer v.Close()
	first := v.State().Calls["/agent#1"].Finish.Transcript
	require.Equal(t, "agent-1-1.ndjson", first.Name)
	require.Equal(t, []string{
		`"attempt":1,"type":"prompt","text":"do it"}`,
		`"attempt":1,"type":"text","text":"I begin, with [redacted]"}`,
		`"attempt":2,"type":"note","text":"attempt 2 of 2: AGENT_FAILED: context deadline exceeded"}`,
		`"attempt":2,"type":"text","text":"I begin, with [redacted]"}`,
	}, transcribed(t, v, first.Name))
	require.Nil(t, v.State().Calls["/agent#0"].Finish.Transcript)

	failing = false
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o.RetryFailed = true
	again, err := engine.Resume(ctx, r.Run, nil, o)
	require.NoError(t, err)
	require.Equal(t, journal.StatusCompleted, again.State)
	_, err = v.Sync(t.Context())
	require.NoError(t, err)
	second := v.State().Calls["/agent#1"].Finish.Transcript
	require.Equal(t, "agent-1-2.ndjson", second.Name)
	require.Len(t, transcribed(t, v, second.Name), 2)
	require.Len(t, transcribed(t, v, first.Name), 4, "the first stays")
	report, err := journal.Verify(t.Context(), store, r.Run)
	require.NoError(t, err)
	require.Empty(t, report.Remarks, "the hashes in the journal are those of the files")
}

// Whoever watches finds the transcript of a call at work, and in it what the agent did last.
func TestTranscriptIsTold(t *testing.T) {
	store := newStore(t)
	release := make(chan struct{})
	agents := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		req.Say(agent.Event{Type: agent.EventTool, Tool: "Read", Input: "a.txt"})
		select {
		case <-release:
			return "done", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
	began, ended := make(chan string, 1), make(chan *engine.Result, 1)
	p := script(t, `return await agent("look", {readOnly: true});`)
	go func() {
		r, err := engine.Run(context.Background(), p, engine.Options{Store: store, Agent: agents, Observe: func(e engine.Event) {
			if e.Type == engine.RunBegan {
				began <- e.Run
			}
		}})
		if err != nil {
			r = &engine.Result{Err: err}
		}
		ended <- r
	}()
	v, err := store.Visit(t.Context(), <-began)
	require.NoError(t, err)
	defer v.Close()
	changes := v.Changes()
	var work []journal.Work
	for deadline := time.After(10 * time.Second); len(work) == 0 || work[0].Transcript == ""; work = v.Work() {
		select {
		case <-changes:
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			require.Fail(t, "the transcript was never told of")
		}
	}
	require.Equal(t, "agent-0-1.ndjson", work[0].Transcript)
	require.Contains(t, transcribed(t, v, work[0].Transcript), `"attempt":1,"type":"tool","tool":"Read","input":"a.txt"}`)
	close(release)
	require.NoError(t, (<-ended).Err)
}

// A transcript that cannot be written is said once, and fails nothing.
func TestTranscriptThatCannotBeKept(t *testing.T) {
	dir := t.TempDir()
	store, err := storeIn(dir)
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Name() == "runs" { // in its place stands a file
			return os.WriteFile(filepath.Join(filepath.Dir(path), "attachments"), nil, 0o600)
		}
		return err
	}))
	agents := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		req.Say(agent.Event{Type: agent.EventText, Text: "one"})
		req.Say(agent.Event{Type: agent.EventText, Text: "two"})
		return "done", nil
	}}
	var warned []string
	r := run(t, script(t, `return await agent("look", {readOnly: true});`), engine.Options{Store: store, Agent: agents, Observe: func(e engine.Event) {
		if e.Type == engine.Warned {
			warned = append(warned, e.Text)
		}
	}})
	require.Equal(t, journal.StatusCompleted, r.State)
	require.Len(t, warned, 1)
	require.Contains(t, warned[0], "its transcript is not whole")
}
