package scripttest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/glob"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// prepared answers the agents of a test, and keeps an eye on what is asked.
type prepared struct {
	scripted *agent.Scripted

	mu sync.Mutex
	// unanswered are the calls that no answer fits, each once; guarded by mu.
	unanswered []agent.Request
	// over are the calls whose answers the journal has: none of them is made again; set before the
	// run goes on, and not changed while it does.
	over map[string]bool
	// again are those of them that were made again all the same; guarded by mu.
	again []agent.Request
	// made counts the attempts at calls, models has the model of each call; guarded by mu.
	made   int
	models map[string]string
}

var _ agent.Runner = (*prepared)(nil)

func newPrepared(t *Test, env []string) *prepared {
	p := &prepared{scripted: t.answers(), models: map[string]string{}}
	p.scripted.Env = env
	p.scripted.Unanswered = func(req agent.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !slices.ContainsFunc(p.unanswered, func(r agent.Request) bool { return r.Call == req.Call }) {
			p.unanswered = append(p.unanswered, req)
		}
	}
	return p
}

// Run answers an attempt at a call.
func (p *prepared) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	p.mu.Lock()
	p.made++
	p.models[req.Call] = req.Model
	if p.over[req.Call] {
		p.again = append(p.again, req)
	}
	p.mu.Unlock()
	return p.scripted.Run(ctx, req, step)
}

// problems are the calls that had no answer, with what comes near, in the order of the calls: agents
// are asked at the same time.
func (p *prepared) problems(t *Test, calls []madeCall) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	place := func(r agent.Request) int {
		return slices.IndexFunc(calls, func(c madeCall) bool { return c.key == r.Call })
	}
	slices.SortStableFunc(p.unanswered, func(a, b agent.Request) int { return place(a) - place(b) })
	var list []string
	for _, req := range p.unanswered {
		list = append(list, "no answer for "+describe(req)+t.near(req))
	}
	return list
}

// maxPrompt is how much of a prompt is shown: enough to know the call by it.
const maxPrompt = 120

// describe is a call as the test's author knows it.
func describe(req agent.Request) string {
	text := "the call"
	if req.Label != "" {
		text += " with label " + strconv.Quote(req.Label)
	}
	return text + " and prompt " + strconv.Quote(shorten(req.Prompt, maxPrompt))
}

// near says which answer comes nearest to a call that none fits.
func (t *Test) near(req agent.Request) string {
	var labels []string
	for _, a := range t.given {
		label, prompt := a.Label == nil || glob.Match(*a.Label, req.Label), a.Prompt == nil || glob.Match(*a.Prompt, req.Prompt)
		switch {
		case label && prompt:
			return fmt.Sprintf("; the answer with %s fits, and is used up (times)", selector(a.Label, a.Prompt))
		case a.Label != nil && label:
			return fmt.Sprintf("; the label of the answer with %s fits, its prompt does not", selector(a.Label, a.Prompt))
		case a.Label != nil:
			labels = append(labels, *a.Label)
		}
	}
	if near := options.Nearest(req.Label, labels); near != "" && req.Label != "" {
		return fmt.Sprintf("; the nearest answer has label = %q", near)
	}
	if len(labels) > 0 {
		slices.Sort(labels)
		return "; there are answers for the labels " + strings.Join(slices.Compact(labels), ", ")
	}
	return "; write [[test.answer]] for it"
}

// selector is how a table says what it fits.
func selector(label, prompt *string) string {
	var words []string
	if label != nil {
		words = append(words, fmt.Sprintf("label = %q", *label))
	}
	if prompt != nil {
		words = append(words, fmt.Sprintf("prompt = %q", excerpt(*prompt)))
	}
	return strings.Join(words, " and ")
}
