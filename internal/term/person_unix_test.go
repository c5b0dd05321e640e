//go:build linux || darwin

package term_test

import (
	"bytes"
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// person sits at a real pseudo-terminal of 100 columns.
type person struct {
	t      *testing.T
	keys   *os.File // the keyboard's and the screen's side
	tty    *os.File // the program's side
	term   *term.Terminal
	ended  chan struct{} // closed when nothing more can be read
	before unix.Termios

	mu     sync.Mutex
	screen bytes.Buffer // guarded by mu
	seen   int          // guarded by mu; how far see has looked
}

func sitDown(t *testing.T, o term.Options) *person {
	t.Helper()
	keys, tty, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(keys, &pty.Winsize{Rows: 44, Cols: 100}))
	// Without blocking, so that closing it ends the read of watch and hangs up.
	fd, err := unix.Dup(int(keys.Fd()))
	require.NoError(t, err)
	require.NoError(t, unix.SetNonblock(fd, true))
	require.NoError(t, keys.Close())
	keys = os.NewFile(uintptr(fd), "keys")
	p := &person{t: t, keys: keys, tty: tty, ended: make(chan struct{})}
	p.term, err = term.Open(tty, tty, o)
	require.NoError(t, err)
	p.before = p.mode()
	go p.watch()
	t.Cleanup(func() {
		_ = tty.Close()
		_ = keys.Close()
		<-p.ended
	})
	return p
}

func (p *person) watch() {
	defer close(p.ended)
	var buf [8192]byte
	for {
		n, err := p.keys.Read(buf[:])
		p.mu.Lock()
		p.screen.Write(buf[:n])
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (p *person) mode() unix.Termios {
	mode, err := unix.IoctlGetTermios(int(p.tty.Fd()), ioctlGetMode)
	require.NoError(p.t, err)
	return *mode
}

// all is everything that was on the screen.
func (p *person) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// see waits until text appears behind what was seen before.
func (p *person) see(text string) {
	p.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		p.mu.Lock()
		rest := p.screen.Bytes()[p.seen:]
		at := bytes.Index(rest, []byte(text))
		if at >= 0 {
			p.seen += at + len(text)
		}
		p.mu.Unlock()
		if at >= 0 {
			return
		}
		if time.Now().After(deadline) {
			require.FailNow(p.t, "never saw "+text, "%q", p.all())
		}
		time.Sleep(time.Millisecond)
	}
}

// prompt waits for the place where something can be typed.
func (p *person) prompt() {
	p.t.Helper()
	p.see("\n> ")
}

func (p *person) press(keys string) {
	p.t.Helper()
	_, err := p.keys.WriteString(keys)
	require.NoError(p.t, err)
}

type outcome struct {
	term.Decision
	err error
}

// ask begins a question; the channel gives its outcome.
func (p *person) ask(ctx context.Context, r term.Review) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		d, err := term.Ask(ctx, p.term, r)
		done <- outcome{d, err}
	}()
	return done
}

func wait(t *testing.T, done <-chan outcome) outcome {
	t.Helper()
	select {
	case o := <-done:
		return o
	case <-time.After(20 * time.Second):
		require.FailNow(t, "the question never ended")
		return outcome{}
	}
}

// still asserts that the question goes on.
func still(t *testing.T, done <-chan outcome) {
	t.Helper()
	select {
	case o := <-done:
		require.FailNow(t, "the question ended", "%+v", o)
	case <-time.After(150 * time.Millisecond):
	}
}
