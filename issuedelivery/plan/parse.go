package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// stepMembers are the members of a step, in the order in which they are read.
var stepMembers = []string{"id", "title", "files", "instructions", "expectedOutput", "acceptance", "dependencies", "agentType", "tier"}

// planMembers are the members of a plan that have a meaning: what the planner answers, and what the
// pipeline puts beside it.
var planMembers = []string{
	"task", "title", "summary", "steps", "openQuestions", "outOfScope",
	"issues", "base", "branch", "lane", "checks", "setup", "notes", "question", "revision", "amends",
}

// otherNames are what other dialects of plans call a member of a step.
var otherNames = map[string]string{
	"depends": "dependencies", "dependsOn": "dependencies", "depends_on": "dependencies", "needs": "dependencies", "after": "dependencies", "blockedBy": "dependencies",
	"file": "files", "path": "files", "paths": "files", "filesTouched": "files", "acceptanceCriteria": "acceptance", "criteria": "acceptance",
	"name": "title", "description": "instructions", "prompt": "instructions", "task": "instructions", "expected": "expectedOutput", "output": "expectedOutput", "agent": "agentType", "model": "tier",
}

// Parse reads a plan and gives what is wrong with its form. What could not be read is left empty.
func Parse(raw json.RawMessage) (Plan, []Finding) {
	var f findings
	p, _ := parse(raw, &f)
	return p, f.violations
}

// parse reads a plan; ok says that there is one to hold against the other rules.
func parse(raw json.RawMessage, f *findings) (p Plan, ok bool) {
	if err := canonical.Check(raw, maxPlan); err != nil {
		place, what := "$", err.Error()
		if e, known := errors.AsType[*canonical.Error](err); known {
			place, what = e.Path, e.Err.Error()
		}
		if errors.Is(err, canonical.ErrTooLarge) {
			f.violate(TooLong, "", place, "the plan has %d bytes, and may have %d: make it shorter, or deliver a part of the task first", len(raw), maxPlan)
		} else {
			f.violate(NotJSON, "", place, "the plan cannot be read: %s", what)
		}
		return p, false
	}
	r := reader{found: f}
	members, ok := r.object("$", raw)
	if !ok {
		return p, false
	}
	r.unknown(members, "$", planMembers, f.warn)
	p.Task = r.optionalText(members, "task", "$")
	p.Title = r.optionalText(members, "title", "$")
	p.Summary = r.text(members, "summary", "$", "what is going to change, in a few sentences")
	if len(p.Summary) > maxText {
		f.violate(TooLong, "", "$.summary", "the summary has %d bytes, and may have %d", len(p.Summary), maxText)
	}
	p.OpenQuestions = r.texts(members, "openQuestions", "$", maxTexts)
	p.OutOfScope = r.texts(members, "outOfScope", "$", maxTexts)
	p.More = maps.Clone(members)
	for _, name := range []string{"task", "title", "summary", "steps", "openQuestions", "outOfScope"} {
		delete(p.More, name)
	}
	steps, there := r.elements(members, "steps", "$")
	if !there {
		return p, true
	}
	for i, raw := range steps {
		p.Steps = append(p.Steps, r.readStep(fmt.Sprintf("$.steps[%d]", i), raw))
	}
	return p, true
}

// reader reads members strictly.
type reader struct {
	found *findings
	// step is the id of the step that is read, for findings.
	step string
}

// readStep reads one step.
func (r *reader) readStep(path string, raw json.RawMessage) (s Step) {
	defer func() { r.step = "" }()
	members, ok := r.object(path, raw)
	if !ok {
		return Step{unread: true}
	}
	if id := members["id"]; kind(id) == "text" {
		_ = json.Unmarshal(id, &r.step)
	}
	r.unknown(members, path, stepMembers, r.found.violate)
	s.ID = r.text(members, "id", path, "a short word that other steps can depend on")
	s.Title = r.text(members, "title", path, "what the step does, in one line")
	s.Instructions = r.text(members, "instructions", path, "how it is now, how it has to be, and what to keep to")
	s.ExpectedOutput = r.optionalText(members, "expectedOutput", path)
	s.Files = r.texts(members, "files", path, maxFiles)
	s.Acceptance = r.texts(members, "acceptance", path, maxTexts)
	s.Dependencies = r.texts(members, "dependencies", path, maxTexts)
	s.AgentType = r.optionalText(members, "agentType", path)
	s.Tier = r.optionalText(members, "tier", path)
	size := 0
	for _, text := range slices.Concat([]string{s.ID, s.Title, s.Instructions, s.ExpectedOutput, s.AgentType, s.Tier}, s.Files, s.Acceptance, s.Dependencies) {
		size += len(text)
	}
	if size > maxStep {
		r.found.violate(TooLong, r.step, path, "the texts of the step have %d bytes together, and may have %d: split it, or say it shorter", size, maxStep)
	}
	return s
}

