package vm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// goja reads and prints local time in the zone of its process. A script's Date knows one zone, UTC, so
// the reading of texts and the printing are done here; prelude/date.js holds the rest.

// farthest is the largest distance from 1970 in milliseconds that a Date can hold (ECMA-262, 21.4.1.1).
const farthest = 8.64e15

// dateUTC is MakeDate of ECMA-262 21.4.1.28, years 0 to 99 meaning 1900 to 1999.
func dateUTC(parts [7]float64) float64 {
	for i, p := range parts {
		if math.IsNaN(p) || math.Abs(p) > 1e16 {
			return math.NaN()
		}
		parts[i] = math.Trunc(p)
	}
	year, month := parts[0], parts[1]
	if year >= 0 && year <= 99 {
		year += 1900
	}
	year += math.Floor(month / 12)
	month -= math.Floor(month/12) * 12
	if math.Abs(year) > 400_000 {
		return math.NaN()
	}
	day := float64(time.Date(int(year), time.Month(int(month)+1), 1, 0, 0, 0, 0, time.UTC).Unix()) / 86_400
	ms := (day+parts[2]-1)*86_400_000 + parts[3]*3_600_000 + parts[4]*60_000 + parts[5]*1000 + parts[6]
	return timeClip(ms)
}

func timeClip(ms float64) float64 {
	if math.IsNaN(ms) || math.Abs(ms) > farthest {
		return math.NaN()
	}
	return math.Trunc(ms) + 0
}

// dateParse reads the format of ECMA-262 21.4.1.32, and the few others that people write. A text
// without a zone is UTC. What it does not know is NaN.
func dateParse(text string) float64 {
	text = strings.TrimSpace(text)
	if ms, ok := parseISO(text); ok {
		return ms
	}
	return parseLoose(text)
}

// parseISO reads YYYY[-MM[-DD]][T or space HH:mm[:ss[.sss]][zone]], with years of six signed digits too.
func parseISO(text string) (float64, bool) {
	p := &dateReader{text: text}
	year, ok := p.year()
	if !ok {
		return 0, false
	}
	month, day := 1, 1
	if p.skip("-") {
		if month, ok = p.fixed(2); !ok {
			return 0, false
		}
		if p.skip("-") {
			if day, ok = p.fixed(2); !ok {
				return 0, false
			}
		}
	}
	var hour, minute, second, milli, zone int
	if p.skip("T") || p.skip("t") || p.skip(" ") {
		if hour, minute, second, milli, ok = p.clock(); !ok {
			return 0, false
		}
		if zone, ok = p.zone(); !ok {
			return 0, false
		}
	}
	if p.text != "" {
		return 0, false
	}
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || !clockInRange(hour, minute, second, milli) {
		return math.NaN(), true
	}
	start := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).UnixMilli()
	ms := float64(start) + float64(hour*3600+minute*60+second-zone*60)*1000 + float64(milli)
	return timeClip(ms), true
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func clockInRange(hour, minute, second, milli int) bool {
	if hour == 24 {
		return minute == 0 && second == 0 && milli == 0
	}
	return hour < 24 && minute < 60 && second < 60
}

// dateReader eats a text from the front.
type dateReader struct{ text string }

func (p *dateReader) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.text, prefix)
	p.text = rest
	return ok
}

func (p *dateReader) fixed(n int) (int, bool) {
	if len(p.text) < n {
		return 0, false
	}
	value := 0
	for _, c := range []byte(p.text[:n]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		value = value*10 + int(c-'0')
	}
	p.text = p.text[n:]
	return value, true
}

func (p *dateReader) year() (int, bool) {
	switch {
	case p.skip("+"):
		return p.fixed(6)
	case p.skip("-"):
		year, ok := p.fixed(6)
		return -year, ok && year != 0
	default:
		return p.fixed(4)
	}
}

func (p *dateReader) clock() (hour, minute, second, milli int, ok bool) {
	if hour, ok = p.fixed(2); !ok || !p.skip(":") {
		return 0, 0, 0, 0, false
	}
	if minute, ok = p.fixed(2); !ok {
		return 0, 0, 0, 0, false
	}
	if !p.skip(":") {
		return hour, minute, 0, 0, true
	}
	if second, ok = p.fixed(2); !ok {
		return 0, 0, 0, 0, false
	}
	if p.skip(".") || p.skip(",") {
		digits := len(p.text) - len(strings.TrimLeft(p.text, "0123456789"))
		if digits == 0 {
			return 0, 0, 0, 0, false
		}
		milli, _ = strconv.Atoi((p.text[:digits] + "00")[:3])
		p.text = p.text[digits:]
	}
	return hour, minute, second, milli, true
}

