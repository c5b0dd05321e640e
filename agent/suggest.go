package agent

import "strings"

// nearest returns the name that given was most likely meant to be, or "".
func nearest(given string, names []string) string {
	best, distance := "", max(2, len(given)/3)+1
	for _, name := range names {
		if d := edits(plain(given), plain(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// plain makes read_only, read-only and readonly alike.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name[:min(len(name), 64)]))
}

// edits counts the bytes to insert, delete or replace to make b of a (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// shorten cuts text to at most limit bytes, at a character, and marks the cut.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
