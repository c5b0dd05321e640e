package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/redact"
)

// Delta is what was wrong in several rounds: each cause once, the newest first.
type Delta struct {
	RootCauses []Cause `json:"rootCauses"`
	// Rounds counts the rounds that failed, Omitted the causes that there was no room for.
	Rounds     int    `json:"rounds"`
	Omitted    int    `json:"omitted"`
	MaxTokens  int    `json:"maxTokens"`
	AuditLogID string `json:"auditLogId,omitempty"`
}

// Cause is one thing that was wrong.
type Cause struct {
	Text string `json:"text"`
	// Count is how many rounds it was seen in, Rounds the last of these.
	Count  int   `json:"count"`
	Rounds []int `json:"rounds"`
}

// Compact makes a delta of rounds. The same failure in several rounds is one cause, as it was seen last.
func Compact(in Rounds) Delta {
	d := Delta{RootCauses: []Cause{}, AuditLogID: shorten(redact.Text(in.AuditLogID, nil), shownLine), MaxTokens: defaultTokens}
	if in.MaxTokens != nil {
		d.MaxTokens = max(1, min(*in.MaxTokens, mostTokens))
	}
	l := ledger{}
	known := 0
	if p := in.PreviousDelta; p != nil {
		d.Rounds, d.Omitted = max(0, p.Rounds), max(0, p.Omitted)
		for _, c := range p.RootCauses[:min(len(p.RootCauses), mostCauses)] {
			l.see(c.Text, c.Rounds...)
			if e := l.of(c.Text); e != nil {
				e.Count = max(e.Count, min(c.Count, mostCounted))
				known = max(known, e.last())
			}
		}
	}
	failed, newer := map[int]bool{}, 0
	for i, r := range in.Rounds {
		if r.passed() {
			continue
		}
		n := cmp.Or(r.Index, i+1)
		if n > known && !failed[n] {
			newer++
		}
		failed[n] = true
		for _, cause := range causes(r.Feedback) {
			l.see(cause, n)
		}
	}
	// Scripts give all rounds again, or those since the last delta. What that had no room for is in its
	// rounds too.
	d.Rounds = max(d.Rounds+newer, len(failed))
	if len(failed) == d.Rounds {
		d.Omitted = 0
	}
	slices.SortStableFunc(l.causes, func(a, b *Cause) int { return cmp.Compare(b.last(), a.last()) })
	room := d.limit() - len(d.head())
	for i, c := range l.causes {
		rest := 0
		if more := d.Omitted + len(l.causes) - i - 1; more > 0 {
			rest = len(omitted(more))
		}
		if size := len(c.line()); size+rest <= room {
			d.RootCauses, room = append(d.RootCauses, *c), room-size
			continue
		}
		d.Omitted += len(l.causes) - i // a smaller one that is older must not take its place
		break
	}
	if len(d.RootCauses) == 0 && len(l.causes) > 0 {
		// Better a part of the newest than nothing.
		c := *l.causes[0]
		for c.Text != "" && len(c.line())+len(omitted(d.Omitted)) > room {
			c.Text = firstOf(c.Text, len(c.Text)/2)
		}
		if c.Text != "" {
			d.RootCauses, d.Omitted = append(d.RootCauses, c), d.Omitted-1
		}
	}
	return d
}

// ledger has each cause once.
type ledger struct {
	causes []*Cause
	byForm map[string]*Cause
}

func (l *ledger) of(text string) *Cause { return l.byForm[formOf(tidy(text))] }

func (l *ledger) see(text string, rounds ...int) {
	text = tidy(text)
	form := formOf(text)
	if form == "" {
		return
	}
	c := l.byForm[form]
	if c == nil {
		if len(l.causes) == mostCauses {
			return
		}
		if l.byForm == nil {
			l.byForm = map[string]*Cause{}
		}
		c = &Cause{Rounds: []int{}}
		l.byForm[form], l.causes = c, append(l.causes, c)
	}
	if c.Text == "" || len(rounds) == 0 || slices.Max(rounds) >= c.last() {
		c.Text = text
	}
	for _, n := range rounds {
		if n > 0 && !slices.Contains(c.Rounds, n) && (n > c.last() || len(c.Rounds) < mostRounds) {
			c.Rounds = append(c.Rounds, n)
			c.Count = min(c.Count+1, mostCounted)
		}
	}
	slices.Sort(c.Rounds)
	c.Rounds = c.Rounds[max(0, len(c.Rounds)-mostRounds):]
}

// tidy is a cause as it is kept: one line, without secrets.
func tidy(text string) string {
	return shorten(strings.Join(strings.Fields(redact.Text(text, nil)), " "), causeLength)
}

// last is the newest round that a cause was seen in.
func (c Cause) last() int {
	if len(c.Rounds) == 0 {
		return 0
	}
	return slices.Max(c.Rounds)
}

// shownRounds is how many rounds of a cause are named.
const shownRounds = 5

func (c Cause) line() string {
	if len(c.Rounds) == 0 {
		return "- " + c.Text + "\n"
	}
	shown := c.Rounds[max(0, len(c.Rounds)-shownRounds):]
	words := make([]string, len(shown))
	for i, n := range shown {
		words[i] = strconv.Itoa(n)
	}
	times := ""
	if n := max(c.Count, len(c.Rounds)); n > len(shown) {
		times = fmt.Sprintf("%d times, last in ", n)
	}
	return "- " + c.Text + " (" + times + "attempt " + strings.Join(words, ", ") + ")\n"
}

// limit is the bound in bytes, which no text of so many characters is longer than.
func (d Delta) limit() int {
	if d.MaxTokens <= 0 {
		return defaultTokens * tokenSize
	}
	return min(d.MaxTokens, mostTokens) * tokenSize
}

func (d Delta) head() string {
	return "What was wrong in " + counted(d.Rounds, "attempt", "attempts") + ", the newest first:\n"
}

func omitted(n int) string { return fmt.Sprintf("(%d more)\n", n) }

// RenderDelta gives a delta as a text that is no longer than its bound.
func RenderDelta(d Delta) string {
	var b strings.Builder
	b.WriteString(d.head())
	for i, c := range d.RootCauses {
		c.Text = tidy(c.Text)
		more := d.Omitted + len(d.RootCauses) - i
		if b.Len()+len(c.line()) > d.limit() {
			b.WriteString(omitted(more))
			return firstOf(strings.TrimRight(b.String(), "\n"), d.limit())
		}
		b.WriteString(c.line())
	}
	if d.Omitted > 0 {
		b.WriteString(omitted(d.Omitted))
	}
	return firstOf(strings.TrimRight(b.String(), "\n"), d.limit())
}
