package options

import "strings"

// Nearest gives the candidate that name is most likely a slip of, or "". Case, "-" and "_" do
// not count: read_only is readOnly.
func Nearest(name string, candidates []string) string {
	best, bound := "", max(2, len(name)/3)+1
	for _, c := range candidates {
		if d := distance(plain(name), plain(c)); d < bound {
			best, bound = c, d
		}
	}
	return best
}

// Close is Nearest for what may well be meant as it stands: only a slip of few letters counts, one
// in four at most.
func Close(name string, candidates []string) string {
	near := Nearest(name, candidates)
	if near == "" || 4*distance(plain(name), plain(near)) > len(name) {
		return ""
	}
	return near
}

// longest keeps a hostile name from costing more than a real one.
const longest = 64

func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name[:min(len(name), longest)]))
}

// distance is the Levenshtein distance in bytes: option names are ASCII.
func distance(a, b string) int {
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
			diagonal, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
