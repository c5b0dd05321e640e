package vm

import "strings"

// A parser follows the nesting of a text on Go's stack, and when that overflows the whole process
// ends: nothing can catch it. Half a megabyte of "(" is enough. So every text is measured before any
// parser sees it, by an estimate that is never too low: how many tokens can be under way at
// one place, that is, since the last place where an expression or a statement surely ended, at
// each level of brackets.
const (
	maxUnderWay = 10_000
	// The other costs are for what takes time that grows with the square or the cube of its depth:
	// classes and functions inside one another (500 brackets), arrow functions in arrow functions (100),
	// and < in TypeScript, which may open type arguments each time (1,000).
	costBracket = 20
	costArrow   = 100
	costLess    = 10
)

// level is what is under way inside one bracket.
type level struct {
	char   byte // 0 outside all brackets
	list   bool // an array literal: a comma ends an element
	tokens int
	arrows int
}

type nesting struct {
	lexer  lexer
	levels []level
	total  int
	ended  bool // a semicolon ended the statement, unless the next word carries it on
}

// checkNesting refuses a text that nests too deep. It tells comment of every comment up to the place that
// it returns; from there on, comments cannot be told from code without a parser.
func checkNesting(text string, comment func(start, end int)) (known int, _ *mistake) {
	n := nesting{lexer: lexer{src: text, comment: comment}, levels: []level{{}}}
	for {
		before := n.lexer.ends()
		block := before == endsUnsure && n.lexer.text(n.lexer.last) == "}"
		t := n.lexer.next()
		// What is left after a token that is not understood is let through only if it is too
		// little to do harm, whatever it means.
		harmless := func() bool { return n.total+rawTokens(text[t.start:]) <= maxUnderWay }
		switch {
		case t.kind == tokenEnd:
			return len(text), nil
		case t.kind == tokenBroken && !harmless():
			return 0, mistakeAt(codeSyntax, t.start, "this string, template, comment or regular expression does not end")
		case t.kind == tokenUnsure && !harmless():
			return 0, mistakeAt(codeSyntax, t.start,
				"cannot tell whether this / divides or starts a regular expression; put what stands before it into parentheses, or end it with ;")
		case t.kind == tokenBroken, t.kind == tokenUnsure:
			return t.start, nil
		case htmlComment(text[t.start:], t.newline):
			return 0, mistakeAt(codeSyntax, t.start, "an HTML comment is not allowed in a module; write // instead")
		}
		if closes := n.lexer.text(t); t.kind == tokenPunct && len(n.levels) == 1 && (closes == ")" || closes == "]" || closes == "}") {
			// It must not close what Compile puts around the body.
			return 0, mistakeAt(codeSyntax, t.start, "nothing is open that this %s closes", closes)
		}
		n.take(t, before == endsOperand || block, before != endsNot)
		if n.total > maxUnderWay {
			return 0, mistakeAt(codeNesting, t.start,
				"this is nested too deep, or is one expression of more than %d tokens; split it into several statements or functions", maxUnderWay)
		}
	}
}

// htmlComment finds what old parsers take for a comment, and a module does not.
func htmlComment(text string, newline bool) bool {
	return strings.HasPrefix(text, "<!--") || newline && strings.HasPrefix(text, "-->")
}

// take counts one token. The token before it surely ends an operand or a block (after), or may end one (maybe).
func (n *nesting) take(t token, after, maybe bool) {
	top := &n.levels[len(n.levels)-1]
	text := n.lexer.text(t)
	statements := top.char == 0 || top.char == '{'
	carried := t.kind == tokenWord && carriesOn(text)
	if n.ended && !carried || statements && t.newline && after && t.kind == tokenWord && !carried {
		n.reset(top)
	}
	n.ended = false

	switch {
	case t.kind == tokenPiece:
		// A piece after a substitution closes it and opens the next one.
		if t.start < len(n.lexer.src) && n.lexer.src[t.start] == '}' {
			n.pop()
		}
		n.push(level{char: '$'})
		return
	case t.kind == tokenTemplate && n.lexer.src[t.start] == '}':
		n.pop()
	case t.kind != tokenPunct:
	case text == "(" || text == "{":
		n.push(level{char: text[0]})
		return
	case text == "[":
		n.push(level{char: '[', list: !maybe})
		return
	case text == ")" || text == "]" || text == "}":
		n.pop()
	case text == "=>":
		top.arrows++
		n.total += costArrow
	case text == ";":
		n.ended = true
		return
	case text == ",":
		n.total -= top.arrows * costArrow
		top.arrows = 0
		if top.list {
			n.reset(top)
			return
		}
	}
	cost := 1
	if text == "<" {
		cost = costLess
	}
	n.levels[len(n.levels)-1].tokens += cost
	n.total += cost
}

func (n *nesting) push(l level) {
	n.levels = append(n.levels, l)
	n.total += costBracket
}

func (n *nesting) pop() {
	n.reset(&n.levels[len(n.levels)-1])
	n.total -= costBracket
	n.levels = n.levels[:len(n.levels)-1]
}

func (n *nesting) reset(l *level) {
	n.total -= l.tokens + l.arrows*costArrow
	l.tokens, l.arrows = 0, 0
}

// carriesOn says whether a word at the start of a line can belong to the statement before it.
func carriesOn(word string) bool {
	switch word {
	case "else", "while", "in", "instanceof", "of", "as", "satisfies", "catch", "finally", "extends", "implements", "is", "from":
		return true
	}
	return false
}

// rawTokens counts what could be tokens in a text of which nothing is known.
func rawTokens(text string) int {
	count, word := 0, false
	for i := range len(text) {
		c := text[i]
		in := wordByte(c) || digit(c)
		if c > ' ' && (!in || !word) {
			count++
		}
		switch c {
		case '(', '[', '{':
			count += costBracket
		case '>':
			if i > 0 && text[i-1] == '=' {
				count += costArrow
			}
		case '<':
			count += costLess
		}
		word = in
	}
	return count
}
