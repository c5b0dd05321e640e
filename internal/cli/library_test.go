package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func starts(which string) string { return says("await workflow(" + which + ")") }

// What workflow() finds: saved workflows by name, files of the workspace by path, and nothing else.
func TestWorkflowsOfAScript(t *testing.T) {
	t.Parallel()
	u := newUser(t, "top.js", says(`"top"`), "by-name.js", starts(`"saved"`), "by-path.js", starts(`"flows/one.js"`), "out.js", starts(`"../secret.js"`),
		"whole.js", starts(`"/secret.js"`), "none.js", starts(`"./nosuch.js"`), "../secret.js", says(`"secret"`))
	u.save("saved.js", says(`"saved"`))
	flows := filepath.Join(u.dir, "flows")
	u.put(flows, "one.js", starts(`"./two.js"`))
	u.put(flows, "two.js", starts(`"../top.js"`))
	u.put(filepath.Join(u.dir, "builtin"), "mine.js", starts(`"../top.js"`))
	for script, want := range map[string]string{"by-name.js": "saved", "by-path.js": "top", "builtin/mine.js": "top"} {
		require.Equal(t, `"`+want+`"`+"\n", u.wants(0, "run", script, "--quiet").out, script)
	}
	for script, why := range map[string]string{
		"out.js": "workflow(../secret.js): the path leads out of the workspace", "whole.js": "workflow(/secret.js): the path leads out of the workspace", "none.js": "there is no file ",
	} {
		errors := u.wants(1, "run", script, "--quiet").errors
		require.Contains(t, errors, "WORKFLOW_UNKNOWN", script)
		require.Contains(t, errors, why, script)
	}
}

// A file of the workspace is not taken for one beside a script that lies elsewhere.
func TestWorkflowsBesideAScriptElsewhere(t *testing.T) {
	t.Parallel()
	u := newUser(t, "two.js", says(`"of the workspace"`))
	u.put(u.own(), "one.js", starts(`"./two.js"`))
	u.put(u.own(), "two.js", says(`"of the user"`))
	e := u.wants(1, "run", "one", "--quiet")
	require.Contains(t, e.errors, "the script that asks (one.js) does not lie in the workspace")
	u.put(u.own(), "one.js", starts(`"two"`))
	require.Equal(t, `"of the user"`+"\n", u.wants(0, "run", "one", "--quiet").out)
}
