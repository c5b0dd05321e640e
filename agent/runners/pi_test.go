package runners_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Lines as pi 0.73 prints them.
const (
	piSession = `{"type":"session","version":3,"id":"s-1","timestamp":"2026-11-30T22:21:50.476Z","cwd":"/w"}`
	piStart   = `{"type":"agent_start"}`
	piEnd     = `{"type":"agent_end","messages":[]}`
)

// piSays is the end of a message of the model's, with its text.
func piSays(stop, word, text string) string {
	line, _ := json.Marshal(piMessage(stop, word, text, 100, 10, 0.001))
	return string(line)
}

func TestPiTellsWhatItDoes(t *testing.T) {
	resp, told, err := attempt(t, "pi", prints(t, piSession, piStart,
		`{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"do it"}]}}`,
		`{"type":"message_start","message":{"role":"assistant","content":[]}}`,
		`{"type":"message_update","message":{"role":"assistant","content":[{"type":"text","text":"I lo"}]},"assistantMessageEvent":{"type":"text_delta","delta":"lo"}}`,
		`{"type":"message_end","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look"},{"type":"toolCall","id":"c-1","name":"bash","arguments":{}}],"usage":{"input":94,"output":11,"cacheRead":7,"cacheWrite":2,"totalTokens":112,"cost":{"input":0.000282,"output":0.000165,"cacheRead":0.0000021,"cacheWrite":0,"total":0.0004491}},"stopReason":"toolUse"}}`,
		`{"type":"tool_execution_start","toolCallId":"c-1","toolName":"bash","args":{"command":"exit 3"}}`,
		`{"type":"tool_execution_update","toolCallId":"c-1","toolName":"bash","args":{},"partialResult":{"content":[]}}`,
		`{"type":"tool_execution_end","toolCallId":"c-1","toolName":"bash","result":{"content":[{"type":"text","text":"Command exited with code 3"}],"details":{}},"isError":true}`,
		`{"type":"message_end","message":{"role":"toolResult","toolCallId":"c-1","toolName":"bash","content":[{"type":"text","text":"x"}],"isError":true}}`,
		piSays("error", "overloaded", ""), piEnd,
		`{"type":"auto_retry_start","attempt":1,"maxAttempts":3,"delayMs":2000,"errorMessage":"overloaded"}`,
		`{"type":"something_new"}`,
		piStart, piSays("stop", "", "done"), piEnd))
	require.NoError(t, err)
	require.Equal(t, `"done"`, string(resp.Value))
	require.Equal(t, []int64{94 + 7 + 2 + 100 + 100, 11 + 10 + 10, 449 + 2000}, []int64{resp.Usage.Input, resp.Usage.Output, resp.Usage.CostMicroUSD})
	require.Equal(t, []agent.Event{
		{Type: agent.EventSession, Text: "s-1"},
		{Type: agent.EventThinking, Text: "hm"},
		{Type: agent.EventText, Text: "I look"},
		{Type: agent.EventTool, ID: "c-1", Tool: "bash", Input: `{"command":"exit 3"}`},
		{Type: agent.EventToolResult, ID: "c-1", Tool: "bash", Text: "Command exited with code 3", Failed: true},
		{Type: agent.EventNote, Text: "pi asks its model again (1 of 3): overloaded"},
		{Type: agent.EventText, Text: "done"},
	}, told)
}

// B65: pi ends with exit code 0 also if its provider failed.
func TestB65PiFails(t *testing.T) {
	for word, code := range map[string]fault.Code{
		"429 You exceeded your current quota":                     fault.UsageLimit,
		"Server requested 3600s retry delay (max: 60s)":           fault.UsageLimit,
		"404 The model x does not exist":                          fault.AgentUnable,
		"401 Incorrect API key provided":                          fault.AgentFailed,
		"Connection error.":                                       fault.AgentFailed,
		"500 sk-proj-abcdefghijklmnopqrstuvwxyz0123456789A broke": fault.AgentFailed,
	} {
		resp, _, err := attempt(t, "pi", prints(t, piSession, piStart, piSays("toolUse", "", "an earlier word"), piSays("error", word, "half"), piEnd))
		require.Equal(t, code, fault.CodeOf(err), "%s: %v", word, err)
		require.Empty(t, resp.Value)
		require.Equal(t, []int64{200, 20, 2000}, []int64{resp.Usage.Input, resp.Usage.Output, resp.Usage.CostMicroUSD}, "what it cost was spent")
		require.NotContains(t, err.Error(), "sk-proj-abcdefg")
	}
	for _, c := range []struct {
		stderr string
		code   fault.Code
		next   string
	}{
		{`Error: Model "nope" not found. Use --list-models to see available models.`, fault.AgentUnable, ""},
		{"No API key found for openai.", fault.AgentFailed, "/login"},
		{"No models available. Use /login to log into a provider via OAuth or API key.", fault.AgentFailed, "/login"},
		{"Segmentation fault", fault.AgentFailed, ""},
	} {
		_, _, err := attempt(t, "pi", shell(t, "cat >/dev/null; cat <<'END'\n"+piSession+"\nEND\ncat <<'END' >&2\n"+c.stderr+"\nEND\nexit 1\n"))
		require.Equal(t, c.code, fault.CodeOf(err), "%s: %v", c.stderr, err)
		e, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok)
		require.Contains(t, e.Next, c.next)
		if c.code == fault.AgentFailed {
			require.ErrorContains(t, err, "exit code 1")
		}
	}
}

