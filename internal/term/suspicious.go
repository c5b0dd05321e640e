package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FindingKind says in what way a text may deceive.
type FindingKind string

// The kinds of findings, in the order in which they are listed.
const (
	FindingBidi        FindingKind = "bidi"          // a control that changes the order of text
	FindingControl     FindingKind = "control"       // a control character other than newline and tab
	FindingInvisible   FindingKind = "invisible"     // a character that is drawn as nothing
	FindingMixedScript FindingKind = "mixed-script"  // a word of look-alike letters
	FindingRightToLeft FindingKind = "right-to-left" // letters whose order on a screen may differ
	FindingEncoding    FindingKind = "encoding"      // bytes that are no UTF-8
	FindingTwinKeys    FindingKind = "twin-keys"     // two keys of an object that look equal
)

// Finding is one place where what a person sees may not be what the text says.
type Finding struct {
	Kind FindingKind
	// Text is the word or the key, as it is: escape it before printing.
	Text string
	// Other is the second of two keys that look equal.
	Other string
	// Path is where it stands in a JSON text ($.steps[2].file), "" in plain text.
	Path string
	// Runes are the characters that made the finding.
	Runes []rune
}

// String is a sentence about the finding, escaped, on one line.
func (f Finding) String() string {
	where := ""
	if f.Path != "" {
		where = Escape(clip(f.Path, 120)) + ": "
	}
	text := Escape(clip(f.Text, 80))
	switch f.Kind {
	case FindingTwinKeys:
		return fmt.Sprintf("%sthe keys %q and %q look alike and differ (%s / %s)", where,
			text, Escape(clip(f.Other, 80)), points(f.Text), points(f.Other))
	case FindingMixedScript:
		return fmt.Sprintf("%sa word mixes look-alike letters: %s", where, text)
	case FindingRightToLeft:
		return fmt.Sprintf("%sright-to-left letters: your screen may show them in another order: %s", where, text)
	case FindingEncoding:
		return fmt.Sprintf("%sbytes that are not UTF-8: %s", where, text)
	case FindingBidi:
		return fmt.Sprintf("%sa control that would reorder text: %s", where, text)
	case FindingControl:
		return fmt.Sprintf("%sa control character: %s", where, text)
	default:
		return fmt.Sprintf("%sa character that a screen does not show: %s", where, text)
	}
}

// points lists the characters of a short text that are not ASCII, or all if none is.
func points(s string) string {
	var all, odd []string
	for _, r := range s {
		p := fmt.Sprintf("U+%04X", r)
		all = append(all, p)
		if r >= 0x80 {
			odd = append(odd, p)
		}
	}
	if len(odd) > 0 {
		all = odd
	}
	if len(all) > 4 {
		all = append(all[:4], "…")
	}
	return strings.Join(all, " ")
}

// Suspicious looks for all that could deceive a reader of s: at most one finding of a kind
// for each word. A text without findings is not thereby honest.
func Suspicious(s string) []Finding {
	if plain(s, true) {
		return nil
	}
	var found []Finding
	saidOrder := false // once is enough for a text in such a script
	for start := 0; start < len(s); {
		end := start
		for end < len(s) {
			r, size := utf8.DecodeRuneInString(s[end:])
			if !wordRune(r) {
				if end == start {
					end += size
				}
				break
			}
			end += size
		}
		for _, f := range inspect(s[start:end]) {
			if f.Kind == FindingRightToLeft && saidOrder {
				continue
			}
			saidOrder = saidOrder || f.Kind == FindingRightToLeft
			found = append(found, f)
		}
		start = end
	}
	return found
}

// inspect gives the findings of one word, or of the one character between words.
func inspect(word string) []Finding {
	if plain(word, true) {
		return nil
	}
	kinds := map[FindingKind][]rune{}
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRuneInString(word[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			kinds[FindingEncoding] = append(kinds[FindingEncoding], rune(word[i]))
		case bidi(r):
			kinds[FindingBidi] = append(kinds[FindingBidi], r)
		case r == '\n' || r == '\t' || r == markOpen || r == markClose:
		case unicode.IsControl(r):
			kinds[FindingControl] = append(kinds[FindingControl], r)
		case !shown(r):
			kinds[FindingInvisible] = append(kinds[FindingInvisible], r)
		case rightToLeft(r):
			kinds[FindingRightToLeft] = append(kinds[FindingRightToLeft], r)
		}
		i += size
	}
	if odd := mixed(word); len(odd) > 0 {
		kinds[FindingMixedScript] = odd
	}
	var found []Finding
	for _, k := range []FindingKind{FindingBidi, FindingControl, FindingInvisible, FindingMixedScript, FindingRightToLeft, FindingEncoding} {
		if len(kinds[k]) > 0 {
			found = append(found, Finding{Kind: k, Text: word, Runes: kinds[k]})
		}
	}
	return found
}

// clip shortens a text for a message; the whole text is shown elsewhere.
func clip(s string, max int) string {
	if utf8.RuneCountInString(s) <= max {
		return s
	}
	return string([]rune(s)[:max-1]) + "…"
}
