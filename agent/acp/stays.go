package acp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The programs that read are let read in the call's folders alone. Every argument that may be a path is
// taken for one, for no list knows the options of them all; a text in its place may be denied for that.

// placeless are programs whose arguments are no paths.
var placeless = []string{"echo", "tr", "basename", "dirname", "true", "false", "pwd", "uname", "whoami", "id"}

// flags are the letters of options that take no value, of programs some of whose arguments are none of
// a file's: a pattern, or the value of an option.
var flags = map[string]string{
	"rg": "inlwcvHFPoqsxIaN0", "grep": grepFlags, "egrep": grepFlags, "fgrep": grepFlags, "cut": "sn",
}

const grepFlags = "rinlwcvHhEFPoqsxIaL0123456789"

// valued are their options with a value, which is no path.
var valued = map[string][]string{
	"rg": {"-g", "--glob", "-t", "--type", "-T", "--type-not", "-A", "-B", "-C", "-m"}, "cut": {"-d", "-f", "-c", "-b"},
	"grep": {"-A", "-B", "-C", "-m"}, "egrep": {"-A", "-B", "-C", "-m"}, "fgrep": {"-A", "-B", "-C", "-m"},
	"find": {"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"},
}

// joined are their long options, with the value in the same argument.
var joined = []string{"--include", "--exclude", "--exclude-dir", "--color", "--glob", "--type", "--delimiter", "--fields"}

// stays reports whether a program's arguments lead nowhere out of the call's folders.
func (l looker) stays(name string, args []string) bool {
	if slices.Contains(placeless, name) {
		return true
	}
	known := name == "find" || knownOptions(name, args) // else any argument may be the value of any option
	pattern := known && (name == "rg" || strings.HasSuffix(name, "grep"))
	options := true
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case options && arg == "--":
			options = false
		case options && len(arg) > 1 && arg[0] == '-':
			if !l.optionStays(name, arg) {
				return false
			}
			if known && slices.Contains(valued[name], arg) {
				i++
			}
		case pattern:
			pattern = false
		case !l.within(arg):
			return false
		}
	}
	return true
}

// knownOptions reports whether it is known of each option whether the next argument is its value, and
// that it is no path then. So the first argument of a search is a pattern, and cannot be a file.
func knownOptions(name string, args []string) bool {
	letters, ok := flags[name]
	if !ok {
		return false
	}
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		arg := args[i]
		if len(arg) < 2 || arg[0] != '-' {
			continue
		}
		long, _, withValue := strings.Cut(arg, "=")
		switch {
		case slices.Contains(valued[name], arg):
			i++
		case arg[1] != '-' && slices.Contains(valued[name], arg[:2]): // joined to its value
		case arg[1] != '-' && strings.Trim(arg[1:], letters) == "":
		case withValue && slices.Contains(joined, long):
		case name == "rg" && (arg == "--hidden" || arg == "--no-ignore" || arg == "--line-number" || arg == "--ignore-case"):
		default:
			return false
		}
	}
	return true
}

// optionStays looks for a path in an option: behind its =, or joined to its letter or to those before.
func (l looker) optionStays(name, arg string) bool {
	if long, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(long, "--") {
		at, _, _ := l.folder.resolve(l.dir, value) // no shell takes it for a pattern
		return value == "" || at != outside
	}
	if arg[1] == '-' || name == "cut" && strings.HasPrefix(arg, "-d") {
		return true
	}
	if len(arg) > maxJoined {
		return false
	}
	for i := 2; i < len(arg); i++ {
		if at, _, _ := l.folder.resolve(l.dir, arg[i:]); at == outside {
			return false
		}
	}
	return true
}

// maxJoined is how long an option with its value joined to it may be.
const maxJoined = 100

// within reports whether an argument, and all that a shell may make of it, is in the call's folders.
func (l looker) within(arg string) bool {
	at, _, _ := l.folder.resolve(l.dir, arg)
	if arg == "-" {
		return true
	}
	if at == outside || !strings.ContainsAny(arg, "*?[") {
		return at != outside
	}
	return l.matchesStay(arg)
}

// matchesStay is within for a pattern of file names: of those that it can match, none may lead out.
func (l looker) matchesStay(arg string) bool {
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(l.dir, arg)
	}
	found := []string{string(filepath.Separator)}
	for _, part := range strings.Split(strings.Trim(filepath.Clean(arg), string(filepath.Separator)), string(filepath.Separator)) {
		if strings.Contains(part, "**") { // which leads as deep as it likes in some shells
			return false
		}
		var next []string
		for _, dir := range found {
			if !strings.ContainsAny(part, "*?[") {
				next = append(next, filepath.Join(dir, part))
				continue
			}
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				if mayMatch(part, e.Name()) {
					next = append(next, filepath.Join(dir, e.Name()))
				}
			}
			if len(next) > maxMatches {
				return false
			}
		}
		found = next
	}
	return !slices.ContainsFunc(found, func(path string) bool {
		at, _, _ := l.folder.resolve(l.dir, path)
		return at == outside
	})
}

// mayMatch reports whether a shell may take a pattern for a name. They differ in what stands in brackets.
func mayMatch(pattern, name string) bool {
	if before, _, ok := strings.Cut(pattern, "["); ok {
		pattern = before + "*"
	}
	matches, err := filepath.Match(pattern, name)
	return matches || err != nil
}

// gitStays is stays for git, which finds what most of its arguments name in the repository alone.
func (l looker) gitStays(args []string) bool {
	for i, arg := range args {
		switch {
		case len(arg) > 1 && arg[0] == '-' && arg[1] != '-':
			looksFor := strings.HasPrefix(arg, "-S") || strings.HasPrefix(arg, "-G") || strings.HasPrefix(arg, "-L")
			if !(looksFor && slices.Contains([]string{"log", "show", "diff"}, args[0])) && !l.optionStays("git", arg) {
				return false
			}
		case strings.HasPrefix(arg, "--"):
			if _, value, ok := strings.Cut(arg, "="); ok && value != "" && !l.within(value) {
				return false
			}
		case i > 0 && !l.within(arg):
			return false
		}
	}
	return true
}

// leadsOut reports whether a pattern of file names begins outside of the call's folders. What a pattern
// of text begins with is there as a folder by chance alone.
func (f folder) leadsOut(pattern string) bool {
	if strings.HasPrefix(pattern, "~") || slices.Contains(strings.Split(pattern, "/"), "..") {
		return true
	}
	if !filepath.IsAbs(pattern) {
		return false
	}
	dir := pattern
	if i := strings.IndexAny(pattern, "*?[{(\\"); i >= 0 {
		dir = filepath.Dir(pattern[:i] + "x")
	}
	at, _, _ := f.resolve(f.real, dir)
	_, err := os.Lstat(dir)
	return at == outside && err == nil
}
