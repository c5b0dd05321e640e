package term_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// screen is a terminal that understands what the list uses: newline, cursor up, erase below,
// colours. Everything else is a failure.
type screen struct {
	t *testing.T

	mu   sync.Mutex
	rows []string // guarded by mu
	at   int      // guarded by mu; the cursor's row
	raw  bytes.Buffer
}

var move = regexp.MustCompile("^\r\x1b\\[([0-9]+)A\x1b\\[J")

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Write(p)
	text := string(p)
	for text != "" {
		if m := move.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			s.at -= n
			if s.at < 0 {
				s.t.Errorf("the cursor went above the top")
				s.at = 0
			}
			s.rows = s.rows[:s.at]
			text = text[len(m[0]):]
			continue
		}
		line, rest, ended := strings.Cut(text, "\n")
		if !ended {
			s.t.Errorf("the cursor was left behind %q", line)
		}
		if bad := dangerous(bare(line)); bad != "" {
			s.t.Errorf("%s in %q", bad, line)
		}
		s.rows = append(s.rows, bare(line))
		s.at++
		text = rest
	}
	return len(p), nil
}

func (s *screen) see() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.rows, "\n")
}

func TestLiveOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{t: t}
		l := term.NewLive(term.LiveOptions{Out: s, Animate: true, Color: true, Size: func() (int, int) { return 60, 12 }})
		l.Start("1", "scan", "scout")
		require.Equal(t, "⠋ scan / scout 0.0s", s.see())
		time.Sleep(1250*time.Millisecond + time.Millisecond)
		require.Equal(t, "⠋ scan / scout 1.2s", s.see(), "ten frames on")
		time.Sleep(125 * time.Millisecond)
		require.Equal(t, "⠙ scan / scout 1.4s", s.see())
		l.Update("1", "reading \x1b[2J files")
		require.Equal(t, "⠙ scan / scout 1.4s  reading ‹ESC›[2J files", s.see())
		l.Log("found\x1b[1A\none\rmore\n")
		require.Equal(t, "│ found‹ESC›[1A\n│ one‹CR›more\n⠙ scan / scout 1.4s  reading ‹ESC›[2J files", s.see())
		for i := 2; i <= 9; i++ {
			l.Start(fmt.Sprint(i), "", "worker "+fmt.Sprint(i))
		}
		require.Equal(t, 2+4, strings.Count(s.see(), "\n")+1, "a third of 12 rows")
		require.Contains(t, s.see(), "  and 6 more at work")
		l.Done("1", "")
		for i := 3; i <= 9; i++ {
			l.Done(fmt.Sprint(i), map[int]string{5: "exit 1\x1b[2K"}[i])
		}
		l.Done("99", "")
		require.True(t, strings.HasPrefix(s.see(), "│ found‹ESC›[1A\n│ one‹CR›more\n✓ scan / scout 1.4s\n✓ worker 3 0.0s\n✓ worker 4 0.0s\n✗ worker 5 0.0s: exit 1‹ESC›[2K\n"), s.see())
		require.True(t, strings.HasSuffix(s.see(), "\n✓ worker 9 0.0s\n⠙ worker 2 0.0s"))
		l.Drop("2")
		require.True(t, strings.HasSuffix(s.see(), "\n✓ worker 9 0.0s"))
		l.Close()
		l.Close()
	})
}

func TestLiveStepsAsideForAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{t: t}
		l := term.NewLive(term.LiveOptions{Out: s, Animate: true})
		l.Start("1", "", "scout")
		l.Say("first")
		l.Pause()
		l.Pause()
		require.Equal(t, "first", s.see())
		_, _ = s.Write([]byte("> approve\n"))
		l.Log("meanwhile")
		l.Done("1", "")
		l.Start("2", "", "worker")
		time.Sleep(1001 * time.Millisecond)
		l.Resume()
		require.Equal(t, "first\n> approve", s.see(), "nothing is written while a question stands there")
		l.Resume()
		require.Equal(t, "first\n> approve\n│ meanwhile\n✓ scout 0.0s\n⠇ worker 1.0s", s.see())
		l.Resume()
		l.Pause()
		for i := range 1500 {
			l.Say(fmt.Sprint(i))
		}
		l.Close()
		require.True(t, strings.HasSuffix(s.see(), "\n998\n999\n· 500 more lines were not shown"), "what is kept is bounded, and said")
		l.Start("3", "", "late")
		l.Say("last")
		require.True(t, strings.HasSuffix(s.see(), "shown\nlast"))
	})
}

func TestLiveWithoutATerminalAppendsLines(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	l := term.NewLive(term.LiveOptions{Out: &out, Now: func() time.Time { return now }})
	l.Start("1", "", "scout\x1b[2J")
	now = now.Add(1240 * time.Millisecond)
	l.Update("1", "busy")
	l.Done("1", "")
	l.Start("2", "build", "worker")
	l.Log("a log\u202E line")
	l.Done("2", "exit 1")
	l.Close()
	require.Equal(t, "· scout‹ESC›[2J: started\n✓ scout‹ESC›[2J 1.2s\n· build / worker: started\n│ a log‹U+202E› line\n✗ build / worker 0.0s: exit 1\n", out.String())
}

func TestLiveRowsNeverWrap(t *testing.T) {
	for _, columns := range []int{10, 20, 40, 100} {
		s := &screen{t: t}
		l := term.NewLive(term.LiveOptions{Out: s, Animate: true, Size: func() (int, int) { return columns, 24 }})
		for i := range 30 {
			l.Start(fmt.Sprint(i), "phase", strings.Repeat("日本", i))
			l.Update(fmt.Sprint(i), strings.Repeat("x", 200))
		}
		for _, row := range strings.Split(s.see(), "\n") {
			require.Less(t, term.Width(row), max(columns, 9), "%q", row)
		}
		l.Close()
	}
}

func TestLiveFromManyGoroutines(t *testing.T) {
	s := &screen{t: t}
	l := term.NewLive(term.LiveOptions{Out: s, Animate: true})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			id := fmt.Sprint(i)
			l.Start(id, "", id)
			l.Pause()
			l.Log("line")
			l.Resume()
			l.Done(id, "")
		})
	}
	wg.Wait()
	l.Close()
	require.Equal(t, 20, strings.Count(s.see(), "✓"))
	require.Equal(t, 20, strings.Count(s.see(), "│ line"))
}
