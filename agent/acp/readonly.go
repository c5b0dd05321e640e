package acp

import (
	"path"
	"runtime"
	"slices"
	"strings"
)

// looker recognises commands that read and change nothing, as they would run in a folder of the call's.
type looker struct {
	folder folder
	// dir is that folder, with links followed; in "" nothing is recognised.
	dir string
	// git says whether git can look there without running what a repository names.
	git func(dir string) bool
}

// shells are the programs that take a text with -c; how another reads it is not known here.
var shells = []string{"sh", "bash", "dash", "zsh"}

// judge says what a command is: a text for a shell, or words, which may be a shell and its text.
func (l looker) judge(value any) command {
	reads := false
	switch v := value.(type) {
	case string:
		reads = l.line(v)
	case []any:
		words := texts(v)
		reads = len(words) == len(v) && l.argv(words)
	}
	if !reads {
		return otherCommand
	}
	return readingCommand
}

// line reports whether a command line for a shell is recognised: simple commands of a list, in pipes or
// chains of &&, with no option that writes or runs something else, and with no path out of the call's
// folders. What is not recognised may be harmless too; it is not said to be.
func (l looker) line(line string) bool {
	if runtime.GOOS == "windows" { // whose shells read it otherwise
		return false
	}
	commands, ok := shellWords(line)
	return ok && !slices.ContainsFunc(commands, func(words []string) bool { return !l.reads(words) })
}

// argv is line for a program and its arguments.
func (l looker) argv(words []string) bool {
	if len(words) == 3 && (words[1] == "-c" || words[1] == "-lc") && slices.Contains(shells, path.Base(words[0])) {
		return systemPath(words[0]) && l.line(words[2])
	}
	return runtime.GOOS != "windows" && l.reads(words)
}

// reads reports it for one program and its arguments.
func (l looker) reads(words []string) bool {
	if len(words) == 0 || !systemPath(words[0]) || l.dir == "" {
		return false
	}
	name, args := path.Base(words[0]), words[1:]
	var fit bool
	switch name {
	case "git":
		return gitReads(args) && l.gitStays(args) && l.git(l.dir)
	case "find":
		fit = findReads(args)
	case "rg":
		fit = !hasLong(args, "--pre", "--hostname-bin", "--search-zip", "--follow") && !hasShort(args, "zL")
	case "file":
		fit = !hasLong(args, "--compile") && !hasShort(args, "C")
	case "tree":
		fit = !hasLong(args, "--output") && !hasShort(args, "oRl")
	case "tail": // which would not end
		fit = !hasLong(args, "--follow", "--retry", "--pid") && !hasShort(args, "fF")
	case "grep", "egrep", "fgrep":
		fit = !hasLong(args, "--dereference-recursive") && !hasShort(args, "R")
	case "du":
		fit = !hasLong(args, "--dereference", "--files0-from") && !hasShort(args, "LDH")
	case "diff":
		fit = !hasLong(args, "--recursive") && !hasShort(args, "r")
	default:
		fit = slices.Contains(readers, name)
	}
	return fit && l.stays(name, args)
}

// readers write to their output alone, whatever their options. Programs with an option or an argument
// that names a file to write (sort, uniq, tee, sed, awk, xxd, date) or that can run others (less, env,
// xargs) are not among them.
var readers = []string{
	"cat", "head", "wc", "ls", "pwd", "echo", "basename", "dirname", "stat", "df", "cut", "tr",
	"nl", "cmp", "comm", "realpath", "readlink", "true", "false", "md5sum", "sha1sum", "sha256sum", "cksum", "uname", "whoami", "id",
}

// systemPath reports whether a program is named as the system's: by name, or in its own folders.
func systemPath(program string) bool {
	dir, name := path.Split(program)
	return name != "" && (dir == "" || dir == "/bin/" || dir == "/usr/bin/")
}

// hasLong reports whether args has one of the options, abbreviated or with a value, or one whose name
// begins with it.
func hasLong(args []string, options ...string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return strings.HasPrefix(name, "--") && len(name) > 2 && slices.ContainsFunc(options, func(option string) bool {
			return strings.HasPrefix(option, name) || strings.HasPrefix(name, option)
		})
	})
}

// hasShort reports whether args has one of the letters in something that may be a group of options.
func hasShort(args []string, letters string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.ContainsAny(arg, letters)
	})
}

// findTests are the tests and actions of find that print alone.
var findTests = []string{
	"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-regextype", "-type", "-xtype", "-maxdepth", "-mindepth", "-depth", "-not", "-o", "-or", "-a",
	"-and", "-size", "-empty", "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-newer", "-perm", "-user", "-group", "-links", "-inum",
	"-prune", "-print", "-print0", "-ls", "-quit", "-xdev", "-mount", "-P", "-true", "-false", "-readable", "-writable", "-executable",
}

// findReads lets through the tests of the list. Numbers such as -7 are arguments of theirs.
func findReads(args []string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool {
		return strings.HasPrefix(arg, "-") && !slices.Contains(findTests, arg) && strings.Trim(arg[1:], "0123456789kMGcwb") != ""
	})
}
