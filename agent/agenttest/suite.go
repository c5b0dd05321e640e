package agenttest

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
)

// Subject is a runner that the suite is to judge.
type Subject struct {
	// Speaker is the name of the program's speaker, as Main was given it.
	Speaker string
	// New makes the runner for a program.
	New func(t *testing.T, s Start) agent.Runner
	// Lacks are what the program's protocol cannot have, each with the reason.
	Lacks map[Trait]string
	// Sets are the names of variables that the runner sets for its program.
	Sets []string
}

// Start is what a runner is made of.
type Start struct {
	// Program is the fake's path.
	Program string
	// Env is the environment before process.FilterEnv.
	Env []string
	// MaxOutput and Grace are caps for this test; 0 is the runner's own.
	MaxOutput int64
	Grace     time.Duration
}

// Trait is something that not every protocol has.
type Trait string

// The traits there are.
const (
	Structured   Trait = "answers with a value by itself"
	Usage        Trait = "reports usage"
	Cost         Trait = "reports what it cost"
	Sessions     Trait = "tells its session"
	Texts        Trait = "tells its texts while at work"
	Tools        Trait = "tells its use of tools while at work"
	Failures     Trait = "says that it failed, with exit code 0"
	Limits       Trait = "says that a usage limit is reached"
	Resets       Trait = "says when a usage limit ends"
	NoModels     Trait = "says that it has no such model"
	Framing      Trait = "tells an answer from other output"
	Models       Trait = "is told the model"
	Efforts      Trait = "is told the effort"
	Instructions Trait = "is told the instructions of an agent type"
	ToolLists    Trait = "is told the tools"
	Fences       Trait = "is fenced in for a call that only reads"
	Inputs       Trait = "has an input that ends before it works"
)

// Run holds a runner against all that the suite has.
func Run(t *testing.T, s Subject) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a fake is a script for a Unix shell")
	}
	for _, part := range []struct {
		name  string
		check func(*testing.T, Subject)
	}{
		{"answers", answers},
		{"events", events},
		{"failures", failures},
		{"streams", streams},
		{"ends", ends},
		{"fences", fences},
		{"request", request},
		{"together", together},
	} {
		t.Run(part.name, func(t *testing.T) { part.check(t, s) })
	}
}

// has says whether the protocol has a trait; if not, the log says why that is not checked.
func (s Subject) has(t *testing.T, trait Trait) bool {
	t.Helper()
	why, lacks := s.Lacks[trait]
	if lacks {
		t.Logf("not checked: the program %s: %s", trait, why)
	}
	return !lacks
}

// defaultGrace is how long a group may take to end in tests that do not wait for that.
const defaultGrace = 300 * time.Millisecond

// call is one attempt of a runner at a fake.
type call struct {
	program string
	runner  agent.Runner
	req     agent.Request
	step    *steps

	mu   sync.Mutex
	told []agent.Event // guarded by mu
}

// call makes a fake that behaves so, and a runner for it.
func (s Subject) call(t *testing.T, b Behaviour, adjust ...func(*Start)) *call {
	t.Helper()
	c := &call{program: Fake(t, s.Speaker, b), step: &steps{}}
	start := Start{Program: c.program, Env: os.Environ(), Grace: defaultGrace}
	for _, change := range adjust {
		change(&start)
	}
	c.runner = s.New(t, start)
	c.req = agent.Request{
		Version: agent.Version, Run: "01RUN", Call: "/agent#0", Prompt: "Do what there is to do", Cwd: folder(t), Attempt: 1,
		Tell: func(e agent.Event) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.told = append(c.told, e)
		},
	}
	return c
}

// folder is a folder to work in, by the path that a process has of it.
func folder(t *testing.T) string {
	t.Helper()
	t.Chdir(t.TempDir()) // not the package's: a runner that forgets Cwd is found out
	dir := t.TempDir()
	return resolved(t, dir)
}

// run makes the attempt, and checks what holds of every one.
func (c *call) run(ctx context.Context, t *testing.T) (agent.Response, error) {
	t.Helper()
	resp, err := c.runner.Run(ctx, c.req, c.step)
	if err != nil {
		require.Empty(t, resp.Value, "an error has no answer beside it")
	} else {
		require.True(t, json.Valid(resp.Value), "%s", resp.Value)
	}
	c.step.check(t)
	return resp, err
}

// answer makes the attempt, and gives its text.
func (c *call) answer(t *testing.T) string {
	t.Helper()
	resp, err := c.run(t.Context(), t)
	require.NoError(t, err)
	var text string
	require.NoError(t, json.Unmarshal(resp.Value, &text))
	return text
}

// report is that of the one process that the fake was.
func (c *call) report(t *testing.T) Report {
	t.Helper()
	reports := Reports(t, c.program)
	require.Len(t, reports, 1, "processes of one attempt")
	return reports[0]
}

// heard are the events of a type.
func (c *call) events(kind string) []agent.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []agent.Event
	for _, e := range c.told {
		if e.Type == kind {
			found = append(found, e)
		}
	}
	return found
}

// said is all that was told as text, in one piece.
func (c *call) said() string {
	var text strings.Builder
	for _, e := range c.events(agent.EventText) {
		text.WriteString(e.Text + "\n")
	}
	return text.String()
}

// steps records the process groups that a runner tells of.
type steps struct {
	mu    sync.Mutex
	began []int // guarded by mu, as all of it
	ended []int
}

var _ agent.Step = (*steps)(nil)

func (s *steps) Process(pid, _ int) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = append(s.began, pid)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = append(s.ended, pid)
	}
}

// check sees that the step was told of every process, and that each is over.
func (s *steps) check(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	require.NotEmpty(t, s.began, "the step was told of no process")
	require.ElementsMatch(t, s.began, s.ended, "every group that began ended before the call did")
	for _, pid := range s.began {
		RequireGone(t, pid)
	}
}
