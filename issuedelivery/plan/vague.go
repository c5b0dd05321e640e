package plan

import (
	"regexp"
	"strings"
	"unicode"
)

// A criterion can be checked if it says what to run or look at and what is then seen. What is vague is
// found by what it says instead: words of praise, words that leave the measure open, and no more than a
// word or two. A number, a quotation or a command that goes with such words may make up for them.

var (
	// open leaves the end of a list open, so that nobody can ever say that all of it holds.
	open = regexp.MustCompile(`(?i)\betc\b|\band so on\b|\band so forth\b|\band more\b|\band the like\b|\.\.\.$|…$|\bwhere(ver)? (appropriate|applicable|possible|needed|necessary)\b|\bif (needed|necessary|possible|appropriate|applicable)\b|\bas (needed|necessary|appropriate)\b`)

	// praise says that something is good, without saying how anybody would see that.
	praise = regexp.MustCompile(`(?i)` + strings.Join([]string{
		`\b(works?|runs?|functions?|behaves?|operates?|performs?|looks?|feels?)\s+(\w+\s+)?(well|fine|good|great|nicely|correctly|properly|smoothly|reliably|right|flawlessly|as\s+\w+|like\s+before)\b`,
		`\b(it|this|that|everything|all|feature|code|solution|app|application|implementation|system)\s+(just\s+)?works\b`,
		`\bas\s+(expected|intended|designed|desired|planned|specified|described|required|usual|before|it should|they should)\b`,
		`\b(is|are|be|stays?|remains?|looks?|keeps?( it)?)\s+(\w+\s+)?(clean|tidy|good|nice|ok|okay|fine|great|correct|right|robust|stable|solid|reliable|sound|sane|elegant|simple|readable|maintainable|understandable|intuitive|clear|consistent|efficient|performant|fast|quick|responsive|scalable|secure|safe|flexible|modern|complete|done|finished|ready|improved|better|faster|cleaner|simpler|sensible|reasonable|acceptable|adequate|appropriate|sufficient|satisfactory|user[- ]friendly|production[- ]ready|up to date|well[- ]\w+)\b`,
		`\b(clean|good|high[- ]quality|nice|readable|maintainable|robust|idiomatic|well[- ]\w+|production[- ]ready|user[- ]friendly)\s+(code|quality|structure|design|architecture|style|experience|performance|coverage|tests?|documentation|docs|ux|ui|error messages?|implementation|solution)\b`,
		`\b(should|must|has to|needs to)\s+be\s+(\w+\s+)?(fast|quick|faster|good|better|clean|nice|easy|simple|robust|secure|safe|intuitive|efficient|reliable|scalable|responsive|performant|readable|maintainable|user[- ]friendly)\b`,
		`\bbest practices?\b`, `\bno (issues|problems|regressions?|surprises)\b`, `\bnothing (breaks|is broken|else breaks)\b`, `\bdoes(n'?t| not) break\b`,
		`\b(well|fully|thoroughly|adequately|sufficiently|sensibly|comprehensively)[- ](tested|documented|covered|structured|designed|written|formatted|handled)\b`,
		`\b(reasonable|acceptable|adequate|sufficient|appropriate|suitable|sensible|proper|relevant|meaningful|comprehensive|various|some|good)\s+(tests?|performance|coverage|errors?|error handling|handling|documentation|logging|validation|time|results?|behaviou?r)\b`,
		`\b(performance|quality|usability|readability|maintainability|code|ux)\s+(is|are)\s+(\w+\s+)?(improved|better|acceptable|good|ok|fine|adequate)\b`,
	}, "|"))

	// adverb leaves open what is right.
	adverb = regexp.MustCompile(`(?i)\b(properly|correctly|appropriately|gracefully|adequately|sufficiently|seamlessly|nicely|cleanly|reliably|sensibly|reasonably|efficiently|robustly|thoroughly|comprehensively|intuitively|as much as possible)\b`)

	// observed is an observation with what is seen, or a measure with a number.
	observed = regexp.MustCompile("(?i)" + strings.Join([]string{
		"\\b(exits?|returns?|prints?|outputs?|responds?|answers?|throws?|raises?|rejects?|refuses?|contains?|equals?|writes?|shows?|logs?|reports?|says?|gives?|status)\\b[^.;]{0,60}?(\\d|[\"'`“‘])",
		"\\b(under|below|within|at most|at least|less than|fewer than|more than|no more than|exactly|up to)\\s+\\d", `[<>≤≥=]\s*\d`,
		"`[^`]+\\s[^`]+`", // a command with its arguments
	}, "|"))

	// exact is something that is named to the letter.
	exact = regexp.MustCompile("\\d|`[^`]+`|\"[^\"]+\"|“[^”]+”")
)

const (
	// leastWords and leastRunes are the shortest that says what is seen where; the second is for scripts
	// that put no spaces between words.
	leastWords = 3
	leastRunes = 12
)

// Vague says why nobody could check an acceptance criterion, in a few words; "" if somebody could. It
// knows English, and judges no other language but by length.
func Vague(criterion string) string {
	text := strings.Join(strings.Fields(criterion), " ")
	if text == "" {
		return "it is empty"
	}
	trimmed := strings.TrimRight(text, " .!")
	if words := open.FindString(text); words != "" {
		return "“" + strings.TrimSpace(words) + "” leaves its end open"
	}
	if words := praise.FindString(trimmed); words != "" && !observed.MatchString(text) {
		return "“" + strings.ToLower(words) + "” cannot be observed"
	}
	if word := adverb.FindString(text); word != "" && !exact.MatchString(text) {
		return "“" + strings.ToLower(word) + "” leaves open what is right"
	}
	if short(text) {
		return "it is too short to say what is seen"
	}
	return ""
}

// short reports whether a text is too short to be a criterion.
func short(text string) bool {
	words, runes, spaced := 0, 0, true
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words++
		}
		for _, r := range word {
			runes++
			spaced = spaced && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
		}
	}
	if !spaced {
		return runes < leastRunes/2
	}
	return words < leastWords || runes < leastRunes
}
