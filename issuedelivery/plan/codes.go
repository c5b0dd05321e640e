package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Code names a rule. It never changes its meaning.
type Code string

// The codes.
const (
	NotJSON           Code = "not-json"
	WrongType         Code = "wrong-type"
	MissingMember     Code = "missing-member"
	UnknownMember     Code = "unknown-member"
	TooLong           Code = "too-long"
	NoSteps           Code = "no-steps"
	TooManySteps      Code = "too-many-steps"
	IDForm            Code = "id-form"
	IDTwice           Code = "id-twice"
	DependencyUnknown Code = "dependency-unknown"
	DependencySelf    Code = "dependency-self"
	DependencyTwice   Code = "dependency-twice"
	DependencyCycle   Code = "dependency-cycle"
	NoFiles           Code = "no-files"
	PathForm          Code = "path-form"
	PathOutside       Code = "path-outside"
	PathHidden        Code = "path-hidden-character"
	PathGit           Code = "path-git"
	PathAssent        Code = "path-assent"
	PathLink          Code = "path-link"
	PathSubmodule     Code = "path-submodule"
	PathKind          Code = "path-kind"
	PathCase          Code = "path-case"
	PathTwice         Code = "path-twice"
	PathBroad         Code = "path-broad"
	PathBraces        Code = "path-braces"
	GitSettings       Code = "git-settings"
	FilesShared       Code = "files-shared"
	NoAcceptance      Code = "no-acceptance"
	AcceptanceVague   Code = "acceptance-vague"
	TierUnknown       Code = "tier-unknown"
	AgentTypeForm     Code = "agent-type-form"
	MoreFindings      Code = "more-findings"
)

// Rule is a row of the table of codes.
type Rule struct {
	Code Code
	// Level is "violation", "warning", or "either".
	Level string
	// Meaning says when it is found, in one sentence.
	Meaning string
}

// Codes is the table of all codes, in the order in which a plan is checked.
var Codes = []Rule{
	{NotJSON, "violation", "The plan is no JSON text, or has two members of one name."},
	{WrongType, "violation", "A value has another type than it has to."},
	{MissingMember, "violation", "A member is missing, null, or an empty text."},
	{UnknownMember, "either", "A member of that name has no meaning: a violation in a step, a warning in the plan."},
	{TooLong, "violation", "A text, a list, a step or the whole plan is longer than it may be."},
	{NoSteps, "violation", "The plan has no step."},
	{TooManySteps, "violation", "The plan has more steps than it may have."},
	{IDForm, "violation", "The id of a step is no plain word of at most 64 letters, digits, dots, dashes and underscores."},
	{IDTwice, "violation", "Two steps have the same id, or ids that differ only in upper and lower case."},
	{DependencyUnknown, "violation", "A step depends on an id that no step has."},
	{DependencySelf, "violation", "A step depends on itself."},
	{DependencyTwice, "warning", "A step names a dependency twice."},
	{DependencyCycle, "violation", "Steps wait for each other in a circle."},
	{NoFiles, "violation", "A step names no file."},
	{PathForm, "violation", "A path is not written as the plain path of a file, such as src/main.go."},
	{PathOutside, "violation", "A path leads out of the repository."},
	{PathHidden, "violation", "A path has a character that a screen does not show as itself."},
	{PathGit, "violation", "A path is in a folder that is git's own."},
	{PathAssent, "violation", "A path is in a folder that is Assent's own."},
	{PathLink, "violation", "A path is a symbolic link, or leads through one."},
	{PathSubmodule, "violation", "A path is a submodule, or leads into one."},
	{PathKind, "violation", "A path names a folder as a file, or a file as a folder."},
	{PathCase, "violation", "Two paths differ only in upper and lower case."},
	{PathTwice, "warning", "A step names a file twice."},
	{PathBroad, "warning", "A pattern begins with a wildcard, so it takes files of every folder."},
	{PathBraces, "warning", "A path has braces, which are no pattern."},
	{GitSettings, "warning", "A step changes .gitmodules or .gitattributes, which change how git reads the repository."},
	{FilesShared, "violation", "Two steps that do not depend on each other change the same file."},
	{NoAcceptance, "violation", "A step has no acceptance criterion."},
	{AcceptanceVague, "either", "An acceptance criterion cannot be checked: a violation if the step has no other, else a warning."},
	{TierUnknown, "violation", "The tier of a step is none of small, medium and big."},
	{AgentTypeForm, "violation", "The agent type of a step is no name."},
	{MoreFindings, "either", "There are more findings than are listed."},
}

// Finding is a rule that a plan breaks, or what somebody should look at.
type Finding struct {
	Code Code `json:"code"`
	// Step is the id of the step, "" if it is about the plan or if the step has none.
	Step string `json:"step,omitempty"`
	// Path is the place in the plan, such as $.steps[2].files[0].
	Path string `json:"path,omitempty"`
	// What says in one sentence what is wrong and what to do. It quotes the plan.
	What string `json:"what"`
}

// findings are collected in the order in which they are found.
type findings struct {
	violations, warnings []Finding
}

func (f *findings) violate(code Code, step, path, what string, values ...any) {
	f.violations = put(f.violations, Finding{code, step, path, place(step, path) + fmt.Sprintf(what, values...)})
}

func (f *findings) warn(code Code, step, path, what string, values ...any) {
	f.warnings = put(f.warnings, Finding{code, step, path, place(step, path) + fmt.Sprintf(what, values...)})
}

// place begins a sentence with where in the plan it is about, so that it can stand alone.
func place(step, path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "$"), ".")
	number, member, inStep := strings.Cut(strings.TrimPrefix(path, "steps["), "]")
	switch {
	case path == "", path == "steps", strings.HasPrefix(path, "[") && !inStep:
		return ""
	case !inStep || !strings.HasPrefix(path, "steps["):
		return path + ": "
	}
	name := "the step at steps[" + number + "]"
	if step != "" {
		name = "step " + quoted(step)
	}
	if member = strings.TrimPrefix(member, "."); member != "" {
		name += ", " + member
	}
	return name + ": "
}

// put adds one as long as there is room, then says once that there are more.
func put(list []Finding, f Finding) []Finding {
	switch {
	case len(list) < maxFindings:
		return append(list, f)
	case len(list) == maxFindings:
		return append(list, Finding{Code: MoreFindings, What: "there are more like these: mend what is listed, then it is checked again"})
	}
	return list
}

// found lists findings; it is never nil, so that a script can count on a list.
func found(list []Finding) []Finding { return append([]Finding{}, slices.Clip(list)...) }

// quoted is a text of the plan in a finding: short, on one line, in quotes.
func quoted(text string) string {
	if r := []rune(text); len(r) > maxQuoted {
		text = string(r[:maxQuoted-1]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// listed joins words for a sentence.
func listed(words []string) string { return strings.Join(words, ", ") }
