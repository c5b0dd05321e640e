//go:build unix

package acp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

var out = bufio.NewWriterSize(os.Stdout, 1<<16)

// put writes lines at once.
func put(lines ...string) {
	for _, line := range lines {
		_, _ = out.WriteString(line + "\n")
	}
	_ = out.Flush()
}

// next reads the next request, and gives its id and what it is.
func next(in *bufio.Reader) (id, method, line string) {
	text, err := in.ReadString('\n')
	if err != nil {
		os.Exit(9)
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal([]byte(text), &m)
	return string(m.ID), m.Method, text
}

// begin answers until the prompt is there, and gives its id and its text.
func begin(in *bufio.Reader) (id, line string) {
	for {
		id, method, line := next(in)
		switch method {
		case "initialize":
			put(`{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":1}}`)
		case "session/new":
			put(`{"jsonrpc":"2.0","id":` + id + `,"result":{"sessionId":"s"}}`)
		case "session/prompt":
			return id, line
		}
	}
}

func chunk(session, text string) string {
	quoted, _ := json.Marshal(text)
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + session + `","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + string(quoted) + `}}}}`
}

func ended(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"stopReason":"end_turn"}}`
}

var malformed = []string{
	`{`, `}`, `[]`, `[{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file"}]`, `null`, `7`, `"x"`, `{}`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":2,"method":"session/update"}`, `{"jsonrpc":"2.0","method":7}`,
	`{"id":{},"method":"x"}`, `{"id":[1],"method":"fs/read_text_file","params":{}}`, `{"id":1e99999,"method":"x"}`, `{"id":null,"method":"fs/write_text_file","params":{"sessionId":"s","path":"made","content":"x"}}`,
	`{"method":"fs/write_text_file","params":{"sessionId":"s","path":"made","content":"x"}}`, `{"method":"terminal/create","params":{"sessionId":"s","command":"touch made"}}`,
	`{"id":"u","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"no"}}}}`,
	`{"method":"session/update"}`, `{"method":"session/update","params":[]}`, `{"method":"session/update","params":{"sessionId":"s"}}`, `{"method":"session/update","params":{"sessionId":"s","update":7}}`,
	`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk"}}}`, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call"}}}`,
	`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"x","content":[{}],"locations":[null]}}}`,
	`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[null,7]}}}`, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":-1,"size":1e400}}}`,
	`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"no such thing"}}}`, `{"method":"$/cancel_request","params":{"requestId":{}}}`, `{"method":"$/cancel_request"}`, `{"id":5,"method":"$/cancel_request","params":7}`,
	`{"id":99,"result":{}}`, `{"id":"99","error":{"code":1,"message":"x"}}`, `{"id":99,"error":7}`, `{"id":1,"result":{"protocolVersion":9}}`, "\xff\xfe\x00", strings.Repeat("[", 20_000), `{"method":"session/update","params":` + strings.Repeat(`{"a":`, 20_000),
	`{"id":6,"method":"_ext/thing","params":{}}`, `{"id":7,"method":"elicitation/create","params":{}}`, `{"id":8,"method":"terminal/kill","params":{"sessionId":"s","terminalId":"x"}}`, `{"id":9,"method":"terminal/output","params":{"sessionId":"s"}}`,
	`{"id":10,"method":"session/request_permission","params":{"sessionId":"s"}}`, `{"id":11,"method":"session/request_permission","params":{"sessionId":"other","toolCall":{"toolCallId":"x"},"options":[{"optionId":"a","kind":"allow_once","name":"n"}]}}`,
	`{"id":12,"method":"fs/write_text_file","params":{"sessionId":"other","path":"made","content":"x"}}`, `{"id":13,"method":"fs/read_text_file","params":null}`, `{"id":14,"method":"fs/read_text_file"}`, `{"id":15,"method":""}`,
}

