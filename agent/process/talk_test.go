//go:build unix

package process_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// talk runs a job with a conversation.
func talk(ctx context.Context, t *testing.T, j process.Job, with func(ctx context.Context, in io.WriteCloser, out io.Reader) error) process.Outcome {
	t.Helper()
	j.Talk = with
	out, err := j.Run(ctx, &groups{t: t})
	require.NoError(t, err)
	require.Zero(t, openPipes(t))
	return out
}

func TestTalkConverses(t *testing.T) {
	out := talk(t.Context(), t, job(t, `while read line; do echo "you said $line"; done; echo bye; echo trouble >&2`), func(_ context.Context, in io.WriteCloser, out io.Reader) error {
		lines := bufio.NewScanner(out)
		for _, word := range []string{"one", "two"} {
			if _, err := io.WriteString(in, word+"\n"); err != nil {
				return err
			}
			require.True(t, lines.Scan())
			require.Equal(t, "you said "+word, lines.Text())
		}
		require.NoError(t, in.Close())
		require.True(t, lines.Scan())
		require.Equal(t, "bye", lines.Text())
		require.False(t, lines.Scan())
		return lines.Err()
	})
	require.NoError(t, out.Talked)
	require.False(t, out.Late || out.Over || out.Held)
	require.True(t, out.Success())
	require.Equal(t, "trouble\n", string(out.Stderr))
	require.Empty(t, out.Stdout)
}

// The conversation is over, and the child is not: it is ended.
func TestTalkEndsFirst(t *testing.T) {
	j := job(t, `trap '' TERM; echo $$ >pid; echo hello; cat >/dev/null; while :; do sleep 1; done`)
	out := talk(t.Context(), t, j, func(_ context.Context, _ io.WriteCloser, out io.Reader) error {
		_, err := bufio.NewReader(out).ReadString('\n')
		return err
	})
	require.NoError(t, out.Talked)
	require.False(t, out.Late)
	require.False(t, out.Success())
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
}

// The child is over: the conversation sees the end of its output, and what it writes fails.
func TestTalkAfterTheChild(t *testing.T) {
	out := talk(t.Context(), t, job(t, `echo last; exit 3`), func(_ context.Context, in io.WriteCloser, out io.Reader) error {
		text, err := io.ReadAll(out)
		require.NoError(t, err)
		require.Equal(t, "last\n", string(text))
		_, err = in.Write(make([]byte, 1<<20))
		require.Error(t, err)
		return errors.New("it hung up")
	})
	require.EqualError(t, out.Talked, "it hung up")
	require.False(t, out.Late || out.Held)
	require.Equal(t, 3, out.State.ExitCode())
}

// B61: something that the child left behind holds both of its pipes; the conversation gets the end of
// the output all the same, and what it writes fails.
func TestB61_TalkWithAHeldPipe(t *testing.T) {
	for name, with := range map[string]func(in io.WriteCloser, out io.Reader) error{
		"reads":  func(_ io.WriteCloser, out io.Reader) error { _, err := io.Copy(io.Discard, out); return err },
		"writes": func(in io.WriteCloser, _ io.Reader) error { return endless(in) },
	} {
		j := job(t, `exec 3<&0; (trap '' TERM; exec sleep 300) <&3 & echo $! >pid`)
		out := talk(t.Context(), t, j, func(_ context.Context, in io.WriteCloser, out io.Reader) error { return with(in, out) })
		require.True(t, out.Held, name)
		require.True(t, out.Success(), name)
		if name == "reads" {
			require.NoError(t, out.Talked)
		} else {
			require.Error(t, out.Talked)
		}
		agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
	}
}

// A conversation that is slow to read what the child said last is waited for.
func TestTalkReadsSlowly(t *testing.T) {
	j := job(t, `head -c 60000 /dev/zero | tr '\0' x; echo end; echo $$ >pid`)
	j.Grace = 20 * time.Millisecond
	out := talk(t.Context(), t, j, func(_ context.Context, _ io.WriteCloser, out io.Reader) error {
		agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
		time.Sleep(10 * j.Grace)
		text, err := io.ReadAll(out)
		require.True(t, strings.HasSuffix(string(text), "xend\n"))
		return err
	})
	require.NoError(t, out.Talked)
	require.False(t, out.Held)
}

// endless writes until it fails.
func endless(w io.Writer) error {
	chunk := []byte(strings.Repeat("x", 64<<10))
	for {
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
}

// When ctx ends, a conversation may take its leave, and one that does not is ended by its pipes.
func TestTalkIsEnded(t *testing.T) {
	deaf := `trap '' TERM; echo $$ >pid; while :; do sleep 1; done`
	for name, with := range map[string]func(ctx context.Context, in io.WriteCloser, out io.Reader) error{
		"waits for output": func(_ context.Context, _ io.WriteCloser, out io.Reader) error { _, err := io.ReadAll(out); return err },
		"writes":           func(_ context.Context, in io.WriteCloser, _ io.Reader) error { return endless(in) },
		"hears of it":      func(ctx context.Context, _ io.WriteCloser, _ io.Reader) error { <-ctx.Done(); return ctx.Err() },
		"takes its leave": func(ctx context.Context, in io.WriteCloser, _ io.Reader) error {
			<-ctx.Done()
			_, err := io.WriteString(in, "cancel\n")
			return errors.Join(err, ctx.Err())
		},
	} {
		j := job(t, deaf)
		ctx, cancel := context.WithCancel(t.Context())
		go agenttest.WhenWritten(cancel, j.Dir+"/pid")
		out := talk(ctx, t, j, with)
		require.True(t, out.Late, name)
		require.False(t, out.Success(), name)
		require.False(t, out.Held, name)
		agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
	}
}

// A leave that the child hears: it has the grace for it.
func TestTalkTakesItsLeave(t *testing.T) {
	j := job(t, `echo $$ >pid; read line; echo "$line" >heard`)
	j.Grace = 10 * time.Second
	ctx, cancel := context.WithCancel(t.Context())
	go agenttest.WhenWritten(cancel, j.Dir+"/pid")
	out := talk(ctx, t, j, func(ctx context.Context, in io.WriteCloser, out io.Reader) error {
		<-ctx.Done()
		_, err := io.WriteString(in, "cancel\n")
		_, _ = io.ReadAll(out) // until it has ended
		return err
	})
	require.NoError(t, out.Talked)
	require.False(t, out.Late, "it came to its end")
	require.FileExists(t, j.Dir+"/heard")
	require.True(t, out.Success())
}

// A conversation that came to its end is not late, though ctx ended meanwhile.
func TestTalkThatWasOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := talk(ctx, t, job(t, `echo answer; cat >/dev/null`), func(_ context.Context, _ io.WriteCloser, out io.Reader) error {
		_, err := bufio.NewReader(out).ReadString('\n')
		cancel()
		return err
	})
	require.False(t, out.Late)
	require.NoError(t, out.Talked)
}

// B64: a child that floods is held up at its pipe, and ended.
func TestB64_TalkWithAFlood(t *testing.T) {
	j := job(t, `trap '' TERM; echo $$ >pid; exec yes`)
	out := talk(t.Context(), t, j, func(_ context.Context, _ io.WriteCloser, out io.Reader) error {
		if _, err := io.CopyN(io.Discard, out, 32<<20); err != nil {
			return err
		}
		return errors.New("it says too much")
	})
	require.EqualError(t, out.Talked, "it says too much")
	require.False(t, out.Success())
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
}
