package agent_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// TestMain lets the test binary be the agent of its own tests: with child:NAME as its first
// argument it is that child.
func TestMain(m *testing.M) {
	agenttest.Main(map[string]agenttest.Speaker{"command": {Hear: hearRequest, Say: sayReply}})
	if len(os.Args) > 1 {
		if name, ok := strings.CutPrefix(os.Args[1], "child:"); ok {
			children[name]()
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

var children = map[string]func(){
	// echo answers with the request it got, and with whether anything followed it.
	"echo": func() {
		text, err := io.ReadAll(os.Stdin)
		value, _ := json.Marshal(map[string]any{"request": json.RawMessage(bytes.TrimSpace(text)), "failed": err != nil})
		fmt.Printf("{\"assent\":1,\"value\":%s}\n", value)
	},
	// flood prints 2 GiB.
	"flood": func() {
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for range 2048 {
			if _, err := os.Stdout.Write(chunk); err != nil {
				os.Exit(1)
			}
		}
	},
	// longline prints a line of 11 MB and then the result.
	"longline": func() {
		out := bufio.NewWriter(os.Stdout)
		fmt.Fprintln(out, strings.Repeat("y", 11_000_000))
		fmt.Fprintln(out, `{"assent":1,"text":"found"}`)
		_ = out.Flush()
	},
	// under says what UnderAgent says.
	"under": func() {
		marker, under := process.UnderAgent()
		fmt.Printf("%s %v\n", marker, under)
	},
	// terminal has a controlling terminal, and starts an agent that tries to open it.
	"terminal": func() {
		own, err := os.Open("/dev/tty")
		if err == nil {
			_ = own.Close()
		}
		fmt.Printf("own=%v\n", err == nil)
		c := &agent.Command{Argv: []string{"/bin/sh", "-c", "(echo yes >/dev/tty) 2>/dev/null && echo opened || echo closed"}}
		resp, err := c.Run(context.Background(), agent.Request{}, nil)
		fmt.Printf("agent=%s %v\n", resp.Value, err)
	},
}

// child is the test binary as an agent.
func child(name string) []string { return []string{os.Args[0], "child:" + name} }

// sh is a shell script as an agent.
func sh(script string) *agent.Command {
	return &agent.Command{Name: "stub", Argv: []string{"/bin/sh", "-c", script}, Grace: 300 * time.Millisecond}
}

// parse is Parse of a prompt and options that are right.
func parse(t *testing.T, options string) agent.Call {
	t.Helper()
	args := []json.RawMessage{json.RawMessage(`"do it"`)}
	if options != "" {
		args = append(args, json.RawMessage(options))
	}
	call, err := agent.Parse(args)
	require.NoError(t, err)
	return call
}

// runnerFunc is a Runner made of a function.
type runnerFunc func(ctx context.Context, req agent.Request) (agent.Response, error)

func (f runnerFunc) Run(ctx context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	return f(ctx, req)
}

// says answers attempt n with the nth text, and keeps the prompts it got.
func says(prompts *[]string, texts ...string) agent.Runner {
	return runnerFunc(func(_ context.Context, req agent.Request) (agent.Response, error) {
		*prompts = append(*prompts, req.Prompt)
		value, err := json.Marshal(texts[req.Attempt-1])
		return agent.Response{Value: value}, err
	})
}
