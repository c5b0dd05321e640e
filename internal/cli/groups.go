package cli

import "github.com/spf13/cobra"

// groups are the commands as --help lists them, by what they are for. Those in none help with the
// program itself.
var groups = []struct {
	id, title string
	commands  []string
}{
	{"run", "Run workflows:", []string{"run", "deliver", "resume", "cancel", "workflows", "agents", "doctor", "test", "lint", "init", "demo"}},
	{"answer", "Answer questions:", []string{"review", "approve", "reject", "answer", "revoke"}},
	{"look", "Look at runs:", []string{"ls", "show", "watch", "diff", "history"}},
	{"prove", "Prove what happened:", []string{"verify", "replay", "export", "import"}},
	{"keep", "Keep the store small:", []string{"prune", "compact", "worktrees"}},
}

// group sorts the commands of root into groups.
func group(root *cobra.Command) {
	of := map[string]string{}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, name := range g.commands {
			of[name] = g.id
		}
	}
	for _, c := range root.Commands() {
		c.GroupID = of[c.Name()]
	}
}
