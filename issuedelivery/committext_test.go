package issuedelivery_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// What a model writes into a commit closes no issue and calls nobody.
func TestTextsOfCommits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Closes #999":                                           "Closes issue 999",
		"fixes: #12, and FIXED GH-3":                            "fixes: issue 12, and FIXED issue 3",
		"resolve other/repo#7":                                  "resolve issue 7",
		"Fix https://forge.example/a/b/issues/41 now":           "Fix issue 41 now",
		"see #12 for why":                                       "see #12 for why",
		"thanks @octocat, and (@team/core)":                     "thanks (at)octocat, and ((at)team/core)",
		"mail ada@example.com; npm i @scope/x in foo/@bar":      "mail ada@example.com; npm i (at)scope/x in foo/@bar",
		"@first at the beginning\n@second on a line of its own": "(at)first at the beginning\n(at)second on a line of its own",
		"disclose #5":                                           "disclose #5",
	} {
		require.Equal(t, want, issuedelivery.ForCommit(text))
	}
}
