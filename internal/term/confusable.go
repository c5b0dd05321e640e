package term

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// lookalikes maps letters of other scripts to the Latin letter that they cannot be told from
// in common fonts (after Unicode Technical Standard 39, confusables; only the close ones).
var lookalikes = buildLookalikes(
	// Cyrillic
	"аa", "сc", "ԁd", "еe", "һh", "іi", "јj", "ӏl", "оo", "рp", "ԛq", "ѕs", "уy", "ѵv", "ԝw", "хx",
	"АA", "ВB", "СC", "ЕE", "ԌG", "НH", "ІI", "ЈJ", "КK", "МM", "ОO", "РP", "ԚQ", "ЅS", "ТT", "ԜW", "ХX", "УY", "ҮY", "Ӏl",
	// Greek
	"αa", "ϲc", "ιi", "ϳj", "νv", "οo", "ρp", "υu", "γy", "σo",
	"ΑA", "ΒB", "ϹC", "ΕE", "ΗH", "ΙI", "ͿJ", "ΚK", "ΜM", "ΝN", "ΟO", "ΡP", "ΤT", "ΧX", "ΥY", "ΖZ",
	// Armenian
	"ցg", "հh", "յj", "ոn", "օo", "զq", "սu", "ՏS", "ՍU", "ՕO", "Լl",
	// Cherokee
	"ᎪA", "ᏟC", "ᎠD", "ᎬE", "ᎻH", "ᎫJ", "ᏦK", "ᏞL", "ᎷM", "ᏢP", "ᎡR", "ᏚS", "ᎢT", "ᏙV", "ᎳW", "ᏃZ",
	// Latin letters of phonetic writing
	"ɑa", "ɡg", "ıi", "ȷj",
	// marks of punctuation that pass for a path's or an address's
	"∕/", "⁄/", "⧸/", "／/", "․.", "．.", "﹒.", "∶:", "꞉:", "˸:", "＠@",
	// hyphens
	"‐-", "‑-", "‒-", "–-", "−-",
)

// oneGlyph joins the ASCII characters that many fonts draw alike; only keys are compared so.
var oneGlyph = map[rune]rune{'1': 'l', 'I': 'l', '|': 'l', '0': 'O'}

func buildLookalikes(pairs ...string) map[rune]rune {
	m := make(map[rune]rune, len(pairs))
	for _, pair := range pairs {
		p := []rune(pair)
		m[p[0]] = p[1]
	}
	return m
}

// skeleton maps texts that look equal to one text. Only for comparing.
func skeleton(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if latin, ok := lookalikes[r]; ok {
			r = latin
		}
		if glyph, ok := oneGlyph[r]; ok {
			r = glyph
		}
		if shown(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// styledLetter reports whether r is another form of an ASCII letter or digit: full-width, or
// one of the mathematical alphabets.
func styledLetter(r rune) bool {
	return r >= 0xFF10 && r <= 0xFF19 || r >= 0xFF21 && r <= 0xFF3A || r >= 0xFF41 && r <= 0xFF5A ||
		r >= 0x1D400 && r <= 0x1D7FF
}

// wordRune reports whether r belongs to a word in the wide sense that is searched for mixed
// scripts: host names, paths and identifiers are one word each. Invisible characters do not
// end a word: they are what hides a join.
func wordRune(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/:@", r)
	}
	if _, ok := lookalikes[r]; ok {
		return true
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Cf)
}

// mixed returns the characters of a word that do not belong beside its ASCII letters.
func mixed(word string) []rune {
	if isASCII(word) {
		return nil
	}
	whole := strings.ContainsFunc(word, asciiLetter)
	var odd []rune
	for part := range strings.FieldsFuncSeq(word, separator) {
		latin := strings.ContainsFunc(part, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
		alike := strings.IndexFunc(part, func(r rune) bool { return unicode.IsLetter(r) && lookalikes[r] == 0 }) < 0
		for _, r := range part {
			switch {
			case styledLetter(r), whole && r >= 0x80 && lookalikes[r] != 0 && (!unicode.IsLetter(r) && !hyphen(r) || phonetic(r)):
				odd = append(odd, r)
			case latin && unicode.In(r, unicode.Cyrillic, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu):
				odd = append(odd, r)
			case lookalikes[r] != 0 && unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) && (latin || alike && whole):
				odd = append(odd, r) // Greek letters of formulas (Δt, λx) are in no such table
			}
		}
	}
	return odd
}

func separator(r rune) bool { return r < 0x80 && !asciiLetter(r) && (r < '0' || r > '9') }

func asciiLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func hyphen(r rune) bool { return lookalikes[r] == '-' }

// phonetic are the Latin letters that plain words do not use. Turkish uses ı.
func phonetic(r rune) bool { return r == 'ɑ' || r == 'ɡ' || r == 'ȷ' }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// remark is the marker that Escape puts behind a word of mixed scripts, or "".
func remark(word string) string {
	odd := mixed(word)
	if len(odd) == 0 {
		return ""
	}
	return "‹!" + describe(odd) + "›"
}

// describe names the distinct characters, at most three of them.
func describe(odd []rune) string {
	var parts []string
	seen := map[rune]bool{}
	for _, r := range odd {
		if seen[r] {
			continue
		}
		seen[r] = true
		if len(parts) < 3 {
			parts = append(parts, fmt.Sprintf("%s U+%04X", scriptOf(r), r))
		}
	}
	if more := len(seen) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

func scriptOf(r rune) string {
	switch {
	case styledLetter(r):
		return "styled"
	case unicode.Is(unicode.Cyrillic, r):
		return "Cyrillic"
	case unicode.Is(unicode.Greek, r):
		return "Greek"
	case unicode.Is(unicode.Armenian, r):
		return "Armenian"
	case unicode.Is(unicode.Cherokee, r):
		return "Cherokee"
	case unicode.Is(unicode.Coptic, r):
		return "Coptic"
	case unicode.Is(unicode.Lisu, r):
		return "Lisu"
	}
	return "look-alike"
}
