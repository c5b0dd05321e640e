package checks

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// counter counts the tests that an output tells of, line by line. What was skipped did not run.
type counter struct {
	// seen says that a line told of tests, or of there being none; ran is how many ran.
	seen bool
	ran  int
	// more says that more tests ran than are counted: a runner said so without saying how many.
	more bool

	// In node's own runner, and in others that speak TAP: totals says that lines told how many there were
	// in all, files counts the files that it takes for a test each, planned that the single results are
	// those of TAP, and results counts these.
	totals, planned bool
	files, results  int
}

// ansi are the codes of colours, which some runners print anywhere.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// told is how a runner of tests says how many ran: a line in which some groups are counted, and others,
// whose names begin with not, are taken off.
type told struct {
	signs []string // one of them stands in every such line, which makes looking for it cheap
	form  *regexp.Regexp
}

var tellings = []told{
	{[]string{"Ran "}, regexp.MustCompile(`^Ran (\d+) tests? (?:in|across) `)},                                                             // unittest, bun
	{[]string{"skipped="}, regexp.MustCompile(`^(?:OK|FAILED) \((?:.*, )?skipped=(?P<not>\d+)`)},                                           // unittest, after that
	{[]string{"test result: "}, regexp.MustCompile(`^test result: [A-Za-z]+\. (\d+) passed; (\d+) failed`)},                                // cargo
	{[]string{" run: "}, regexp.MustCompile(`^ *Summary \[.*\] +(\d+)(?:/\d+)? tests? run: `)},                                             // cargo nextest
	{[]string{"Tests run: "}, regexp.MustCompile(`^(?:\[[A-Z]+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: (?P<not>\d+)$`)}, // maven, in all of a module
	{[]string{"passing", "failing"}, regexp.MustCompile(`^ *(\d+) (?:passing|failing)(?: \(|$)`)},                                          // mocha
	{[]string{"passed", "failed", "flaky"}, regexp.MustCompile(`^ +(\d+) (?:passed|failed|flaky)(?: \(|$)`)},                               // playwright
	{[]string{"passed", "failed"}, regexp.MustCompile(`^ *(\d+) tests? (?:passed|failed)$`)},                                               // ava
	{[]string{" | "}, regexp.MustCompile(`^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed`)},                                 // deno
	{[]string{"example"}, regexp.MustCompile(`^(\d+) examples?, \d+ failures?(?:, (?P<not>\d+) pending)?`)},                                // rspec
	{[]string{"assertions"}, regexp.MustCompile(`^(\d+) (?:runs|tests), \d+ assertions, .*?(?:(?P<not>\d+) skips)?$`)},                     // minitest
	{[]string{"OK ("}, regexp.MustCompile(`^OK \((\d+) tests?(?:, \d+ assertions?)?\)$`)},                                                  // phpunit, junit
	{[]string{"Assertions: "}, regexp.MustCompile(`^Tests: (\d+), Assertions: \d+(?:.*Skipped: (?P<not>\d+))?`)},                           // phpunit, where some failed
	{[]string{"Passed: "}, regexp.MustCompile(`^(?:Passed|Failed)! +- Failed: +(\d+), Passed: +(\d+), Skipped:`)},                          // dotnet
	{[]string{" out of "}, regexp.MustCompile(`^\d+% tests passed, \d+ tests? failed out of (\d+)`)},                                       // ctest
	{[]string{"Files="}, regexp.MustCompile(`^Files=\d+, Tests=(\d+), `)},                                                                  // prove
	{[]string{"PASSED"}, regexp.MustCompile(`^\S.* > \S.* PASSED()$`)}, {[]string{"FAILED"}, regexp.MustCompile(`^\S.* > \S.* FAILED()$`)}, // gradle --info, one a line
	{[]string{"--- "}, regexp.MustCompile(`^--- (?:PASS|FAIL): \S+()`)}, // go test -v, one a line
}

