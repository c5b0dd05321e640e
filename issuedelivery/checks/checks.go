package checks

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// The kinds of checks.
const (
	Test   = "test"
	Lint   = "lint"
	Build  = "build"
	Types  = "types"
	Format = "format"
	Other  = "other"
)

// Check is a command that shows whether a tree is good.
type Check struct {
	Name    string   `json:"name"`
	Command []string `json:"command"`
	Kind    string   `json:"kind"`
	// Source is the file that tells of it, or [Configured].
	Source string `json:"source"`
	// Dir is the folder that it runs in, below the top; "" is the top.
	Dir string `json:"dir,omitempty"`
}

// Configured is the source of checks that the configuration, or a script, names.
const Configured = "configuration"

// Named makes checks of command lines by their names, sorted by name. What a check is about is told by its
// name, or else by its command.
func Named(commands map[string][]string) []Check {
	var list []Check
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		kind := kindOf(name)
		if kind == Other {
			kind = kindOfCommand(commands[name])
		}
		list = append(list, Check{Name: name, Command: commands[name], Kind: kind, Source: Configured})
	}
	return list
}

// kinds are words by which names of checks, and of scripts of a package, tell what they are about.
var kinds = []struct {
	kind  string
	words []string
}{
	{Test, []string{"test", "spec"}},
	{Types, []string{"type", "tsc", "mypy"}},
	{Lint, []string{"lint", "vet", "ruff", "clippy"}},
	{Format, []string{"format", "fmt", "prettier"}},
	{Build, []string{"build", "compile"}},
}

func kindOf(name string) string {
	name = strings.ToLower(name)
	for _, k := range kinds {
		for _, word := range k.words {
			if strings.Contains(name, word) {
				return k.kind
			}
		}
	}
	return Other
}

// runners are programs that run tests, whatever their arguments are.
var runners = []string{"pytest", "py.test", "jest", "vitest", "mocha", "ava", "tape", "rspec", "phpunit", "ctest", "tox", "nox", "bats", "prove"}

// kindOfCommand tells that a command runs tests: by its program, or by a word of it that is just that.
func kindOfCommand(command []string) string {
	if len(command) == 0 {
		return Other
	}
	for i, word := range command {
		word = strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
		if word == "test" && i > 0 || word == "unittest" || word == "--test" || slices.Contains(runners, word) {
			return Test
		}
	}
	return Other
}
