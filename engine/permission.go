package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// An agent at work may ask whether it may use a tool. Where a person can be asked, that is a question
// like any other: journaled, shown in its turn, answered from any terminal. Its answer goes to the
// agent and not to the script, so that no replay looks for it; a call that is made again asks anew.

// permit is a question of an agent at work.
type permit struct {
	// of is the call whose agent asks.
	of     *call
	answer chan<- permitted
}

type permitted struct {
	may bool
	err error
}

// asksLeave is what a call's own goroutine sends for a permission.
type asksLeave struct {
	call   *call
	of     agent.Permission
	answer chan<- permitted
}

// permission gives the function by which the agent of a call asks a person; nil if nobody is here.
func (a *attempt) permission(c *call) func(context.Context, agent.Permission) (bool, error) {
	if a.o.Asker == nil {
		return nil
	}
	return func(ctx context.Context, p agent.Permission) (bool, error) {
		answer := make(chan permitted, 1)
		select {
		case a.asksLeave <- asksLeave{c, p, answer}:
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
		select {
		case got := <-answer:
			return got.may, got.err
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// openPermit asks a person what an agent wants to know.
func (a *attempt) openPermit(ctx context.Context, asked asksLeave) error {
	if a.stop != nil || a.working[asked.call.Key] != asked.call {
		asked.answer <- permitted{err: errEnding}
		return nil
	}
	c := asked.call
	q, err := permitQuestion(c, asked.of)
	if err != nil {
		asked.answer <- permitted{err: err}
		return nil //nolint:nilerr // it is the agent's to hear
	}
	gate := &call{
		Call:  vm.Call{Key: fmt.Sprintf("%s/permission#%d", c.Key, c.permits), Name: checkpointName, Frame: c.Frame, Phase: c.Phase, Pos: c.Pos},
		after: c.after, at: c.at, reason: "repeated", permit: &permit{c, asked.answer},
	}
	gate.question = q
	c.permits++
	if gate.identity, err = q.Identity(); err != nil {
		return err
	}
	return a.openGates(ctx, []*call{gate})
}

func permitQuestion(c *call, p agent.Permission) (checkpoint.Question, error) {
	text := fmt.Sprintf("The agent of %s asks: may it use %s?", c, p.Tool)
	if p.Title != "" {
		text += "\n" + p.Title
	}
	if p.Input != "" {
		text += "\n" + p.Input
	}
	if len(text) > checkpoint.MaxPrompt {
		return checkpoint.Question{}, errors.New("what it asks leave for is too long to be shown")
	}
	prompt, err := json.Marshal(text)
	if err != nil {
		return checkpoint.Question{}, err
	}
	return checkpoint.Parse([]json.RawMessage{prompt, json.RawMessage(`{"kind":"confirm","default":false}`)})
}

// permitOf is the key of the call whose agent asks, "" if the script does.
func (c *call) permitOf() string {
	if c.permit == nil {
		return ""
	}
	return c.permit.of.Key
}

// permitEnded hands the answer to the agent that waits for it.
func (c *call) permitEnded(g *journal.Gate) {
	decision := checkpoint.Decision(g)
	c.permit.answer <- permitted{may: g.Answer != nil && string(decision) == "true"}
}

// dropPermit closes an agent's question that the person leaves for later: the agent is at work and gets
// a no.
func (a *attempt) dropPermit(ctx context.Context, c *call) error {
	_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) {
		if g := st.Gates[c.gate]; g.State == journal.Pending {
			return []journal.Draft{checkpoint.Close(g, journal.Superseded, fault.PlanApprovalStale)}, nil
		}
		return nil, nil
	})
	return err
}

// busy reports whether a call is at work that does not wait for a person.
func (a *attempt) busy() bool {
	waiting := map[*call]bool{}
	for _, c := range a.gates {
		if c.permit != nil {
			waiting[c.permit.of] = true
		}
	}
	return len(a.working) > len(waiting)
}

// withdraw closes the questions of agents that do not wait any more: their calls have ended.
func (a *attempt) withdraw(st *journal.State, ended []completion) []journal.Draft {
	over := map[*call]bool{}
	for _, done := range ended {
		over[done.call] = true
	}
	var drafts []journal.Draft
	for _, id := range st.GateOrder {
		c := a.gates[id]
		if c == nil || c.permit == nil || !over[c.permit.of] || st.Gates[id].State != journal.Pending {
			continue
		}
		drafts = append(drafts, checkpoint.Close(st.Gates[id], journal.Superseded, fault.PlanApprovalStale))
	}
	return drafts
}
