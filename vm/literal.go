package vm

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

type literalKind uint8

const (
	literalNull literalKind = iota
	literalTruth
	literalNumber
	literalText
	literalArray
	literalObject
)

// literal is a value of the header: what JSON can say, written as JavaScript writes it.
type literal struct {
	kind    literalKind
	offset  int
	truth   bool
	number  float64
	text    string
	entries []entry // of an array or an object
}

type entry struct {
	key    string
	offset int
	value  *literal
}

// json appends the value as JSON text.
func (v *literal) json(out []byte) []byte {
	switch v.kind {
	case literalTruth:
		return strconv.AppendBool(out, v.truth)
	case literalNumber:
		return append(out, numberText(v.number)...)
	case literalText:
		return appendQuoted(out, v.text)
	case literalArray:
		out = append(out, '[')
		for i, e := range v.entries {
			if i > 0 {
				out = append(out, ',')
			}
			out = e.value.json(out)
		}
		return append(out, ']')
	case literalObject:
		out = append(out, '{')
		for i, e := range v.entries {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendQuoted(out, e.key), ':')
			out = e.value.json(out)
		}
		return append(out, '}')
	}
	return append(out, "null"...)
}

// numberText writes a number as JavaScript does; encoding/json follows the same rule
// (ECMA-262, Number::toString). Minus zero prints as 0 there.
func numberText(n float64) string {
	if n == 0 {
		return "0"
	}
	text, err := json.Marshal(n)
	if err != nil { // not finite; the parser refuses it before
		return "null"
	}
	return string(text)
}

// order puts the keys into the order in which JavaScript lists them: array indexes first, by value.
func (v *literal) order() {
	slices.SortStableFunc(v.entries, func(a, b entry) int {
		x, isX := arrayIndex(a.key)
		y, isY := arrayIndex(b.key)
		switch {
		case isX && isY:
			return int(x) - int(y)
		case isX:
			return -1
		case isY:
			return 1
		}
		return 0
	})
}

func arrayIndex(key string) (uint64, bool) {
	n, err := strconv.ParseUint(key, 10, 32)
	return n, err == nil && n < math.MaxUint32 && (key == "0" || key[0] != '0') && key[0] != '+'
}

// parseNumber reads a numeric literal.
func parseNumber(text string) (float64, string) {
	plain := strings.ReplaceAll(text, "_", "")
	switch {
	case strings.Contains(text, "_") && (strings.Contains(text, "__") || !digitsAround(text)):
		return 0, "a _ in a number stands between two digits"
	case strings.HasSuffix(plain, "n"):
		return 0, "a BigInt is not JSON; write it as a text"
	case len(plain) > 1 && plain[0] == '0' && digit(plain[1]):
		return 0, "a number does not start with 0; octal numbers are written 0o17"
	}
	if len(plain) > 2 && plain[0] == '0' {
		base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'O': 8, 'b': 2, 'B': 2}[plain[1]]
		if base != 0 {
			return wholeNumber(plain[2:], base)
		}
	}
	for i := range len(plain) {
		if c := plain[i]; !digit(c) && !strings.ContainsRune(".eE+-", rune(c)) {
			return 0, "this is not a number"
		}
	}
	n, err := strconv.ParseFloat(plain, 64)
	if math.IsInf(n, 0) {
		return 0, "this number is too large"
	}
	if err != nil {
		return 0, "this is not a number"
	}
	return n, ""
}

// wholeNumber reads digits of a base that is a power of two, rounded as a double.
func wholeNumber(digits string, base int) (float64, string) {
	prefix := map[int]string{16: "0x", 8: "0o", 2: "0b"}[base]
	for i := range len(digits) {
		if _, err := strconv.ParseUint(digits[i:i+1], base, 8); err != nil {
			return 0, "this is not a number"
		}
	}
	if n, err := strconv.ParseUint(digits, base, 64); err == nil {
		return float64(n), ""
	}
	return 0, "this number is too large; write it as " + prefix + "… of at most 64 bits, or in decimal"
}

func digitsAround(text string) bool {
	inBase := digit
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		inBase = hexDigit
	}
	for i := range len(text) {
		if text[i] != '_' {
			continue
		}
		if i == 0 || i+1 == len(text) || !inBase(text[i-1]) || !inBase(text[i+1]) {
			return false
		}
	}
	return true
}

func hexDigit(c byte) bool { return digit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
