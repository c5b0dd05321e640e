package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

// Every command has a page, every flag stands in its command's page, and the pages are the same
// whenever they are written.
func TestManualPages(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.Contains(t, u.wants(0, "man", "--dir", "man").errors, "pages into "+filepath.Join(u.dir, "man"))
	again := u.object(0, "man", "--dir", "again", "--json")["wrote"].([]any)
	root := cli.Root()
	pages := 1
	for _, cmd := range append(root.Commands(), root) {
		if !cmd.IsAvailableCommand() && cmd != root || cmd.Name() == "help" {
			continue
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		page, err := os.ReadFile(filepath.Join(u.dir, "man", name+".1"))
		require.NoError(t, err)
		require.Contains(t, string(page), ".TH \""+strings.ReplaceAll(strings.ToUpper(name), "-", `\-`)+"\" \"1\" \"\" ")
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			named := `\fB\-\-` + strings.ReplaceAll(f.Name, "-", `\-`) + `\fR`
			if f.Hidden {
				require.NotContains(t, string(page), named)
			} else {
				require.Contains(t, string(page), named)
			}
		})
		second, err := os.ReadFile(filepath.Join(u.dir, "again", name+".1"))
		require.NoError(t, err)
		require.Equal(t, string(page), string(second))
		if cmd != root {
			pages++
			require.Equal(t, string(page), u.wants(0, "man", cmd.Name()).out)
		}
	}
	require.Len(t, again, pages)
	main := u.wants(0, "man").out
	for _, code := range cli.ExitCodes() {
		require.Contains(t, main, fmt.Sprintf("\n.TP\n\\fB%d\\fR\n", code))
	}
	require.Contains(t, u.wants(2, "man", "wach").errors, "assent watch   # did you mean that?")
	u.wants(2, "man", "run", "--dir", "x")
}

// A page takes the place of what stood at its name, and a link there leads nowhere.
func TestManualPagesFollowNoLink(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege there")
	}
	u := newUser(t, "precious", "mine")
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "man"), 0o755))
	page := filepath.Join(u.dir, "man", "assent-run.1")
	require.NoError(t, os.Symlink(filepath.Join(u.dir, "precious"), page))
	u.write("man/assent.1", "an old one")
	u.wants(0, "man", "--dir", "man")
	text, err := os.ReadFile(filepath.Join(u.dir, "precious"))
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))
	info, err := os.Lstat(page)
	require.NoError(t, err)
	require.True(t, info.Mode().IsRegular())
	left, err := filepath.Glob(filepath.Join(u.dir, "man", ".*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// What stands in a page is what --help says: man shows it without a complaint.
func TestManualPagesRender(t *testing.T) {
	t.Parallel()
	man, err := exec.LookPath("man")
	if err != nil {
		t.Skip("needs man")
	}
	u := newUser(t)
	u.wants(0, "man", "--dir", "man")
	pages, err := filepath.Glob(filepath.Join(u.dir, "man", "*.1"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		cmd := exec.CommandContext(t.Context(), man, "--warnings", "-E", "UTF-8", "-l", page)
		cmd.Env = append(u.env, "LC_ALL=C.UTF-8", "MANWIDTH=100", "MANPAGER=cat", "PAGER=cat")
		var complaints strings.Builder
		cmd.Stderr = &complaints
		shown, err := cmd.Output()
		if err != nil && strings.Contains(complaints.String(), "--warnings") {
			t.Skip("this man is another one: " + complaints.String())
		}
		require.NoError(t, err, complaints.String())
		require.Empty(t, complaints.String(), page)
		require.Contains(t, string(shown), "NAME")
	}
	run := exec.CommandContext(t.Context(), man, "-E", "UTF-8", "-l", filepath.Join(u.dir, "man", "assent-run.1"))
	run.Env = append(u.env, "LC_ALL=C.UTF-8", "MANWIDTH=100", "MANPAGER=cat", "PAGER=cat")
	shown, err := run.Output()
	require.NoError(t, err)
	for _, text := range []string{
		"--on-gate string", "assent run deliver.js --task 'Fix the login' --agent 'my-agent --json'",
		"what answers agent(): NAME, 'COMMAND ARGS', acp:COMMAND or script:FILE", "assent-watch(1)",
	} {
		require.Contains(t, string(shown), text)
	}
}
