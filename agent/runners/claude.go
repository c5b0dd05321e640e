package runners

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// claude is Anthropic's Claude Code: `claude --print --output-format stream-json`, with the prompt as
// its standard input.
//
// Its fence is its list of tools and its rules of permission, see claude_fence.go. What would need
// leave is denied, since nobody is there to ask; the note of the answer says what that was.
var claude = Kind{
	Name: claudeName, Program: claudeName, Install: claudeInstall,
	Tiers: journal.Tiers{Small: journal.Tier{Model: "haiku"}, Medium: journal.Tier{Model: "sonnet"}, Big: journal.Tier{Model: "opus"}},
	New:   func(o Options) agent.Runner { return &claudeRunner{o} },
	Probe: probeClaude,
}

const (
	claudeName    = "claude"
	claudeInstall = "npm install -g @anthropic-ai/claude-code"

	// claudeContext is the file in which a repository has what its people want claude to know.
	claudeContext = "CLAUDE" + ".md"

	// claudeSignIn is what to do about a claude that its provider does not know.
	claudeSignIn = "claude   # then /login; or set ANTHROPIC_API_KEY"
)

// claudeEfforts are the levels that claude knows; it ignores any other with a warning.
var claudeEfforts = []string{"low", "medium", "high", "xhigh", "max"}

// claudeEnviron is set for the program: it is not replaced by a newer one while others are at work, and
// its model is not asked for the title of a window that is not there.
var claudeEnviron = []string{"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_TERMINAL_TITLE=1"}

type claudeRunner struct{ Options }

var _ agent.Runner = (*claudeRunner)(nil)

// Run makes one attempt.
func (c *claudeRunner) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	if ctx.Err() != nil {
		return agent.Response{}, agent.Ended(ctx)
	}
	plan, err := c.plan(req)
	if err != nil {
		return agent.Response{}, err
	}
	said := newClaudeSaid(req)
	h := &headless{Options: c.Options, argv: plan.args, stdin: plan.prompt, environ: claudeEnviron, event: said.event}
	err = h.run(ctx, req, step, claudeName)
	resp := agent.Response{Usage: said.used(), Note: notes(plan.note, said.denied(h.job.Env), h.note())}
	if err != nil {
		return resp, err
	}
	return c.judge(h, said, resp)
}

// judge says what an attempt came to. Claude calls an attempt whose provider failed a success, with
// is_error beside it, and has ended with exit code 0 then.
func (c *claudeRunner) judge(h *headless, said *claudeSaid, resp agent.Response) (agent.Response, error) {
	called, result := c.called(claudeName), said.result
	tried := result != nil && result.Subtype == "error_max_structured_output_retries" && said.structured != nil
	switch {
	case h.damaged == nil && result == nil && !h.out.Success():
		return resp, c.refused(h, said, "", time.Now())
	case h.damaged != nil:
		return resp, h.unusable(called)
	case result == nil:
		return resp, agent.Unusable(called+" ended without an answer", nil, "there is no event of the type result")
	case !tried && (result.failed() || !h.out.Success()):
		return resp, c.refused(h, said, result.word(), time.Now())
	case said.usage.wrong != nil:
		return resp, said.usage.uncounted(called)
	case tried:
		// Its last try goes back to it, with what is wrong with it.
		resp.Value, resp.Structured = said.structured, true
		return resp, nil
	case len(result.Structured) > 0 && len(said.req.Schema) > 0:
		resp.Value, resp.Structured = result.Structured, true
		return resp, nil
	}
	var err error
	resp.Value, err = agent.Text(result.Text)
	return resp, err
}

