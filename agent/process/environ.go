package process

import (
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/glob"
)

// Marker is the variable that every process of an agent has: its run and call. By it,
// UnderAgent knows where it stands.
const Marker = "ASSENT_AGENT"

// attemptMarker has a value of its own for every attempt, by which processes that left their
// group are found.
const attemptMarker = "ASSENT_AGENT_ATTEMPT"

// withheld are variables that lead to a person's terminal, keys or screen. What ends in *
// is a prefix.
var withheld = []string{
	// Ours: the store, the key, the agent's own configuration.
	"ASSENT_*",
	// What an approver may sign with. An agent that needs it to push is given it by keep.
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "APPROVER_*", "APPROVAL_*", "*_APPROVER_KEY", "*_APPROVAL_KEY",
	// Terminals, and what can type into one.
	"GPG_TTY", "SSH_TTY", "TMUX", "TMUX_PANE", "STY", "WINDOW", "ZELLIJ*", "KITTY_*", "WEZTERM_*", "ITERM_*", "TERM_SESSION_ID",
	"GNOME_TERMINAL_*", "KONSOLE_*", "ALACRITTY_*", "VSCODE_*", "NVIM", "NVIM_LISTEN_ADDRESS",
	// Screens on which something could ask a person.
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "PINENTRY_USER_DATA",
	// Programs that ask; replaced below.
	"SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SUDO_ASKPASS", "GIT_ASKPASS",
}

// quiet are set instead: whatever would ask a person fails at once.
var quiet = []string{
	"TERM=dumb",
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GCM_INTERACTIVE=never",
	"SSH_ASKPASS=true", "SSH_ASKPASS_REQUIRE=force", "SUDO_ASKPASS=true",
}

// FilterEnv returns what an agent's environment may hold of environ: everything but what
// leads to Assent itself (never given), and to a person's terminal, keys or screen (given if
// keep names it). What would ask a person for a password is set to fail instead, also against
// keep.
//
// Keys of model providers and other tokens stay: an agent needs them, and could read the
// files they come from anyway. The filter keeps approvals out of reach; it is no sandbox.
// The result has each name once, the last value of environ in force.
func FilterEnv(environ, keep []string) []string {
	out := make([]string, 0, len(environ)+len(quiet))
	at := map[string]int{}
	put := func(variable string) {
		name := strings.ToUpper(nameOf(variable))
		if i, ok := at[name]; ok {
			out[i] = variable
			return
		}
		at[name] = len(out)
		out = append(out, variable)
	}
	kept := func(name string) bool {
		return slices.ContainsFunc(keep, func(k string) bool { return strings.EqualFold(k, name) })
	}
	for _, variable := range environ {
		name := nameOf(variable)
		if name == "" || ours(name) || withhold(name) && !kept(name) {
			continue
		}
		put(variable)
	}
	for _, variable := range quiet {
		put(variable)
	}
	return out
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

func withhold(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(withheld, func(pattern string) bool { return glob.Match(pattern, name) })
}
