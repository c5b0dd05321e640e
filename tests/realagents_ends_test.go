package tests_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// reading are two calls that read, one after the other.
const reading = `export const meta = { name: "reading", description: "read two files" };
const first = await agent("Read the first.", { label: "first", readOnly: true });
return first + " " + await agent("Read the second.", { label: "second", readOnly: true });
`

// A plan that is used up in the middle of a call pauses the run. When it has been filled again, the run goes on, and
// what was answered is not asked again.
func TestRealAgentsUsageLimit(t *testing.T) {
	t.Parallel()
	for _, a := range realAgents(t) {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			first := modeltest.Scene{Prompt: "Read the first.", Turns: []modeltest.Turn{used(modeltest.Says("One."), 100, 10)}}
			second := func(then modeltest.Turn) modeltest.Play {
				return modeltest.Play{first, {Prompt: "Read the second.", Turns: []modeltest.Turn{used(a.read("other.txt"), 200, 20), then}}}
			}
			v := newRealVisitor(t, a, second(a.limit))
			lay(t, reading, v.dir, "reading.js")
			said := v.says(t, 5, "run", "reading.js", "--agent", a.name, "--headless")
			require.Equal(t, "paused", said.State)
			require.Equal(t, "USAGE_LIMIT", said.Error.Code)
			require.Len(t, v.asked("Read the second."), 2)

			v.play(second(used(modeltest.Says("Two."), 300, 30)))
			said = v.says(t, 0, "resume", said.Run, "--headless")
			require.JSONEq(t, `"One. Two."`, string(said.Result))
			require.Len(t, v.asked("Read the first."), 1, "what is answered is paid for once")
			require.Len(t, v.asked("Read the second."), 2+2)
			want := int64(100 + 200 + 300)
			if a.tellsFailed {
				want += 200
			} else {
				t.Logf("%s tells nothing of the tokens of an attempt that failed", a.name)
			}
			require.Equal(t, want, *v.says(t, 0, "show", said.Run).Usage.Input)
		})
	}
}

// The process that drives the run is killed while a worker is at work. The next one ends what is left
// of that worker, puts its tree back, and has it done again, since nothing else can have changed.
func TestRealAgentsKilled(t *testing.T) {
	t.Parallel()
	for _, a := range realAgents(t) {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			held := delivery(a)
			held[1].Turns = []modeltest.Turn{a.write("half.txt", "half"), {Text: "never said", Hold: make(chan struct{})}}
			v := newRealVisitor(t, a, held)
			lay(t, deliver, v.dir, "deliver.js")
			before := v.own(t)
			said := v.says(t, 4, "run", "deliver.js", "--agent", a.name, "--headless", "--on-gate", "suspend")
			run := said.Run
			v.says(t, 0, "approve", run, "--checksum", said.Waiting[0].Checksum, "--mode", "accept-edits")

			driving := exec.Command(filepath.Join(built, "assent"), "resume", run, "--headless")
			driving.Dir, driving.Env = v.dir, v.env
			require.NoError(t, driving.Start())
			require.Eventually(t, func() bool { return len(v.asked(working)) == 2 }, time.Minute, 20*time.Millisecond)
			require.NoError(t, driving.Process.Kill())
			require.Error(t, driving.Wait())
			require.NotEmpty(t, marked(t, run), "the worker is at work still")

			v.play(delivery(a))
			said = v.says(t, 0, "resume", run, "--headless")
			require.Equal(t, "completed", said.State)
			require.Empty(t, marked(t, run))
			require.Len(t, v.asked(planning), 2, "the planner is not asked again")
			require.Len(t, v.asked(working), 2+3)
			require.Equal(t, before, v.own(t))

			made := v.says(t, 0, "show", run).Calls[1].Worktree
			require.Equal(t, "greet.txt\n", v.git(t, "diff", "--name-only", "main", made.Branch), "the tree began again")
			require.Equal(t, "Hello, dear\n", v.git(t, "show", made.Branch+":greet.txt"))
			kept := strings.Fields(v.git(t, "for-each-ref", "--format=%(refname)", "refs/assent/kept"))
			require.Len(t, kept, 1, "what it had done is not lost")
			require.Contains(t, v.git(t, "show", kept[0]+":half.txt"), "half")
			stdout, stderr, code := v.run(t, "verify", run)
			require.Zero(t, code, stdout+stderr)
		})
	}
}

// marked are the processes of a run's agents, which inherit a variable. They are found on Linux only.
func marked(t *testing.T, run string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the processes of agents are looked for in /proc")
	}
	var found []string
	processes, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	for _, path := range processes {
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains("\x00"+string(text), "\x00ASSENT_AGENT="+run+"/") {
			found = append(found, path)
		}
	}
	return found
}
