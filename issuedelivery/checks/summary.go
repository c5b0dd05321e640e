package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
)

// judge says whether a check is good, and why not. A check of kind test has to show that tests ran: if
// it was found here, by what a runner prints that is known; if somebody named it, unless it shows that
// none ran.
func (r *Ran) judge(out process.Outcome, err error, tests *counter, limit time.Duration) {
	exit := "was ended by a signal"
	if r.ExitCode != nil {
		exit = fmt.Sprintf("failed with exit code %d", *r.ExitCode)
	}
	say := func(form string, args ...any) { r.Summary = r.Name + fmt.Sprintf(form, args...) }
	switch {
	case err != nil:
		say(" could not be started: %s.", err)
	case out.Late:
		say(" did not end in %v, and was ended.", limit)
	case out.Over && out.LongLine:
		say(" printed a line of more than %d MiB, and was ended.", longestLine>>20)
	case out.Over:
		say(" printed more than %d MiB, and was ended.", process.DefaultMaxStream>>20)
	case out.State == nil:
		say(" could not be ended.")
	case r.Kind == Test && r.Tests != nil && *r.Tests == 0 && noTestsCode(*r):
		say(" ran no test, which shows nothing.")
	case !out.Success():
		say(" %s.", exit)
	case r.Kind == Test && r.Tests != nil && *r.Tests == 0:
		say(" ran no test, which shows nothing.")
	case r.Kind == Test && r.Tests == nil && !tests.some() && r.Source != Configured:
		say(": no test was seen to run, which shows nothing. If it does run tests, name it in [delivery.checks] of .assent/config.toml.")
	case r.Kind == Test && r.Tests == nil && !tests.some():
		r.OK = true
		say(" is good, but no test was seen to run.")
	case r.Kind == Test && r.Tests == nil:
		r.OK = true
		say(" is good; how many tests ran is not told.")
	case r.Kind == Test:
		r.OK = true
		say(" is good (%s).", counted(*r.Tests, "test", "tests"))
	default:
		r.OK = true
		say(" is good.")
	}
	if out.Held {
		r.Summary += " It left something behind that held its output, and that was ended."
	}
}

// noTestsCode reports whether a runner ended with the code by which it says that it found no test: pytest,
// and unittest of later versions.
func noTestsCode(r Ran) bool { return r.ExitCode != nil && *r.ExitCode == 5 && isPython(r.Check) }

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// summaryOf has a line for each check that is not good, and all others in one. waiting counts checks that
// were not run.
func summaryOf(r Result, waiting int) string {
	var bad, good []string
	for _, c := range r.Checks {
		if c.OK {
			good = append(good, c.Summary)
		} else {
			bad = append(bad, c.Summary)
		}
	}
	lines := []string{"Checks passed."}
	if len(bad) > 0 {
		lines = slices.Concat([]string{fmt.Sprintf("Checks failed: %d of %d.", len(bad), len(r.Checks)+waiting)}, bad)
	}
	if waiting > 0 {
		lines = append(lines, counted(waiting, "check", "checks")+" did not run.")
	}
	if len(good) > 0 {
		lines = append(lines, strings.Join(good, " "))
	}
	return strings.Join(lines, "\n")
}

// failures are the lines that say most about why a check failed.
var failures = regexp.MustCompile(`^(?i:\s*(?:--- FAIL|FAIL\b|not ok\b|✖|✗|×|E  |error\b|error\[|AssertionError|panic:|FAILED\b|wrong\b|fatal\b))|^\s*[^\s:()]+\.\w+(?::\d+|\(\d+,\d+\))|^\S+Error\b| FAILED$|^\S.*\berror TS\d+`)

// failuresOf are the first lines that tell of failures, or else the last line that there is.
func failuresOf(r Ran) string {
	var found []string
	for _, output := range []string{r.Stdout, r.Stderr} {
		for line := range strings.Lines(output) {
			if len(found) == shownFailures {
				break
			}
			line = strings.TrimSpace(ansi.ReplaceAllString(line, ""))
			if failures.MatchString(line) && !slices.Contains(found, line) {
				found = append(found, shorten(line, shownLine))
			}
		}
	}
	for _, output := range []string{r.Stderr, r.Stdout} {
		lines := strings.Split(strings.TrimSpace(ansi.ReplaceAllString(output, "")), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" && len(found) == 0 {
			found = append(found, shorten(last, shownLine))
		}
	}
	if len(found) == 0 {
		return ""
	}
	return " It says: " + strings.Join(found, "; ") + "."
}
