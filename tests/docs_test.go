package tests_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// Every command of README, tutorial and how-to pages does what the page says.
func TestGuidedPages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pages are written for a Unix shell")
	}
	for _, page := range guided(t) {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t)
			for _, b := range blocksOf(t, page) {
				v.follow(t, b)
			}
		})
	}
}

// built is the folder of the program, once it was needed.
var built string

// program builds the command line once, and gives the folder it is in.
var program = sync.OnceValue(func() error {
	var err error
	if built, err = os.MkdirTemp("", "assent-docs-"); err != nil {
		return err
	}
	name := "assent"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", filepath.Join(built, name), "../cmd/assent").CombinedOutput()
	if err != nil {
		return errors.New(string(out))
	}
	return nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// visitor is a person who follows a page.
type visitor struct {
	home, dir string
	env       []string
	// output is what the last block printed.
	output string
}

func newVisitor(t *testing.T) *visitor {
	t.Helper()
	require.NoError(t, program())
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Chmod(root, 0o755)) // whatever the umask: programs in a folder of the group's are refused
	v := &visitor{home: filepath.Join(root, "home"), dir: filepath.Join(root, "work")}
	require.NoError(t, os.Mkdir(v.home, 0o700))
	require.NoError(t, os.Mkdir(v.dir, 0o755))
	v.env = []string{
		"HOME=" + v.home, "PATH=" + built + string(os.PathListSeparator) + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1",
		"XDG_STATE_HOME=" + filepath.Join(v.home, "state"), "XDG_DATA_HOME=" + filepath.Join(v.home, "data"),
		"GIT_CONFIG_NOSYSTEM=1",
	}
	// The Go tool's own folders are not the person's; without them it would go to the network.
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN"} {
		value, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		v.env = append(v.env, name+"="+strings.TrimSpace(string(value)))
	}
	return v
}

func (v *visitor) follow(t *testing.T, b block) {
	t.Helper()
	switch {
	case b.says["file"] != "":
		path := filepath.Join(v.dir, filepath.FromSlash(b.says["file"]))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(b.text), 0o644))
	case b.lang == "sh" && b.has("test"):
		v.shell(t, b)
	case b.lang == "go" && b.has("run"):
		v.goProgram(t, b)
	case b.lang == "text" && b.has("output"):
		v.compare(t, b)
	}
}

// shell runs a block. The folder it ends in is that of the next one.
func (v *visitor) shell(t *testing.T, b block) {
	t.Helper()
	dir := v.dir
	if b.says["in"] == "repo" {
		dir = ".."
	}
	if b.has("wait") {
		v.fill(t, "GATE")
	}
	ended := filepath.Join(v.home, "pwd")
	script := "set -e\ntrap 'pwd >\"" + ended + "\"' EXIT\n" + v.fill(t, b.text)
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
	cmd.Dir, cmd.Env = dir, v.env
	var err error
	if words := b.says["tty"]; words != "" {
		v.output, err = atTerminal(t, cmd, strings.Split(words, ","))
	} else {
		var out []byte
		out, err = cmd.CombinedOutput()
		v.output = string(out)
	}
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		require.Equal(t, b.exit(t), e.ExitCode(), "%s:\n%s\n%s", b, b.text, v.output)
	} else {
		require.NoError(t, err, "%s", b)
		require.Zero(t, b.exit(t), "%s ended with 0:\n%s\n%s", b, b.text, v.output)
	}
	if b.says["in"] != "repo" {
		at, err := os.ReadFile(ended)
		require.NoError(t, err)
		v.dir = strings.TrimSpace(string(at))
	}
}

// prompt is what a question ends with.
var prompt = regexp.MustCompile(`\n *> $`)

// atTerminal types a line at each prompt of cmd.
func atTerminal(t *testing.T, cmd *exec.Cmd, words []string) (string, error) {
	t.Helper()
	screen, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 100, Cols: 100})
	require.NoError(t, err)
	defer screen.Close()
	time.AfterFunc(30*time.Second, func() { screen.Close() })
	var all bytes.Buffer
	part := make([]byte, 4096)
	for {
		n, err := screen.Read(part)
		all.Write(part[:n])
		if len(words) > 0 && prompt.MatchString(all.String()) {
			word := strings.ReplaceAll(words[0], "_", " ")
			words = words[1:]
			_, err := io.WriteString(screen, word+"\n")
			require.NoError(t, err)
		}
		if err != nil {
			break // the terminal is closed when the last process leaves it
		}
	}
	output := strings.ReplaceAll(all.String(), "\r\n", "\n")
	require.Empty(t, words, "no prompt came for these:\n%s", output)
	return output, cmd.Wait()
}

func (v *visitor) goProgram(t *testing.T, b block) {
	t.Helper()
	file := b.says["run"]
	if file == "" {
		file = "main.go"
	}
	file = filepath.Join(v.dir, file)
	require.NoError(t, os.WriteFile(file, []byte(b.text), 0o644))
	binary := filepath.Join(v.home, "program")
	build := exec.Command("go", "build", "-o", binary, file)
	build.Dir, build.Env = "..", append(os.Environ(), v.env[2:]...)
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s: %s", b, out)
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Dir, cmd.Env = v.dir, v.env
	out, err = cmd.CombinedOutput()
	v.output = string(out)
	require.NoError(t, err, "%s: %s", b, out)
}

// compare holds the lines of a block against the output: each has to be there, in this order.
func (v *visitor) compare(t *testing.T, b block) {
	t.Helper()
	rest := strings.Split(v.output, "\n")
	for want := range strings.SplitSeq(strings.TrimSpace(b.text), "\n") {
		want = strings.TrimSpace(want)
		if want == "" || want == "…" {
			continue
		}
		parts := strings.Split(want, "…")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		form := regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
		found := false
		for len(rest) > 0 && !found {
			found = form.MatchString(strings.TrimSpace(rest[0]))
			rest = rest[1:]
		}
		require.True(t, found, "%s: the line\n%s\nis not (or not there) in\n%s", b, want, v.output)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

var placeholder = regexp.MustCompile(`\b(RUN|GATE|CHECKSUM)\b`)

// fill puts the newest run's own values into a command. A gate may still be on its way.
func (v *visitor) fill(t *testing.T, text string) string {
	t.Helper()
	if !placeholder.MatchString(text) {
		return text
	}
	where := journal.Options{Dir: filepath.Join(v.home, "state", "assent"), KeyDir: filepath.Join(v.home, "data", "assent", "keys")}
	if own := filepath.Join(v.dir, "keys"); isFolder(own) { // a program of the page keeps its runs beside itself
		where = journal.Options{Dir: filepath.Join(v.dir, "store"), KeyDir: own}
	}
	store, err := journal.Open(where)
	require.NoError(t, err)
	values := map[string]string{}
	find := func() bool {
		runs, err := store.List(context.Background())
		require.NoError(t, err)
		if len(runs) == 0 {
			return false
		}
		last := runs[len(runs)-1]
		require.NoError(t, last.Err)
		values["RUN"] = last.ID
		if len(last.Waiting) > 0 {
			gate := last.Waiting[0].Asked
			values["GATE"], values["CHECKSUM"] = gate.Gate, gate.Checksum
		}
		for _, name := range placeholder.FindAllString(text, -1) {
			if values[name] == "" {
				return false
			}
		}
		return true
	}
	require.Eventually(t, find, 10*time.Second, 20*time.Millisecond, "nothing to put for %s", text)
	return placeholder.ReplaceAllStringFunc(text, func(name string) string { return values[name] })
}
