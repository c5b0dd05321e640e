//go:build unix

package process_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/process"
)

func program(t *testing.T, script string) *process.Program {
	t.Helper()
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	return &process.Program{Argv: []string{shell, "-c", script}, Dir: t.TempDir(), Env: os.Environ(), MaxOutput: 1000, Grace: 200 * time.Millisecond}
}

func TestProgramGivesWhatItPrinted(t *testing.T) {
	p := program(t, `cat; echo "$ASSENT_AGENT $ASSENT_HOME $DISPLAY"; pwd`)
	p.Env, p.Keep = append(p.Env, "ASSENT_HOME=/store", "DISPLAY=:3"), []string{"DISPLAY", "ASSENT_HOME"}
	out, err := p.Run(t.Context(), "01RUN", "asker/g-1", []byte("in\n"))
	require.NoError(t, err)
	require.Equal(t, "in\n01RUN/asker/g-1  :3\n"+p.Dir+"\n", string(out))
}

// What did not end well, and by itself, has printed nothing that counts.
func TestProgramPrintedNothingThatCounts(t *testing.T) {
	for script, why := range map[string]string{
		`echo yes; exit 3`:                   "sh failed with exit code 3",
		`echo yes; echo "no" >&2; exit 1`:    "standard error ends: no",
		`echo yes; kill -9 $$`:               "signal: killed",
		`head -c 1001 /dev/zero`:             "printed more than 1000 bytes",
		`echo yes; sleep 300 & echo $! >pid`: "still held its output",
	} {
		p := program(t, script)
		out, err := p.Run(t.Context(), "R", "x", nil)
		require.ErrorContains(t, err, why, script)
		require.Nil(t, out)
		if why == "still held its output" {
			agenttest.RequireGone(t, agenttest.PidIn(t, p.Dir+"/pid"))
		}
	}
	p := program(t, "true")
	p.Argv[0] = p.Dir + "/none"
	_, err := p.Run(t.Context(), "R", "x", nil)
	require.ErrorContains(t, err, "none cannot be started")
}

// The end of the context ends the group, and makes void what it says to that.
func TestProgramIsEnded(t *testing.T) {
	p := program(t, `sleep 300 & echo $! >pid; trap 'echo yes; exit 0' TERM; wait`)
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("the question is settled")
	go agenttest.WhenWritten(func() { cancel(over) }, p.Dir+"/pid")
	out, err := p.Run(ctx, "R", "x", nil)
	require.ErrorIs(t, err, over)
	require.Nil(t, out)
	agenttest.RequireGone(t, agenttest.PidIn(t, p.Dir+"/pid"))
	_, err = p.Run(ctx, "R", "x", nil)
	require.ErrorIs(t, err, over, "nothing is started any more")
}
