package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/seed-8d4a6081/assent/vm"
)

// argumentsDiff shows the old arguments of a call beside the new ones, line by line, a text as
// itself; "" if they are the same. Unchanged lines far from a change are left out.
func argumentsDiff(old, now []json.RawMessage) string {
	diff := udiff.Unified("before", "now", readable(old), readable(now))
	for _, head := range []string{"--- before\n", "+++ now\n"} {
		diff = strings.TrimPrefix(diff, head)
	}
	return diff
}

func readable(args []json.RawMessage) string {
	var b bytes.Buffer
	for _, arg := range args {
		var text string
		switch {
		case json.Unmarshal(arg, &text) == nil:
			b.WriteString(text)
		case json.Indent(&b, arg, "", "  ") != nil:
			b.Write(arg)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// place is where in the script an error happened; nil if that is not known.
func place(err error) *vm.Position {
	e, ok := errors.AsType[*vm.Error](err)
	if !ok || e.File == "" {
		return nil
	}
	return &vm.Position{File: e.File, Line: e.Line, Column: e.Column}
}
