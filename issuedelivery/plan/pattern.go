package plan

import "strings"

// A step's entry is a list of characters of which some are wildcards. An entry that is a folder is the
// pattern of what lies below it.

// isPattern reports whether an entry has a wildcard of its own.
func isPattern(entry string) bool { return strings.ContainsAny(entry, "*?") }

// isFolder reports whether an entry is a folder.
func isFolder(entry string) bool { return strings.HasSuffix(entry, "/") }

// literal is the part of an entry that names one thing for certain: all of it, or the folder in which
// the first wildcard stands.
func literal(entry string) string {
	if i := strings.IndexAny(entry, "*?"); i >= 0 {
		entry = entry[:strings.LastIndexByte(entry[:i], '/')+1]
	}
	return strings.TrimSuffix(entry, "/")
}

// meet reports whether two entries can name the same file.
func meet(a, b string) bool {
	switch {
	case isPattern(a) || isPattern(b):
		return cross([]rune(below(a)), []rune(below(b)))
	case isFolder(a) && isFolder(b):
		return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
	case isFolder(a):
		return strings.HasPrefix(b, a)
	case isFolder(b):
		return strings.HasPrefix(a, b)
	}
	return a == b
}

// below is a folder as the pattern of what lies below it.
func below(entry string) string {
	if isFolder(entry) {
		return entry + "?*"
	}
	return entry
}

// cross reports whether some text matches both of two patterns. can[j] says that the part of a that was
// read and the first j of b match the same text.
func cross(a, b []rune) bool {
	can := make([]bool, len(b)+1)
	can[0] = true
	for j := 0; j < len(b) && b[j] == '*'; j++ {
		can[j+1] = true
	}
	for _, x := range a {
		diagonal := can[0]
		can[0] = can[0] && x == '*'
		for j, y := range b {
			up := can[j+1]
			if x == '*' || y == '*' { // it takes nothing, or what the other side has there
				can[j+1] = up || can[j]
			} else {
				can[j+1] = diagonal && (x == '?' || y == '?' || x == y)
			}
			diagonal = up
		}
	}
	return can[len(b)]
}
