package forge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
)

// Options say how gh is run. Folder is needed.
type Options struct {
	// Folder is where it runs.
	Folder string
	// Mark is RUN/CALL, which marks what it starts; Step is told of each process group, nil is nobody.
	Mark string
	Step process.Step
	// Environ is the user's environment, nil is this process's own.
	Environ []string
	// Limit is how long a step may take, 0 is a minute.
	Limit time.Duration
}

// Forge is a repository on a forge, and the gh that reaches it.
type Forge struct {
	at      Address
	gh      string
	folder  string
	mark    string
	step    process.Step
	environ []string
	limit   time.Duration
}

// At is the repository.
func (f *Forge) At() Address { return f.at }

// New finds gh for the repository at an address. A host that is an alias of the user's ssh is looked up.
// The error is ErrNoProgram if there is no gh.
func New(ctx context.Context, at Address, o Options) (*Forge, error) {
	f := &Forge{at: at, folder: o.Folder, mark: o.Mark, step: o.Step, environ: o.Environ, limit: o.Limit}
	if f.limit <= 0 {
		f.limit = stepTime
	}
	if f.environ == nil {
		f.environ = process.Environ()
	}
	f.gh = find("gh", f.environ)
	if f.gh == "" {
		return nil, ErrNoProgram
	}
	if at.ssh && !strings.Contains(at.Host, ".") {
		f.at.Host = f.behind(ctx, at.Host)
	}
	return f, nil
}

// find gives the path of a program that the environment's PATH leads to, or "".
func find(name string, environ []string) string {
	path := ""
	for _, variable := range environ {
		if key, value, _ := strings.Cut(variable, "="); strings.EqualFold(key, "PATH") {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue // a relative one finds other programs in other folders
		}
		if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return found
		}
	}
	return ""
}

// behind is the host that an alias of the user's ssh stands for.
func (f *Forge) behind(ctx context.Context, alias string) string {
	ssh := find("ssh", f.environ)
	if ssh == "" {
		return alias
	}
	out, err := f.program(ctx, "ssh", nil, []string{ssh, "-G", alias})
	if err != nil {
		return alias
	}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if found, ok := address(value, f.at.Owner+"/"+f.at.Name, true); ok && name == "hostname" {
			return found.Host
		}
	}
	return alias
}

// keep are variables that gh needs: its own sign-in and settings, and the way to the keyring that newer
// versions of it keep tokens in. Those that change what it prints, or start programs, are not among them.
var keep = []string{
	"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GH_CONFIG_DIR", "XDG_*", "SSL_CERT_FILE", "DBUS_SESSION_BUS_ADDRESS",
}

// do runs one step of gh, and gives what it printed. Its error is FORGE_FAILED.
func (f *Forge) do(ctx context.Context, step string, input []byte, args ...string) ([]byte, error) {
	out, err := f.program(ctx, step, input, append([]string{f.gh}, args...))
	if err != nil {
		return nil, f.fault(err)
	}
	return out, nil
}

// get is do for a step that prints JSON.
func (f *Forge) get(ctx context.Context, step string, into any, args ...string) error {
	out, err := f.do(ctx, step, nil, args...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(out, into); err != nil {
		return f.fault(&StepError{Step: step, Exit: -1, Err: fmt.Errorf("what it printed is not the JSON that was asked for: %w", err)})
	}
	return nil
}

func (f *Forge) program(ctx context.Context, step string, input []byte, argv []string) ([]byte, *StepError) {
	j := process.New(f.folder, f.mark, f.environ, keep)
	j.Argv, j.Stdin, j.MaxOutput, j.Grace = argv, input, maxOutput, grace
	j.Env = append(j.Env, "GH_HOST="+f.at.Host, "GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "GH_SPINNER_DISABLED=1", "NO_COLOR=1", "CLICOLOR=0", "LC_ALL=C")
	limited, cancel := context.WithTimeout(ctx, f.limit)
	defer cancel()
	out, err := j.Run(limited, f.step)
	fail := &StepError{Step: step, Exit: -1, Limit: f.limit}
	switch {
	case err != nil:
		fail.Err = err
	case ctx.Err() != nil && out.Late:
		fail.Err = context.Cause(ctx)
	case out.Over:
		fail.Err = errors.New("it printed too much")
	case out.Late, out.Held:
		fail.Kind = KindLate
	case !out.Success():
		if out.State != nil {
			fail.Exit = out.State.ExitCode()
		}
		fail.Message = strings.Join(strings.FieldsFunc(process.LastOf(out.Stderr, j.Env), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
		fail.Kind = kindOf(fail.Exit, fail.Message)
	default:
		return out.Stdout, nil
	}
	return nil, fail
}