// raws are agents that keep to no protocol.
var raws = map[string]func(in *bufio.Reader){
	"chatter": func(in *bufio.Reader) {
		put("Welcome!", "", "loading…")
		id, _ := begin(in)
		put(chunk("s", "an "), "warning: something", chunk("other", "no "), chunk("s", "answer"), ended(id))
		_, _ = io.Copy(io.Discard, in)
	},
	"malformed": func(in *bufio.Reader) {
		id, _ := begin(in)
		put(chunk("s", "before a use of a tool "))
		for _, line := range malformed {
			put(line)
		}
		put(chunk("s", "here"), ended(id))
		_, _ = io.Copy(io.Discard, in)
	},
	// refusals answers with the errors that it got.
	"refusals": func(in *bufio.Reader) {
		id, _ := begin(in)
		var got []string
		for i, line := range malformed {
			if !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,"method"`, i)) && !strings.HasPrefix(line, `{"id":1`) {
				continue
			}
			var m struct{ Method string }
			if json.Unmarshal([]byte(line), &m) != nil || m.Method == "" {
				continue
			}
			put(line)
			_, _, answer := next(in)
			got = append(got, answer)
		}
		put(chunk("s", strings.Join(got, "")), ended(id))
		_, _ = io.Copy(io.Discard, in)
	},
	"flood": func(in *bufio.Reader) {
		id, _ := begin(in)
		for i := range 25_000 {
			_, _ = fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"%d","title":"t","status":"in_progress"}}}`+"\n", i)
		}
		put(chunk("s", "an answer"), ended(id))
		_, _ = io.Copy(io.Discard, in)
	},
	"talkative": func(in *bufio.Reader) {
		begin(in)
		for line := chunk("s", strings.Repeat("x", 1<<20)); ; {
			put(line)
		}
	},
	"longline": func(in *bufio.Reader) {
		begin(in)
		for piece := strings.Repeat("x", 1<<20); ; {
			if _, err := os.Stdout.WriteString(piece); err != nil {
				return
			}
		}
	},
	"longrequest": func(in *bufio.Reader) {
		begin(in)
		put(`{"jsonrpc":"2.0","id":1,"method":"fs/write_text_file","params":{"sessionId":"s","path":"made","content":"` + strings.Repeat("x", 9<<20) + `"}}`)
		_, _ = io.Copy(io.Discard, in)
	},
	"sameid": func(in *bufio.Reader) {
		id, _ := begin(in)
		for range 100 {
			put(`{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"s","path":"a"}}`, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
		}
		for range 100 {
			next(in)
		}
		put(chunk("s", "an answer"), ended(id), ended(id), ended("1"), `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":1,"message":"no"}}`)
		_, _ = io.Copy(io.Discard, in)
	},
	"manyrequests": func(in *bufio.Reader) {
		begin(in)
		for i := range acp.MaxOpen + 10 {
			put(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"x"},"options":[]}}`, i))
		}
		_, _ = io.Copy(io.Discard, in)
	},
	// late goes on after its answer.
	"late": func(in *bufio.Reader) {
		id, _ := begin(in)
		put(chunk("s", "an answer"), ended(id), chunk("s", " and more"),
			`{"jsonrpc":"2.0","id":1,"method":"fs/write_text_file","params":{"sessionId":"s","path":"made","content":"x"}}`,
			`{"jsonrpc":"2.0","id":2,"method":"terminal/create","params":{"sessionId":"s","command":"touch made"}}`)
		_, _ = io.Copy(io.Discard, in)
	},
	// gone ends as soon as it has answered.
	"gone": func(in *bufio.Reader) {
		id, _ := begin(in)
		put(chunk("s", "an answer"), ended(id))
	},
	// early answers before it is asked.
	"early": func(in *bufio.Reader) {
		put(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":"forged"}}`, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`)
		id, _ := begin(in)
		put(chunk("forged", "no "), chunk("s", "an answer"), ended(id))
		_, _ = io.Copy(io.Discard, in)
	},
	// unread takes nothing of the prompt.
	"unread": func(in *bufio.Reader) {
		for range 2 {
			id, method, _ := next(in)
			put(map[string]string{
				"initialize":  `{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":1}}`,
				"session/new": `{"jsonrpc":"2.0","id":` + id + `,"result":{"sessionId":"s"}}`,
			}[method])
		}
		_ = os.WriteFile("unread", nil, 0o600)
		select {}
	},
	"silent": func(*bufio.Reader) { _ = os.WriteFile("unread", nil, 0o600); select {} },
	"version": func(in *bufio.Reader) {
		id, _, _ := next(in)
		put(`{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":99}}`)
		_, _ = io.Copy(io.Discard, in)
	},
	"null": func(in *bufio.Reader) {
		id, _, _ := next(in)
		put(`{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":1}}`)
		id, _, _ = next(in)
		put(`{"jsonrpc":"2.0","id":` + id + `,"result":null}`)
		_, _ = io.Copy(io.Discard, in)
	},
}

