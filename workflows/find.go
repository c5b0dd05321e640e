package workflows

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// mostNamed is how many workflows a refusal lists.
const mostNamed = 20

// Find gives the saved workflow of that name: WORKFLOW_UNKNOWN, which names the nearest, if
// there is none, WORKFLOW_INVALID if the file that has the name cannot be used.
func Find(places []Place, name string) (Workflow, error) {
	for _, p := range places {
		found, err := p.list(func(other string) bool { return key(other) == key(name) })
		if err != nil {
			return Workflow{}, err
		}
		if len(found) > 0 {
			return found[0], found[0].Err
		}
	}
	list, _ := List(places) // they were read just now
	return Workflow{}, Unknown(list, name)
}

// Unknown is WORKFLOW_UNKNOWN for a name, and says which of a list there are. A file that cannot be used is
// left out; what is no script only the caller can tell.
func Unknown(list []Workflow, name string) error {
	var names []string
	for _, w := range list {
		if w.Err == nil && w.HiddenBy == "" {
			names = append(names, w.Name)
		}
	}
	names = slices.Compact(names)
	next := "assent workflows   # lists them; a script elsewhere is run by its path, such as ./deliver.js"
	bare := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) // as if it had been given as a path
	if near := options.Nearest(bare, names); near != "" {
		next = fmt.Sprintf("did you mean %s?", near)
	}
	more := ""
	if len(names) > mostNamed {
		more = fmt.Sprintf(", and %d more", len(names)-mostNamed)
		names = names[:mostNamed]
	}
	there := "there are " + strings.Join(names, ", ") + more
	if len(names) == 0 {
		there = "there are none"
	}
	return fault.New(fault.WorkflowUnknown, fmt.Sprintf("there is no workflow %q; %s", name, there), next)
}
