package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// export is what a verdict on an export depends on besides its report.
type export struct {
	// cut says that entries may be missing at the end: what an export has no longer, its chain
	// cannot show.
	cut bool
}

// maxLine is more than any entry has: a line without an end is not read to its end.
const maxLine = 192 << 20

// lastLine keeps the last line of what is written to it.
type lastLine struct{ done, open []byte }

// Write takes a piece of a text.
func (l *lastLine) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, found := bytes.Cut(p, []byte("\n"))
		if len(l.open)+len(line) > maxLine {
			return 0, fault.New(fault.EntryTooLarge, fmt.Sprintf("a line has more than %d MiB", maxLine>>20), "this is no export")
		}
		l.open = append(l.open, line...)
		if !found {
			return n, nil
		}
		if len(bytes.TrimSpace(l.open)) > 0 {
			l.done = append(l.done[:0], l.open...)
		}
		l.open, p = l.open[:0], rest
	}
}

// ends says that the last entry is the end of its run.
func (l *lastLine) ends() bool {
	line := l.done
	if len(bytes.TrimSpace(l.open)) > 0 {
		line = l.open
	}
	var e struct {
		Kind journal.Kind `json:"kind"`
	}
	return json.Unmarshal(line, &e) == nil && e.Kind == journal.KindRunFinished
}
