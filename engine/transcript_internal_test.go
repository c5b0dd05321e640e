package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
)

// shelf takes what is attached.
type shelf struct {
	files map[string]*page
	// full, if it is not 0, is how many bytes a page takes.
	full int
}

type page struct {
	bytes.Buffer
	full   int
	closed int
}

var errFull = errors.New("no space left")

func (p *page) Write(text []byte) (int, error) {
	if p.full > 0 && p.Len()+len(text) > p.full {
		n, _ := p.Buffer.Write(text[:max(0, p.full-p.Len())])
		return n, errFull
	}
	return p.Buffer.Write(text)
}

func (p *page) Close() error { p.closed++; return nil }

func (s *shelf) attach(name string) (io.WriteCloser, error) {
	if s.files[name] != nil {
		return nil, fs.ErrExist
	}
	if s.files == nil {
		s.files = map[string]*page{}
	}
	s.files[name] = &page{full: s.full}
	return s.files[name], nil
}

func recording(s *shelf) *recorder {
	return &recorder{
		attach: s.attach, now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 7_000_000, time.UTC) },
		stem: "agent-0", turn: 1, prompt: "do it", most: transcriptBytes, attempt: 1, began: func() {}, heard: func(agent.Event) {},
		environ: []string{"DEPLOY_TOKEN=s3cr3t-value", "HOME=/home/ann"},
	}
}

func TestTranscriptLines(t *testing.T) {
	s := &shelf{}
	r := recording(s)
	var heard []string
	r.heard = func(e agent.Event) { heard = append(heard, e.Text) }
	require.Empty(t, r.Name())
	r.Again(agent.Next{Number: 2, Of: 2}) // nothing was told yet, so that there is nothing to note it in
	r.Tell(agent.Event{Type: agent.EventText, Text: "a <b> & s3cr3t-value\x1b[2J\u009b\u202e\U000e0041\n"})
	r.Tell(agent.Event{Type: agent.EventTool, Tool: "Bash", ID: "t1", Input: `{"command":"ls /home/ann"}`})
	r.Tell(agent.Event{Type: agent.EventToolResult, ID: "t1", Text: "AWS_SECRET=abcdefgh", Failed: true})
	require.Equal(t, "agent-0-1.ndjson", r.Name())
	got := r.Finish()
	r.Tell(agent.Event{Type: agent.EventText, Text: "too late"})
	require.Equal(t, got, r.Finish())
	want := `{"t":"2026-03-01T12:00:00.007Z","attempt":2,"type":"prompt","text":"do it"}` + "\n" +
		`{"t":"2026-03-01T12:00:00.007Z","attempt":2,"type":"text","text":"a <b> & [redacted]\u001b[2J\u009b\u202e\udb40\udc41\n"}` + "\n" +
		`{"t":"2026-03-01T12:00:00.007Z","attempt":2,"type":"tool","tool":"Bash","id":"t1","input":"{\"command\":\"ls /home/ann\"}"}` + "\n" +
		`{"t":"2026-03-01T12:00:00.007Z","attempt":2,"type":"tool.result","text":"AWS_SECRET=[redacted]","id":"t1","failed":true}` + "\n"
	require.Equal(t, want, s.files["agent-0-1.ndjson"].String())
	require.Equal(t, 1, s.files["agent-0-1.ndjson"].closed)
	require.Equal(t, []string{"a <b> & [redacted]\x1b[2J\u009b\u202e\U000e0041\n", "", "AWS_SECRET=[redacted]"}, heard)
	sum := sha256.Sum256([]byte(want))
	require.Equal(t, hex.EncodeToString(sum[:]), got.SHA256)
	require.Equal(t, int64(len(want)), got.Size)
	require.Empty(t, r.Warning())
}

func TestATranscriptOfNothingIsNone(t *testing.T) {
	s := &shelf{}
	r := recording(s)
	require.Nil(t, r.Finish())
	r.Tell(agent.Event{Type: agent.EventText, Text: "too late"})
	require.Nil(t, r.Finish())
	require.Empty(t, s.files)
	var none *recorder
	none.Tell(agent.Event{})
	none.Again(agent.Next{})
	require.Nil(t, none.Finish())
	require.Empty(t, none.Name()+none.Warning())
}

