package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/term"
)

var _ checkpoint.Asker = (*session)(nil)

// Ask puts a gate of the running script to the person at the terminal. Ctrl-C there means the
// whole run, as it does everywhere else.
func (s *session) Ask(ctx context.Context, asked checkpoint.Asked) (checkpoint.Answer, error) {
	if s.unproven {
		return checkpoint.Answer{Later: true}, nil
	}
	s.live.Pause()
	defer s.live.Resume()
	answer, err := s.a.consult(ctx, s.screen, asked)
	switch {
	case errors.Is(err, term.ErrInterrupted):
		s.interrupt()
	case errors.Is(err, term.ErrClosed):
		return checkpoint.Answer{Later: true}, nil
	case errors.Is(err, term.ErrDeadline):
		// The engine closes the gate, and then ends the context; its clock decides.
		<-ctx.Done()
	}
	return answer, err
}

// consult shows a gate at a terminal and brings back the answer. What is no usable answer is
// one for later: the gate stays as it is.
func (a *app) consult(ctx context.Context, screen *term.Terminal, asked checkpoint.Asked) (checkpoint.Answer, error) {
	var decision term.Decision
	for {
		err := a.asks(ctx, func(ctx context.Context) (err error) {
			decision, err = term.Ask(ctx, screen, reviewOf(asked))
			return err
		})
		if err != nil {
			return checkpoint.Answer{}, err
		}
		if decision.Kind != term.Approve || a.copyStands(&asked) {
			break
		}
	}
	answer := checkpoint.Answer{Checksum: asked.Gate.Checksum, Nonce: asked.Gate.Nonce, Who: who(wayTerminal)}
	switch decision.Kind {
	case term.Approve:
		answer.Decision, answer.Mode = json.RawMessage("true"), decision.Mode
	case term.Reject:
		answer.Decision = json.RawMessage("false")
	case term.Changes:
		answer.Decision = jsonText(decision.Text)
	case term.Answer:
		answer.Decision = typedAnswer(asked.Gate.Kind, decision.Text)
	default: // later, none
		return checkpoint.Answer{Later: true}, nil
	}
	return answer, nil
}

// copyStands reports whether a yes counts beside the plan's copy. If not, the person is told why,
// and is to be asked again. A copy that they were told to remove may be gone; one that is gone
// without that is first written again, for what they have read may have been another.
func (a *app) copyStands(asked *checkpoint.Asked) bool {
	check := asked.CheckCopy
	if asked.Copy != "" {
		check = asked.RestoreCopy
	}
	if check == nil {
		return true
	}
	trouble := check()
	if trouble == nil {
		return true
	}
	asked.Copy = ""
	if err := asked.RestoreCopy(); err != nil {
		trouble, asked.Copy = err, err.Error()
	}
	a.copyTrouble(*asked, trouble)
	return false
}

// copyTrouble says what is wrong with a plan's copy, and what to do about it.
func (a *app) copyTrouble(asked checkpoint.Asked, err error) {
	p := problemOf(err)
	if asked.Copy == "" {
		a.say(p.What + "; it was written again, and the question follows again")
		return
	}
	a.say(p.What)
	if file := asked.Gate.Artifact; file != nil && strings.HasSuffix(p.What, copyChanged) {
		a.nextCommand("rm "+quoteCommand([]string{a.shortPath(asked.Workspace, file.Path)}), "# it is written anew; the question follows again")
		return
	}
	a.next(p.Next)
}

// copyChanged is how planapprove says that a copy has another text.
const copyChanged = "was changed since it was written"

// typedAnswer is the answer to a checkpoint as JSON.
func typedAnswer(kind, typed string) json.RawMessage {
	if kind != string(checkpoint.KindConfirm) {
		return jsonText(typed)
	}
	if typed == "yes" {
		return json.RawMessage("true")
	}
	return json.RawMessage("false")
}

// askRepeat asks once what becomes of all calls that may have changed something and would run
// again.
func (s *session) askRepeat(ctx context.Context, r engine.Recovery) (engine.Choice, error) {
	s.live.Pause()
	defer s.live.Resume()
	s.notices.bell.Ring()
	title, lines := recoveryText(r)
	rerun := "run them again"
	if len(r.Following) > 0 {
		rerun += ", and those that may follow where they have to"
	}
	choices := []term.Choice{{Word: string(engine.ChooseRerun), Help: rerun}}
	if len(r.Interrupted) > 0 {
		help := "take the interrupted ones as failed, for good"
		if len(r.Changed) > 0 {
			help += "; run the finished ones again"
		}
		choices = append(choices, term.Choice{Word: string(engine.ChooseFail), Help: help})
	}
	choices = append(choices, term.Choice{Word: string(engine.ChooseStop), Help: "leave the run as it is"})
	var word string
	err := s.a.asks(ctx, func(ctx context.Context) (err error) {
		word, err = term.AskChoice(ctx, s.screen, title, lines, choices)
		return err
	})
	if errors.Is(err, term.ErrInterrupted) {
		s.interrupt()
	}
	return engine.Choice(word), err
}

func recoveryText(r engine.Recovery) (title string, lines []string) {
	n := len(r.Interrupted) + len(r.Changed)
	title = term.Plural(int64(n), "call", "calls") + " would run again and may have changed something already"
	for _, c := range r.Interrupted {
		lines = append(lines, "interrupted  "+callLine(c))
	}
	for _, c := range r.Changed {
		lines = append(lines, "finished     "+callLine(c)+": "+c.Reason)
	}
	for i, c := range r.Following {
		if i == mostFollowing {
			lines = append(lines, fmt.Sprintf("may follow   and %d more", len(r.Following)-i))
			break
		}
		lines = append(lines, "may follow   "+callLine(c)+": "+c.Reason)
	}
	return title, lines
}

// mostFollowing is how many calls are listed that may have to run again behind others.
const mostFollowing = 20

// callLine is one call: its label, and where it stands.
func callLine(c engine.RepeatedCall) string {
	if c.Label != "" {
		return fmt.Sprintf("%s (%s)", c.Label, c.Key)
	}
	return c.Name + " " + c.Key
}
