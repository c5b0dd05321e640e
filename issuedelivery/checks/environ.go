package checks

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/glob"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

// environment is what a check gets: what agents get, without keys and tokens, for it needs no model and it
// runs what a model wrote. What Keep names passes whatever it is. CI keeps runners of tests from watching
// files for ever.
func (o Options) environment(env []string, c Check) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return redact.Secret(name) && !slices.ContainsFunc(o.Keep, func(pattern string) bool { return glob.Match(pattern, name) })
	})
	env = without(env, "NO_COLOR", "FORCE_COLOR")
	env = append(env, "NO_COLOR=1")
	if _, ok := lookup(env, "CI"); !ok {
		env = append(env, "CI=true")
	}
	if bin, venv := o.virtualEnvironment(c); bin != "" {
		list, _ := lookup(env, "PATH")
		env = append(without(env, "PATH", "VIRTUAL_ENV", "PYTHONHOME"), "PATH="+bin+string(filepath.ListSeparator)+list, "VIRTUAL_ENV="+venv)
	}
	if isPython(c) {
		// A package that was installed to be edited leads to the files of the user's tree; these come first.
		top := filepath.Join(o.Folder, filepath.FromSlash(c.Dir))
		env = append(without(env, "PYTHONPATH"), "PYTHONPATH="+filepath.Join(top, "src")+string(filepath.ListSeparator)+top)
	}
	return env
}

func isPython(c Check) bool {
	return len(c.Command) > 0 && slices.Contains([]string{"python", "python3", "pytest", "py.test"}, path.Base(c.Command[0]))
}

// virtualEnvironment is the folder with programs of the virtual environment that the user made for this
// project, and that itself; "" if there is none. It is taken from the workspace alone: one in a commit is
// somebody's.
func (o Options) virtualEnvironment(c Check) (bin, venv string) {
	if o.Workspace == "" {
		return "", ""
	}
	below := "bin"
	if runtime.GOOS == "windows" {
		below = "Scripts"
	}
	for _, dir := range []string{filepath.FromSlash(c.Dir), ""} {
		for _, name := range []string{".venv", "venv"} {
			venv = filepath.Join(o.Workspace, dir, name)
			if info, err := os.Stat(filepath.Join(venv, "pyvenv.cfg")); err != nil || !info.Mode().IsRegular() {
				continue
			}
			if info, err := os.Stat(filepath.Join(venv, below)); err == nil && info.IsDir() {
				return filepath.Join(venv, below), venv
			}
		}
	}
	return "", ""
}

// same reports whether two names are one variable's.
func same(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

func lookup(env []string, name string) (string, bool) {
	for _, variable := range slices.Backward(env) {
		if n, value, ok := strings.Cut(variable, "="); ok && same(n, name) {
			return value, true
		}
	}
	return "", false
}

func without(env []string, names ...string) []string {
	return slices.DeleteFunc(env, func(variable string) bool {
		n, _, _ := strings.Cut(variable, "=")
		return slices.ContainsFunc(names, func(name string) bool { return same(n, name) })
	})
}

// find is the program of a command, as the check's own environment has it.
func find(command []string, dir string, env []string) (string, error) {
	if len(command) == 0 || command[0] == "" {
		return "", errors.New("it has no command")
	}
	name := command[0]
	if strings.ContainsAny(name, `/`+string(filepath.Separator)) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, filepath.FromSlash(name))
		}
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%s is no program that can be run", command[0])
		}
		return path, nil
	}
	list, _ := lookup(env, "PATH")
	for _, folder := range filepath.SplitList(list) {
		if !filepath.IsAbs(folder) {
			continue // it would lead into the tree
		}
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed, or not on the PATH", name)
}
