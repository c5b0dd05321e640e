package term

import (
	"context"
	"strings"
)

// Choice is one answer to AskChoice.
type Choice struct {
	// Word is what is typed, in full and exactly.
	Word string
	// Help says what it does, in our words.
	Help string
}

// AskChoice asks any question with the rules of Ask: a title of ours, lines of untrusted
// text, paged to their end before anything is taken, and words to type in full. It returns
// the word; ErrNoAnswer after too many unusable lines; else the errors of Ask.
func AskChoice(ctx context.Context, t *Terminal, title string, lines []string, choices []Choice) (string, error) {
	s, err := t.begin(ctx)
	if err != nil {
		return "", err
	}
	defer s.end()
	columns, _ := t.Size()
	c := newCanvas(columns, t.options.Color)
	c.head(title)
	for _, line := range lines {
		c.quote(0, line)
	}
	c.gap()
	var words []string
	for _, choice := range choices {
		words = append(words, choice.Word)
	}
	c.rows = append(c.rows, choiceRows(choices, columns)...)
	d := &dialog{
		session: s, pages: &pager{rows: c.rows}, prompt: "> ", helps: choices,
		hint: "Type one word in full: " + strings.Join(words, ", "),
	}
	chosen := ""
	ok, err := d.run(func(line string, atEnd bool) (verdict, error) {
		for _, word := range words {
			if line != word {
				continue
			}
			if !atEnd {
				return d.notYet("it can be answered"), nil
			}
			chosen = word
			return done, nil
		}
		if !atEnd {
			return unknown, nil
		}
		return d.noAnswer(line), nil
	})
	switch {
	case err != nil:
		s.farewell(err)
		return "", err
	case !ok:
		return "", ErrNoAnswer
	}
	return chosen, nil
}

// choiceRows lists words and what they do, in two columns.
func choiceRows(choices []Choice, columns int) []string {
	widest := 0
	for _, choice := range choices {
		widest = max(widest, Width(choice.Word))
	}
	var rows []string
	for _, choice := range choices {
		rows = append(rows, Wrap("  "+Pad(choice.Word, widest)+"  "+choice.Help, columns, strings.Repeat(" ", widest+4))...)
	}
	return rows
}