// B64: what is damaged, cut or not the end is no answer.
func TestB64PiDamaged(t *testing.T) {
	done := piSays("stop", "", "done")
	for name, lines := range map[string][]string{
		"nothing":                  {""},
		"no end":                   {piSession, piStart, done},
		"begun again":              {piSession, piStart, done, piEnd, piStart},
		"no message":               {piSession, piStart, piEnd},
		"a damaged event":          {piSession, piStart, done, done[:40], piEnd},
		"not UTF-8":                {piSession, piStart, strings.Replace(done, "done", "d\xffne", 1), piEnd},
		"in the middle of a use":   {piSession, piStart, piSays("toolUse", "", "I look"), piEnd},
		"at the model's own limit": {piSession, piStart, piSays("length", "", `{"n":`), piEnd},
	} {
		_, _, err := attempt(t, "pi", prints(t, lines...))
		require.Equal(t, fault.AgentAnswerInvalid, fault.CodeOf(err), "%s: %v", name, err)
	}
}

func TestPiKeepsToTools(t *testing.T) {
	const all, none = "", "none"
	for _, c := range []struct {
		mode          string
		readOnly      bool
		tools, denied []string
		want          string // "refused" too
	}{
		{"", false, nil, nil, all},
		{"auto", false, nil, nil, all},
		{"ask", false, nil, nil, "read,grep,find,ls,edit,write"},
		{"accept-edits", false, nil, nil, "read,grep,find,ls,edit,write"},
		{"auto", true, nil, nil, "read,grep,find,ls"},
		{"", true, []string{"Read", "Bash", "Edit", "WebFetch", "mine", "Bash(rm:*)"}, nil, "read"},
		{"", false, []string{"Read", "Glob", "Grep", "LS", "MultiEdit", "Edit", "Bash", "mine"}, nil, "read,find,grep,ls,edit,bash,mine"},
		{"ask", false, []string{"Read", "Bash"}, nil, "read"},
		{"", false, []string{}, nil, none},
		{"", false, []string{"WebSearch"}, nil, none},
		{"", false, []string{"Bash(git log:*)"}, nil, "refused"},
		{"", false, nil, []string{"Bash", "mine"}, "read,edit,write"},
		{"", false, nil, []string{"Bash(rm:*)"}, "refused"},
		{"", true, nil, []string{"Bash(rm:*)", "Grep"}, "read,find,ls"},
		{"", false, []string{"Read", "Write"}, []string{"Write"}, "read"},
	} {
		program, args := arguments(t, piSession, piStart, piSays("stop", "", "done"), piEnd)
		resp, _, err := attempt(t, "pi", program, func(r *agent.Request, _ *runners.Options) {
			r.PermissionMode, r.ReadOnly, r.Tools, r.DisallowedTools = c.mode, c.readOnly, c.tools, c.denied
		})
		if c.want == "refused" {
			require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v: %v", c, err)
			continue
		}
		require.NoError(t, err, "%v", c)
		if c.want == none {
			require.Contains(t, args(), "--no-tools", "%v", c)
		} else {
			require.Equal(t, c.want, after(args(), "--tools"), "%v", c)
			require.NotContains(t, args(), "--no-tools")
		}
		for _, fence := range []string{"--no-extensions", "--no-session", "--offline"} {
			require.Equal(t, c.readOnly, strings.Contains(strings.Join(args(), " "), fence), "%v: %s", c, fence)
		}
		if !c.readOnly {
			require.Equal(t, c.mode == "ask" || c.mode == "accept-edits", strings.Contains(resp.Note, "no shell"), "%v: %s", c, resp.Note)
		}
	}
}

