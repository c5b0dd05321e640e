package process

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/internal/glob"
)

// Marker is the variable that every process of an agent has: its run and call. By it,
// UnderAgent knows where it stands.
const Marker = "ASSENT_AGENT"

// attemptMarker has a value of its own for every attempt, by which processes that left their
// group are found.
const attemptMarker = "ASSENT_AGENT_ATTEMPT"

// quiet are set in any case: whatever would ask a person fails at once.
var quiet = []string{
	"TERM=dumb",
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GCM_INTERACTIVE=never",
	"SSH_ASKPASS=true", "SSH_ASKPASS_REQUIRE=force", "SUDO_ASKPASS=true",
}

// Passing are the variables that FilterEnv lets through by itself, in groups; * stands for any run
// of characters.
func Passing() []string { return slices.Concat(passing...) }

// Quiet are the variables that FilterEnv sets, as NAME=VALUE.
func Quiet() []string { return slices.Clone(quiet) }

// FilterEnv returns what an agent's environment may hold of environ: the variables that Passing
// names, and those that keep names, in which * stands for any run of characters too. What leads to
// Assent itself is never given, and what would ask a person for a password is set to fail instead:
// both also against keep.
//
// Keys of model providers are among Passing: an agent needs them, and could read the files they come
// from anyway. The filter keeps approvals, terminals and what runs other code out of reach; it is
// no sandbox. Names are told apart by case as the system does. The result has each name once, the
// last value of environ in force.
func FilterEnv(environ, keep []string) []string {
	return filter(environ, keep, runtime.GOOS == "windows")
}

// filter is FilterEnv; fold says that case does not tell names apart.
func filter(environ, keep []string, fold bool) []string {
	as := func(name string) string {
		if fold {
			return strings.ToUpper(name)
		}
		return name
	}
	kept := newNames(keep, as)
	out := make([]string, 0, len(environ)+len(quiet))
	at := map[string]int{}
	put := func(name, variable string) {
		if i, ok := at[name]; ok {
			out[i] = variable
			return
		}
		at[name] = len(out)
		out = append(out, variable)
	}
	for _, variable := range environ {
		name := nameOf(variable)
		if name == "" || ours(name) {
			continue
		}
		value := variable[len(name)+1:]
		if name = as(name); kept.has(name) || byItself().has(name) && harmless(name, value) {
			put(name, variable)
		}
	}
	for _, variable := range quiet {
		put(nameOf(variable), variable)
	}
	return out
}

// names are those of variables: most are plain, and an environment is filtered for each program.
type names struct {
	plain    map[string]bool
	patterns []string
}

var byItself = sync.OnceValue(func() names { return newNames(Passing(), func(name string) string { return name }) })

// newNames sorts names, as a function spells them.
func newNames(list []string, as func(string) string) names {
	n := names{plain: make(map[string]bool, len(list))}
	for _, name := range list {
		if name = as(name); strings.ContainsAny(name, `*?\`) {
			n.patterns = append(n.patterns, name)
		} else {
			n.plain[name] = true
		}
	}
	return n
}

func (n names) has(name string) bool {
	return n.plain[name] || slices.ContainsFunc(n.patterns, func(pattern string) bool { return glob.Match(pattern, name) })
}

// nameOf is the name of a variable. Windows has variables whose names begin with =.
func nameOf(variable string) string {
	if variable == "" {
		return ""
	}
	i := strings.IndexByte(variable[1:], '=')
	if i < 0 {
		return ""
	}
	return variable[:i+1]
}

func ours(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "ASSENT_") }

// Environ is the environment of this process, of which agents get what FilterEnv lets pass.
func Environ() []string { return os.Environ() }
