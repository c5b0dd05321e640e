package plan

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// drive is how a path of Windows begins.
var drive = regexp.MustCompile(`^[A-Za-z]:`)

// pathFault says what is wrong with how an entry is written, whatever there is in the tree; code is "" if
// nothing is.
func pathFault(entry string) (code Code, what string) {
	switch {
	case strings.TrimSpace(entry) == "":
		return PathForm, "it is empty: name a file from the top of the repository, such as src/main.go"
	case len(entry) > maxPath:
		return PathForm, "it is longer than a path may be, 255 bytes"
	case strings.ContainsFunc(entry, hidden):
		return PathHidden, "it has a character that a screen does not show as itself: name files by characters that can be seen"
	case strings.HasPrefix(entry, "/"):
		return PathOutside, "it is absolute: write it from the top of the repository"
	case drive.MatchString(entry):
		return PathOutside, "it begins like a drive of Windows: write it from the top of the repository"
	case strings.Contains(entry, `\`):
		return PathForm, "it has a backslash: folders are separated by /"
	case strings.HasPrefix(entry, "~"):
		return PathOutside, "it begins with ~, which is a home folder: write it from the top of the repository"
	case strings.HasPrefix(entry, "-"), strings.HasPrefix(entry, ":"):
		return PathForm, "it begins with " + entry[:1] + ", which programs take for something else than a file"
	case path.Clean(entry) == ".":
		return PathForm, "it is the whole repository: name files and folders"
	case strings.Trim(entry, "*?/.") == "" && isPattern(entry):
		return PathForm, "its wildcards are the whole repository: name files and folders"
	}
	parts := strings.Split(strings.TrimSuffix(entry, "/"), "/")
	for _, part := range parts {
		switch {
		case part == "..":
			return PathOutside, "it has .. in it: write the path that is meant"
		case gits(part):
			return PathGit, "it is in a folder that is git's own"
		case assents(part):
			return PathAssent, "it is in a folder that is Assent's own"
		case strings.TrimSpace(part) != part:
			return PathForm, "it has a space at the beginning or the end of a name"
		case part == "", part == ".":
			return PathForm, "write it as " + quoted(plain(entry))
		}
	}
	return "", ""
}

// plain is an entry without what it does not need.
func plain(entry string) string {
	cleaned := path.Clean(entry)
	if isFolder(entry) && cleaned != "." {
		cleaned += "/"
	}
	return cleaned
}

// gits and assents report whether a name is one of those on some system: the case does not tell names
// apart everywhere, Windows drops dots and spaces at the end, has short names (git~1) and streams
// (.git::$INDEX_ALLOCATION), and a pattern may match them.
func gits(name string) bool    { return owned(name, ".git") }
func assents(name string) bool { return owned(name, ".assent") }

func owned(name, whose string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ":")
	name = strings.TrimRight(name, ". ")
	short := whose[1:] + "~"
	if isPattern(name) && strings.HasPrefix(name, ".") { // a lone * takes everything, and nobody means this
		return cross([]rune(name), []rune(whose))
	}
	return name == whose || strings.HasPrefix(name, short)
}

// hidden reports whether a character is none that stands for itself on a screen.
func hidden(r rune) bool {
	switch {
	case r == ' ':
		return false
	case !unicode.IsPrint(r), r == unicode.ReplacementChar, r == 0x2800: // a blank that counts as printable
		return true
	}
	return unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// settings are files that change how git reads the repository.
var settings = []string{".gitmodules", ".gitattributes"}

// odd says what somebody should look at in an entry that may stand; code is "" if nothing is.
func odd(entry string) (code Code, what string) {
	switch {
	case slices.Contains(settings, strings.ToLower(path.Base(entry))):
		return GitSettings, "it changes how git reads the repository: see whether the step really has to"
	case strings.HasPrefix(entry, "*"), strings.HasPrefix(entry, "?"):
		return PathBroad, "it begins with a wildcard, and * takes slashes too: it names files of every folder"
	case strings.ContainsAny(entry, "{}"):
		return PathBraces, "its braces stand for themselves: name each file"
	}
	return "", ""
}
