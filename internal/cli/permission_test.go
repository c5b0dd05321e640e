package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// asking is an agent that wants to use a tool, and says whether it may.
type asking struct{}

func (asking) Run(ctx context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	may, err := req.Ask(ctx, agent.Permission{Tool: "shell", Title: "clean \x1b[2Jup", Input: "rm -rf build"})
	if err != nil {
		return agent.Response{}, err
	}
	value, err := json.Marshal(map[string]bool{"may": may})
	return agent.Response{Value: value, Structured: true}, err
}

// What an agent at work asks leave for is shown, and answered from another terminal, as what the script
// asks: the agent goes on with the answer, and the journal has it sealed.
func TestPermissionFromAnotherTerminal(t *testing.T) {
	t.Parallel()
	for word, may := range map[string]bool{"yes": true, "no": false} {
		u := newUser(t, "ask.js", "export const meta = { name: 'ask', description: 'x' };\nreturn await agent('clean up', { label: 'cleaner', schema: { type: 'object' } });\n")
		keys := filepath.Join(filepath.Dir(u.dir), "home", ".local", "share", "assent", "keys")
		store, err := journal.Open(journal.Options{Dir: u.store(), KeyDir: keys})
		require.NoError(t, err)
		program, err := vm.Compile(os.DirFS(u.dir), "ask.js")
		require.NoError(t, err)
		ended := make(chan *engine.Result, 1)
		go func() {
			defer close(ended)
			r, err := engine.Run(t.Context(), program, engine.Options{
				Store: store, Workspace: u.dir, Agent: asking{},
				// Whoever sits at the run's own terminal says nothing.
				Asker: checkpoint.AskerFunc(func(ctx context.Context, _ checkpoint.Asked) (checkpoint.Answer, error) {
					<-ctx.Done()
					return checkpoint.Answer{Later: true}, nil
				}),
			})
			if err == nil {
				ended <- r
			}
		}()
		var run map[string]any
		eventually(t, "the question of the agent", func() bool {
			runs := u.object(0, "ls", "--json")["runs"].([]any)
			if len(runs) == 1 {
				run = runs[0].(map[string]any)
			}
			waiting, _ := run["waiting"].([]any)
			return len(waiting) == 1
		})
		id := run["run"].(string)
		list := u.wants(0, "ls").out
		require.Contains(t, list, "cleaner")
		shown := u.wants(0, "show", id).out
		require.Contains(t, shown, "The agent of agent \"cleaner\" at /agent#0 asks: may it use")
		shown += u.wants(4, "review", id).out
		require.Contains(t, shown, "may it use shell?")
		require.Contains(t, shown, "rm -rf build")
		require.NotContains(t, list+shown, "\x1b")

		u.wants(0, "answer", id, word)
		result := <-ended
		require.NotNil(t, result)
		require.Equal(t, journal.StatusCompleted, result.State)
		require.JSONEq(t, map[bool]string{true: `{"may":true}`, false: `{"may":false}`}[may], string(result.Value))
		u.wants(0, "verify", id)
		gate := u.object(0, "show", id, "--json")["gates"].([]any)[0].(map[string]any)
		require.Equal(t, "answered", gate["state"])
		require.Equal(t, may, gate["decision"])
		u.wants(0, "replay", id)
	}
}
