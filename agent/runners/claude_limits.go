package runners

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// How claude words that a limit of the plan is reached: "Claude AI usage limit reached|1796085000",
// "You've hit your session limit · resets 3pm (Europe/Berlin)", "You're out of extra usage · resets
// Dec 4, 3:30pm (UTC)". An event of its own tells the time too, but not in every version.
var (
	claudeLimit = regexp.MustCompile(`(?i)^(claude( ai)? usage limit reached|[\w-]+ limit reached \W|you've (hit|reached) your .{0,60}limit|you're out of (extra )?usage|your org is out of usage|(your )?credit balance is too low)`)
	claudeEpoch = regexp.MustCompile(`(?i)limit reached\|(\d{10})(\d{3})?\b`)
	claudeClock = regexp.MustCompile(`(?i)resets?(?: at| on)? (?:([a-z]{3}) (\d{1,2})(?:, (\d{4}))?(?:,| at) )?(\d{1,2})(?::(\d\d))?\s?([ap]m)(?: \(([^)]+)\))?`)
)

// claudeReset is when work can go on by a message, zero if it does not say so in a way that is known.
func claudeReset(message string, now time.Time) time.Time {
	if found := claudeEpoch.FindStringSubmatch(message); found != nil {
		seconds, err := strconv.ParseInt(found[1], 10, 64)
		if err == nil {
			return time.Unix(seconds, 0)
		}
	}
	found := claudeClock.FindStringSubmatch(message)
	if found == nil {
		return resetIn(message, now)
	}
	month, day, year, hour, minute, half, zone := found[1], found[2], found[3], found[4], found[5], found[6], found[7]
	if zone != "" {
		at, err := time.LoadLocation(zone)
		if err != nil {
			return time.Time{} // hours away from what is meant
		}
		now = now.In(at)
	}
	if minute == "" {
		minute = "00"
	}
	clock, err := time.Parse("3:04PM", hour+":"+minute+strings.ToUpper(half))
	if err != nil {
		return time.Time{}
	}
	on := now
	if month != "" {
		if year == "" {
			year = strconv.Itoa(now.Year())
		}
		if on, err = time.ParseInLocation("Jan 2 2006", month+" "+day+" "+year, now.Location()); err != nil {
			return time.Time{}
		}
	}
	reset := time.Date(on.Year(), on.Month(), on.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
	switch {
	case reset.After(now):
	case month == "":
		reset = reset.AddDate(0, 0, 1)
	case found[3] == "":
		reset = reset.AddDate(1, 0, 0)
	}
	return reset
}
