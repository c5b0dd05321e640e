package agent

import "strings"

// shorten cuts text to at most limit bytes, at a character, and marks the cut.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
