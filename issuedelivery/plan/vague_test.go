package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
)

func TestVagueCriteriaAreNamed(t *testing.T) {
	for _, criterion := range []string{
		"", "  ", "works", "Done.", "tests pass", "It works", "works well", "The parser works well", "The feature works correctly.", "Everything works as expected",
		"is clean", "The code is clean", "Code is clean and readable", "handles errors properly", "Handles all errors gracefully", "Behaves as expected",
		"Rejects empty names, null, etc.", "Rejects `\"\"`, `null` and so on", "should be fast", "The endpoint should be fast", "Must be very easy to use",
		"Good test coverage", "Error handling is robust", "Follows best practices", "The UI looks good on mobile", "The docs are up to date",
		"Performance is improved", "There are no regressions", "Nothing breaks for users", "Is well tested and documented", "Some tests are added for this",
		"User-friendly error messages are there", "Dates are parsed correctly", "The module is production-ready code",
		"Handles errors where appropriate, with code 2",
	} {
		require.NotEmpty(t, plan.Vague(criterion), "%q", criterion)
	}
}

func TestCriteriaThatCanBeCheckedAreNot(t *testing.T) {
	for _, criterion := range []string{
		"go test ./parser passes", "`go vet ./...` is clean", "`npm test -- dates` passes as expected", "parse(\"2024-02-30\") throws a RangeError",
		"Exits with code 2 and prints \"unknown flag\" for an unknown flag", "The response is sent in under 50 ms", "docs/dates.md has a section named Time zones",
		"An unknown user gets status 404", "Every exported function of the package has a comment", "No file below src imports left-pad",
		"The old endpoint still answers 200 with the same body", "A name with a space is quoted in the output", "TestParse covers leap years and a year of 5 digits",
		"Correctly rejects `2024-02-30`", "The table lists every code of the package", "assent --version prints the version, as specified in `docs/cli.md`",
		"go.mod no longer requires github.com/pkg/errors", "日付が空なら終了コードは二になる", "Die Prüfung meldet fehlende Dateien",
		"The button is disabled while the form is sent", "A second call with the same key changes nothing",
	} {
		require.Empty(t, plan.Vague(criterion), "%q", criterion)
	}
}
