package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/runners"
)

// agentless is PATH without the folders that have an agent's program: tests find those that they bring
// along, and never ask one of whoever runs them. A folder that has the shell too stays.
var agentless = sync.OnceValue(func() string {
	var names []string
	for _, k := range runners.Kinds() {
		names = append(names, k.Program)
	}
	for _, p := range acp.Known() {
		names = append(names, p.Program)
	}
	has := func(folder string, names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			_, err := os.Stat(filepath.Join(folder, name))
			return err == nil
		})
	}
	folders := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(folder string) bool {
		return has(folder, names...) && !has(folder, "sh")
	})
	return strings.Join(folders, string(filepath.ListSeparator))
})
