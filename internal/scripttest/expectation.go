package scripttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/journal"
)

// stateRefused is the state of a run that was refused before it began, such as for its arguments.
const stateRefused = "refused"

// states are those in which a run can end, and stateRefused.
var states = []string{
	journal.StatusCompleted, journal.StatusStopped, journal.StatusFailed, journal.StatusWaiting,
	journal.StatusPaused, journal.StatusInterrupted, journal.StatusCancelled, stateRefused,
}

// expectation is a checked expectTable.
type expectation struct {
	expectTable
	// state is "" if any will do.
	state            string
	result, contains json.RawMessage
	files            []fileWanted
}

// fileWanted is what a file of the workspace is to be: there, not there, or of that content.
type fileWanted struct {
	path    string
	there   bool
	content *string
}

var codeForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// expectation checks what a test expects. A test that says nothing of how the run ends wants it to
// complete.
func (c *checker) expectation(t *Test) error {
	x := expectation{expectTable: t.table.Expect, state: t.table.Expect.State}
	switch {
	case x.State != "" && !slices.Contains(states, x.State):
		return fmt.Errorf("expect.state is %q, not one of %s", x.State, strings.Join(states, ", "))
	case x.State == "" && x.Exit == nil && x.Error == "" && x.ErrorText == nil:
		x.state = journal.StatusCompleted
	}
	if x.Error != "" && !codeForm.MatchString(x.Error) {
		return fmt.Errorf("expect.error is %q, not a code such as PLAN_NOT_APPROVED; error_text is for words", x.Error)
	}
	if x.Calls != nil && x.CallsAnyOrder != nil {
		return errors.New("expect has calls and calls_any_order; one says it all")
	}
	for i, call := range x.Call {
		if call.Label == nil && call.Prompt == nil {
			return fmt.Errorf(`[[test.expect.call]] %d: it needs label or prompt (label = "*" fits every call)`, i+1)
		}
		if call.Times != nil && *call.Times < 0 {
			return fmt.Errorf("[[test.expect.call]] %d: times is %d", i+1, *call.Times)
		}
	}
	if err := x.values(); err != nil {
		return err
	}
	for name, v := range x.Files {
		if !local(name) {
			return fmt.Errorf("expect.files names %q, which is not a path inside the workspace", name)
		}
		wanted := fileWanted{path: name, there: true}
		switch v := v.(type) {
		case string:
			wanted.content = &v
		case bool:
			wanted.there = v
		default:
			return fmt.Errorf("expect.files of %q is neither a text nor true or false", name)
		}
		x.files = append(x.files, wanted)
	}
	slices.SortFunc(x.files, func(a, b fileWanted) int { return strings.Compare(a.path, b.path) })
	t.expect = x
	return nil
}

// values reads the results that are wanted.
func (x *expectation) values() error {
	if x.Result != nil && x.ResultJSON != nil {
		return errors.New("expect has result and result_json; one says it all")
	}
	if err := toJSON("expect.result", x.Result, &x.result); err != nil {
		return err
	}
	if x.ResultJSON != nil {
		text, err := canonical.Transform([]byte(*x.ResultJSON))
		if err != nil {
			return fmt.Errorf("expect.result_json is not JSON: %w", err)
		}
		x.result = text
	}
	return toJSON("expect.result_contains", x.ResultContains, &x.contains)
}
