package issuedelivery

import (
	"encoding/json"
	"fmt"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

// Calculations are its functions that only compute.
func Calculations() []engine.Calculation {
	return []engine.Calculation{
		calculation("compactFeedback", func(in checks.Rounds) any { return checks.Compact(in) }),
		calculation("renderCorrectionDelta", func(in checks.Delta) any { return checks.RenderDelta(in) }),
		calculation("renderStageCheckFeedback", func(in checks.Result) any { return checks.Render(in) }),
	}
}

// calculation makes a function of one object. Members that it does not know are left alone: what other
// functions gave is handed on with all that is in it.
func calculation[T any](name string, do func(in T) any) engine.Calculation {
	return engine.Calculation{Name: name, Do: func(args []json.RawMessage) (json.RawMessage, error) {
		if len(args) != 1 || len(args[0]) == 0 || args[0][0] != '{' {
			return nil, fault.New(fault.OptionInvalid, name+" takes one object", "docs/reference/globals.md says what it has")
		}
		var in T
		if err := json.Unmarshal(args[0], &in); err != nil {
			return nil, fault.Wrap(err, fault.OptionInvalid, fmt.Sprintf("%s: %s", name, mistyped(err)), "docs/reference/globals.md says what it has")
		}
		if checked, ok := any(in).(interface{ Check() error }); ok {
			if err := checked.Check(); err != nil {
				return nil, fault.New(fault.OptionInvalid, fmt.Sprintf("%s: %s", name, err), "docs/reference/globals.md says what it has")
			}
		}
		return json.Marshal(do(in))
	}}
}
