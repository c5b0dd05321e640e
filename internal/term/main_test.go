package term_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	marker = regexp.MustCompile("‹([^›]*)›")
	// ownCodes are the codes that doc.go says this package writes itself.
	ownCodes = regexp.MustCompile("\x1b\\[(0|1|2|31|32|33)m|\r?\x1b\\[[0-9]+A|\r?\x1b\\[J|\x1b\\[\\?2004[hl]")
)

// picture names are those of the Unicode chart "C0 Controls", written out a second time.
var picture = map[string]rune{
	"NUL": 0, "SOH": 1, "STX": 2, "ETX": 3, "EOT": 4, "ENQ": 5, "ACK": 6, "BEL": 7, "BS": 8, "TAB": 9, "LF": 10, "VT": 11, "FF": 12,
	"CR": 13, "SO": 14, "SI": 15, "DLE": 16, "DC1": 17, "DC2": 18, "DC3": 19, "DC4": 20, "NAK": 21, "SYN": 22, "ETB": 23, "CAN": 24,
	"EM": 25, "SUB": 26, "ESC": 27, "FS": 28, "GS": 29, "RS": 30, "US": 31, "DEL": 127,
}

// unescape undoes Escape, and the counts of spaces that a review writes. It knows only what
// doc.go says about the markers.
func unescape(t require.TestingT, s string) string {
	return marker.ReplaceAllStringFunc(s, func(m string) string {
		body := strings.TrimSuffix(strings.TrimPrefix(m, "‹"), "›")
		switch {
		case strings.HasPrefix(body, "!"):
			return ""
		case strings.HasPrefix(body, "U+"):
			n, err := strconv.ParseInt(body[2:], 16, 32)
			require.NoError(t, err)
			return string(rune(n))
		case strings.HasPrefix(body, "0x"):
			n, err := strconv.ParseUint(body[2:], 16, 8)
			require.NoError(t, err)
			return string([]byte{byte(n)})
		case strings.HasSuffix(body, " spaces"), strings.HasSuffix(body, " space"):
			n, err := strconv.Atoi(strings.ReplaceAll(strings.Fields(body)[0], ",", ""))
			require.NoError(t, err)
			return strings.Repeat(" ", n)
		}
		r, known := picture[body]
		require.True(t, known, "unknown marker %q", m)
		return string(r)
	})
}

// dangerous says what in an output could do more than stand there, "" if nothing. Newlines
// are allowed.
func dangerous(s string) string {
	for i, r := range s {
		switch {
		case r == '\n':
		case r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], "\uFFFD"):
			return fmt.Sprintf("byte %#x at %d is no UTF-8", s[i], i)
		case unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Bidi_Control, unicode.Join_Control, unicode.Me):
			return fmt.Sprintf("U+%04X at %d", r, i)
		case unicode.Is(unicode.Zs, r) && r != ' ':
			return fmt.Sprintf("space U+%04X at %d", r, i)
		}
	}
	return ""
}

// bare takes our own codes and the terminal's newline translation away.
func bare(s string) string {
	return ownCodes.ReplaceAllString(strings.ReplaceAll(s, "\r\n", "\n"), "")
}
