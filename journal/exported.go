package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// readExport reads the lines of an export, each and all of them bounded: what begins like no entry
// is read no further. Nothing else is checked yet.
func readExport(r io.Reader) (*rawEntries, error) {
	// An export has no head that could be forged, and no note of an import.
	raw := &rawEntries{authentic: true, imported: importNote{state: exportNote}}
	in := bufio.NewReaderSize(r, 64<<10)
	for total := 0; ; {
		line, err := readLine(in, len(raw.entries)+1)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if total += len(line); total > MaxExport {
			return nil, fault.New(fault.JournalDamaged, fmt.Sprintf("the export has more than %d MiB", MaxExport>>20), "verify the run itself, where it is")
		}
		raw.entries = append(raw.entries, line)
		if len(line) < shortestEntry {
			break // it is no entry, and the report will say so
		}
	}
	// What comes after the last line is not there to be missed: the head is what it is.
	if n := len(raw.entries); n > 0 {
		if e, err := parseEntry(raw.entries[n-1]); err == nil {
			raw.head = head{e.Seq, e.Hash()}
		}
	}
	return raw, nil
}

// entryBegin is how a line begins that can be an entry.
var entryBegin = regexp.MustCompile(`^\{"seq":[1-9][0-9]{0,19},"prev":"[0-9a-f]{64}","at":"`)

// readLine gives a line without its end; io.EOF if there is none. Of a long line that is no entry
// it gives a beginning that is too short for one.
func readLine(in *bufio.Reader, number int) ([]byte, error) {
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case len(line) > maxLine:
			return nil, fault.New(fault.JournalDamaged, fmt.Sprintf("line %d of the export has more than %d MiB", number, maxLine>>20), "this is no export")
		case errors.Is(err, bufio.ErrBufferFull) && !entryBegin.Match(line):
			return line[:shortestEntry-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		case err != nil:
			return nil, fmt.Errorf("reading the export: %w", err)
		}
		return bytes.TrimSuffix(line, []byte("\n")), nil
	}
}

// runOf is the run that an export says it is of; the chain proves it.
func runOf(entries [][]byte) string {
	if len(entries) == 0 {
		return ""
	}
	e, err := parseEntry(entries[0])
	if err != nil {
		return ""
	}
	started, err := Decode[RunStarted](e)
	if err != nil || !validID(started.Run) {
		return ""
	}
	return started.Run
}
