package acp

import (
	"slices"
	"strings"
)

// gitCommands are the commands of git that only look, whatever their arguments, but for gitBarred.
var gitCommands = []string{
	"status", "log", "show", "diff", "diff-tree", "diff-index", "diff-files", "ls-files", "ls-tree", "rev-parse", "rev-list", "blame", "annotate", "shortlog", "describe", "cat-file",
	"name-rev", "merge-base", "show-ref", "for-each-ref", "count-objects", "whatchanged", "grep", "check-ignore", "var", "version",
}

// gitBarred are options that write a file or run a program.
var gitBarred = []string{
	"--output", "--show-signature", "--diff-merges", "--ext-diff", "--textconv", "--filters", "--exec", "--open-files-in-pager", "--help", "--paginate", "--upload-pack", "--remerge-diff",
}

// gitListing are commands that look with exactly some options, and change something with others.
var gitListing = map[string][]string{
	"branch":   {"-a", "-r", "-v", "-vv", "--list", "--all", "--remotes", "--show-current", "--no-color"},
	"tag":      {"-l", "--list", "-n"},
	"remote":   {"-v", "--verbose"},
	"stash":    {"list", "show", "-p", "--stat", "--name-only"},
	"worktree": {"list", "--porcelain"},
	"reflog":   {"show", "--all", "HEAD"},
	"config":   {"--list", "-l", "--show-origin", "--show-scope", "--name-only", "--local", "--global"},
}

// gitNeeds are arguments without which such a command does something else.
var gitNeeds = map[string][]string{"stash": {"list", "show"}, "worktree": {"list"}, "config": {"--list", "-l"}}

// gitReads lets through git with no option before the command, as those lead to another repository,
// run what a setting says, or set one.
func gitReads(args []string) bool {
	if len(args) > 0 && args[0] == "--no-pager" {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	name, args := args[0], args[1:]
	if known, ok := gitListing[name]; ok {
		if need := gitNeeds[name]; need != nil && (len(args) == 0 || !slices.Contains(need, args[0])) {
			return false
		}
		return !slices.ContainsFunc(args, func(arg string) bool { return !slices.Contains(known, arg) })
	}
	if !slices.Contains(gitCommands, name) || hasLong(args, gitBarred...) || slices.ContainsFunc(args, signs) {
		return false
	}
	// git grep -O runs a pager; everywhere else -O reads an order of files.
	return name != "grep" || !slices.ContainsFunc(args, func(arg string) bool {
		return len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.Contains(arg, "O")
	})
}

// signs reports whether an argument has signatures checked, by a program that the configuration names.
func signs(arg string) bool {
	return strings.Contains(arg, "%G") || strings.Contains(arg, "%(signature") || strings.Contains(arg, "%(*signature")
}
