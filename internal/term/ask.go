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
	cmdHelp    = ":help"
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
	var words []string
	word := func(w, help string) {
		words, a.helps = append(words, w), append(a.helps, Choice{w, help})
	}
	also := func(w, help string) { a.helps = append(a.helps, Choice{w, help}) }
	const leaves = "leaves the question open, for another time or another terminal"
	switch a.review.Kind {
	case KindPlan:
		yes := "says yes to this plan"
		if a.review.Mode != "" {
			yes += ", in mode " + Escape(a.review.Mode)
		}
		word(wordApprove, yes)
		for _, m := range a.review.Modes {
			word(wordApprove+" "+m.Name, "says yes, in this mode: "+m.Help)
		}
		word(wordChanges, "asks for another plan; what is to change is typed then")
		word(wordReject, "says no")
		word(wordLater, leaves)
		also(wordAgain, "shows it from its beginning")
		a.early = strings.Join([]string{wordChanges, wordReject, wordLater}, ", ")
		a.hint = "Type in full: " + strings.Join(words, ", ") + "; ? explains"
		return a.plan
	case KindConfirm:
		word(wordYes, "answers yes")
		word(wordNo, "answers no")
		word(wordLater, leaves)
		also(wordAgain, "shows it from its beginning")
		a.early = wordLater
		a.hint = "Type in full: " + strings.Join(words, ", ") + "; ? explains"
		return a.confirm
	}
	a.early = cmdLater
	if a.review.HasDefault {
		word(cmdDefault, "takes the default")
	}
	word(cmdLater, leaves)
	word(cmdAgain, "shows it from its beginning")
	also("::TEXT", "answers with a text that begins with a colon")
	if a.review.Kind == KindSelect {
		a.hint = "Type the number of a choice (#1) or its exact text" + a.commands()
		return a.choose
	}
	a.hint = "Type your answer; a backslash at the end of a line goes on with another line" + a.commands()
	return a.input
}

func (a *asking) commands() string {
	text := ". "
	if a.review.HasDefault {
		text += cmdDefault + " takes the default, "
	}
	return text + cmdLater + " leaves the question open, " + cmdHelp + " explains"
}

func (a *asking) plan(line string, atEnd bool) (verdict, error) {
	if mode, ok := a.granted(line); ok {
		if atEnd {
			a.decision = Decision{Kind: Approve, Mode: mode}
			return done, nil
		}
		return a.notYet("a plan can be approved"), nil
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
	}
	return a.atEnd(line, atEnd), nil
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
		return a.notYet("it can be answered"), nil
	}
	return a.atEnd(line, atEnd), nil
}

// atEnd takes the words that answer nothing, where the end was shown.
func (a *asking) atEnd(line string, atEnd bool) verdict {
	switch {
	case !atEnd:
		return unknown
	case line == wordAgain:
		a.again()
		return pending
	}
	return a.noAnswer(line)
}

// command takes the commands of input and select, where any word could be an answer.
func (a *asking) command(line string, atEnd bool) (v verdict, taken bool) {
	switch {
	case line == cmdLater:
		a.decision = Decision{Kind: Later}
		return done, true
	case line == cmdHelp:
		return a.help(), true
	case !atEnd:
		return a.notYet("it can be answered"), true
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
	return a.noAnswer(line), nil
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
