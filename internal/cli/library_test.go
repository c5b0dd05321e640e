package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file of the workspace is not taken for one beside a script that lies elsewhere, and a folder of the workspace that is
// called as that of the built-in workflows is one like any other.
func TestWorkflowsBesideAScript(t *testing.T) {
	t.Parallel()
	starts := func(which string) string { return says("await workflow('" + which + "')") }
	u := newUser(t, "two.js", says(`"of the workspace"`))
	u.put(u.own(), "one.js", starts("./two.js"))
	u.put(u.own(), "two.js", says(`"of the user"`))
	require.Contains(t, u.wants(1, "run", "one", "--quiet").errors, "one.js, which asks, has no files beside it here")
	u.put(u.own(), "one.js", starts("two"))
	require.Equal(t, `"of the user"`+"\n", u.wants(0, "run", "one", "--quiet").out)
	u.put(filepath.Join(u.dir, "builtin"), "one.js", starts("../two.js"))
	require.Equal(t, `"of the workspace"`+"\n", u.wants(0, "run", "builtin/one.js", "--quiet").out)
}
