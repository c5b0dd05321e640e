package term

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxTries is how often a question is asked: once, and three times again.
const maxTries = 4

// overshoot is how long after one press of Enter too many further ones are taken for the same, as
// of a key that is held down, and not for answers that cannot be used.
const overshoot = time.Second

// errEnd is Ctrl-D.
var errEnd = fmt.Errorf("%w (Ctrl-D)", ErrClosed)

// dialog is a page with a question at its end.
type dialog struct {
	*session
	pages   *pager
	tries   int       // unusable answers in a row
	paged   bool      // the page was longer than the screen
	slipped time.Time // when Enter was pressed last for a page that does not follow
	hint    string    // what may be typed at the end
	early   string    // what may be typed before it, besides the pager's own words; or ""
	helps   []Choice  // the words, and what each does
	prompt  string
}

// verdict is what came of a line.
type verdict int

const (
	unknown verdict = iota // not an answer: asked again
	idle                   // no answer, and none was meant: asked again, and not counted
	pending                // understood, and the question stays
	done
)

// Words that answer nothing.
const (
	wordAll   = "all"
	wordHelp  = "help"
	wordHelp1 = "?"
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
		case !d.pages.ended() && line == wordAll:
			d.more(true)
			v = pending
		case !d.pages.ended() && (line == wordHelp || line == wordHelp1):
			v = d.help()
		case line == "" && d.slip():
			v = idle
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
		case idle:
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

// slip reports whether an empty line at the end is a press of Enter too many: the first one behind
// several pages, and what follows it at once.
func (d *dialog) slip() bool {
	if !d.paged || !d.slipped.IsZero() && time.Since(d.slipped) >= overshoot {
		return false
	}
	d.slipped = time.Now()
	return true
}

// noAnswer takes the words that help at the end of a page, or that have nothing left to do there.
func (d *dialog) noAnswer(line string) verdict {
	switch line {
	case wordHelp, wordHelp1:
		return d.help()
	case wordAll:
		d.say("all of it was shown.")
		return idle
	}
	return unknown
}

// help says what each word does.
func (d *dialog) help() verdict {
	columns, _ := d.Size()
	paging := Choice{"Enter, " + wordAll, "before the end: the next page, or the rest at once"}
	for _, row := range choiceRows(append(slices.Clip(d.helps), paging), columns) {
		d.row(row)
	}
	d.say("Each is typed in full, to the letter. An empty line answers nothing; Ctrl-C leaves.")
	return idle
}

// more shows the next page, or all that is left.
func (d *dialog) more(all bool) {
	_, height := d.Size()
	prompt := func(text string) int { return strings.Count(text, "\n") + 1 }
	// One row of the page before stays in sight.
	d.pages.show(d.session, all, height-1-prompt(d.onward()), height-prompt(d.closing()))
	if !d.pages.ended() {
		d.paged = true
	}
}

// ask is the prompt: what was not shown yet, or what may be answered.
func (d *dialog) ask() string {
	if d.pages.ended() {
		return d.closing()
	}
	return d.onward()
}

// closing is the prompt at the end of the page.
func (d *dialog) closing() string { return "\n" + d.own(bold, d.hint) + "\n" + d.prompt }

// onward is the prompt while something is hidden.
func (d *dialog) onward() string {
	words := "Enter shows the next page, " + wordAll + " shows the rest at once"
	if d.early != "" {
		words += "; or " + d.early
	}
	return d.own(dim, d.pages.status()) + "\n" + d.own(bold, words) + "\n" + d.prompt
}

// own are words of ours, wrapped between words.
func (d *dialog) own(code, text string) string {
	columns, _ := d.Size()
	rows := Wrap(text, columns, "")
	for i, row := range rows {
		rows[i] = d.st.paint(code, row)
	}
	return strings.Join(rows, "\n")
}

// notYet refuses an answer before the end; the prompt that follows says how much is hidden.
func (d *dialog) notYet(what string) verdict {
	d.say("not yet: " + what + " when its end was shown.")
	return pending
}

// again shows the page from its start.
func (d *dialog) again() {
	d.pages.next, d.paged, d.slipped = 0, false, time.Time{}
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
