package scripttest

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// proofs says what does not hold of a run that is over, though it holds of every run: its journal
// is whole, and it leads to the same end without any call being made.
func (t *trial) proofs(ctx context.Context, out outcome) ([]string, error) {
	if out.run == "" {
		return nil, nil // it was refused before it began
	}
	report, err := journal.Verify(ctx, t.stage.store, out.run)
	if err != nil {
		return nil, fmt.Errorf("verify the run: %w", err)
	}
	var list []string
	for _, p := range report.Problems {
		list = append(list, fmt.Sprintf("verify: %s: %s", p.Code, p))
	}
	if len(list) > 0 {
		return list, nil // nothing can be replayed from that
	}
	switch out.state {
	case journal.StatusCompleted, journal.StatusStopped, journal.StatusFailed:
		return t.replays(ctx, out), nil
	case journal.StatusWaiting:
		return t.waitsAgain(ctx, out)
	default:
		return nil, nil // it is to go on otherwise when it is resumed
	}
}

// replays proves that the journal leads to the same result.
func (t *trial) replays(ctx context.Context, out outcome) []string {
	ctx, cancel := context.WithTimeout(ctx, t.test.timeout)
	defer cancel()
	o := t.options(t.stage.store)
	o.Observe = nil
	before := t.prepared.count()
	r, err := engine.Replay(ctx, out.run, o)
	switch made := t.prepared.count() - before; {
	case err != nil:
		return []string{"replay: " + said(err)}
	case made > 0 || r.Live > 0:
		return []string{fmt.Sprintf("replay: %d calls were made again", max(made, r.Live))}
	}
	return nil
}

// waitsAgain proves that a run which waits still waits when it is resumed and nobody answers.
func (t *trial) waitsAgain(ctx context.Context, out outcome) ([]string, error) {
	before := t.prepared.count()
	again, err := t.attempt(ctx, t.stage.store, func(ctx context.Context, o engine.Options) (*engine.Result, error) {
		o.Asker, o.OnGate, o.Observe = nil, checkpoint.Suspend, nil
		return engine.Resume(ctx, out.run, nil, o)
	})
	if err != nil {
		return nil, fmt.Errorf("resume the run: %w", err)
	}
	var list []string
	if again.state != out.state {
		list = append(list, fmt.Sprintf("resume: the run was waiting, and is %s", again.state))
	}
	if made := t.prepared.count() - before; made > 0 {
		list = append(list, fmt.Sprintf("resume: %d calls were made again", made))
	}
	return list, nil
}

// count is how many attempts at calls were made.
func (p *prepared) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.made
}

// survives cuts new runs of the test off after each of the answers, or after the one that the test
// names, resumes them, and compares them with the run that was never cut.
func survives(ctx context.Context, o Options, whole *trial, out outcome, root string) ([]string, error) {
	cuts := []int{}
	if n := whole.test.table.KillAfter; n != nil {
		if *n > out.answers {
			return []string{fmt.Sprintf("kill_after: the run has %d answers, not %d", out.answers, *n)}, nil
		}
		cuts = append(cuts, *n)
	} else if whole.test.table.Resilience {
		for n := range out.answers {
			cuts = append(cuts, n+1)
		}
	}
	var list []string
	for _, after := range cuts {
		t, err := newTrial(o, whole.test, whole.program, filepath.Join(root, fmt.Sprintf("cut-%d", after)), after)
		if err != nil {
			return nil, err
		}
		problems, err := t.survive(ctx, whole, out)
		if err != nil {
			return nil, fmt.Errorf("cut off after answer %d: %w", after, err)
		}
		for _, p := range problems {
			list = append(list, fmt.Sprintf("cut off after answer %d of %d (%s): %s", after, out.answers, t.scissors.last, p))
		}
	}
	return list, nil
}

// survive runs until the cut, resumes, and compares.
func (t *trial) survive(ctx context.Context, whole *trial, want outcome) ([]string, error) {
	first, err := t.start(ctx)
	if err != nil {
		return nil, err
	}
	if !first.cut { // it ended with that answer
		return t.compare(whole, want, first, nil)
	}
	st, err := t.state(ctx, first.run)
	if err != nil {
		return nil, err
	}
	unfinished := t.prepared.remember(st)
	resumed, err := t.attempt(ctx, t.stage.store, func(ctx context.Context, o engine.Options) (*engine.Result, error) {
		return engine.Resume(ctx, first.run, nil, o)
	})
	if err != nil {
		return nil, err
	}
	list, err := t.compare(whole, want, resumed, unfinished)
	if err != nil || len(list) > 0 || !t.test.resumes() {
		return list, err
	}
	return t.proofs(ctx, resumed)
}

// remember takes down which calls the journal has answers of. Those that it does not have are
// answered anew; it gives the ones among them that may have changed something.
func (p *prepared) remember(st *journal.State) (unfinished []string) {
	p.over = map[string]bool{}
	for key, c := range st.Calls {
		switch {
		case c.Finish != nil && !c.Unfinished() && !fatal(c.Finish.Failure):
			p.over[key] = true
		case !c.Call.ReadOnly:
			unfinished = append(unfinished, key)
		}
	}
	p.scripted.ForgetBut(p.over)
	return unfinished
}

// fatal says of a failure that it ends a run and does not stay: what the call asked for is asked for
// again.
func fatal(f *journal.Failure) bool {
	return f != nil && f.Class != journal.FailureOrdinary && f.Class != journal.FailureThrown
}

// compare holds a run that was cut off against the whole one.
func (t *trial) compare(whole *trial, want, got outcome, unfinished []string) ([]string, error) {
	var list []string
	switch {
	case got.late:
		list = append(list, t.course.atWork(t.test.timeout))
	case got.state != want.state || got.code != want.code:
		list = append(list, fmt.Sprintf("it ended %s%s, and without the cut %s%s", got.state, because(got), want.state, because(want)))
	case !bytes.Equal(got.result, want.result):
		list = append(list, difference("result", want.result, got.result, false)...)
	}
	t.prepared.mu.Lock()
	for _, req := range t.prepared.again {
		list = append(list, describe(req)+" had ended, and was made again")
	}
	t.prepared.mu.Unlock()
	if t.person != nil {
		gates, _ := t.person.rest()
		list = append(list, gates...)
	}
	if len(unfinished) > 0 {
		return list, nil // half of their work may be there twice
	}
	before, err := treeOf(whole.stage.workspace)
	if err != nil {
		return nil, err
	}
	now, err := treeOf(t.stage.workspace)
	if err != nil {
		return nil, err
	}
	if files := now.changed(before); len(files) > 0 {
		list = append(list, "the workspace differs in "+listed(files))
	}
	return list, nil
}

func because(o outcome) string {
	if o.text == "" {
		return ""
	}
	return " (" + excerpt(o.text) + ")"
}
