package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// The workspace's file comes with a clone, and the agents that it names are programs that run as
// whoever starts a run. So each of them is told of before it is first started, and none takes the
// user's secrets along.

// repositorys takes in the agents that the workspace's file names: they come before the user's.
func (c *config) repositorys(own config, ownFile, userFile string) error {
	for _, variable := range own.delivery.Env {
		if what := notARepositorys(variable); what != "" {
			return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [delivery] env: %q %s", ownFile, variable, what), "take it out, and write it into "+userFile+" if you want it")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own.agents)) {
		t := own.agents[name]
		for _, variable := range t.keep {
			if what := notARepositorys(variable); what != "" {
				return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [agents.%s] env: %q %s", ownFile, name, variable, what),
					"take it out, and write an agent with it, of another name, into "+userFile+" if you want it")
			}
		}
		t.repository, t.told = true, &sync.Once{}
		if _, both := c.agents[name]; both {
			t.insteadOf = userFile
		}
		c.agents[name] = t
	}
	return nil
}

// secretWays match variables that hold no secret by their name and still lead to one, or to something
// that acts as the user: sockets, screens, addresses with a password.
var secretWays = regexp.MustCompile(`(?i)(SOCK|IPC|DBUS|DISPLAY|_(PWD|PASS|UR[IL])$|^(PWD|DOCKER|CONTAINER_HOST|XDG_RUNTIME_DIR|XAUTHORITY|GPG|KUBECONFIG|TMUX|STY))`)

// notARepositorys says why a repository may not have its agent be given a variable; "" if it may.
func notARepositorys(variable string) string {
	switch {
	case strings.ContainsAny(variable, `*?\`):
		return "stands for many variables, and a repository names each that it needs"
	case redact.Secret(variable), secretWays.MatchString(variable):
		return "may lead to a secret of yours or act as you, and a repository does not say who gets it"
	}
	return ""
}

// programShown caps a command line that is told of, in columns.
const programShown = 200

// introduction says what the workspace's file makes of a name; "" if the agent is not of that file.
func (t agentConfig) introduction(name string) string {
	if !t.repository {
		return ""
	}
	text := "agent: " + name + ": " + term.Truncate(t.program(name), programShown) + ", as " + configName + " of this repository says"
	if t.insteadOf != "" {
		text += ", in place of the one in " + t.insteadOf
	}
	return text
}

// program is what is started, as it is written.
func (t agentConfig) program(name string) string {
	if t.script != "" {
		return "answers of " + t.script
	}
	argv := t.command
	if len(argv) == 0 {
		argv = programOf(name, t.kind)
	}
	return quoteCommand(slices.Concat(argv, t.args))
}
