package cli_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that was open when assent was started is not handed on to agents, not even by a run in
// the background, which is given one to report by.
func TestAgentsInheritNoOpenFile(t *testing.T) {
	t.Parallel()
	u := newUser(t, "one.js", "export const meta = { name: 'one', description: 'x' };\nreturn await agent('list');\n",
		"files.sh", "cat >/dev/null\nfor n in 3 4 5 6 7 8 9 20; do [ -e /proc/$$/fd/$n ] && readlink /proc/$$/fd/$n; done\necho listed\n",
		"secret", "secret\n")
	secret, err := os.Open(u.dir + "/secret")
	require.NoError(t, err)
	defer secret.Close()
	for _, background := range []bool{false, true} {
		cmd := u.command("run", "one.js", "--agent", "sh files.sh")
		if background {
			cmd.Args = append(cmd.Args, "--detach")
		}
		cmd.ExtraFiles = []*os.File{secret, nil, secret} // 3 and 5
		e := u.run(cmd)
		require.Equal(t, 0, e.code, e.errors)
		if background {
			eventually(t, "the run ends", func() bool { return u.state("") == "completed" })
		}
		require.Equal(t, "listed", u.object(0, "show", "--json")["result"])
	}
}
