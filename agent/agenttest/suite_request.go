package agenttest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
)

// hostile are prompts that a way of handing them over can spoil.
var hostile = map[string]string{
	"a leading dash":  "-p --help\nis what the user typed",
	"a leading space": "  \n indented, and with an end  \n",
	"all sorts":       "\"quoted\" 'single' `tick` $(touch x) ${HOME} %s %% \\n \\ | & ; < > * ? [a] {b} ~ # ! \t tab \r\n line \u2028 \u00a0 \u202e rtl 😀 é e\u0301 \x1b[31mred\x1b[0m \x01 end",
	"one megabyte":    strings.Repeat("0123456789abcde\n", 1<<16) + "the end",
}

// request is what a script asked for, which has to arrive.
func request(t *testing.T, s Subject) {
	for name, prompt := range hostile {
		t.Run("prompt with "+name, func(t *testing.T) {
			c := s.call(t, Behaviour{Text: "done"})
			c.req.Prompt = prompt
			require.Equal(t, "done", c.answer(t))
			got := c.report(t).Heard.Prompt
			if !strings.Contains(got, prompt) { // not with all of both in the message
				t.Fatalf("%d bytes did not arrive as they were, but as %d bytes: %.300q", len(prompt), len(got), got)
			}
		})
	}
	t.Run("what else was asked for", func(t *testing.T) {
		c := s.call(t, Behaviour{Text: "done"})
		c.req.Model, c.req.Effort, c.req.Tools, c.req.ReadOnly = "model-1", "high", []string{"Read", "Grep"}, true
		c.req.AgentType, c.req.Instructions = "reader", "You read, and -- \"say\" what you read.\nNothing else."
		require.Equal(t, "done", c.answer(t))
		heard := c.report(t).Heard
		if s.has(t, Models) {
			require.Equal(t, "model-1", heard.Model)
		}
		if s.has(t, Efforts) {
			require.Equal(t, "high", heard.Effort)
		}
		if s.has(t, Instructions) {
			require.Contains(t, heard.Instructions, c.req.Instructions)
		}
		if s.has(t, ToolLists) {
			require.Subset(t, heard.Tools, []string{"Read", "Grep"})
		}
		if s.has(t, Fences) {
			require.True(t, heard.ReadOnly)
		}
		c = s.call(t, Behaviour{Text: "done"})
		require.Equal(t, "done", c.answer(t))
		heard = c.report(t).Heard
		require.False(t, heard.ReadOnly, "a call that may write is not fenced in")
		require.Empty(t, heard.Model)
	})
}

// together is one runner that is called from many goroutines at once.
func together(t *testing.T, s Subject) {
	const calls = 8
	c := s.call(t, Behaviour{Echo: true})
	var wait sync.WaitGroup
	texts, errs := make([]string, calls), make([]error, calls)
	for i := range calls {
		wait.Go(func() {
			req := c.req
			req.Call, req.Prompt = fmt.Sprintf("/parallel#0[%d]/agent#0", i), fmt.Sprintf("this is number %d.", i)
			var resp agent.Response
			if resp, errs[i] = c.runner.Run(t.Context(), req, c.step); errs[i] == nil {
				errs[i] = json.Unmarshal(resp.Value, &texts[i])
			}
		})
	}
	wait.Wait()
	for i := range calls {
		require.NoError(t, errs[i])
		require.Contains(t, texts[i], fmt.Sprintf("this is number %d.", i))
	}
	c.step.check(t)
	reports := Reports(t, c.program)
	require.Len(t, reports, calls)
	for _, r := range reports {
		require.Equal(t, c.req.Cwd, resolved(t, r.Cwd))
	}
}
