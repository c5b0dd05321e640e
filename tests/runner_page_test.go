package tests_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// The runner of the page keeps to what every runner has to, by the suite that the page shows.
func TestRunnerOfThePageConforms(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the suite needs a Unix shell")
	}
	dir := t.TempDir()
	arguments := []string{"test", "-count=1", "-v"}
	for _, b := range blocksOf(t, "../docs/how-to/write-a-runner.md") {
		if name := b.says["file"]; name != "" {
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, []byte(b.text), 0o600))
			arguments = append(arguments, path)
		}
	}
	require.Len(t, arguments, 5)
	out, err := exec.Command("go", arguments...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestConforms/together")
	require.Contains(t, string(out), "not checked: the program reports what it cost: it counts tokens alone")
}
