package term_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

func TestWidthOfText(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "日本": 4, "e\u0301": 1, "한": 2, "🙂": 2, "é": 1, "‹ESC›": 5, "─": 1, "ｙ": 2,
	} {
		require.Equal(t, want, term.Width(s), "%q", s)
	}
	require.Equal(t, "日本  ", term.Pad("日本", 6))
	require.Equal(t, "  日本", term.PadLeft("日本", 6))
	require.Equal(t, "日…", term.Truncate("日本語", 4), "a wide character is never cut in half")
	require.Equal(t, "ab…", term.Truncate("ab‹ESC›cd", 6), "nor is a marker")
	require.Equal(t, "abc", term.Truncate("abc", 3))
}

func TestNumbersForPeople(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 5012: "5,012", -1234567: "-1,234,567", 100000: "100,000"} {
		require.Equal(t, want, term.Count(n))
	}
	for n, want := range map[int64]string{0: "0", 950: "950", 1000: "1k", 12345: "12.3k", 999_949: "999.9k", 999_950: "1M", 4_100_000: "4.1M"} {
		require.Equal(t, want, term.Tokens(n))
	}
	for n, want := range map[int64]string{
		0: "$0.00", 1_250_000: "$1.25", 4_200: "$0.0042", 1: "$0.000001", 10_000: "$0.01", 14_999: "$0.01", 15_000: "$0.02",
		1_234_567_890_000: "$1,234,567.89", -1_250_000: "-$1.25",
	} {
		require.Equal(t, want, term.Money(n), "%d", n)
	}
	require.Equal(t, "1 line", term.Plural(1, "line", "lines"))
	require.Equal(t, "5,012 lines", term.Plural(5012, "line", "lines"))
}

func TestTimesForPeople(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0s", -time.Second: "0.0s", 1240 * time.Millisecond: "1.2s", 9940 * time.Millisecond: "9.9s", 9960 * time.Millisecond: "10s",
		59400 * time.Millisecond: "59s", 59600 * time.Millisecond: "1m 00s", 185 * time.Second: "3m 05s",
		2*time.Hour + 10*time.Minute: "2h 10m", 76 * time.Hour: "3d 4h",
	} {
		require.Equal(t, want, term.Duration(d), "%v", d)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		0: "just now", 9 * time.Second: "just now", 30 * time.Second: "30 s ago", 3 * time.Minute: "3 min ago", 2 * time.Hour: "2 h ago",
		25 * time.Hour: "1 day ago", 5 * 24 * time.Hour: "5 days ago", -5 * time.Second: "in 5 s", -12 * time.Minute: "in 12 min", -48 * time.Hour: "in 2 days",
	} {
		require.Equal(t, want, term.Age(now.Add(-d), now), "%v", d)
	}
}

func TestTableAlignsByWidth(t *testing.T) {
	table := term.Table{Right: []bool{false, true}, Limit: []int{0, 0, 8}}
	table.Head("RUN", "AGE", "TITLE")
	table.Row("日本", "3", "a\x1b[2K")
	table.Row("abcdef", "12", "much too long")
	require.Equal(t, strings.Join([]string{
		"RUN     AGE  TITLE",
		"日本      3  a‹ESC›[…",
		"abcdef   12  much to…",
		"",
	}, "\n"), table.String())
}
