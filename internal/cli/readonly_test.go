package cli_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What only looks changes no byte of store, keys and workspace; nor does what is refused. The
// lock files are left out: whoever waits for a file writes its pid there.
func TestReadOnlyCommandsChangeNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	u.wants(3, "run", "gate.js", "--agent", "script:answers.toml")
	run := runID.FindString(u.wants(0, "ls").out)
	waiting := u.object(0, "--json")["waiting"].([]any)[0].(map[string]any)["run"].(string)
	before := u.hashes()
	require.NotEmpty(t, before)
	for _, command := range []string{
		"", "ls", "ls --all", "ls --json", "show " + run, "show --json " + run, "show " + run + " --raw", "show --result " + run,
		"verify " + run, "verify --json " + waiting, "export " + run, "version", "help", "run --help",
	} {
		u.wants(0, strings.Fields(command)...)
	}
	for command, code := range map[string]int{
		"review " + waiting: 4, "resume " + run + " --dry-run": 0, "approve " + waiting + " --checksum ab": 3,
		"approve " + waiting + " --checksum " + strings.Repeat("0", 64): 3, "answer " + waiting + " yes": 3, "frobnicate": 2,
		"reject " + run: 3, "resume 0123": 2, "run nosuch": 2,
	} {
		u.wants(code, strings.Fields(command)...)
	}
	require.Equal(t, before, u.hashes())
}

// hashes are those of all files of the user but locks, with their modes.
func (u *user) hashes() map[string]string {
	u.t.Helper()
	all := map[string]string{}
	root := filepath.Dir(u.dir)
	require.NoError(u.t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) == ".lock" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		all[path] = fmt.Sprintf("%v %x", info.Mode(), sha256.Sum256(data))
		return err
	}))
	return all
}
