package plan

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Options say what a plan is held against. The zero value works.
type Options struct {
	// MaxSteps is how many steps it may have; 0 is DefaultSteps, and it is never more than MostSteps.
	MaxSteps int
	// Tree is what the work begins with; nil knows nothing of it.
	Tree Tree
}

// Report is what [Check] found.
type Report struct {
	// OK says that no rule is broken.
	OK         bool      `json:"ok"`
	Violations []Finding `json:"violations"`
	Warnings   []Finding `json:"warnings"`
	// Order are the ids of the steps, each behind those that it depends on, else in the order of the
	// plan. Waves are the same by level: a step stands in the wave behind the last of its dependencies.
	// Both are empty while the ids or the dependencies break a rule.
	Order []string   `json:"order"`
	Waves [][]string `json:"waves"`
}

// Check holds a plan against all rules. It names every one that is broken, and never fails.
func Check(raw json.RawMessage, o Options) Report {
	var f findings
	report := Report{Order: []string{}, Waves: [][]string{}}
	p, ok := parse(raw, &f)
	if ok {
		report.Order, report.Waves = f.plan(p, o)
	}
	report.OK = len(f.violations) == 0
	report.Violations, report.Warnings = found(f.violations), found(f.warnings)
	return report
}

// most is how many steps are allowed.
func (o Options) most() int {
	if o.MaxSteps <= 0 {
		return DefaultSteps
	}
	return min(o.MaxSteps, MostSteps)
}

// plan holds what could be read against the rules.
func (f *findings) plan(p Plan, o Options) (order []string, waves [][]string) {
	switch n := len(p.Steps); {
	case n == 0:
		f.violate(NoSteps, "", "$.steps", "the plan has no step: name at least one, with its files and its acceptance criteria")
	case n > o.most():
		f.violate(TooManySteps, "", "$.steps", "the plan has %d steps, and may have %d: join steps that belong together, or deliver a part of the task first", n, o.most())
	}
	steps := p.Steps[:min(len(p.Steps), MostSteps)]
	for i, s := range steps {
		if !s.unread {
			f.alone(s, fmt.Sprintf("$.steps[%d]", i))
		}
	}
	g, sound := f.graph(steps)
	files := f.files(steps, o.Tree)
	f.twins(steps, files)
	f.shared(steps, files, g)
	if !sound || len(steps) < len(p.Steps) {
		return []string{}, [][]string{}
	}
	return g.order()
}

// agentType is the form of an agent type's name.
var agentType = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$`)

// tiers are what a step may ask for.
var tiers = []string{"small", "medium", "big"}

// alone are the rules about one step by itself, but for its id and its files.
func (f *findings) alone(s Step, path string) {
	if s.Tier != "" && !slices.Contains(tiers, s.Tier) {
		f.violate(TierUnknown, s.ID, path+".tier", "the tier %s is unknown: it is one of %s, or left out", quoted(s.Tier), listed(tiers))
	}
	if s.AgentType != "" && !agentType.MatchString(s.AgentType) {
		f.violate(AgentTypeForm, s.ID, path+".agentType", "the agent type %s is no name: name one that there is, or leave it out", quoted(s.AgentType))
	}
	if len(s.Files) == 0 {
		f.violate(NoFiles, s.ID, path+".files", "the step names no file: name each one that it adds, changes or removes")
	}
	if len(s.Acceptance) == 0 {
		f.violate(NoAcceptance, s.ID, path+".acceptance", "the step has no acceptance criterion: say what somebody can run or look at, and what they then see")
		return
	}
	vague := map[int]string{}
	for i, criterion := range s.Acceptance {
		if why := Vague(criterion); why != "" {
			vague[i] = why
		}
	}
	say, only := f.warn, ""
	if len(vague) == len(s.Acceptance) {
		say, only = f.violate, " The step has no other."
	}
	for i, criterion := range s.Acceptance {
		if why := vague[i]; why != "" {
			say(AcceptanceVague, s.ID, fmt.Sprintf("%s.acceptance[%d]", path, i),
				"nobody can check %s (%s): say what to run or look at, and what is then seen.%s", quoted(strings.TrimSpace(criterion)), why, only)
		}
	}
}
