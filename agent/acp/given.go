package acp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A path is judged here and followed elsewhere, by an agent that may trim it, expand it, or take it for
// an address first. So only one that everybody reads alike counts as inside.

// scheme begins an address; below Windows a letter alone is a drive.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// wellGiven reports whether a path means the same to whoever reads it: clean, without what is trimmed
// or not seen, and without a beginning that some expand.
func wellGiven(path string) bool {
	if path == "" || !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(path)
	last, _ := utf8.DecodeLastRuneInString(path)
	if unicode.IsSpace(first) || unicode.IsSpace(last) || strings.ContainsRune("~$%\"'`", first) {
		return false
	}
	if !filepath.IsAbs(path) && scheme.MatchString(path) {
		return false
	}
	path = filepath.FromSlash(path)
	separator := string(filepath.Separator)
	bare := strings.TrimSuffix(strings.TrimPrefix(path, "."+separator), separator)
	return path == separator || bare == filepath.Clean(path)
}

// shifting reports whether a path lies where names lead to whatever the process has that follows them.
func shifting(path string) bool {
	for _, top := range []string{"/proc", "/dev"} {
		if _, ok := below(top, path); ok {
			_, shared := below("/dev/shm", path)
			return !shared
		}
	}
	return false
}

// maxLinks is how many links a path may lead over, as systems have it.
const maxLinks = 40

// follow resolves all links of a clean, absolute path whose end need not be there yet. A link that leads
// to nothing cannot be followed, nor one on whose way the one who follows it matters.
func follow(path string) (string, bool) {
	links := 0
	real := filepath.VolumeName(path) + string(filepath.Separator)
	rest := strings.Split(strings.Trim(path[len(filepath.VolumeName(path)):], string(filepath.Separator)), string(filepath.Separator))
	named := 0 // how many of the rest a link named
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		led := named > 0
		named = max(0, named-1)
		switch name {
		case "", ".":
			continue
		case "..":
			real = filepath.Dir(real)
			continue
		}
		at := filepath.Join(real, name)
		if shifting(at) {
			return "", false
		}
		info, err := os.Lstat(at)
		switch {
		case os.IsNotExist(err):
			if led {
				return "", false
			}
			return filepath.Join(append([]string{at}, rest...)...), true
		case err != nil:
			return "", false
		case info.Mode()&os.ModeSymlink == 0:
			// Windows has irregular ones besides links.
			if info.Mode()&os.ModeIrregular != 0 || len(rest) > 0 && !info.IsDir() {
				return "", false
			}
			real = at
			continue
		}
		to, err := os.Readlink(at)
		if links++; err != nil || links > maxLinks {
			return "", false
		}
		if filepath.IsAbs(to) {
			real = filepath.VolumeName(to) + string(filepath.Separator)
			to = to[len(filepath.VolumeName(to)):]
		}
		parts := strings.Split(filepath.Clean(to), string(filepath.Separator))
		named += len(parts)
		rest = append(parts, rest...)
	}
	return real, true
}
