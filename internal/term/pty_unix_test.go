//go:build linux || darwin

package term_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/seed-8d4a6081/assent/internal/term"
)

func TestAskTakesEachDecision(t *testing.T) {
	for _, tt := range []struct {
		keys string
		want term.Decision
	}{
		{"approve\r", term.Decision{Kind: term.Approve}},
		{"reject\n", term.Decision{Kind: term.Reject}},
		{"later\r", term.Decision{Kind: term.Later}},
		{"apprx\x7fove\r", term.Decision{Kind: term.Approve}},
		{"yes please\x15reject\r", term.Decision{Kind: term.Reject}},
		{"one two \x17\x17later\r", term.Decision{Kind: term.Later}},
		{"\x1b[A\x1bOB\x1b[1;5Clater\r", term.Decision{Kind: term.Later}},
	} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), planReview(`{"summary":"s"}`))
		p.prompt()
		p.press(tt.keys)
		require.Equal(t, outcome{tt.want, nil}, wait(t, done), "%q", tt.keys)
		require.Equal(t, p.before, p.mode(), "the terminal is as it was")
		require.Empty(t, dangerous(bare(p.all())))
	}
}

func TestB59_NothingButTheWordApproves(t *testing.T) {
	for name, keys := range map[string]string{
		"Enter": "\r", "y": "y\r", "Y with spaces": "Y \r", "yes": "yes\r", "yes please": "yes please\r", "full-width": "ｙ\r",
		"full-width word": "ａｐｐｒｏｖｅ\r", "capital": "Approve\r", "upper": "APPROVE\r", "space before": " approve\r", "space after": "approve \r",
		"part": "appr\r", "invalid UTF-8": "approve\xff\r", "invalid UTF-8 alone": "\xc3\x28\r", "tab": "approve\t\r", "NUL": "app\x00rove\r",
		"zero width": "app\u200Brove\r", "true": "true\r", "1": "1\r", "ok": "ok\r", "Cyrillic": "аpprove\r", "quoted": "\"approve\"\r",
		"pasted with its newline": "\x1b[200~approve\n\x1b[201~\r", "not okay, approved later": "not okay, approved later\r",
		"Alt": "\x1bapprove\r",
	} {
		p := sitDown(t, term.Options{Color: true})
		done := p.ask(t.Context(), planReview(`{}`))
		for range 4 { // asked, and three times again
			p.prompt()
			p.press(keys)
		}
		require.Equal(t, outcome{}, wait(t, done), name)
		p.see("no usable answer was given; the question stays open.")
		require.Equal(t, p.before, p.mode(), name)
		require.Empty(t, dangerous(bare(p.all())), name)
		require.NoError(t, p.keys.Close())
		<-p.ended
	}
}

func TestB59_AnUnderstoodWordStartsTheCountAnew(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(`{}`))
	for _, keys := range []string{"y\r", "y\r", "y\r", "again\r", "y\r", "y\r", "y\r"} {
		p.prompt()
		p.press(keys)
	}
	p.prompt()
	still(t, done)
	p.press("later\r")
	require.Equal(t, term.Later, wait(t, done).Kind)
}

func TestB59_LeavingIsNoAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		keys string
		want error
		line string
	}{
		"Ctrl-C":               {"\x03", term.ErrInterrupted, "interrupted; nothing was answered."},
		"Ctrl-C behind a word": {"approve\x03", term.ErrInterrupted, "interrupted; nothing was answered."},
		"Ctrl-D":               {"\x04", term.ErrClosed, "the input ended; nothing was answered."},
		"Ctrl-D after junk":    {"appr\x15\x04", term.ErrClosed, "the input ended; nothing was answered."},
	} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), planReview(`{}`))
		p.prompt()
		p.press(tt.keys)
		o := wait(t, done)
		require.ErrorIs(t, o.err, tt.want, name)
		require.Equal(t, term.Decision{}, o.Decision, name)
		p.see(tt.line)
		require.Equal(t, p.before, p.mode(), name)
	}
}

func TestB59_CtrlDBehindAWordDoesNotSendIt(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(`{}`))
	p.prompt()
	p.press("approve\x04")
	still(t, done)
	p.press("\x03")
	require.ErrorIs(t, wait(t, done).err, term.ErrInterrupted)
}

