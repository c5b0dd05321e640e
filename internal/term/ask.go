package term

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// The words that answer, typed in full and exactly.
const (
	wordApprove = "approve"
	wordChanges = "changes"
	wordReject  = "reject"
	wordLater   = "later"
	wordAgain   = "again"
	wordYes     = "yes"
	wordNo      = "no"

	cmdLater   = ":later"
	cmdDefault = ":default"
	cmdAgain   = ":again"
)

// Ask shows a review at a terminal and takes the answer. See the package comment for the
// rules. It returns None and no error if nothing usable was typed; ErrInterrupted or
// ErrClosed if the person left; and the cause of ctx if the question ended elsewhere, at
// once, with a line that says so.
func Ask(ctx context.Context, t *Terminal, r Review) (Decision, error) {
	if err := r.check(); err != nil {
		return Decision{}, err
	}
	if !r.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, r.Deadline, ErrDeadline)
		defer cancel()
	}
	s, err := t.begin(ctx)
	if err != nil {
		return Decision{}, err
	}
	defer s.end()
	columns, _ := t.Size()
	c := newCanvas(columns, t.options.Color)
	c.review(r)
	a := &asking{dialog: dialog{session: s, pages: &pager{rows: c.rows}, prompt: "> "}, review: r}
	answer := a.kind()
	ok, err := a.run(answer)
	if err != nil {
		s.farewell(err)
		return Decision{}, err
	}
	if !ok {
		return Decision{}, nil
	}
	return a.decision, nil
}

// asking is the dialog of one review.
type asking struct {
	dialog
	review   Review
	decision Decision
}

func (a *asking) decide(kind DecisionKind, text string) (verdict, error) {
	a.decision = Decision{Kind: kind, Text: text}
	return done, nil
}

// kind sets the hints and returns what takes the answers.
func (a *asking) kind() func(string, bool) (verdict, error) {
	const typed = "Type one word in full: "
	switch a.review.Kind {
	case KindPlan:
		a.early = "changes, reject, later"
		a.hint = "Type in full: " + wordApprove + ", "
		for _, m := range a.review.Modes {
			a.hint += wordApprove + " " + m.Name + ", "
		}
		a.hint += "changes (to ask for some), reject, later, again (to see it again)"
		return a.plan
	case KindConfirm:
		a.early = wordLater
		a.hint = typed + "yes, no, later, again (to see it again)"
		return a.confirm
	case KindSelect:
		a.early = cmdLater
		a.hint = "Type the number of a choice (#1) or its exact text" + a.commands()
		return a.choose
	default:
		a.early = cmdLater
		a.hint = "Type your answer; a backslash at the end of a line goes on with another line" + a.commands()
		return a.input
	}
}

func (a *asking) commands() string {
	text := ". "
	if a.review.HasDefault {
		text += cmdDefault + " takes the default, "
	}
	return text + cmdLater + " leaves the question open, " + cmdAgain + " shows it again"
}

func (a *asking) plan(line string, atEnd bool) (verdict, error) {
	if mode, ok := a.granted(line); ok {
		if atEnd {
			a.decision = Decision{Kind: Approve, Mode: mode}
			return done, nil
		}
		a.say("not yet: " + a.pages.status() + ". A plan can be approved when its end was shown.")
		return pending, nil
	}
	switch line {
	case wordReject:
		return a.decide(Reject, "")
	case wordLater:
		return a.decide(Later, "")
	case wordChanges:
		a.say("What should change? Several lines; an empty line or a lone . ends the text; no text goes back.")
		text, err := a.text()
		if err != nil || text == "" {
			return pending, err
		}
		return a.decide(Changes, text)
	case wordAgain:
		if atEnd {
			a.again()
			return pending, nil
		}
	}
	return unknown, nil
}

// granted gives the permission mode that a line approves with: the word alone, or with the name
// of one of the further modes behind one space, to the byte.
func (a *asking) granted(line string) (mode string, ok bool) {
	if line == wordApprove {
		return a.review.Mode, true
	}
	for _, m := range a.review.Modes {
		if line == wordApprove+" "+m.Name {
			return m.Name, true
		}
	}
	return "", false
}

func (a *asking) confirm(line string, atEnd bool) (verdict, error) {
	switch line {
	case wordLater:
		return a.decide(Later, "")
	case wordYes, wordNo:
		if atEnd {
			return a.decide(Answer, line)
		}
		a.say("not yet: " + a.pages.status() + ".")
		return pending, nil
	case wordAgain:
		if atEnd {
			a.again()
			return pending, nil
		}
	}
	return unknown, nil
}

// command takes the commands of input and select, where any word could be an answer.
func (a *asking) command(line string, atEnd bool) (v verdict, taken bool) {
	switch {
	case line == cmdLater:
		a.decision = Decision{Kind: Later}
		return done, true
	case !atEnd:
		a.say("not yet: " + a.pages.status() + ".")
		return pending, true
	case line == cmdAgain:
		a.again()
		return pending, true
	case line == cmdDefault && a.review.HasDefault:
		a.decision = Decision{Kind: Answer, Text: a.review.Default}
		return done, true
	}
	return unknown, false
}

func (a *asking) input(line string, atEnd bool) (verdict, error) {
	if v, taken := a.command(line, atEnd); taken {
		return v, nil
	}
	text, colon := strings.CutPrefix(line, "::") // a text that begins with a colon
	switch {
	case colon:
		text = ":" + text
	case strings.HasPrefix(line, ":"), line == "":
		return unknown, nil
	}
	var lines []string
	for {
		more, goesOn := strings.CutSuffix(text, `\`)
		lines = append(lines, more)
		if !goesOn {
			return a.decide(Answer, strings.Join(lines, "\n"))
		}
		next, bad, err := a.readLine("  ", true)
		if err != nil {
			return pending, err
		}
		if bad != "" {
			a.say(bad + "; nothing was taken.")
			return pending, nil
		}
		text = next
	}
}

// choose takes #n, n, or the exact text of a choice.
func (a *asking) choose(line string, atEnd bool) (verdict, error) {
	if v, taken := a.command(line, atEnd); taken {
		return v, nil
	}
	if choice, ok := pick(a.review.Choices, line); ok {
		return a.decide(Answer, choice)
	}
	return unknown, nil
}

// pick finds the one choice that a line means. What could mean two means none; and a bare
// number is a position only if no choice is itself a number.
func pick(choices []string, line string) (string, bool) {
	byText, byNumber := -1, -1
	if line != "" {
		byText = slices.Index(choices, line)
	}
	digits, marked := strings.CutPrefix(line, "#")
	if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= len(choices) && strconv.Itoa(n) == digits {
		byNumber = n - 1
	}
	switch {
	case byText < 0 && byNumber < 0:
		return "", false
	case byText >= 0 && byNumber >= 0 && choices[byText] != choices[byNumber]:
		return "", false
	case byText >= 0:
		return choices[byText], true
	case !marked && slices.ContainsFunc(choices, numeric):
		return "", false
	}
	return choices[byNumber], true
}

func numeric(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}