// zone reads Z, ±HH:mm or ±HHmm, in minutes east of UTC; nothing is UTC.
func (p *dateReader) zone() (int, bool) {
	if p.text == "" || p.skip("Z") || p.skip("z") {
		return 0, true
	}
	sign := 1
	if p.skip("-") {
		sign = -1
	} else if !p.skip("+") {
		return 0, false
	}
	hours, ok := p.fixed(2)
	if !ok || hours > 23 {
		return 0, false
	}
	p.skip(":")
	minutes, ok := p.fixed(2)
	return sign * (hours*60 + minutes), ok && minutes < 60
}

// The other texts: dates with the month's name, or with slashes, in the order that engines read them.
var (
	looseDates = []string{
		"2 Jan 2006", "2 January 2006", "Jan 2 2006", "January 2 2006", "Jan 2, 2006", "January 2, 2006",
		"1/2/2006", "2006/1/2", "2006-1-2", "2006 Jan 2",
	}
	looseClocks = []string{"", " 15:04:05.999", " 15:04:05", " 15:04", " 3:04:05 PM", " 3:04 PM", ", 15:04:05", ", 15:04", ", 3:04:05 PM", ", 3:04 PM"}
)

func parseLoose(text string) float64 {
	if open := strings.IndexByte(text, '('); open >= 0 && strings.HasSuffix(text, ")") {
		text = strings.TrimSpace(text[:open]) // the zone's name, as toString writes it
	}
	text = withoutWeekday(strings.Join(strings.Fields(text), " "))
	text, zone, ok := cutZone(text)
	if !ok {
		return math.NaN()
	}
	for _, date := range looseDates {
		for _, clock := range looseClocks {
			if t, err := time.ParseInLocation(date+clock, text, time.UTC); err == nil {
				return timeClip(float64(t.UnixMilli()) - float64(zone)*60_000)
			}
		}
	}
	return math.NaN()
}

func withoutWeekday(text string) string {
	word, rest, found := strings.Cut(text, " ")
	word = strings.TrimSuffix(word, ",")
	for day := time.Sunday; found && day <= time.Saturday; day++ {
		if strings.EqualFold(word, day.String()) || strings.EqualFold(word, day.String()[:3]) {
			return rest
		}
	}
	return text
}

// cutZone takes GMT, UTC, Z or an offset off the end. Other zone names are ambiguous, and unknown.
func cutZone(text string) (rest string, minutes int, ok bool) {
	cut := strings.LastIndexByte(text, ' ')
	if cut < 0 {
		return text, 0, true
	}
	last := strings.ToUpper(text[cut+1:])
	if last == "AM" || last == "PM" {
		return text, 0, true
	}
	named := false
	for _, name := range []string{"GMT", "UTC", "Z"} {
		if after, found := strings.CutPrefix(last, name); found {
			last, named = after, true
			break
		}
	}
	if !named && !strings.HasPrefix(last, "+") && !strings.HasPrefix(last, "-") {
		return text, 0, true
	}
	p := &dateReader{text: last}
	minutes, ok = p.zone()
	return text[:cut], minutes, ok && p.text == ""
}

// dateText prints an instant; kind is one of the names in prelude/date.js.
func dateText(ms float64, kind string) string {
	if math.IsNaN(ms) {
		return "Invalid Date"
	}
	t := time.UnixMilli(int64(ms)).UTC()
	year := strconv.Itoa(t.Year())
	if t.Year() > -1000 && t.Year() < 1000 {
		year = fmt.Sprintf("%04d", max(t.Year(), -t.Year()))
		if t.Year() < 0 {
			year = "-" + year
		}
	}
	date := t.Format("Mon Jan 02 ") + year
	clock := t.Format("15:04:05") + " GMT+0000 (Coordinated Universal Time)"
	localeDate := t.Format("1/2/") + strconv.Itoa(t.Year())
	switch kind {
	case "date":
		return date
	case "time":
		return clock
	case "localeDate":
		return localeDate
	case "localeTime":
		return t.Format("3:04:05 PM")
	case "localeFull":
		return localeDate + ", " + t.Format("3:04:05 PM")
	default:
		return date + " " + clock
	}
}
