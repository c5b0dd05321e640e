//go:build unix

package cli_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of a call that was cut off nothing is known, also when it was done again.
func TestShowChangesOfACallThatWasCutOff(t *testing.T) {
	t.Parallel()
	u := newUser(t, "cut.js", `export const meta = { name: "cut", description: "x" };
return await agent("1", { label: "slow" });
`, "answers.toml", answers)
	started := u.object(0, "run", "cut.js", "--agent", "script:answers.toml", "--detach", "--json")
	run, pid := started["run"].(string), int(started["pid"].(float64))
	eventually(t, "the call is at work", func() bool { return strings.Contains(u.wants(0, "show", run).out, "at work") })
	require.Equal(t, `"slow" (agent /agent#0): unknown: it is at work`+"\n", u.wants(0, "show", run, "--changes").out)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	eventually(t, "the run is free", func() bool { return u.state(run) == "interrupted" })
	require.Equal(t, `"slow" (agent /agent#0): unknown: it was cut off`+"\n", u.wants(0, "show", run, "--changes").out)
	require.Contains(t, u.wants(0, "show", run).out, "changes    unknown of 1 call that was cut off   (--changes lists them)\n")
	u.write("fast.toml", "[[answer]]\nlabel = \"*\"\ntext = \"done\"\n")
	u.wants(0, "resume", run, "--rerun-interrupted", "--agent", "script:fast.toml")
	require.Equal(t, `"slow" (agent /agent#0), earlier attempt: unknown: it was cut off
"slow" (agent /agent#0): unknown: there was no repository, or no git, to look at
`, u.wants(0, "show", run, "--changes").out)
}
