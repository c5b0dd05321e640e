package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-8d4a6081/assent/internal/canonical"
)

// Plan is what a delivery is going to do.
type Plan struct {
	// Task is what was asked for, Title the same in one line.
	Task, Title string
	Summary     string
	Steps       []Step
	// OpenQuestions are what the planner could not find out, OutOfScope what is not to be done.
	OpenQuestions, OutOfScope []string
	// More are all other members, such as issues, base and checks, as whoever made the plan put them there.
	More map[string]json.RawMessage
}

// Step is one part of the work: one agent does it in a working tree of its own, and it becomes one commit.
type Step struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Files are what it may change; see the package.
	Files          []string `json:"files"`
	Instructions   string   `json:"instructions"`
	ExpectedOutput string   `json:"expectedOutput"`
	// Acceptance are criteria that somebody else can check.
	Acceptance []string `json:"acceptance"`
	// Dependencies are the ids of the steps whose results it begins with.
	Dependencies []string `json:"dependencies"`
	AgentType    string   `json:"agentType,omitempty"`
	Tier         string   `json:"tier,omitempty"`

	// unread says that it was no object, which is all that there is to say of it.
	unread bool
}

// MarshalJSON gives the canonical text of the plan: its members are sorted, so that equal plans have
// equal bytes. A list that is nil is an empty one, a text that is empty is left out.
func (p Plan) MarshalJSON() ([]byte, error) {
	all := map[string]any{}
	for name, raw := range p.More {
		all[name] = raw
	}
	for name, text := range map[string]string{"task": p.Task, "title": p.Title, "summary": p.Summary} {
		if text != "" {
			all[name] = text
		}
	}
	steps := make([]Step, 0, len(p.Steps))
	for _, s := range p.Steps {
		s.Files, s.Acceptance, s.Dependencies = list(s.Files), list(s.Acceptance), list(s.Dependencies)
		steps = append(steps, s)
	}
	all["steps"], all["openQuestions"], all["outOfScope"] = steps, list(p.OpenQuestions), list(p.OutOfScope)
	return canonical.Of(all)
}

// UnmarshalJSON reads a plan that breaks no rule of form; the error names those that it breaks.
func (p *Plan) UnmarshalJSON(raw []byte) error {
	read, broken := Parse(raw)
	if len(broken) > 0 {
		return fmt.Errorf("the plan breaks %d rules of form, the first at %s: %s", len(broken), broken[0].Path, broken[0].What)
	}
	*p = read
	return nil
}

func list(texts []string) []string { return append([]string{}, texts...) }

// Step gives the step with an id.
func (p Plan) Step(id string) (Step, bool) {
	i := slices.IndexFunc(p.Steps, func(s Step) bool { return s.ID == id })
	if i < 0 {
		return Step{}, false
	}
	return p.Steps[i], true
}

// Amend gives the plan with other files of one step: removed are taken away, then added are put behind
// the others, those that it does not name yet. The plan that it is called on stays as it is. A plan
// without that step is given as it is.
func (p Plan) Amend(step string, added, removed []string) Plan {
	p.Steps, p.More = slices.Clone(p.Steps), maps.Clone(p.More)
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.ID != step {
			continue
		}
		files := []string{}
		for _, file := range s.Files {
			if !slices.Contains(removed, file) {
				files = append(files, file)
			}
		}
		for _, file := range added {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
		s.Files = files
	}
	return p
}
