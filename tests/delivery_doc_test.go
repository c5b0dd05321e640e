package tests_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// deliveryPage is the reference of Issue Delivery. The table of its stops is generated:
//
//	go test ./tests -run TestDeliveryPage -update
const deliveryPage = "../docs/reference/issue-delivery.md"

var stopsOnPage = regexp.MustCompile(`(?s)(<!-- stops: [^\n]* -->\n)(.*?)(<!-- end of stops -->\n)`)

// The page has the table as the program has it.
func TestDeliveryPage(t *testing.T) {
	text, err := os.ReadFile(deliveryPage)
	require.NoError(t, err)
	require.Len(t, stopsOnPage.FindAll(text, -1), 1)
	want := stopsOnPage.ReplaceAllStringFunc(string(text), func(found string) string {
		m := stopsOnPage.FindStringSubmatch(found)
		return m[1] + "\n" + stopsTable() + "\n" + m[3]
	})
	if *update {
		require.NoError(t, os.WriteFile(deliveryPage, []byte(want), 0o600))
		text = []byte(want)
	}
	if want != string(text) { // the whole page in a message would say less
		require.Fail(t, "the table is not what the program says", "go test ./tests -run TestDeliveryPage -update")
	}
}

func stopsTable() string {
	var b strings.Builder
	b.WriteString("| stopped by | at | status | run, exit code | reason, if nothing more exact is known | what to do | next command | `--finish` |\n|---|---|---|---|---|---|---|---|\n")
	code := func(text string) string {
		if text == "" {
			return ""
		}
		return "`" + text + "`"
	}
	for _, s := range issuedelivery.Stops() {
		by, at, finish := code(s.By), code(string(s.Stage)), ""
		if s.By == "" {
			by = "nothing"
		}
		if s.When != "" {
			by += ", " + s.When
		}
		if at == "" {
			at = "anywhere"
		}
		if s.Finish {
			finish = "yes"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s, %d | %s | %s | %s | %s |\n", by, at, code(s.Status), s.State, s.Exit, s.Reason, s.NextAction, code(s.Next), finish)
	}
	return b.String()
}

// Every stage and every method of the global delivery is told of, and nothing else is.
func TestDeliveryPageIsWhole(t *testing.T) {
	text, err := os.ReadFile(deliveryPage)
	require.NoError(t, err)
	page := string(text)
	_, stages, _ := strings.Cut(page, "## Stages\n")
	stages, _, _ = strings.Cut(stages, "\n## ")
	for _, s := range issuedelivery.Stages() {
		require.Contains(t, stages, "`"+string(s)+"`")
	}
	want := map[string]bool{}
	for _, f := range (&issuedelivery.Host{}).Functions() {
		if strings.HasPrefix(f.Name(), "delivery.") {
			want[f.Name()] = true
		}
	}
	found := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^### `(delivery\\.[a-zA-Z]+)`$").FindAllStringSubmatch(page, -1) {
		found[m[1]] = true
	}
	require.Equal(t, want, found)
}
