package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/workflows"
)

// demo is one demonstration. All that it makes is below one temporary folder: the project, and
// a store, a key and a home of its own, so that it neither sees nor touches anything else.
type demo struct {
	*app
	root, project string
	env           []string
	// talk is where the demo tells what happens: standard output, which with --json is for data.
	talk  io.Writer
	steps int
	// first is the commit that the project begins with, commit the one that it ends with.
	first, commit string
	run, branch   string
	// outcome is committed, declined or waiting.
	outcome string
	// code is the exit code of a demo that the person left.
	code int
}

// newDemo makes the folder and the repository in it. The demo is nil if there is no folder.
func newDemo(ctx context.Context, a *app) (*demo, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, fault.Wrap(err, fault.ProgramMissing, "the demo works in a git repository, and git is not on the PATH", installGit())
	}
	root, err := os.MkdirTemp("", "assent-demo-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the demo: %w", err)
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real // the store refuses links on its way
	}
	d := &demo{app: a, root: root, project: filepath.Join(root, "project")}
	d.env = d.environment()
	if d.talk = a.Out; a.json {
		d.talk = a.Err
	}
	if err := os.Mkdir(d.project, 0o700); err != nil {
		return d, fmt.Errorf("make the project: %w", err)
	}
	if _, _, err := writeNew(d.project, workflows.Demo()); err != nil {
		return d, err
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "main"},
		// Kept in the repository, so that nobody's own configuration is needed, or in the way.
		{"config", "user.name", "Assent Demo"},
		{"config", "user.email", "demo@assent.invalid"},
		{"config", "commit.gpgsign", "false"},
		{"config", "core.autocrlf", "false"},
		{"add", "."},
		{"commit", "--quiet", "--message", "A program that greets"},
	} {
		if _, err := d.git(ctx, args...); err != nil {
			return d, err
		}
	}
	d.first, err = d.git(ctx, "rev-parse", "HEAD")
	return d, err
}

func installGit() string {
	switch runtime.GOOS {
	case "darwin":
		return "install it with: xcode-select --install"
	case "windows":
		return "install it from https://git-scm.com/download/win"
	default:
		return "install the package git, such as with: apt-get install git"
	}
}

// environment is the caller's, without what leads out of the demo's folder.
func (d *demo) environment() []string {
	ours := []string{"HOME", "GIT_", "XDG_", "ASSENT_HOME", "ASSENT_KEYS"}
	env := slices.DeleteFunc(slices.Clone(d.Env), func(variable string) bool {
		return slices.ContainsFunc(ours, func(prefix string) bool { return strings.HasPrefix(variable, prefix) })
	})
	if runtime.GOOS == "windows" {
		env = d.withShell(env)
	}
	env = append(env, d.storeEnv()...)
	return append(env,
		"HOME="+filepath.Join(d.root, "home"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0")
}

// storeEnv are the variables that lead to the demo's journals and key.
func (d *demo) storeEnv() []string {
	list := []string{"ASSENT_HOME=" + filepath.Join(d.root, "store")}
	for _, name := range []string{"CONFIG", "DATA", "STATE", "CACHE"} {
		list = append(list, "XDG_"+name+"_HOME="+filepath.Join(d.root, "home", strings.ToLower(name)))
	}
	return list
}

// withShell puts the shell that comes with git on the PATH of Windows.
func (d *demo) withShell(env []string) []string {
	if _, err := exec.LookPath("sh"); err == nil {
		return env
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return env
	}
	return append(env, "PATH="+d.System.env("PATH")+string(os.PathListSeparator)+filepath.Join(filepath.Dir(filepath.Dir(git)), "bin"))
}

// leave removes the folder, or says where it is.
func (d *demo) leave(keep bool, failed error, interrupted bool) error {
	if keep {
		d.line("")
		d.line("kept: " + d.root)
		return nil
	}
	if _, left := errors.AsType[exitCode](failed); failed != nil && !left && !interrupted {
		d.say("the demo did not go as it should; --keep keeps its folder to look into")
	}
	if err := os.RemoveAll(d.root); err != nil {
		return fmt.Errorf("remove the folder of the demo: %w", err)
	}
	return nil
}

// git runs git in the project, unseen, and gives what it printed.
func (d *demo) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = d.project, d.env
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(trouble.String()))
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// line prints a line of the demo's own.
func (d *demo) line(text string) { fmt.Fprintln(d.talk, term.Escape(text)) }

func (d *demo) heading(text string) {
	d.steps++
	text = fmt.Sprintf("%d. %s", d.steps, text)
	if terminal(d.talk) != nil && d.color() {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	fmt.Fprintln(d.talk, "\n"+text)
}

// typed shows a command as a person would type it, and quoted what it printed.
func (d *demo) typed(argv ...string) { d.line("   $ " + quoteCommand(argv)) }

func (d *demo) quoted(output string) {
	for l := range strings.Lines(output) {
		if l = strings.TrimRight(l, "\n"); l == "" {
			d.line("   │")
		} else {
			d.line("   │ " + l)
		}
	}
}
