package term_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// hostile are the texts of case B57 and some more; want is how they must look.
var hostile = []struct{ name, in, want string }{
	{"bidi override", "a\u202Eb", "a‹U+202E›b"},
	{"bidi isolate", "a\u2066b", "a‹U+2066›b"},
	{"zero width space", "pass\u200Bword", "pass‹U+200B›word"},
	{"variation selector 17", "x\U000E0100y", "x‹U+E0100›y"},
	{"variation selector 16", "⚠\uFE0F", "⚠‹U+FE0F›"},
	{"tag letters", "ok\U000E0041", "ok‹U+E0041›"},
	{"carriage return", "safe\rrm", "safe‹CR›rm"},
	{"erase line and go up", "\x1b[2K\x1b[1A", "‹ESC›[2K‹ESC›[1A"},
	{"OSC 52", "\x1b]52;c;aGk=\x07", "‹ESC›]52;c;aGk=‹BEL›"},
	{"OSC 8", "\x1b]8;;http://x\x1b\\text", "‹ESC›]8;;http://x‹ESC›\\text"},
	{"C1 CSI", "a\u009B2Kb", "a‹U+009B›2Kb"},
	{"C1 byte", "a\x9B2Kb", "a‹0x9B›2Kb"},
	{"backspace and delete", "abc\b\x7f", "abc‹BS›‹DEL›"},
	{"tab and newline", "a\tb\nc", "a‹TAB›b‹LF›c"},
	{"line separator", "a\u2028b", "a‹U+2028›b"},
	{"no-break space", "a\u00A0b", "a‹U+00A0›b"},
	{"braille blank", "a\u2800b", "a‹U+2800›b"},
	{"hangul filler", "a\u3164b", "a‹U+3164›b"},
	{"private use", "\uE000", "‹U+E000›"},
	{"not a character", "\uFFFF", "‹U+FFFF›"},
	{"surrogate bytes", "\xED\xA0\x80", "‹0xED›‹0xA0›‹0x80›"},
	{"replacement character itself", "\uFFFD", "\uFFFD"},
	{"the marker itself", "‹ESC›", "‹U+2039›ESC‹U+203A›"},
	{"struck through", "n\u0336o\u0336", "n‹U+0336›o‹U+0336›"},
	{"enclosed", "a\u20DD", "a‹U+20DD›"},
	{"mark without a letter", "\u0301x", "‹U+0301›x"},
	{"mark on a space", "a \u0332", "a ‹U+0332›"},
	{"tower of marks", "a\u0301\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\u0301‹U+0301›"},
	{"Cyrillic in a host", "exаmple.com", "exаmple.com‹!Cyrillic U+0430›"},
	{"whole Cyrillic label in a host", "срѕ.com/x y", "срѕ.com/x‹!Cyrillic U+0441, Cyrillic U+0440, Cyrillic U+0455› y"},
	{"Greek omicron", "gοogle", "gοogle‹!Greek U+03BF›"},
	{"full-width", "ｙes", "ｙes‹!styled U+FF59›"},
	{"mathematical", "𝐲es", "𝐲es‹!styled U+1D432›"},
	{"slash look-alike", "example.com∕evil", "example.com∕evil‹!look-alike U+2215›"},
}

// harmless are texts that people write and that stay as they are.
var harmless = []string{
	"", "plain ASCII ~ text", "naïve café", "Über die Brücke", "файл готов", "путь: main.go", "日本語 テキスト", "Go言語", "한국어",
	"Δt = λx + μs", "µs", "🙂 done", "Tiếng Việt", "e\u0301", "a–b", "עברית", "3 ∶ 4",
}

func TestB57_S10_EscapeMakesVisible(t *testing.T) {
	for _, tt := range hostile {
		require.Equal(t, tt.want, term.Escape(tt.in), tt.name)
		require.Empty(t, dangerous(term.Escape(tt.in)), tt.name)
		require.Equal(t, tt.in, unescape(t, tt.want), tt.name)
	}
	for _, s := range harmless {
		require.Equal(t, s, term.Escape(s))
		require.Equal(t, s, term.EscapeBlock(s))
	}
	require.Equal(t, "a\nb‹CR›\nc‹TAB›", term.EscapeBlock("a\nb\r\nc\t"))
}

func FuzzEscape(f *testing.F) {
	for _, tt := range hostile {
		f.Add(tt.in)
	}
	for _, s := range harmless {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, escaped := range []string{term.Escape(s), term.EscapeBlock(s)} {
			require.Empty(t, dangerous(escaped))
			require.Equal(t, s, unescape(t, escaped), "different texts must look different")
		}
		require.NotContains(t, term.Escape(s), "\n")
	})
}

func TestEscapeIsReversible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.StringOf(rapid.RuneFrom([]rune("aасе.-‹›!\u202E\u200B\u0301\x1b\n")))).Draw(t, "s")
		escaped := term.Escape(s)
		require.Empty(t, dangerous(escaped))
		require.Equal(t, s, unescape(t, escaped))
	})
}

func TestS10_WriterEscapesAStream(t *testing.T) {
	text := "one \x1b[2J\r\ntwo ‹ é\nthree \u202E\rlast"
	want := "agent│ one ‹ESC›[2J\nagent│ two ‹U+2039› é\nagent│ three ‹U+202E›‹CR›last\n"
	for size := 1; size <= len(text); size++ { // cut anywhere, also inside a character
		var out bytes.Buffer
		w := term.NewWriter(&out, "agent│ ")
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			written, err := w.Write([]byte(rest[:n]))
			require.NoError(t, err)
			require.Equal(t, n, written)
			rest = rest[n:]
		}
		require.NoError(t, w.Close())
		require.Equal(t, want, out.String(), "pieces of %d bytes", size)
	}
}

func TestWriterBoundsALineWithoutEnd(t *testing.T) {
	var out bytes.Buffer
	w := term.NewWriter(&out, "")
	long := strings.Repeat("é", 100_000)
	_, err := w.Write([]byte("x" + long))
	require.NoError(t, err)
	require.GreaterOrEqual(t, out.Len(), 100_000, "printed before any newline came")
	require.NoError(t, w.Close())
	require.Equal(t, "x"+long, strings.ReplaceAll(out.String(), "\n", ""), "never cut inside a character")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }

func TestWriterReportsAFailedOutput(t *testing.T) {
	w := term.NewWriter(failing{}, "")
	_, err := w.Write([]byte("a\n"))
	require.ErrorIs(t, err, bytes.ErrTooLarge)
	require.ErrorIs(t, w.Close(), bytes.ErrTooLarge)
}
