package checks

import (
	"regexp"
	"strings"
)

// causes are the lines of feedback that tell of failures, or, if there are none, all of its lines.
func causes(feedback string) []string {
	var telling, all []string
	for line := range strings.Lines(shorter(feedback, readFeedback)) {
		line = strings.TrimSpace(ansi.ReplaceAllString(line, ""))
		if strings.Trim(line, "-=…─━ ") == "" {
			continue
		}
		all = append(all, line)
		if failures.MatchString(line) || ours.MatchString(line) {
			telling = append(telling, line)
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return all
}

// ours are lines of summaries of this package.
var ours = regexp.MustCompile(` failed with exit code \d+\.| did not end in | did not run: |, which shows nothing\.|, and was ended\.`)

// varying are the parts of a line that differ from run to run of the same failure. Other numbers say what
// was wrong, such as a value that was not expected.
var varying = []*regexp.Regexp{
	regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`),      // moments
	regexp.MustCompile(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`),                        // UUIDs
	regexp.MustCompile(`\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{7,64}\b`),                                                                  // addresses, ids, and words of these letters
	regexp.MustCompile(`(?:^|[\s"'(=\[]|file:/?/?)(?:/|[A-Za-z]:\\)(?:[\w.@~+#-]+[/\\])+`),                                       // folders from the top, such as temporary ones
	regexp.MustCompile(`\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|m|min|minutes?|h)\b|\b\d+(?:\.\d+)? ?(?:[kKMG]i?)?B\b`), // times and sizes
	regexp.MustCompile(`:\d+(?::\d+)?\b|\(\d+,\d+\)|\bline \d+(?:, column \d+)?|\bcol(?:umn)? \d+`),                              // places in files
	regexp.MustCompile(`\b(?:pid|port|goroutine|thread|seed)[ =:]+\d+\b`),                                                        // what the system gives
}

// formOf is what a cause is known by.
func formOf(text string) string {
	for _, v := range varying {
		text = v.ReplaceAllString(text, " # ")
	}
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}
