package scripttest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/glob"
	"github.com/seed-8d4a6081/assent/journal"
)

// waySimulated marks an answer that nobody gave. Only a run that was started as a simulated one
// accepts it.
const waySimulated = "simulated"

var errUnexpected = errors.New("the test does not go on after this")

// person answers the gates of a test from its tables.
type person struct {
	// stop ends the run: what comes after a gate that nobody expected proves nothing.
	stop func()

	mu sync.Mutex
	// left are the tables with what they still answer; guarded by mu.
	left []*gate
	// chosen is the table of each call: a gate that is asked again, because the run was cut off, gets
	// the same answer; guarded by mu.
	chosen map[string]*gate
	// problems are what differs from the tables, ended says that one of them ended the run; guarded
	// by mu.
	problems []string
	ended    bool
}

var _ checkpoint.Asker = (*person)(nil)

func newPerson(t *Test) *person {
	p := &person{chosen: map[string]*gate{}}
	for _, g := range t.gates {
		own := *g
		p.left = append(p.left, &own)
	}
	return p
}

// Ask answers one gate, or ends the run.
func (p *person) Ask(_ context.Context, asked checkpoint.Asked) (checkpoint.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.choose(asked)
	if g == nil {
		return p.end(p.unexpected(asked.Gate))
	}
	if g.Later {
		return checkpoint.Answer{Later: true}, nil
	}
	question := checkpoint.QuestionOf(&journal.Gate{Asked: asked.Gate})
	if err := question.CheckAnswer(g.answer); err != nil {
		return p.end(fmt.Sprintf("gate %q cannot be answered with %s: %s", excerpt(asked.Gate.Prompt), g.answer, said(err)))
	}
	return checkpoint.Answer{
		Decision: g.answer, Checksum: asked.Gate.Checksum, Nonce: asked.Gate.Nonce,
		Who:  journal.Who{Name: "the test", Way: waySimulated},
		Mode: g.Mode, Model: g.Model, Effort: g.Effort,
	}, nil
}

// end ends the run because of a problem.
func (p *person) end(problem string) (checkpoint.Answer, error) {
	p.problems, p.ended = append(p.problems, problem), true
	p.stop()
	return checkpoint.Answer{}, errUnexpected
}

// choose gives the table for a gate, and holds the gate against what the table expects of it.
func (p *person) choose(asked checkpoint.Asked) *gate {
	if g := p.chosen[asked.Key]; g != nil {
		return g
	}
	for _, g := range p.left {
		if g.left == 0 || !g.fits(asked.Gate) {
			continue
		}
		g.left--
		p.chosen[asked.Key] = g
		p.problems = append(p.problems, g.differences(asked.Gate)...)
		return g
	}
	return nil
}

func (g *gate) fits(asked journal.GateAsked) bool {
	return (g.Prompt == nil || glob.Match(*g.Prompt, asked.Prompt)) && (g.Kind == nil || *g.Kind == asked.Kind)
}

// differences are what a gate has otherwise than its table expects.
func (g *gate) differences(asked journal.GateAsked) []string {
	var list []string
	if g.ExpectPrompt != nil && !glob.Match(*g.ExpectPrompt, asked.Prompt) {
		list = append(list, fmt.Sprintf("gate: expected the prompt %q, got %q", *g.ExpectPrompt, excerpt(asked.Prompt)))
	}
	for _, wanted := range []struct {
		plan []byte
		part bool
	}{{g.plan, false}, {g.planContains, true}} {
		switch {
		case wanted.plan == nil:
		case asked.Kind != string(checkpoint.KindPlan):
			list = append(list, fmt.Sprintf("gate %q: expected a plan, and it is a checkpoint (%s)", excerpt(asked.Prompt), asked.Kind))
		default:
			list = append(list, difference("plan", wanted.plan, []byte(asked.Plan), wanted.part)...)
		}
	}
	return list
}

// unexpected says of a gate that no table answers it, and what the tables are.
func (p *person) unexpected(asked journal.GateAsked) string {
	text := fmt.Sprintf("no [[test.gate]] for the %s gate with prompt %q", asked.Kind, excerpt(asked.Prompt))
	var used, other []string
	for _, g := range p.left {
		if g.left == 0 && g.fits(asked) {
			used = append(used, g.String())
		} else if g.left > 0 {
			other = append(other, g.String())
		}
	}
	switch {
	case len(used) > 0:
		text += "; " + used[len(used)-1] + " fits, and has answered already"
	case len(other) > 0:
		text += "; those left are " + strings.Join(other, ", ")
	}
	return text
}

// String names a table for people.
func (g *gate) String() string {
	text := fmt.Sprintf("[[test.gate]] %d", g.number)
	var words []string
	if g.Prompt != nil {
		words = append(words, selector(nil, g.Prompt))
	}
	if g.Kind != nil {
		words = append(words, fmt.Sprintf("kind = %q", *g.Kind))
	}
	if len(words) == 0 {
		return text
	}
	return text + " (" + strings.Join(words, ", ") + ")"
}

// rest gives the problems, and says which tables were not used up: gates that were expected and did
// not come. Of a run that was ended, that says nothing.
func (p *person) rest() (list []string, ended bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list = append(list, p.problems...)
	for _, g := range p.left {
		switch {
		case g.left == 0 || p.ended:
		case g.Times != nil && g.left < *g.Times:
			list = append(list, fmt.Sprintf("no gate came for %s %d more times", g, g.left))
		default:
			list = append(list, fmt.Sprintf("no gate came for %s", g))
		}
	}
	return list, p.ended
}
