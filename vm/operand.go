package vm

import "strings"

// ending says whether the token before a place ends an operand, so that an operator can follow.
type ending uint8

const (
	endsNot ending = iota
	endsOperand
	endsUnsure
)

// ends judges the last token. It says unsure rather than guess.
func (l *lexer) ends() ending {
	switch l.last.kind {
	case tokenNumber, tokenString, tokenTemplate, tokenRegexp:
		return endsOperand
	case tokenWord:
		if l.property() {
			return endsOperand
		}
		return wordEnds(l.text(l.last))
	case tokenPunct:
	default:
		return endsNot
	}
	switch l.text(l.last) {
	case ")":
		if l.last.control {
			return endsNot
		}
		return endsOperand
	case "]":
		return endsOperand
	case "}":
		return endsUnsure // a block or an object: only a parser knows
	case "++", "--", "!":
		return l.postfix()
	}
	return endsNot
}

// postfix judges an operator that can stand before its operand or, on the same line, after it (! in TypeScript).
func (l *lexer) postfix() ending {
	after := endsNot
	switch l.before.kind {
	case tokenNumber, tokenString, tokenTemplate, tokenRegexp:
		after = endsOperand
	case tokenWord:
		// The token before that one is forgotten; if it was a dot, a keyword is a name.
		after = wordEnds(l.text(l.before))
		if after == endsNot && strings.HasSuffix(strings.TrimRight(l.src[:l.before.start], " \t\r\n"), ".") {
			after = endsOperand
		}
	case tokenPunct:
		switch l.text(l.before) {
		case "]":
			after = endsOperand
		case ")":
			if !l.before.control {
				after = endsOperand
			}
		case "}", "++", "--", "!":
			after = endsUnsure
		}
	}
	if after == endsOperand && l.last.newline {
		return endsUnsure
	}
	return after
}

// wordEnds is endsNot for the words after which an operand or a statement starts.
func wordEnds(word string) ending {
	switch word {
	case "await", "case", "class", "const", "default", "delete", "do", "else", "enum", "export", "extends",
		"finally", "function", "import", "in", "instanceof", "let", "new", "return", "static", "throw",
		"try", "typeof", "var", "void", "yield", "if", "for", "while", "with", "switch", "catch":
		return endsNot
	case "of", "as", "satisfies", "type", "interface", "namespace", "module", "declare", "abstract",
		"keyof", "infer", "is", "asserts", "using", "get", "set", "async", "from":
		return endsUnsure
	}
	return endsOperand
}
