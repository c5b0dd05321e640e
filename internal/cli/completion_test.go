package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

// completes gives what the shell would offer for a command line, without the remarks, and the
// number that tells the shell what to make of it.
func (u *user) completes(words ...string) (offers []string, directive string) {
	u.t.Helper()
	lines := strings.Split(strings.TrimSpace(u.wants(0, append([]string{"__complete"}, words...)...).out), "\n")
	for _, line := range lines[:len(lines)-1] {
		value, _, _ := strings.Cut(line, "\t")
		offers = append(offers, value)
	}
	return offers, lines[len(lines)-1]
}

// nothingElse: no files where the shell has no offer.
const nothingElse = ":4"

func TestCompletion(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers, "fine.js", "export const meta = { name: \"f\\u001b[2J\", description: \"x\" };\n")
	offers, directive := u.completes("show", "")
	require.Empty(t, offers)
	require.Equal(t, ":36", directive, "kept in order, and no files")
	require.NoDirExists(t, u.store(), "a completion makes nothing")

	u.wants(0, "run", "fine.js", "--quiet")
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--quiet")
	runs := u.object(0, "ls", "--json")["runs"].([]any)
	waits, ended := runs[0].(map[string]any)["run"].(string), runs[1].(map[string]any)["run"].(string)
	before := u.hashes()

	offers, _ = u.completes("show", "")
	require.Equal(t, []string{shortID(waits), shortID(ended)}, offers, "the newest first")
	require.Contains(t, u.wants(0, "__complete", "show", "").out, "\tf‹ESC›[2J, completed, ", "a title is escaped")
	offers, _ = u.completes("show", strings.ToLower(waits[:25]))
	require.Contains(t, offers, strings.ToLower(waits[:25])+waits[25:], "as it was typed")
	short := strings.ToLower(ended[20:])
	offers, _ = u.completes("verify", short[:5])
	require.Equal(t, []string{short}, offers)
	for _, verb := range []string{"approve", "review", "cancel"} {
		offers, _ = u.completes(verb, "")
		require.Equal(t, []string{shortID(waits)}, offers, verb)
	}
	offers, directive = u.completes("show", waits, "")
	require.Empty(t, offers)
	require.Equal(t, nothingElse, directive)

	gate := runs[0].(map[string]any)["waiting"].([]any)[0].(map[string]any)["gate"].(string)
	offers, _ = u.completes("approve", waits, "--gate", "")
	require.Equal(t, []string{gate}, offers)
	offers, _ = u.completes("approve", ended, "--gate", "")
	require.Empty(t, offers)
	// What answers is typed or pasted by somebody who has read the question.
	for _, words := range [][]string{{"approve", waits, "--checksum", ""}, {"reject", "--checksum", planSum[:3]}, {"answer", waits, ""}} {
		offers, directive = u.completes(words...)
		require.Empty(t, offers, words)
		require.Equal(t, nothingElse, directive)
	}
	offers, _ = u.completes("run", "--on-gate", "")
	require.Equal(t, []string{"default", "abort", "suspend"}, offers)
	offers, _ = u.completes("approve", "--mode", "")
	require.Equal(t, []string{"ask", "accept-edits", "auto"}, offers)
	offers, directive = u.completes("run", "sub/")
	require.Equal(t, []string{"js", "mjs", "ts", "mts"}, offers, "no workflow: files of these kinds")
	require.Equal(t, ":8", directive)
	offers, _ = u.completes("run", "")
	require.Subset(t, offers, []string{"deep-research", "gate.js", "fine.js"}, "what is built in, and what is here")
	offers, _ = u.completes("help", "wat")
	require.Equal(t, []string{"watch"}, offers)
	_, directive = u.completes("run", "gate.js", "--task", "")
	require.Equal(t, nothingElse, directive)
	_, directive = u.completes("verify", "--file", "")
	require.Equal(t, ":0", directive, "files")
	require.Equal(t, before, u.hashes(), "a completion changes nothing")

	u.wants(0, "approve", waits, "--checksum", planSum, "--resume")
	offers, _ = u.completes("show", waits, "--call", "w")
	require.Equal(t, []string{"worker"}, offers)
	u.wants(0, "init")
	offers, _ = u.completes("run", "fi")
	require.Equal(t, []string{"first", "fine.js"}, offers)
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, ".assent", "config.toml"), []byte("[agents.mine]\ncommand = [\"true\"]\n[agents.other]\ncommand = [\"true\"]\n"), 0o600))
	offers, _ = u.completes("resume", "--agent", "m")
	require.Equal(t, []string{"mine"}, offers)
}

// Every shell that is here reads its script without a fault, and bash gets the offers by it.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		u.write(shell, u.wants(0, "completion", shell).out)
		if path, err := exec.LookPath(shell); err == nil {
			out, err := exec.CommandContext(t.Context(), path, "-n", filepath.Join(u.dir, shell)).CombinedOutput()
			require.NoError(t, err, string(out))
		}
	}
	require.Contains(t, u.wants(0, "completion", "powershell").out, "Register-ArgumentCompleter")
	wrong := u.wants(2, "completion", "bsh")
	require.Contains(t, wrong.errors, "next: assent completion bash   # did you mean that?")
	u.wants(2, "completion")

	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	// bash-completion would take the line apart; here its one function that the script needs does.
	cmd := exec.CommandContext(t.Context(), bash, "-c", `_get_comp_words_by_ref() { cur=${COMP_WORDS[COMP_CWORD]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD; }
source ./bash
COMP_WORDS=(assent run --on-gate s) COMP_CWORD=3 COMP_LINE='assent run --on-gate s' COMP_POINT=22 COMP_TYPE=9
__start_assent 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"`)
	cmd.Dir, cmd.Env = u.dir, u.env
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, "suspend", strings.TrimSpace(string(out)))
}

// No flag with a value is completed by the files that happen to be there, unless it takes a file.
func TestCompletionOffersFilesForFilesOnly(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	files := map[string]string{"--args": ":0", "--plan": ":0", "--file": ":0", "--output": ":0", "--script": ":8", "--against": ":8", "--dir": ":16"}
	for _, cmd := range cli.Root().Commands() {
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.NoOptDefVal != "" {
				return
			}
			_, directive := u.completes(cmd.Name(), "--"+f.Name, "")
			if want := files["--"+f.Name]; want != "" {
				require.Equal(t, want, directive, "%s --%s", cmd.Name(), f.Name)
			} else {
				require.Contains(t, []string{nothingElse, ":36"}, directive, "%s --%s", cmd.Name(), f.Name)
			}
		})
		require.True(t, cmd.ValidArgsFunction != nil || len(cmd.ValidArgs) > 0, cmd.Name())
	}
}
