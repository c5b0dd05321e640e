package cli

import (
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/runners"
)

// A folder of PATH may lie in the workspace: direnv and its like put node_modules/.bin there. What a
// clone brings along is not taken for an agent that is found on this machine.

// outside finds a program by PATH, in the folders that are not the workspace's by their names or by
// where links lead; "" if it is in none. Where the workspace is the home folder, or has it inside, it
// is no clone, and all folders count.
func (a *app) outside(program, workspace string) string {
	home, path := "", ""
	for _, v := range a.Env {
		switch name, value, _ := strings.Cut(v, "="); strings.ToUpper(name) {
		case "HOME", "USERPROFILE":
			home = value
		case "PATH":
			path = value
		}
	}
	all := home != "" && insideOf(workspace, home)
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) || !all && passes(workspace, folder) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(folder, program)); err == nil && (all || !passes(workspace, found)) {
			return found
		}
	}
	return ""
}

// programOf is the command line of an agent that its name or its kind stands for, nil if there is none.
func programOf(name, kind string) []string {
	if k, ok := runners.KindOf(kind); ok {
		return []string{k.Program}
	}
	if preset, ok := acp.KnownAs(name); ok {
		return preset.Command()
	}
	return nil
}

// commandOf is the command line of an agent whose table has none. One outside of the workspace comes
// first; one inside is taken only where nothing is there but it, and the agent was named.
func (a *app) commandOf(name string, c agentConfig) []string {
	argv := programOf(name, c.kind)
	if len(argv) > 0 {
		if path := a.outside(argv[0], c.workspace); path != "" {
			argv[0] = path
		}
	}
	return argv
}
