//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// soon is wants for a command that may not end by itself.
func (u *user) soon(code int, args ...string) ended {
	u.t.Helper()
	cmd := u.command(args...)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	require.NoError(u.t, cmd.Start())
	late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // its exit code says it
	require.True(u.t, late.Stop(), "assent %s does not end", strings.Join(args, " "))
	require.Equal(u.t, code, cmd.ProcessState.ExitCode(), "assent %s\n%s", strings.Join(args, " "), trouble.String())
	return ended{code, out.String(), trouble.String()}
}

const plainScript = "export const meta = { name: 'plain', description: 'x' };\nreturn await checkpoint('Go?');\n"

// Where a file was, a pipe that nobody writes to or a device without an end holds no command up.
func TestPipesAndDevicesAreNotRead(t *testing.T) {
	t.Parallel()
	zero := func(u *user, name string) { require.NoError(u.t, os.Symlink("/dev/zero", filepath.Join(u.dir, name))) }
	pipe := func(u *user, name string) { require.NoError(u.t, syscall.Mkfifo(filepath.Join(u.dir, name), 0o600)) }
	for what, put := range map[string]func(*user, string){"a device": zero, "a pipe": pipe} {
		u := newUser(t, "plain.js", plainScript, "import.js", "export const meta = { name: 'i', description: 'x' };\nimport { a } from './odd.js';\nreturn a;\n",
			"answers.toml", answers)
		u.wants(4, "run", "plain.js", "--on-gate", "suspend")
		run := runID.FindString(u.wants(0, "ls").out)
		require.NoError(t, os.Remove(filepath.Join(u.dir, "plain.js")))
		put(u, "plain.js")
		require.Contains(t, u.soon(4, "resume", run, "--on-gate", "suspend").errors, "plain.js has changed since")
		require.Contains(t, u.soon(2, "run", "plain.js").errors, "is not a script but something else")

		put(u, "odd.js")
		require.Contains(t, u.soon(1, "run", "import.js").errors, "import.js:2:")

		put(u, "odd")
		refused := "not a regular file but " + what
		require.Contains(t, u.soon(2, "resume", run, "--agent", "script:odd").errors, refused)
		require.Contains(t, u.soon(2, "verify", "--file", "odd", "--key", strings.Repeat("0", 64)).errors, refused)
		u.write("ok.js", "export const meta = { name: 'ok', description: 'x' };\nreturn args;\n")
		arguments := u.soon(2, "run", "ok.js", "--args", "odd").errors
		require.Contains(t, arguments, refused)
		require.Contains(t, arguments, "next: what comes from a pipe is given as --args -")

		require.NoError(t, os.Mkdir(filepath.Join(u.dir, ".assent"), 0o700))
		put(u, ".assent/config.toml")
		require.Contains(t, u.soon(2, "run", "ok.js").errors, refused)
		require.NoError(t, os.Remove(filepath.Join(u.dir, ".assent", "config.toml")))
		folder := filepath.Join(filepath.Dir(u.dir), "home", ".config", "assent")
		require.NoError(t, os.MkdirAll(folder, 0o700))
		put(u, "../home/.config/assent/config.toml")
		require.Contains(t, u.soon(2, "run", "ok.js").errors, refused)
	}
}

// A file that is larger than anybody writes is refused before it is read.
func TestFilesHaveALimit(t *testing.T) {
	t.Parallel()
	u := newUser(t, "ok.js", "export const meta = { name: 'ok', description: 'x' };\nreturn args;\n", "large", "")
	require.NoError(t, os.Truncate(filepath.Join(u.dir, "large"), 1<<40))
	require.Contains(t, u.soon(2, "run", "ok.js", "--args", "large").errors, "too large")
	require.Contains(t, u.soon(2, "run", "ok.js", "--agent", "script:large").errors, "too large")
	require.Contains(t, u.soon(7, "verify", "--file", "large", "--key", strings.Repeat("0", 64)).errors, "has more than 1024 MiB")
	u.write("line", "")
	require.NoError(t, os.Truncate(filepath.Join(u.dir, "line"), 1<<30))
	require.Contains(t, u.soon(7, "verify", "--file", "line", "--key", strings.Repeat("0", 64)).out, "entry 1: it is not written as an entry is")
	require.NoError(t, os.Truncate(filepath.Join(u.dir, "ok.js"), 1<<40))
	require.Contains(t, u.soon(1, "run", "ok.js").errors, "SOURCE_TOO_LARGE")
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, ".assent"), 0o700))
	require.NoError(t, os.Rename(filepath.Join(u.dir, "large"), filepath.Join(u.dir, ".assent", "config.toml")))
	require.Contains(t, u.soon(2, "run", "ok.js").errors, "too large")
}

// A script's imports stay in the workspace, or in the script's folder, whatever links lead to.
func TestImportsStayInside(t *testing.T) {
	t.Parallel()
	u := newUser(t, "out.js", "export const meta = { name: 'out', description: 'x' };\nimport { a } from './link';\nreturn a;\n",
		"in.js", "export const meta = { name: 'in', description: 'x' };\nimport { a } from './near.js';\nreturn a;\n",
		"real.js", "export const a = 1;\n", "../secret.js", "export const a = 2;\n")
	require.NoError(t, os.Symlink("../secret.js", filepath.Join(u.dir, "link.js")))
	require.NoError(t, os.Symlink(filepath.Join(u.dir, "real.js"), filepath.Join(u.dir, "near.js")))
	require.Equal(t, "1\n", u.wants(0, "run", "in.js").out)
	require.Contains(t, u.wants(1, "run", "out.js").errors, "IMPORT_REFUSED: out.js:2:19: the import leads to link.js, a link that leaves "+u.dir+"\n")

	// The same for a script elsewhere and its folder, and for a script that is such a link itself.
	other := newUser(t)
	require.Contains(t, other.wants(1, "run", filepath.Join(u.dir, "out.js")).errors, "IMPORT_REFUSED: out.js:2:19:")
	refused := u.wants(2, "run", "link.js").errors
	require.Contains(t, refused, "link.js is a link that leaves "+u.dir)
	require.Contains(t, refused, "next: name the file itself: "+filepath.Join(filepath.Dir(u.dir), "secret.js"))
}

// Where a file or a folder cannot be used, what to do about it is said, in the user's words.
func TestWhatCannotBeUsedHasANextStep(t *testing.T) {
	t.Parallel()
	u := newUser(t, "ok.js", "export const meta = { name: 'ok', description: 'x' };\n", "file", "x",
		"label.toml", "[[answer]]\nlabel = 7\ntext = \"x\"\n", "table.toml", "[[answer]]\ntext = { a = 1 }\n")
	u.wants(0, "run", "ok.js", "--quiet")
	for command, next := range map[string]string{
		"export --output nofolder/x": "name a new file, in a folder that is there",
		"man --dir file/x":           "assent man --dir FOLDER",
		"import nofile":              "assent export RUN --output nofile",
		"verify --file nofile --key " + strings.Repeat("0", 64): "assent export RUN --output nofile",
	} {
		e := u.wants(2, strings.Fields(command)...)
		require.Contains(t, e.errors, "next: "+next, command)
	}
	for file, says := range map[string]string{"label.toml": "label.toml:2:9: answer.label takes no integer", "table.toml": "table.toml:2:"} {
		e := u.wants(2, "run", "ok.js", "--agent", "script:"+file)
		require.Contains(t, e.errors, says)
		require.NotContains(t, e.errors, "answerTable")
		require.NotContains(t, e.errors, "struct")
	}
}