// The repository's settings can name a program that pi runs when it starts, whatever it is told.
func TestPiReadOnlyRefusesAProgramOfTheRepository(t *testing.T) {
	cwd := t.TempDir()
	put(t, `{"npmCommand":["sh","-c","touch x"]}`, cwd, ".pi", "settings.json")
	program, _ := arguments(t, piSession, piStart, piSays("stop", "", "done"), piEnd)
	in := func(readOnly bool) func(*agent.Request, *runners.Options) {
		return func(r *agent.Request, _ *runners.Options) { r.Cwd, r.ReadOnly = cwd, readOnly }
	}
	_, _, err := attempt(t, "pi", program, in(true))
	require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "npmCommand")
	_, _, err = attempt(t, "pi", program, in(false))
	require.NoError(t, err)
	put(t, strings.Repeat(`{"a":`, 20_000)+"1"+strings.Repeat("}", 20_000), cwd, ".pi", "settings.json") // JavaScript may well read it
	_, _, err = attempt(t, "pi", program, in(true))
	require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	put(t, `{"theme":"dark"}`, cwd, ".pi", "settings.json")
	_, _, err = attempt(t, "pi", program, in(true))
	require.NoError(t, err)
}

func TestPiIsTold(t *testing.T) {
	program, args := arguments(t, piSession, piStart, piSays("stop", "", "done"), piEnd)
	cwd := t.TempDir()
	put(t, "---\nname: deploy\n---\n", cwd, ".pi", "skills", "deploy", "SKILL"+".md")
	resp, _, err := attempt(t, "pi", program, func(r *agent.Request, o *runners.Options) {
		o.Args, o.Model, o.Effort = []string{"-e", "x.ts"}, "stand", "low"
		r.Cwd, r.Skills, r.Instructions = cwd, []string{"deploy"}, "Say little."
	})
	require.NoError(t, err)
	require.Equal(t, []string{"-e", "x.ts", "--print"}, args()[:3], "arguments of the configuration come first")
	require.Equal(t, "stand", after(args(), "--model"))
	require.Contains(t, resp.Note, "pi took local/stand-in for the model stand", "a pattern is told")
	require.Equal(t, "low", after(args(), "--thinking"))
	require.Contains(t, args(), "--no-skills")
	require.Equal(t, filepath.Join(cwd, ".pi", "skills", "deploy", "SKILL"+".md"), after(args(), "--skill"))
	require.NoFileExists(t, after(args(), "--append-system-prompt"), "the file is gone when the attempt is")

	resp, _, err = attempt(t, "pi", program, func(r *agent.Request, _ *runners.Options) { r.Model = "local/stand-in" })
	require.NoError(t, err)
	require.Empty(t, resp.Note)
	for _, wrong := range []func(*agent.Request, *runners.Options){
		func(r *agent.Request, _ *runners.Options) { r.Effort = "enormous" },
		func(r *agent.Request, _ *runners.Options) { r.Skills = []string{"none"} },
		func(r *agent.Request, _ *runners.Options) { r.Skills = []string{"../skills/deploy"}; r.Cwd = cwd },
	} {
		_, _, err = attempt(t, "pi", program, wrong)
		require.Equal(t, fault.AgentUnable, fault.CodeOf(err), "%v", err)
	}
}

func TestPiProbe(t *testing.T) {
	pi, _ := runners.KindOf("pi")
	home := t.TempDir()
	program := shell(t, `case "$*" in *--version) echo 1.2.3 >&2;; *) exit 9;; esac`+"\n")
	probe := func(environ ...string) runners.Probe {
		return pi.Probe(t.Context(), runners.Options{Program: program, Env: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}, environ...)})
	}
	put(t, `{}`, home, ".pi", "agent", "auth.json")
	p := probe()
	require.Equal(t, "1.2.3", p.Version)
	require.False(t, *p.SignedIn)
	require.Contains(t, p.Next, "/login")
	put(t, `{"providers":{"local":{}}}`, home, ".pi", "agent", "models.json")
	require.Equal(t, "models.json: local", probe().Account)
	require.Equal(t, "XAI_API_KEY", probe("XAI_API_KEY=k").Account)
	put(t, `{"openai":{"type":"oauth"},"anthropic":{"type":"api_key"}}`, home, ".pi", "agent", "auth.json")
	p = probe("XAI_API_KEY=k")
	require.True(t, *p.SignedIn)
	require.Equal(t, "auth.json: anthropic, openai", p.Account)
	require.Empty(t, p.Problem)
	other := t.TempDir()
	require.False(t, *probe("PI_CODING_AGENT_DIR=" + other).SignedIn)

	p = pi.Probe(t.Context(), runners.Options{Program: filepath.Join(home, "none")})
	require.Empty(t, p.Path)
	require.Contains(t, p.Next, "npm install -g")
}
