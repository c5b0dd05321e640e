package agenttest_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// fault is one thing that a runner does wrong.
type fault string

const (
	argument  fault = "hands the prompt over as an argument"
	open      fault = "gives the program the whole environment"
	homeless  fault = "forgets the folder"
	trusting  fault = "takes an exit code for an answer"
	guessing  fault = "takes damaged output for an answer"
	forgetful fault = "forgets the usage beside an error"
	eager     fault = "does not hear that it is over"
	secretive fault = "tells nobody of its processes"
	shared    fault = "shares what it heard among calls"
	mute      fault = "tells no events"
	trimming  fault = "trims the prompt"
)

// found is the part of the suite that finds each.
var found = map[fault]string{
	argument: "request/prompt_with_one_megabyte", open: "fences/environment", homeless: "fences/folder_and_terminal",
	trusting: "failures/by_its_exit_code", guessing: "streams/cut", forgetful: "answers/usage", secretive: "answers/a_text",
	eager: "ends/over_before_it_began", shared: "together", mute: "events", trimming: "request/prompt_with_a_leading_space",
}

// spoil makes the fault.
func (f fault) spoil(job *process.Job, req agent.Request, step *agent.Step, r *runner) {
	switch f {
	case argument:
		job.Argv, job.Stdin = append(job.Argv, req.Prompt), nil
	case open:
		job.Env = append(os.Environ(), r.env...)
	case homeless:
		job.Dir = ""
	case secretive:
		*step = nil
	case trimming:
		job.Stdin = []byte(strings.TrimSpace(req.Prompt))
	case mute:
		lines := job.Lines
		job.Lines = func(text []byte) {
			if !strings.HasPrefix(string(text), `{"say"`) {
				lines(text)
			}
		}
	}
}

// A runner without a fault passes.
func TestTheSuitePassesARunner(t *testing.T) { agenttest.Run(t, subject("")) }

// Every fault is found, by the part that is for it. The suite fails the test it runs in, so that it runs
// in another process.
func TestTheSuiteFindsFaults(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the suite needs a Unix shell")
	}
	for f, part := range found {
		t.Run(string(f), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestFaulty$/^"+strings.ReplaceAll(part, "/", "$/^")+"$")
			cmd.Env = append(os.Environ(), "ASSENT_FAULT="+string(f))
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "%s", out)
			require.Contains(t, string(out), "--- FAIL: TestFaulty/"+part)
		})
	}
}

func TestFaulty(t *testing.T) {
	f := fault(os.Getenv("ASSENT_FAULT"))
	if f == "" {
		t.Skip("run by TestTheSuiteFindsFaults")
	}
	agenttest.Run(t, subject(f))
}