func TestB59_AClosedTerminalIsNoAnswer(t *testing.T) {
	for _, keys := range []string{"", "approve"} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), planReview(`{}`))
		p.prompt()
		p.press(keys)
		require.NoError(t, p.keys.Close())
		o := wait(t, done)
		require.ErrorIs(t, o.err, term.ErrClosed)
		require.Equal(t, term.Decision{}, o.Decision)
	}
}

func TestB59_AClosedFileIsNoAnswer(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(`{}`))
	p.prompt()
	require.NoError(t, p.tty.Close())
	require.ErrorIs(t, wait(t, done).err, term.ErrClosed)
}

func TestB59_APipeIsNoTerminal(t *testing.T) {
	p := sitDown(t, term.Options{})
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	for _, in := range []*os.File{r, null, nil} {
		_, err = term.Open(in, p.tty, term.Options{})
		require.ErrorIs(t, err, term.ErrNotTerminal)
		_, err = term.Open(p.tty, in, term.Options{})
		require.ErrorIs(t, err, term.ErrNotTerminal)
		require.False(t, term.IsTerminal(in))
	}
	require.True(t, term.IsTerminal(p.tty))
}

func TestInputTypedBeforeThePromptIsDropped(t *testing.T) {
	p := sitDown(t, term.Options{})
	p.press("approve\napprove\napprove\n")
	time.Sleep(20 * time.Millisecond)
	done := p.ask(t.Context(), planReview(`{}`))
	p.prompt()
	still(t, done)
	p.press("y\rapprove\r") // the second line came before its prompt
	p.prompt()
	still(t, done)
	p.press("later\rrm -rf x\n")
	require.Equal(t, term.Later, wait(t, done).Kind)
	unread, err := unix.IoctlGetInt(int(p.tty.Fd()), ioctlUnread)
	require.NoError(t, err)
	require.Zero(t, unread, "nothing is left for the shell")
}

func TestAskEndsWithItsContext(t *testing.T) {
	p := sitDown(t, term.Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	done := p.ask(ctx, planReview(`{}`))
	p.prompt()
	p.press("appr")
	p.see("appr")
	answered := &elsewhere{"gate g1 was approved in another terminal\x1b[2K"}
	began := time.Now()
	cancel(answered)
	o := wait(t, done)
	require.Less(t, time.Since(began), time.Second)
	require.Equal(t, outcome{err: answered}, o)
	p.see("\r\nthis question is over: gate g1 was approved in another terminal‹ESC›[2K.\r\n")
	require.Equal(t, p.before, p.mode())

	done = p.ask(ctx, planReview(`{}`))
	require.Equal(t, outcome{err: answered}, wait(t, done), "and does not begin after it")
}

type elsewhere struct{ what string }

func (e *elsewhere) Error() string { return e.what }

func TestAskEndsAtItsDeadline(t *testing.T) {
	p := sitDown(t, term.Options{})
	r := planReview(`{}`)
	r.Deadline = time.Now().Add(300 * time.Millisecond)
	done := p.ask(t.Context(), r)
	p.prompt()
	require.ErrorIs(t, wait(t, done).err, term.ErrDeadline)
	p.see("this question is over: the time to answer is over.")
}

func TestRestoreFromElsewhere(t *testing.T) {
	p := sitDown(t, term.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := p.ask(ctx, planReview(`{}`))
	p.prompt()
	require.NotEqual(t, p.before, p.mode())
	p.term.Restore()
	require.Equal(t, p.before, p.mode())
	cancel()
	require.ErrorIs(t, wait(t, done).err, context.Canceled)
	require.Equal(t, p.before, p.mode())
}

func TestSignalsAtThePrompt(t *testing.T) {
	for sig, want := range map[unix.Signal]error{unix.SIGINT: term.ErrInterrupted, unix.SIGTERM: term.ErrInterrupted, unix.SIGHUP: term.ErrClosed} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), planReview(`{}`))
		p.prompt()
		require.NoError(t, unix.Kill(os.Getpid(), sig))
		require.ErrorIs(t, wait(t, done).err, want)
		require.Equal(t, p.before, p.mode())
	}
}

