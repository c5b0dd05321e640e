package term

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// maxTries is how often a question is asked: once, and three times again.
const maxTries = 4

// overshoot is how long after the last page an empty line still counts as one press of Enter
// too many, not as an answer that cannot be used.
const overshoot = time.Second

// errEnd is Ctrl-D.
var errEnd = fmt.Errorf("%w (Ctrl-D)", ErrClosed)

// dialog is a page with a question at its end.
type dialog struct {
	*session
	pages  *pager
	tries  int       // unusable answers in a row
	paged  bool      // the page was longer than the screen
	atEnd  time.Time // when the end was shown
	hint   string    // what may be typed at the end
	early  string    // what may be typed before it, besides the pager's own words; or ""
	prompt string
}

// verdict is what came of a line.
type verdict int

const (
	unknown verdict = iota // not an answer: asked again
	pending                // understood, and the question stays
	done
)

// run shows the page and asks until answer gives done. answer gets what was typed to the
// byte, and whether the end of the page was shown. It returns false if there were too many
// unusable answers.
func (d *dialog) run(answer func(line string, atEnd bool) (verdict, error)) (bool, error) {
	d.more(false)
	for {
		line, bad, err := d.readLine(d.ask(), false)
		if err != nil {
			return false, err
		}
		v := unknown
		switch {
		case bad != "":
		case !d.pages.ended() && line == "":
			d.more(false)
			v = pending
		case !d.pages.ended() && line == "all":
			d.more(true)
			v = pending
		case line == "" && d.paged && time.Since(d.atEnd) < overshoot:
			v = pending
		default:
			if v, err = answer(line, d.pages.ended()); err != nil {
				return false, err
			}
		}
		switch v {
		case done:
			return true, nil
		case pending:
			d.tries = 0
			continue
		case unknown:
		}
		if d.tries++; d.tries >= maxTries {
			d.say("no usable answer was given; the question stays open.")
			return false, nil
		}
		d.complain(line, bad)
	}
}

// more shows the next page, or all that is left.
func (d *dialog) more(all bool) {
	d.pages.show(d.session, all)
	if d.pages.ended() {
		d.atEnd = time.Now()
	} else {
		d.paged = true
	}
}

// ask is the prompt: what was not shown yet, or what may be answered.
func (d *dialog) ask() string {
	if d.pages.ended() {
		return "\n" + d.own(d.hint) + "\n" + d.prompt
	}
	words := "Enter shows the next page, all shows the rest at once"
	if d.early != "" {
		words += "; or " + d.early
	}
	return d.st.paint(dim, d.pages.status()) + "\n" + d.own(words) + "\n" + d.prompt
}

// own are words of ours, wrapped between words.
func (d *dialog) own(text string) string {
	columns, _ := d.Size()
	rows := Wrap(text, columns, "")
	for i, row := range rows {
		rows[i] = d.st.paint(bold, row)
	}
	return strings.Join(rows, "\n")
}

// again shows the page from its start.
func (d *dialog) again() {
	d.pages.next, d.paged = 0, false
	d.more(false)
}

// complain says why a line was no answer.
func (d *dialog) complain(line, bad string) {
	if bad == "" {
		bad = fmt.Sprintf("%q is not an answer here", Truncate(Escape(line), 60))
		if line == "" {
			bad = "an empty line is not an answer"
		}
	}
	d.say(fmt.Sprintf("%s; %s.", bad, Plural(int64(maxTries-d.tries), "more try", "more tries")))
}

// text reads a text of several lines, ended by an empty line, a lone dot or Ctrl-D. Pasted
// text is taken whole, with its empty lines, where the terminal marks it.
func (d *dialog) text() (string, error) {
	var lines []string
	for {
		line, bad, err := d.readLine("  > ", len(lines) > 0)
		switch {
		case errors.Is(err, errEnd):
			return strings.TrimSpace(strings.Join(lines, "\n")), nil
		case err != nil:
			return "", err
		case bad != "":
			d.say(bad + "; this line was not taken.")
			continue
		case line == "" || line == ".":
			return strings.TrimSpace(strings.Join(lines, "\n")), nil
		}
		lines = append(lines, line)
	}
}

// farewell leaves a line that says why the question is over, if it was not answered.
func (s *session) farewell(err error) {
	switch {
	case err == nil:
	case errors.Is(err, ErrInterrupted):
		s.say("interrupted; nothing was answered.")
	case errors.Is(err, ErrClosed):
		s.say("the input ended; nothing was answered.")
	case errors.Is(err, context.Canceled):
		s.say("this question is over; nothing was answered here.")
	default:
		s.say("this question is over: " + Escape(err.Error()) + ".")
	}
}
