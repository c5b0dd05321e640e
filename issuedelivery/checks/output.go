package checks

import (
	"bytes"
	"fmt"
	"strings"
)

// window keeps the beginning and the end of an output, however long that is. It keeps margin bytes more
// of each than are shown, so that nothing is shown which only looks harmless because it was cut.
type window struct {
	limit      int
	head, tail []byte
	dropped    int64
}

// Write never fails.
func (w *window) Write(p []byte) (int, error) {
	size, room := len(p), w.limit/2+margin
	if n := min(room-len(w.head), len(p)); n > 0 {
		w.head, p = append(w.head, p[:n]...), p[n:]
	}
	if extra := len(p) - room; extra > 0 {
		w.dropped += int64(extra + len(w.tail))
		w.tail, p = w.tail[:0], p[extra:]
	}
	w.tail = append(w.tail, p...)
	// It is cut when it is twice as long as it has to be, so that cutting costs little.
	if extra := len(w.tail) - room; extra > room {
		w.dropped += int64(extra)
		w.tail = append(w.tail[:0], w.tail[extra:]...)
	}
	return size, nil
}

// text is what is shown: at most limit bytes and the line that says what was left out. clean takes secrets
// out; it sees whole lines wherever there are lines.
func (w *window) text(limit int, clean func(string) string) string {
	limit = min(limit, w.limit)
	if w.dropped == 0 {
		return shorter(clean(valid(append(bytes.Clone(w.head), w.tail...))), limit)
	}
	// Whole lines are clean if they are. Of a line that was cut, what may be the rest of a secret goes
	// after it was cleaned: what was taken out before has made it shorter.
	var before, after string
	if i := bytes.LastIndexByte(w.head, '\n') + 1; i > 0 && len(w.head)-i <= margin {
		before = clean(valid(w.head[:i]))
	} else {
		before = clean(valid(w.head))
		before = before[:max(0, len(before)-margin)]
	}
	if i := bytes.IndexByte(w.tail, '\n') + 1; i > 0 && i <= margin {
		after = clean(withoutKey(valid(w.tail[i:])))
	} else {
		after = clean(withoutKey(valid(w.tail)))
		after = after[min(margin, len(after)):]
	}
	before, after = firstOf(strings.ToValidUTF8(before, ""), limit/2), lastOf(strings.ToValidUTF8(after, ""), limit/2)
	left := w.dropped + int64(max(0, len(w.head)+len(w.tail)-len(before)-len(after)))
	return before + fmt.Sprintf("\n… (%d bytes left out) …\n", left) + after
}

// withoutKey takes out the end of a private key whose beginning was cut off, by which it would be known.
func withoutKey(text string) string {
	const end, begin = "PRIVATE KEY-----", "-----BEGIN "
	if i := strings.Index(text, end); i >= 0 && !strings.Contains(text[:i], begin) {
		return "[redacted]" + text[i+len(end):]
	}
	return text
}

func valid(p []byte) string { return strings.ToValidUTF8(string(p), "�") }

// shorter is a text of at most limit bytes, and a line for what is missing in its middle.
func shorter(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	before, after := firstOf(text, limit/2), lastOf(text, limit/2)
	return before + fmt.Sprintf("\n… (%d bytes left out) …\n", len(text)-len(before)-len(after)) + after
}

// firstOf is the beginning of a text, to the end of a line if one is near.
func firstOf(text string, limit int) string {
	if len(text) <= limit {
		return strings.TrimSuffix(text, "\n")
	}
	text = text[:limit]
	if i := strings.LastIndexByte(text, '\n'); i > limit/2 {
		text = text[:i]
	}
	return strings.ToValidUTF8(text, "")
}

// lastOf is the end of a text, from the beginning of a line if one is near.
func lastOf(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[len(text)-limit:]
	if i := strings.IndexByte(text, '\n'); i >= 0 && i < limit/2 {
		text = text[i+1:]
	}
	return strings.ToValidUTF8(text, "")
}

// shorten is a line of at most limit characters.
func shorten(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}
