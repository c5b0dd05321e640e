//go:build unix

package acp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
)

// TestMain lets the test binary be the agent of its own tests: with turn:NAME as its first argument it
// is one made with the library's other side, with raw:NAME one that writes what it likes.
func TestMain(m *testing.M) {
	agenttest.Main(map[string]agenttest.Speaker{"acp": {Hear: hear, Say: say, Conversation: true}})
	if len(os.Args) > 1 {
		if name, ok := strings.CutPrefix(os.Args[1], "turn:"); ok {
			speak(turns[name])
			os.Exit(0)
		}
		if name, ok := strings.CutPrefix(os.Args[1], "raw:"); ok {
			raws[name](bufio.NewReader(os.Stdin))
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

// turn is what an agent does with a prompt. It gives its answer as a message before it ends.
type turn func(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error)

// fake is an agent made with the library.
type fake struct {
	sdk.Agent // for what is never called
	conn      *sdk.AgentSideConnection
	turn      turn
	session   sdk.SessionId

	mu   sync.Mutex
	asks []string // what was asked of it before the prompt
	over chan struct{}
}

// speak is the whole life of such an agent.
func speak(t turn) {
	a := &fake{turn: t, session: "session-1", over: make(chan struct{})}
	a.conn = sdk.NewAgentSideConnection(a, os.Stdout, os.Stdin)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	<-a.conn.Done()
}

func (a *fake) did(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asks = append(a.asks, what)
}

func (a *fake) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	return sdk.InitializeResponse{
		ProtocolVersion: sdk.ProtocolVersionNumber, AgentInfo: &sdk.Implementation{Name: "fake", Version: "7.1"},
		AuthMethods: []sdk.AuthMethod{{EnvVar: &sdk.AuthMethodEnvVarInline{Id: "key", Name: "a key", Type: "env_var", Vars: []sdk.AuthEnvVar{{Name: "FAKE_API_KEY"}}}}},
	}, nil
}

func (a *fake) Authenticate(_ context.Context, p sdk.AuthenticateRequest) (sdk.AuthenticateResponse, error) {
	a.did("authenticate " + p.MethodId)
	return sdk.AuthenticateResponse{}, nil
}

func (a *fake) NewSession(_ context.Context, p sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if strings.Contains(os.Args[1], "signin") && len(a.asks) == 0 {
		return sdk.NewSessionResponse{}, sdk.NewAuthRequired(nil)
	}
	a.asks = append(a.asks, "new "+p.Cwd)
	if !strings.Contains(os.Args[1], "choices") {
		return sdk.NewSessionResponse{SessionId: a.session}, nil
	}
	category := sdk.SessionConfigOptionCategoryThoughtLevel
	efforts := sdk.SessionConfigSelectOptionsUngrouped{{Name: "Low", Value: "low"}, {Name: "High", Value: "high"}}
	return sdk.NewSessionResponse{
		SessionId: a.session,
		Modes: &sdk.SessionModeState{CurrentModeId: "yolo", AvailableModes: []sdk.SessionMode{
			{Id: "yolo", Name: "All"}, {Id: "default", Name: "Default"}, {Id: "read-only", Name: "Read"},
		}},
		Models: &sdk.SessionModelState{CurrentModelId: "m1", AvailableModels: []sdk.ModelInfo{{ModelId: "m1", Name: "One"}, {ModelId: "m2", Name: "Two"}}},
		ConfigOptions: []sdk.SessionConfigOption{{Select: &sdk.SessionConfigOptionSelect{
			Id: "thinking", Name: "Effort", Type: "select", Category: &category, CurrentValue: "low", Options: sdk.SessionConfigSelectOptions{Ungrouped: &efforts},
		}}},
	}, nil
}

func (a *fake) SetSessionMode(_ context.Context, p sdk.SetSessionModeRequest) (sdk.SetSessionModeResponse, error) {
	a.did("mode " + string(p.ModeId))
	return sdk.SetSessionModeResponse{}, nil
}

func (a *fake) SetSessionConfigOption(_ context.Context, p sdk.SetSessionConfigOptionRequest) (sdk.SetSessionConfigOptionResponse, error) {
	a.did("option " + string(p.ValueId.ConfigId) + " " + string(p.ValueId.Value))
	return sdk.SetSessionConfigOptionResponse{ConfigOptions: []sdk.SessionConfigOption{}}, nil
}

func (a *fake) UnstableSetSessionModel(_ context.Context, p sdk.UnstableSetSessionModelRequest) (sdk.UnstableSetSessionModelResponse, error) {
	a.did("model " + string(p.ModelId))
	return sdk.UnstableSetSessionModelResponse{}, nil
}

func (a *fake) Cancel(context.Context, sdk.CancelNotification) error {
	close(a.over)
	return nil
}

func (a *fake) Prompt(ctx context.Context, p sdk.PromptRequest) (sdk.PromptResponse, error) {
	return a.turn(ctx, a, p.Prompt[0].Text.Text)
}

// says sends a message in two pieces.
func (a *fake) says(ctx context.Context, text string) {
	half := len(text) / 2
	for _, part := range []string{text[:half], text[half:]} {
		a.tells(ctx, sdk.UpdateAgentMessageText(part))
	}
}

func (a *fake) tells(ctx context.Context, u sdk.SessionUpdate) {
	_ = a.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: a.session, Update: u})
}

// answers ends a turn with a value as its message.
func (a *fake) answers(ctx context.Context, value any) (sdk.PromptResponse, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return sdk.PromptResponse{}, err
	}
	a.says(ctx, string(text))
	return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}, nil
}

// made is a runner for an agent of these tests.
func made(kind, name string, adjust ...func(*acp.Options)) *acp.Runner {
	o := acp.Options{Name: "fake", Command: []string{os.Args[0], kind + ":" + name}, Grace: 500 * time.Millisecond}
	for _, change := range adjust {
		change(&o)
	}
	return acp.New(o)
}

// called is one attempt and what was told of it.
type called struct {
	req    agent.Request
	resp   agent.Response
	err    error
	events []agent.Event
}

// attempt has an agent make an attempt in a folder of its own.
func attempt(t *testing.T, r *acp.Runner, adjust ...func(*agent.Request)) *called {
	t.Helper()
	var mu sync.Mutex
	c := &called{}
	c.req = agent.Request{Run: "01RUN", Call: "/agent#0", Prompt: "do it", Cwd: t.TempDir(), Attempt: 1, Tell: func(e agent.Event) {
		mu.Lock()
		defer mu.Unlock()
		c.events = append(c.events, e)
	}}
	for _, change := range adjust {
		change(&c.req)
	}
	c.resp, c.err = r.Run(t.Context(), c.req, nil)
	return c
}

// text is the answer of an attempt that came to one.
func (c *called) text(t *testing.T) string {
	t.Helper()
	require.NoError(t, c.err)
	var text string
	require.NoError(t, json.Unmarshal(c.resp.Value, &text))
	return text
}

// told are the events of a type.
func (c *called) told(kind string) []agent.Event {
	var of []agent.Event
	for _, e := range c.events {
		if e.Type == kind {
			of = append(of, e)
		}
	}
	return of
}

// object is the answer of an attempt as an object of texts.
func (c *called) object(t *testing.T) map[string]string {
	t.Helper()
	var got map[string]string
	require.NoError(t, json.Unmarshal([]byte(c.text(t)), &got))
	return got
}