// refused is the error of an attempt that failed: by the kind that claude gives a provider's refusal,
// and by its words where it gives none. An answer is none of these words, whatever it speaks of.
func (c *claudeRunner) refused(h *headless, said *claudeSaid, word string, now time.Time) error {
	failed := func(next string) error { return agent.Exited(c.called(claudeName), h.job, h.out, word, next) }
	if said.result != nil && !said.result.refused() {
		return failed("")
	}
	status := 0
	if said.result != nil {
		status = int(said.result.Status)
	}
	switch kind := said.kind; {
	case kind == "rate_limit", kind == "billing_error", status == http.StatusTooManyRequests, claudeLimit.MatchString(word):
		reset := said.reset
		if reset.IsZero() {
			reset = claudeReset(word, now)
		}
		return agent.LimitReached(word, reset)
	case kind == "model_not_found", strings.HasPrefix(word, "There's an issue with the selected model"):
		return agent.Unable("model", word)
	case kind == "authentication_failed", kind == "oauth_org_not_allowed", status == http.StatusUnauthorized, status == http.StatusForbidden:
		return failed(claudeSignIn)
	case kind != "" && kind != "unknown", word == "":
		return failed("")
	}
	if err := refusal(word, now); err != nil {
		return err
	}
	return failed(nextOf(word, claudeSignIn))
}

// claudePlan is what a request becomes for the program.
type claudePlan struct {
	args   []string
	prompt string
	note   string
}

// plan makes the arguments and the prompt of a request. An argument is one word with its value, so
// that no value is taken for an argument.
func (c *claudeRunner) plan(req agent.Request) (claudePlan, error) {
	plan := claudePlan{prompt: claudePrompt(req.Prompt), args: []string{"--print", "--output-format=stream-json", "--verbose"}}
	fence, err := c.fence(req)
	if err != nil {
		return plan, err
	}
	plan.note = fence.note
	plan.args = append(plan.args, fence.args()...)
	if model := cmp.Or(req.Model, c.Model); model != "" {
		plan.args = append(plan.args, "--model="+model)
	}
	if effort := cmp.Or(req.Effort, c.Effort); effort != "" {
		if !slices.Contains(claudeEfforts, effort) {
			return plan, agent.Unable("effort", "claude knows "+strings.Join(claudeEfforts, ", ")+", and not "+effort)
		}
		plan.args = append(plan.args, "--effort="+effort)
	}
	if schema, ok := claudeSchema(req.Schema); ok {
		plan.args = append(plan.args, "--json-schema="+string(schema))
	} else {
		plan.prompt = withSchema(plan.prompt, req.Schema)
	}
	switch told := c.told(req); {
	case told == "":
	case len(told) > longestArgument:
		plan.prompt = told + "\n\n" + plan.prompt
	default:
		plan.args = append(plan.args, "--append-system-prompt="+told)
	}
	return plan, nil
}

// told is what stands before the prompt: the instructions of the agent type, the skills that were asked
// for, and where a call that only reads finds what the repository has for its agents, since claude
// reads that along with the repository's settings, which such a call does without.
func (c *claudeRunner) told(req agent.Request) string {
	var parts []string
	if req.Instructions != "" {
		parts = append(parts, req.Instructions)
	}
	if len(req.Skills) > 0 && !req.ReadOnly {
		parts = append(parts, "Use these skills where they fit, and no others: "+strings.Join(req.Skills, ", ")+".")
	}
	if folder := cmp.Or(req.Cwd, c.Dir); req.ReadOnly && folder != "" && isFile(filepath.Join(folder, claudeContext)) {
		parts = append(parts, claudeContext+" in the working directory is what the people of this project want you to know. Read it first.")
	}
	return strings.Join(parts, "\n\n")
}

// claudePrompt is a prompt that claude takes for one: what begins with a slash it takes for a command
// of its own or of the repository's, and what a script wrote is neither.
func claudePrompt(prompt string) string {
	if strings.HasPrefix(strings.TrimSpace(prompt), "/") {
		return "The task:\n\n" + prompt
	}
	return prompt
}

// claudeHome is the folder of claude's own files, and claudeState the file that it keeps beside it.
func claudeHome(environ []string) string {
	return cmp.Or(variable(environ, "CLAUDE_CONFIG_DIR"), filepath.Join(homeIn(environ), ".claude"))
}

func claudeState(environ []string) string {
	return filepath.Join(cmp.Or(variable(environ, "CLAUDE_CONFIG_DIR"), homeIn(environ)), ".claude.json")
}

// fieldsOf are the fields, but for those that are null, of a file that is a JSON object; none if it is
// not there or is something else.
func fieldsOf(path string) map[string]json.RawMessage {
	text, err := settingsFile(path)
	if err != nil {
		return nil
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields)
	maps.DeleteFunc(fields, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	return fields
}