// quiet has a test fail that writes to the process's log.
func quiet(t *testing.T) {
	t.Helper()
	var log bytes.Buffer
	own := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() {
		slog.SetDefault(own)
		require.Empty(t, log.String())
	})
}

func TestB63_HostileAgents(t *testing.T) {
	quiet(t)
	in := func(dir string) func(*agent.Request) {
		return func(r *agent.Request) { r.Cwd, r.PermissionMode = dir, "auto" }
	}
	for name, want := range map[string]string{
		"chatter": "an answer", "malformed": "here", "flood": "an answer", "sameid": "an answer", "late": "an answer", "gone": "an answer", "early": "an answer",
	} {
		dir := t.TempDir()
		c := attempt(t, made("raw", name), in(dir))
		require.Equal(t, want, c.text(t), name)
		require.NoFileExists(t, filepath.Join(dir, "made"), name)
		switch name {
		case "chatter":
			require.Contains(t, c.resp.Note, "3 lines")
		case "flood":
			require.Len(t, c.events, acp.MaxEvents)
			require.Contains(t, c.events[acp.MaxEvents-1].Text, "no more of them")
		}
	}
	for name, code := range map[string]fault.Code{
		"talkative": fault.AgentOutputTooLarge, "longline": fault.AgentOutputTooLarge, "longrequest": fault.AgentOutputTooLarge, "version": fault.AgentFailed, "null": fault.AgentAnswerInvalid,
	} {
		dir := t.TempDir()
		c := attempt(t, made("raw", name), in(dir))
		require.Equal(t, code, fault.CodeOf(c.err), "%s: %v", name, c.err)
		require.Nil(t, c.resp.Value)
		require.NoFileExists(t, filepath.Join(dir, "made"), name)
	}
	c := attempt(t, made("raw", "manyrequests"), func(r *agent.Request) {
		r.Ask = func(ctx context.Context, _ agent.Permission) (bool, error) { <-ctx.Done(); return false, ctx.Err() }
	})
	require.Equal(t, fault.AgentAnswerInvalid, fault.CodeOf(c.err), "%v", c.err)
}

// What cannot be done is refused, with an error for each request.
func TestHostileRequestsAreRefused(t *testing.T) {
	text := attempt(t, made("raw", "refusals")).text(t)
	answers := strings.Split(strings.TrimSpace(text), "\n")
	require.Greater(t, len(answers), 3)
	for _, answer := range answers {
		require.Regexp(t, `"error":\{"code":-32[67]\d\d|"outcome":"cancelled"`, answer)
	}
}

// An answer is not lost when the agent ends right after it.
func TestAnswerThenEnd(t *testing.T) {
	for range 20 {
		require.Equal(t, "an answer", attempt(t, made("raw", "gone")).text(t))
	}
}

func TestCancelOfAnAgentThatDoesNotListen(t *testing.T) {
	for _, name := range []string{"unread", "silent"} {
		ctx, cancel := context.WithCancel(t.Context())
		dir := t.TempDir()
		go func() {
			for ctx.Err() == nil {
				if _, err := os.Stat(filepath.Join(dir, "unread")); err == nil {
					cancel()
				}
				time.Sleep(time.Millisecond)
			}
		}()
		_, err := made("raw", name).Run(ctx, agent.Request{Run: "R", Call: "/agent#0", Prompt: strings.Repeat("x", 1<<20), Cwd: dir}, nil)
		require.ErrorIs(t, err, context.Canceled, name)
		cancel()
	}
}