func (r *reader) object(path string, raw json.RawMessage) (map[string]json.RawMessage, bool) {
	var members map[string]json.RawMessage
	if kind(raw) != "object" || json.Unmarshal(raw, &members) != nil {
		subject := "it"
		if path == "$" {
			subject = "the plan"
		}
		r.found.violate(WrongType, r.step, path, "%s is %s, and has to be an object", subject, article(kind(raw)))
		return nil, false
	}
	return members, true
}

// unknown names members that have no meaning, with the one that they are most likely a slip of.
func (r *reader) unknown(members map[string]json.RawMessage, path string, known []string, say func(Code, string, string, string, ...any)) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(known, name) {
			continue
		}
		hint := "it has " + listed(known)
		if near := cmp.Or(otherNames[name], options.Nearest(name, known)); near != "" && slices.Contains(known, near) {
			hint = "did you mean " + near + "?"
		}
		say(UnknownMember, r.step, path, "the member %s has no meaning there; %s", quoted(name), hint)
	}
}

// text is a member that has to be there.
func (r *reader) text(members map[string]json.RawMessage, name, path, says string) string {
	raw, there := members[name]
	if !there || kind(raw) == "null" {
		r.found.violate(MissingMember, r.step, member(path, name), "%s is missing: %s", name, says)
		return ""
	}
	text, ok := r.read(raw, member(path, name))
	if ok && strings.TrimSpace(text) == "" {
		r.found.violate(MissingMember, r.step, member(path, name), "%s is empty: %s", name, says)
	}
	return text
}

// optionalText is a member that may be missing or null.
func (r *reader) optionalText(members map[string]json.RawMessage, name, path string) string {
	raw, there := members[name]
	if !there || kind(raw) == "null" {
		return ""
	}
	text, _ := r.read(raw, member(path, name))
	if len(text) > maxText {
		r.found.violate(TooLong, r.step, member(path, name), "%s has %d bytes, and may have %d", name, len(text), maxText)
	}
	return text
}

func (r *reader) read(raw json.RawMessage, path string) (text string, ok bool) {
	if kind(raw) != "text" || json.Unmarshal(raw, &text) != nil {
		r.found.violate(WrongType, r.step, path, "it is %s, and has to be a text", article(kind(raw)))
		return "", false
	}
	return text, true
}

// texts is a list of texts; a missing one is empty.
func (r *reader) texts(members map[string]json.RawMessage, name, path string, most int) []string {
	elements, _ := r.elements(members, name, path)
	if len(elements) > most {
		r.found.violate(TooLong, r.step, member(path, name), "%s has %d entries, and may have %d", name, len(elements), most)
		elements = elements[:most]
	}
	var texts []string
	for i, raw := range elements {
		text, _ := r.read(raw, fmt.Sprintf("%s[%d]", member(path, name), i))
		texts = append(texts, text)
	}
	return texts
}

// elements is a list; there is false if it is missing, null, or none.
func (r *reader) elements(members map[string]json.RawMessage, name, path string) (elements []json.RawMessage, there bool) {
	raw, there := members[name]
	if !there || kind(raw) == "null" {
		return nil, false
	}
	if kind(raw) != "list" || json.Unmarshal(raw, &elements) != nil {
		r.found.violate(WrongType, r.step, member(path, name), "it is %s, and has to be a list", article(kind(raw)))
		return nil, false
	}
	return elements, true
}

func member(path, name string) string { return path + "." + name }

// kind is what a JSON value is, by its first character.
func kind(raw json.RawMessage) string {
	text := strings.TrimLeft(string(raw), " \t\r\n")
	if text == "" {
		return "nothing"
	}
	switch text[0] {
	case '{':
		return "object"
	case '[':
		return "list"
	case '"':
		return "text"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func article(kind string) string {
	switch kind {
	case "object":
		return "an object"
	case "null", "nothing":
		return kind
	}
	return "a " + kind
}
