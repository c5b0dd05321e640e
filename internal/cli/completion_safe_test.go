package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A value that a shell could take for more than a word is not offered: bash puts it on the line
// without quotes, and fish and PowerShell evaluate the line later.
func TestCompletionOffersNoShellCommands(t *testing.T) {
	t.Parallel()
	const script = `export const meta = { name: "labels", description: "x" };
for (const label of ["plain", "naïve/é", "a b", "$(touch x)", "(touch x)", "x;y", "'q'", "-rf", "~root", "#no", "a\u202eb", "a&b", "x|y", "*", "a\\b", "{a,b}", "a!b"])
  await agent("go", { label });
await parallel([() => agent("go")]);
`
	u := newUser(t, "labels.js", script, "answers.toml", answers)
	u.wants(0, "run", "labels.js", "--agent", "script:answers.toml", "--quiet")
	offers, _ := u.completes("show", "--call", "")
	require.Subset(t, offers, []string{"plain", "naïve/é", "/agent#3", "/parallel#0[0]/agent#0"})
	require.Len(t, offers, 18, "instead of such a label stands the key")
	for _, offer := range offers {
		require.Empty(t, strings.Trim(offer, "abcdefghijklmnopqrstuvwxyz0123456789/#[]éï"), offer)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(u.dir, ".assent", "workflows"), 0o755))
	for _, name := range []string{"deploy", "deploy(touch x)", "deploy two", "dep$HOME"} {
		u.write(filepath.Join(".assent", "workflows", name+".js"), "export const meta = { name: \"d\", description: \"x\" };\n")
	}
	offers, _ = u.completes("run", "dep")
	require.Equal(t, []string{"deploy"}, offers)
}

// The script for fish quotes what stands on the line already before it evaluates that.
func TestCompletionInFishRunsNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	script := u.wants(0, "completion", "fish").out
	require.Contains(t, script, "set -l args (string escape -- (commandline -opc))\n")
	require.Contains(t, script, "set -l lastArg (string escape -- (commandline -ct))\n")
	require.NotContains(t, script, "args (commandline")
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("needs fish")
	}
	u.write("assent.fish", script)
	complete := func(line string) string {
		cmd := exec.CommandContext(t.Context(), fish, "--no-config", "-c", "source ./assent.fish; complete -C$argv[1]", line)
		cmd.Dir, cmd.Env = u.dir, u.env
		out, err := cmd.Output()
		require.NoError(t, err)
		return string(out)
	}
	require.Contains(t, complete("assent run --on-gate s"), "suspend")
	for _, line := range []string{"assent run 'deploy(touch ran).js' ", "assent show --call 'x;touch ran' ", "assent run (touch ran) ", "assent run '(touch ran)"} {
		complete(line)
		require.NoFileExists(t, filepath.Join(u.dir, "ran"), line)
	}
}
