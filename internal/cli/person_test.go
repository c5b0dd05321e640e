package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const gateScript = `export const meta = { name: "gate", description: "a gate" };
const approval = await planApprove({ steps: ["write"] });
if (approval.decision === true) await agent("write", { label: "worker", under: approval });
return { decision: approval.decision };
`

const answers = `[[answer]]
label = "slow"
delay = "30s"
text = "late"
[[answer]]
label = "*"
write = { worked = "yes" }
text = "done"
`

// planSum is what sha256sum (coreutils 9) says of {"steps":["write"]}.
const planSum = "bb905664cc67aa3e59d7d2932ee708878a456749faab2af1c35725ab562745cd"

// user is somebody with a store and a workspace of their own.
type user struct {
	t   *testing.T
	dir string
	env []string
}

// newUser makes a workspace with files, given as name and text in turn.
func newUser(t *testing.T, files ...string) *user {
	t.Helper()
	root := t.TempDir()
	root, err := filepath.EvalSymlinks(root)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(root, 0o755)) // whatever the umask: programs in a folder of the group's are refused
	u := &user{t: t, dir: filepath.Join(root, "work"), env: append(os.Environ(), home(root)...)}
	require.NoError(t, os.MkdirAll(filepath.Join(u.dir, ".git"), 0o755))
	for i := 0; i < len(files); i += 2 {
		u.write(files[i], files[i+1])
	}
	return u
}

func (u *user) write(name, text string) {
	u.t.Helper()
	require.NoError(u.t, os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o600))
}

// configures writes the user's own configuration.
func (u *user) configures(text string) {
	u.t.Helper()
	folder := filepath.Join(filepath.Dir(u.dir), "config", "assent")
	require.NoError(u.t, os.MkdirAll(folder, 0o755))
	require.NoError(u.t, os.WriteFile(filepath.Join(folder, "config.toml"), []byte(text), 0o644))
	u.env = append(u.env, "XDG_CONFIG_HOME="+filepath.Dir(folder))
}

// path is a file of the store.
func (u *user) store(elements ...string) string {
	return filepath.Join(append([]string{filepath.Dir(u.dir), "store"}, elements...)...)
}

// ended is what a command came to.
type ended struct {
	code        int
	out, errors string
}

// shortID is the end of a run's id, by which hints name it.
func shortID(run string) string { return strings.ToLower(run[20:]) }

// command is assent, not yet started.
func (u *user) command(args ...string) *exec.Cmd {
	cmd := exec.Command("assent", args...)
	cmd.Dir, cmd.Env = u.dir, u.env
	return cmd
}

// assent runs a command without a terminal.
func (u *user) assent(args ...string) ended {
	u.t.Helper()
	return u.run(u.command(args...))
}

func (u *user) run(cmd *exec.Cmd) ended {
	u.t.Helper()
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		require.NoError(u.t, err)
	}
	return ended{cmd.ProcessState.ExitCode(), out.String(), trouble.String()}
}

// wants fails the test unless the command ends with that code.
func (u *user) wants(code int, args ...string) ended {
	u.t.Helper()
	e := u.assent(args...)
	require.Equal(u.t, code, e.code, "assent %s\n%s%s", strings.Join(args, " "), e.out, e.errors)
	return e
}

// object is standard output of a command as JSON.
func (u *user) object(code int, args ...string) map[string]any {
	u.t.Helper()
	e := u.wants(code, args...)
	return parsed(u.t, e.out)
}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	require.NoError(t, d.Decode(&o), text)
	require.False(t, d.More(), "more than one object: %s", text)
	return o
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if condition() {
			return
		}
	}
	require.Fail(t, "it never happened: "+what)
}

// state is how the only run stands.
func (u *user) state(run string) string {
	u.t.Helper()
	return u.object(0, "show", run, "--json")["state"].(string)
}

var runID = regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`)

// screen is a terminal with assent in it, and a person.
type screen struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	done chan error

	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
	seen int          // how much of text was awaited already
}

// shown is all that was shown.
func (s *screen) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// sees waits until a text is shown behind what was awaited before.
func (s *screen) sees(text string) {
	s.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		all := s.shown()
		if at := strings.Index(all[s.seen:], text); at >= 0 {
			s.seen += at + len(text)
			return
		}
	}
	require.Fail(s.t, "not shown: "+text, "%s", s.shown())
}

// types a line.
func (s *screen) types(text string) { s.sends(text + "\r") }

func (s *screen) sends(keys string) {
	s.t.Helper()
	_, err := s.tty.WriteString(keys)
	require.NoError(s.t, err)
}

// ends waits for the process and gives its exit code.
func (s *screen) ends() int {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	select {
	case <-s.done:
	case <-ctx.Done():
		_ = s.cmd.Process.Kill()
		require.Fail(s.t, "assent does not end", "%s", s.shown())
	}
	return s.cmd.ProcessState.ExitCode()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
