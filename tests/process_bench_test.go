package tests_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkProcess is a workflow with one call as a whole process: start, compile, ask the
// scripted agent, journal, print the result, end.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	binary := filepath.Join(dir, "assent")
	output, err := exec.Command("go", "build", "-o", binary, "../cmd/assent").CombinedOutput()
	require.NoError(b, err, "%s", output)
	for name, text := range map[string]string{
		"one.js":       `export const meta = {name: "one", description: "one call"}; return await agent("go", {readOnly: true});`,
		"answers.toml": "[[answer]]\nlabel = \"*\"\ntext = \"gone\"\n",
	} {
		require.NoError(b, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for b.Loop() {
		command := exec.Command(binary, "run", "one.js", "--headless", "--quiet", "--agent", "script:answers.toml")
		command.Dir = dir
		command.Env = []string{"HOME=" + filepath.Join(dir, "home"), "PATH=" + os.Getenv("PATH")}
		result, err := command.Output()
		require.NoError(b, err)
		require.Equal(b, "\"gone\"\n", string(result))
	}
}
