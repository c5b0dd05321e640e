package issuedelivery_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// counted counts the live calls of functions of the host, and tells of each before it is answered.
type counted struct {
	mu     sync.Mutex
	n      int
	before func(name string)
}

func (c *counted) functions(h *issuedelivery.Host) ([]engine.Primitive, []engine.Calculation) {
	all := h.Functions()
	for i, f := range all {
		all[i] = counting{f.(engine.Approvable), c}
	}
	return all, issuedelivery.Calculations()
}

type counting struct {
	engine.Approvable
	c *counted
}

func (f counting) Answer(ctx context.Context, req engine.Request, step *journal.Step) (json.RawMessage, error) {
	f.c.mu.Lock()
	f.c.n++
	f.c.mu.Unlock()
	f.c.before(f.Name())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.Approvable.Answer(ctx, req, step)
}

func parts(n int) object {
	var all []object
	for i := range n {
		all = append(all, part(fmt.Sprintf("s%d", i+1)))
	}
	return planOf(all...)
}

// A run that was cut off before its last call makes that one when it goes on, and no other, however many
// steps are done at the same time.
func TestWholeResumesAtTheLastCall(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 4, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			e := newWhole(t)
			e.says(good(parts(n))...)
			ctx, cut := context.WithCancel(t.Context())
			defer cut()
			c := &counted{before: func(name string) {
				if name == "delivery.tidy" {
					cut()
				}
			}}
			o := issuedelivery.WithFunctions(e.options("Build the shop", says("true")), c.functions)
			got, err := issuedelivery.Deliver(ctx, o)
			require.NoError(t, err)
			require.Equal(t, []any{"interrupted", 5, false}, []any{got.State, got.Exit, got.Success}, "%+v", got)
			require.Len(t, e.labels(), 2+2*n)

			o = issuedelivery.WithFunctions(e.options("", nil), c.functions)
			c.n, c.before, o.Resume = 0, func(string) {}, got.Run
			got = e.deliver(o)
			require.True(t, got.Success, "%+v", got)
			require.Equal(t, 1, c.n, "one live call")
			require.Len(t, e.labels(), 2+2*n, "and none of an agent")
			require.Equal(t, fmt.Sprint(n), e.git("rev-list", "--count", e.commit+".."+got.Branch))
		})
	}
}

// The same where the last call of an agent is cut off: that agent is asked again, and no other.
func TestWholeResumesAtTheLastAgent(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.says(good(parts(3))...)
	ctx, cut := context.WithCancel(t.Context())
	defer cut()
	judged := 0
	var mu sync.Mutex
	e.before = func(req agent.Request) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(req.Label, "verifier") {
			if judged++; judged == 3 {
				cut()
			}
		}
	}
	o := e.options("Build the shop", says("true"))
	o.Engine.Settings.Concurrency = 1 // so that nothing else is at work then
	got, err := issuedelivery.Deliver(ctx, o)
	require.NoError(t, err)
	require.Equal(t, "interrupted", got.State, "%+v", got)
	before := len(e.labels())
	got = e.goOn(got.Run, nil)
	require.True(t, got.Success, "%+v", got)
	require.Len(t, e.labels(), before+1)
	require.Len(t, e.requests("worker"), 3)
}
