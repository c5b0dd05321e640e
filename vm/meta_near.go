package vm

import (
	"strings"
	"unicode"
)

// A field that nobody knows is kept and means nothing. So a misspelled planFirst would hold nothing
// back, and nobody would notice: what is nearly the name of a field that has a meaning is refused.

// metaFields are the fields that have a meaning, limitFields those of meta.limits.
var (
	metaFields  = []string{"name", "description", "phases", "model", "planFirst", "interactive", "args", "limits"}
	limitFields = []string{"maxCalls", "concurrency", "budget", "stretchMs", "heapMB"}
)

// nearest gives the known field that a name is nearly, "" if it is none or far from all.
func nearest(name string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if name == k {
			return ""
		}
		// In a short name two letters make another word, such as tags of args.
		most := 2
		if len(k) < 6 {
			most = 1
		}
		if d := distance(bare(name), bare(k)); d <= most && d < least {
			best, least = k, d
		}
	}
	return best
}

// bare is a name without case, and without all that is no letter and no digit.
func bare(name string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name))
}

// distance counts the letters that have to be put in, taken out or replaced to make b of a; two
// neighbours that changed places count as one.
func distance(a, b []rune) int {
	if d := len(a) - len(b); d > 2 || d < -2 {
		return 3 // more than anybody asks for
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range b {
		rows[0][j+1] = j + 1
	}
	for i := range a {
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(rows[i][j+1]+1, rows[i+1][j]+1, rows[i][j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = d
		}
	}
	return rows[len(a)][len(b)]
}
