package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/workflows"
)

// hints are the commands that go on from there. A built-in workflow cannot be edited, so what
// wants an edited script wants a copy first.
func (s standing) hints() []hint {
	if s.builtin == "" {
		return s.steps()
	}
	s.script = s.copy
	var hints []hint
	for _, h := range s.steps() {
		if strings.HasSuffix(h.command, " --script "+s.script) && !s.copied {
			hints = append(hints, hint{"assent workflows " + s.builtin + " --copy", "writes " + s.script + ", to be edited"})
			s.copied = true // once is enough
		}
		if h.command == "assent run "+s.script {
			h.command = "assent run " + s.builtin
		}
		hints = append(hints, h)
	}
	return hints
}

// scriptOf is the file of a run's script as it is typed in the current folder; FILE if it is
// neither in the workspace nor among the user's workflows any more, or never was.
func (a *app) scriptOf(st *journal.State) string {
	name := filepath.FromSlash(st.Program.Name)
	if !filepath.IsLocal(name) {
		return "FILE"
	}
	isFile := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	}
	if isFile(filepath.Join(st.Workspace, name)) {
		return quoteCommand([]string{a.shortPath(st.Workspace, st.Program.Name)})
	}
	places, _ := a.places(st.Workspace) // without a home there are none
	for _, p := range places {
		if path := filepath.Join(p.Folder, name); p.Origin != workflows.BuiltIn && isFile(path) {
			return a.typed(path)
		}
	}
	return "FILE"
}