// A long text is cut, not through a character, and no beginning of a secret stays at the cut.
func TestTranscriptCutsTexts(t *testing.T) {
	const secret = "s3cr3t-value"
	r := recording(&shelf{})
	for name, text := range map[string]string{
		"plain":                strings.Repeat("é", eventBytes),
		"secret at the cut":    strings.Repeat("a", eventBytes-5) + secret + strings.Repeat("b", 10),
		"secret at the window": strings.Repeat("a", eventBytes+redactMargin-5) + secret + strings.Repeat("b", eventBytes),
		"secrets all over":     strings.Repeat(secret+" ", 20000),
		"a secret that is cut": strings.Repeat("API_KEY="+strings.Repeat("x", 200)+" ", 479) + "sk" + "-ant-" + strings.Repeat("z", 300) + strings.Repeat(" b", eventBytes),
		"no text":              strings.Repeat("\xff", eventBytes+1),
	} {
		t.Run(name, func(t *testing.T) {
			kept := r.kept(text, eventBytes)
			body, mark, cut := strings.Cut(kept, "\n[cut: ")
			require.True(t, cut)
			require.Equal(t, fmt.Sprintf("%d bytes in all]", len(text)), mark)
			require.LessOrEqual(t, len(body), eventBytes)
			require.True(t, utf8.ValidString(body))
			require.NotContains(t, body, "s3cr3t")
			require.NotContains(t, body, "zzz")
		})
	}
	require.Equal(t, strings.Repeat("a", eventBytes), r.kept(strings.Repeat("a", eventBytes), eventBytes))
}

// A transcript has an end, and says so once.
func TestTranscriptIsCapped(t *testing.T) {
	s := &shelf{}
	r := recording(s)
	r.most = 1000
	for range 100 {
		r.Tell(agent.Event{Type: agent.EventText, Text: strings.Repeat("a", 100)})
	}
	got := r.Finish()
	lines := strings.Split(strings.TrimSuffix(s.files["agent-0-1.ndjson"].String(), "\n"), "\n")
	require.Len(t, lines, 7) // the prompt, five of 170 bytes, and the note
	require.Contains(t, lines[6], `"type":"note","text":"the transcript ends here: it has no room for more than 1000 bytes"`)
	require.Equal(t, int64(s.files["agent-0-1.ndjson"].Len()), got.Size)
	require.Empty(t, r.Warning())
}

// What cannot be written is said once, and the hash is that of what was.
func TestTranscriptThatFails(t *testing.T) {
	s := &shelf{full: 100}
	r := recording(s)
	for range 3 {
		r.Tell(agent.Event{Type: agent.EventText, Text: "hello"})
	}
	got := r.Finish()
	require.Equal(t, "its transcript is not whole: no space left", r.Warning())
	sum := sha256.Sum256(s.files["agent-0-1.ndjson"].Bytes())
	require.Equal(t, hex.EncodeToString(sum[:]), got.SHA256)
	require.Equal(t, int64(100), got.Size)

	r = recording(s)
	r.attach = func(string) (io.WriteCloser, error) { return nil, errFull }
	r.Tell(agent.Event{Type: agent.EventText, Text: "hello"})
	r.Tell(agent.Event{Type: agent.EventText, Text: "hello"})
	require.Nil(t, r.Finish())
	require.Equal(t, "its transcript is not whole: no space left", r.Warning())
}

// Events come from several goroutines: each is one whole line.
func TestTranscriptOfSeveral(t *testing.T) {
	s := &shelf{}
	r := recording(s)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 50 {
				r.Tell(agent.Event{Type: agent.EventText, Text: fmt.Sprint(i, " ", n)})
				_ = r.Name()
			}
		})
	}
	all.Wait()
	got := r.Finish()
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimSuffix(s.files["agent-0-1.ndjson"].String(), "\n"), "\n")
	for _, line := range lines {
		var e agent.Event
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		seen[e.Text] = true
	}
	require.Len(t, lines, 401)
	require.Len(t, seen, 401)
	require.Equal(t, int64(s.files["agent-0-1.ndjson"].Len()), got.Size)
}

// Names are safe for any file system, and as good as unique; where they are not, the next is taken.
func TestTranscriptNames(t *testing.T) {
	for key, want := range map[string]string{
		"/agent#0":                     "agent-0",
		"/parallel#0[2]/agent#1":       "parallel-0-2-agent-1",
		"/planApprove#0/validator":     "planapprove-0-validator",
		"/pipe[../../etc]/agent#0":     "pipe-etc-agent-0-",
		"/é":                           "",
		"/" + strings.Repeat("a", 200): strings.Repeat("a", slugBytes-9) + "-",
	} {
		slug := slugOf(key)
		require.True(t, strings.HasPrefix(slug, want), "%s: %s", key, slug)
		require.Regexp(t, `^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`, slug)
		require.LessOrEqual(t, len(slug), slugBytes)
	}
	require.NotEqual(t, slugOf("/é"), slugOf("/ü"))
	s := &shelf{}
	for _, want := range []string{"agent-0-1.ndjson", "agent-0-1-2.ndjson", "agent-0-1-3.ndjson"} {
		r := recording(s)
		r.Tell(agent.Event{Type: agent.EventNote})
		require.Equal(t, want, r.Finish().Name)
	}
}