func TestComingBackFromASuspensionAsksAgain(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(`{}`))
	p.see("\n> ")
	p.press("reje")
	p.see("reje")
	ours := p.mode()
	p.term.Restore() // as a shell does
	require.Equal(t, p.before, p.mode())
	require.NoError(t, unix.Kill(os.Getpid(), unix.SIGCONT))
	p.see("\n> reje")
	require.Equal(t, ours, p.mode())
	p.press("ct\r")
	require.Equal(t, outcome{Decision: term.Decision{Kind: term.Reject}}, wait(t, done))
	require.Equal(t, p.before, p.mode())
}

func TestOneQuestionAtATime(t *testing.T) {
	p := sitDown(t, term.Options{})
	first := p.ask(t.Context(), planReview(`{"n":1}`))
	p.prompt()
	second := p.ask(t.Context(), planReview(`{"n":2}`))
	still(t, second)
	require.NotContains(t, p.all(), `{"n":2}`)
	p.press("reject\r")
	require.Equal(t, term.Reject, wait(t, first).Kind)
	p.see(`{"n":2}`)
	p.prompt()
	p.press("approve\r")
	require.Equal(t, term.Approve, wait(t, second).Kind)
}

func TestB57_S10_AHostileReviewWritesNoControl(t *testing.T) {
	for _, o := range []term.Options{{Color: true}, {}, {Dumb: true}} {
		for _, tt := range hostile {
			p := sitDown(t, o)
			r := planReview(planOf(t, map[string]any{"steps": []any{tt.in, map[string]any{tt.in: tt.in}}}))
			r.Prompt, r.Title, r.Notes, r.Diff = tt.in, tt.in, []string{tt.in}, tt.in
			done := p.ask(t.Context(), r)
			p.prompt()
			typed := strings.Map(func(c rune) rune { // what a keyboard or a clipboard may send
				if c == '\n' || c == '\r' || c == 0x1b || c == '\b' || c == 0x7f {
					return '?'
				}
				return c
			}, tt.in)
			p.press("changes\r")
			p.see("  > ")
			p.press(typed + "\r")
			p.see("  > ")
			p.press("x\r\r")
			require.Equal(t, term.Changes, wait(t, done).Kind, tt.name)
			out := bare(p.all())
			require.Empty(t, dangerous(out), tt.name)
			if o.Dumb {
				require.NotContains(t, p.all(), "\x1b", tt.name)
			}
			require.NoError(t, p.keys.Close())
			<-p.ended
		}
	}
}

func TestADumbTerminalShowsCorrectionsOnANewLine(t *testing.T) {
	p := sitDown(t, term.Options{Dumb: true})
	done := p.ask(t.Context(), planReview(`{}`))
	p.prompt()
	p.press("latex")
	p.see("latex")
	p.press("\x7f")
	p.see("\r\n> late")
	p.press("r\r")
	require.Equal(t, term.Later, wait(t, done).Kind)
	require.NotContains(t, p.all(), "\x1b")
}

func TestCorrectionsAreDrawnOverWrappedRows(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(`{}`))
	p.prompt()
	p.press(strings.Repeat("x", 250)) // behind "> " on rows of 100
	p.see(strings.Repeat("x", 250))
	p.press("\x15")
	p.see("\x1b[2A\r\x1b[J> ")
	p.press("later\r")
	require.Equal(t, term.Later, wait(t, done).Kind)
}

// Every row of a page is laid out once: nothing of the plan or of the prompt stands at the edge of
// the screen, where only our own words do, with colours as without.
func TestB56_NothingOfThePlanLeavesItsGutter(t *testing.T) {
	const secret = "zyxwvofplan"
	long := strings.Repeat(secret+" ", 60)
	for _, o := range []term.Options{{Color: true}, {}, {Dumb: true}} {
		p := sitDown(t, o)
		r := planReview(`{"goal":"` + long + `"}`)
		r.Prompt = long
		done := p.ask(t.Context(), r)
		p.prompt()
		p.press("all\r")
		p.prompt()
		p.press("reject\r")
		require.Equal(t, term.Reject, wait(t, done).Kind)
		for row := range strings.Lines(bare(p.all())) {
			if strings.Contains(row, secret[:5]) {
				require.Regexp(t, `^( *[0-9]* *[│┊]| {2,})`, row, "%+v", o)
			}
		}
	}
}
