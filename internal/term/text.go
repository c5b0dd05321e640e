package term

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count writes a number with commas between thousands: 5,012.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Plural writes a count with its noun: "1 line", "5,012 lines".
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Tokens writes a number of tokens in short: 950, 12.3k, 4.1M.
func Tokens(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 999_950:
		return short(float64(n)/1e3) + "k"
	default:
		return short(float64(n)/1e6) + "M"
	}
}

func short(f float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

// Money writes millionths of a US dollar: $1.25, and $0.0042 for what is less than a cent.
func Money(micro int64) string {
	sign := ""
	if micro < 0 {
		sign, micro = "-", -micro
	}
	if micro > 0 && micro < 10_000 {
		return sign + "$" + strings.TrimRight(fmt.Sprintf("0.%06d", micro), "0")
	}
	cents := (micro + 5_000) / 10_000
	return fmt.Sprintf("%s$%s.%02d", sign, Count(cents/100), cents%100)
}

// Duration writes a length of time for people: 0.4s, 12s, 3m 05s, 2h 10m, 3d 4h.
func Duration(d time.Duration) string {
	if d < 0 {
		d = 0
	}
	switch {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d.Round(time.Second) < time.Minute:
		return fmt.Sprintf("%ds", int(d.Round(time.Second).Seconds()))
	case d.Round(time.Second) < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%dm %02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh %02dm", int(d.Hours()), int(d.Minutes())%60)
	default:
		return fmt.Sprintf("%dd %dh", int(d.Hours())/24, int(d.Hours())%24)
	}
}

// Age writes when t was, seen from now: "just now", "3 min ago", "in 2 h", "5 days ago".
func Age(t, now time.Time) string {
	d := now.Sub(t)
	before, after := "", " ago"
	if d < 0 {
		d, before, after = -d, "in ", ""
	}
	switch {
	case d < 10*time.Second && after != "":
		return "just now"
	case d < time.Minute:
		return fmt.Sprintf("%s%d s%s", before, int(d.Seconds()), after)
	case d < time.Hour:
		return fmt.Sprintf("%s%d min%s", before, int(d.Minutes()), after)
	case d < 24*time.Hour:
		return fmt.Sprintf("%s%d h%s", before, int(d.Hours()), after)
	default:
		return before + Plural(int64(d.Hours())/24, "day", "days") + after
	}
}

// Wrap cuts an escaped line of our own words between words, into rows of at most width columns.
// All rows but the first begin with indent. A word that is wider than a row is cut.
func Wrap(line string, width int, indent string) []string {
	if Width(line) <= width {
		return []string{line}
	}
	rows := wrap(line, width, true)
	first := strings.TrimRight(rows[0], " ")
	rest := wrap(strings.TrimLeft(line[len(rows[0]):], " "), width-Width(indent), true)
	out := []string{first}
	for _, row := range rest {
		out = append(out, indent+strings.Trim(row, " "))
	}
	return out
}
