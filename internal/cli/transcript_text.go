package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// How much of a transcript show --call prints without --transcript.
const (
	// toldShown is how many of the last events are shown, toldLines how many lines of what was said
	// and toldWidth how much of what a tool was given, or gave.
	toldShown = 20
	toldLines = 4
	toldWidth = 100
)

// who names the one that an event is of, or what it is.
func (r toldRow) who() string {
	switch r.Type {
	case typePrompt:
		return "asked"
	case agent.EventText:
		return "says"
	case agent.EventThinking:
		return "thinks"
	case agent.EventTool:
		return "uses"
	case agent.EventToolResult:
		if r.Failed {
			return "failed"
		}
		return "got"
	case agent.EventPermission:
		if r.Failed {
			return "denied"
		}
		return "allowed"
	case agent.EventSession:
		return "session"
	case agent.EventNote:
		return "note"
	}
	return r.Type
}

// what is what was said or done, in full.
func (r toldRow) what() string {
	parts := []string{}
	for _, part := range []string{strings.TrimSpace(r.Tool + " " + legible(r.Input)), r.Text} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.TrimRight(strings.Join(parts, "\n"), "\n")
}

// legible writes <, > and & in a JSON text as they are: some encoders hide them from HTML, and nobody reads
// a command that way. A backslash that is escaped itself stays with what follows.
func legible(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		length := 2
		if i+6 <= len(text) && text[i+1] == 'u' {
			length = 6
		}
		part := text[i : i+length]
		switch strings.ToLower(part) {
		case `\u003c`:
			part = "<"
		case `\u003e`:
			part = ">"
		case `\u0026`:
			part = "&"
		}
		b.WriteString(part)
		text = text[i+length:]
	}
}

// brief is what is shown where room is short.
func (r toldRow) brief() string {
	switch r.Type {
	case agent.EventText, agent.EventThinking, typePrompt, agent.EventNote:
		lines := strings.Split(r.what(), "\n")
		if more := len(lines) - toldLines; more > 1 {
			lines = append(lines[:toldLines], fmt.Sprintf("… %d more lines", more))
		}
		return strings.Join(lines, "\n")
	}
	return cutLine(r.what(), toldWidth)
}

// cutLine is a text in one line, and not too long.
func cutLine(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// toldText is a transcript for people: each event with its time from the first on, escaped line by
// line, behind a gutter.
func toldText(rows []toldRow, whole bool) string {
	var b strings.Builder
	if len(rows) == 0 {
		return ""
	}
	began := rows[0].At
	if !whole && rows[0].Type == typePrompt {
		rows = rows[1:] // it stands above
	}
	if more := len(rows) - toldShown; more > 0 && !whole {
		fmt.Fprintf(&b, "│ … %s before\n", term.Plural(int64(more), "event", "events"))
		rows = rows[more:]
	}
	attempt := 1
	for _, row := range rows {
		if row.Attempt > attempt {
			attempt = row.Attempt
			fmt.Fprintf(&b, "│ ── attempt %d\n", attempt)
		}
		text := row.what()
		if !whole {
			text = row.brief()
		}
		offset := ""
		if !row.At.IsZero() {
			offset = "+" + term.Duration(max(0, row.At.Sub(began)).Round(time.Millisecond))
		}
		head := fmt.Sprintf("%8s  %s", offset, term.Pad(term.Escape(row.who()), 8))
		for line := range strings.SplitSeq(text, "\n") {
			b.WriteString(strings.TrimRight("│ "+head+term.Escape(line), " ") + "\n")
			head = strings.Repeat(" ", 18)
		}
	}
	return b.String()
}

// doing says in a few words what an agent does just now, by an event; "" for one that says nothing
// of that.
func (r toldRow) doing() string {
	switch r.Type {
	case agent.EventText, agent.EventThinking, agent.EventTool, agent.EventPermission:
		if what := short(strings.Join(strings.Fields(r.what()), " ")); what != "" {
			return r.who() + " " + what
		}
	}
	return ""
}
