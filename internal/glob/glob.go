// Package glob matches texts against patterns of * and ?, as scripted answers and lists of variables
// have them.
package glob

// Match reports whether all of text matches pattern: * is any run of characters, also of line
// ends and slashes, ? is one character, and \ takes the next one as it is.
func Match(pattern, text string) bool {
	p, t := []rune(pattern), []rune(text)
	i, j := 0, 0
	star, mark := -1, 0 // the last * and how much of the text it has taken
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && p[i] == '?':
			i, j = i+1, j+1
		case i+1 < len(p) && p[i] == '\\' && p[i+1] == t[j]:
			i, j = i+2, j+1
		case i < len(p) && p[i] != '\\' && p[i] == t[j], i == len(p)-1 && p[i] == '\\' && t[j] == '\\':
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