var (
	// listed are lines with numbers of tests by how they ended: pytest, jest, vitest.
	listed = regexp.MustCompile(`^(?:=+ )?(\d+ [a-z]+(?:, \d+ [a-z]+)*) in [\d.:]+ ?s|^Tests: +(\d+ [a-z]+(?:, \d+ [a-z]+)*)$|^ *Tests +(\d+ [a-z]+(?: \| \d+ [a-z]+)*) \(\d+\)$`)
	ended  = regexp.MustCompile(`(\d+) (passed|failed|xfailed|xpassed)\b`)
	// none are lines that say that there was no test.
	none = regexp.MustCompile(`(?i)^(?:=+ )?no tests? (?:ran|found|collected|files? found)\b|^NO TESTS RAN$|^ *Tests +no tests$|\[no test files\]$|^ok  \t.*\[no tests to run\]$|^running 0 tests$|^# tests +0$`)
	// goOK is a package with tests that are good; go says so without telling how many.
	goOK = regexp.MustCompile(`^ok  \t\S+\t`)
	// nodeTotal is a total of node's runner, and of tape; tapResult is one result of TAP, tapPlan how many there are to
	// be.
	nodeTotal = regexp.MustCompile(`^(?:# |ℹ )(tests|pass|fail) +(\d+)$`)
	tapResult = regexp.MustCompile(`^(?:not )?ok \d+\b(.*)$`)
	tapPlan   = regexp.MustCompile(`^1\.\.(\d+)`)
	tapSkip   = regexp.MustCompile(`(?i)# *(?:skip|t[o]do)`)
	// nodeFile is a file that node's runner takes for a test: one in which it found none.
	nodeFile = regexp.MustCompile(`^(?:(?:not )?ok \d+ - |[✔✖] )(?:/|[A-Za-z]:\\).*\.[cm]?[jt]sx?(?: \([\d.]+ms\))?$`)
)

// see looks at a line.
func (c *counter) see(line []byte) {
	line = line[:min(len(line), countedLine)]
	if !bytes.ContainsAny(line, "0123456789") && !bytes.HasPrefix(line, []byte("ok  \t")) && !bytes.ContainsAny(line, "[>✔") && !bytes.Contains(line, []byte("o test")) && !bytes.Contains(line, []byte("TEST")) {
		return // nearly all lines of nearly all outputs
	}
	text := strings.ToValidUTF8(string(line), "")
	if strings.Contains(text, "\x1b") {
		text = ansi.ReplaceAllString(text, "")
	}
	text = strings.TrimRight(text, "\r\n ")
	if strings.TrimSpace(text) == "" {
		return
	}
	if c.sees(text) {
		c.seen = true
	}
}

func (c *counter) sees(text string) bool {
	if begins(text, "ok ", "not ok ", "✔ ", "✖ ") && nodeFile.MatchString(text) {
		c.files++ // and it may be a result of TAP
	}
	switch {
	case has(text, "o test", "O TEST", "running 0", "# tests") && none.MatchString(text):
		return true
	case begins(text, "ok  \t"):
		c.more = c.more || goOK.MatchString(text)
		return c.more
	case begins(text, "# ", "ℹ "):
		m := nodeTotal.FindStringSubmatch(text)
		if m == nil {
			return false
		}
		c.totals = true
		if m[1] != "tests" {
			c.add(m[2], 1)
		}
		return true
	case begins(text, "1.."):
		c.planned = c.planned || tapPlan.MatchString(text)
		return c.planned
	case begins(text, "ok ", "not ok "):
		if m := tapResult.FindStringSubmatch(text); len(m) > 1 && !tapSkip.MatchString(m[1]) {
			c.results++
		}
		return c.telling(text)
	case has(text, " in ", "Tests") && listed.MatchString(text):
		for _, m := range ended.FindAllStringSubmatch(text, -1) {
			c.add(m[1], 1)
		}
		return true
	}
	return c.telling(text)
}

func has(text string, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

func begins(text string, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.HasPrefix(text, sign) })
}

func (c *counter) telling(text string) bool {
	for _, t := range tellings {
		if !has(text, t.signs...) {
			continue
		}
		if m := t.form.FindStringSubmatch(text); m != nil {
			for i, name := range t.form.SubexpNames() {
				switch {
				case i == 0:
				case name == "not":
					c.add(m[i], -1)
				case m[i] == "":
					c.add("1", 1)
				default:
					c.add(m[i], 1)
				}
			}
			return true
		}
	}
	return false
}

func (c *counter) add(number string, sign int) {
	if n, err := strconv.Atoi(number); err == nil {
		c.ran = min(c.ran+sign*min(n, mostCounted), mostCounted)
	}
}

// count is how many tests ran; nil if nothing told of any, or not how many.
func (c *counter) count() *int {
	ran := c.ran
	switch {
	case c.totals:
		ran -= c.files
	case c.planned:
		ran += c.results - c.files
	}
	if ran = max(ran, 0); !c.seen || ran == 0 && c.more {
		return nil
	}
	return &ran
}

// some reports whether tests were seen to run, counted or not.
func (c *counter) some() bool {
	n := c.count()
	return n != nil && *n > 0 || n == nil && c.more
}
