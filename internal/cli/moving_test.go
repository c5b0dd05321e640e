package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The objects of the commands that move runs and remove them have the fields that
// docs/reference/json.md shows, and no others.
func TestReferenceNamesEveryJSONFieldOfMoving(t *testing.T) {
	t.Parallel()
	documented := examples(t)
	check := func(u *user, code int, args ...string) {
		t.Helper()
		found := map[string]bool{}
		keys(found, "", u.object(code, append(args, "--json")...))
		for name := range found {
			require.True(t, documented[args[0]][name], "%s: %s is not documented", args[0], name)
		}
	}
	ann, run, key, text := exportedRun(t, func(u *user, run string) { u.wants(0, "approve", run, "--checksum", planSum) })
	check(ann, 0, "export", run, "--output", "run.ndjson")
	check(ann, 0, "compact")
	check(ann, 0, "prune", "--keep", "0")
	check(ann, 0, "verify", "--file", "run.ndjson", "--key", key)
	bob := newUser(t, "run.ndjson", text, "answers.toml", answers)
	check(bob, 0, "import", "run.ndjson", "--key", key)
	check(bob, 0, "show")
	check(bob, 0, "verify")
	check(bob, 0, "prune", run, "--dry-run")
	bob.wants(4, "resume", "--on-gate", "suspend")
	check(bob, 4, "review")
	bob.write("again.ndjson", bob.wants(0, "export").out)
	check(bob, 0, "verify", "--file", "again.ndjson", "--key", bob.object(0, "verify", "--json")["key"].(string))
}
