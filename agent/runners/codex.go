package runners

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
)

// codex is OpenAI's Codex: `codex exec --json`, with the prompt as its standard input.
//
// Its fence is a sandbox around the commands by which it does everything: read-only for a call that
// only reads; with the mode "auto" none; else workspace-write, in which commands change files in the
// call's folder (not in .git) and have no network. Nobody is asked: what would need leave is denied.
var codex = Kind{
	Name: codexName, Program: codexName, Install: codexInstall,
	Tiers: byEffort,
	New:   func(o Options) agent.Runner { return &codexRunner{o} },
	Probe: probeCodex,
}

const (
	codexName    = "codex"
	codexInstall = "npm install -g @openai/codex"
)

type codexRunner struct{ Options }

var _ agent.Runner = (*codexRunner)(nil)

// codexSignIn is what to do about a codex that its provider does not know.
const codexSignIn = "codex login   # or set CODEX_API_KEY, or name a model provider in ~/.codex/config.toml"

// Run makes one attempt.
func (c *codexRunner) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	if ctx.Err() != nil {
		return agent.Response{}, agent.Ended(ctx)
	}
	plan, err := c.plan(req)
	if err != nil {
		return agent.Response{}, err
	}
	defer plan.remove()
	said := &codexSaid{req: req, started: map[string]bool{}}
	h := &headless{Options: c.Options, argv: plan.args, stdin: plan.prompt, event: said.event}
	if err := h.run(ctx, req, step, codexName); err != nil {
		return agent.Response{Usage: said.usage.used}, err
	}
	return c.judge(h, said, plan)
}

// judge says what an attempt came to.
func (c *codexRunner) judge(h *headless, said *codexSaid, plan codexPlan) (agent.Response, error) {
	resp := agent.Response{Usage: said.usage.used, Note: notes(plan.note, h.note())}
	called := c.called(codexName)
	if said.failure != "" || !h.out.Success() {
		said.failure = cmp.Or(said.failure, said.trouble)
		if err := refusal(said.failure, time.Now()); err != nil {
			return resp, err
		}
		return resp, agent.Exited(called, h.job, h.out, said.failure, nextOf(said.failure, codexSignIn))
	}
	switch {
	case h.damaged != nil:
		return resp, h.unusable(called)
	case !said.completed:
		return resp, agent.Unusable(called+" ended without an end of its turn", nil, "there is no turn.completed")
	case said.usage.wrong != nil:
		return resp, said.usage.uncounted(called)
	case said.sandbox != "" && said.done == 0:
		return resp, sandboxBroken(called, said.sandbox)
	}
	if plan.strict && json.Valid([]byte(said.answer)) {
		resp.Value, resp.Structured = json.RawMessage(said.answer), true
		return resp, nil
	}
	var err error
	resp.Value, err = agent.Text(said.answer)
	return resp, err
}

// codexPlan is what a request becomes for the program.
type codexPlan struct {
	args   []string
	prompt string
	// strict says that the program was given the schema.
	strict bool
	note   string
	// remove removes the file that the schema is in.
	remove func()
}

// plan makes the arguments and the prompt of a request.
func (c *codexRunner) plan(req agent.Request) (codexPlan, error) {
	plan := codexPlan{remove: func() {}, prompt: req.Prompt}
	fence, err := c.fence(req)
	if err != nil {
		return plan, err
	}
	plan.note = fence.note
	plan.args = append([]string{"exec", "--json", "--skip-git-repo-check"}, fence.args()...)
	// Without this, a codex that has no network waits for one, with no end.
	plan.args = append(plan.args, "-c", "features.unbounded_connection_retries=false")
	if model := cmp.Or(req.Model, c.Model); model != "" {
		plan.args = append(plan.args, "--model", model)
	}
	if effort := cmp.Or(req.Effort, c.Effort); effort != "" {
		plan.args = append(plan.args, "-c", "model_reasoning_effort="+tomlString(effort))
	}
	plan.skills(req)
	plan.instructions(req)
	if err := plan.schema(req); err != nil {
		return plan, err
	}
	plan.args = append(plan.args, "-")
	return plan, nil
}

// skills takes all skills away, if that is asked for. Which of them it uses is codex's own choice.
func (p *codexPlan) skills(req agent.Request) {
	switch {
	case req.Skills == nil:
	case len(req.Skills) == 0:
		p.args = append(p.args, "-c", "skills.include_instructions=false")
	default:
		p.note = notes(p.note, "codex chooses among all its skills by itself: it has no list of those that it may use")
	}
}

// longestArgument is how long an argument of a program may be: Linux has 128 KiB.
const longestArgument = 100 << 10

// instructions are the developer's, but for those that are too long for an argument.
func (p *codexPlan) instructions(req agent.Request) {
	switch {
	case req.Instructions == "":
	case len(req.Instructions) > longestArgument:
		p.prompt = req.Instructions + "\n\n" + p.prompt
	default:
		p.args = append(p.args, "-c", "developer_instructions="+tomlString(req.Instructions))
	}
}

// schema has codex answer with a value if its service takes the schema, and asks for one in the
// prompt otherwise.
func (p *codexPlan) schema(req agent.Request) error {
	if len(req.Schema) == 0 {
		return nil
	}
	strict, ok := strictSchema(req.Schema)
	if !ok {
		p.prompt = withSchema(p.prompt, req.Schema)
		return nil
	}
	path, remove, err := scrap("schema.json", strict)
	if err != nil {
		return err
	}
	p.strict, p.remove = true, remove
	p.args = append(p.args, "--output-schema", path)
	return nil
}

// tomlString is a text as a value of codex's -c. JSON's escapes are TOML's too.
func tomlString(text string) string {
	out, err := agent.Text(text)
	if err != nil {
		return `""`
	}
	return string(out)
}
