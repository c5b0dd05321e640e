package vm

import (
	"encoding/json"
	"fmt"

	"github.com/dop251/goja"
)

// A forerunner is a call that the machine makes by itself, because another one may only be made
// when it is answered. No code of the script runs in between: the other call is kept as it was
// read, and its promise is there from the start. The key stands below that of the other call and
// takes no ordinal, so the keys of the script's own calls do not depend on forerunners.

// forerunner makes the call that comes before p.
func (m *Machine) forerunner(p *pending, f *Forerunner) *pending {
	c := Call{
		Key: p.call.Key + "/agent#0", Name: "agent", Args: f.Args, Label: f.Label, For: p.call.Key,
		Frame: p.call.Frame, Phase: p.call.Phase, Pos: p.call.Pos, Counted: true,
	}
	first := &pending{order: m.made, call: c, before: p}
	m.made++
	return first
}

// overtake is what the answer to the forerunner first leads to: the call behind it is made, or
// refused.
func (m *Machine) overtake(first *pending, o Outcome) (goja.Value, func(any) error, error) {
	p := first.before
	if o.Failure == nil {
		text := o.Value
		if len(text) == 0 {
			text = json.RawMessage("null")
		}
		if _, bad := m.realm.decode(text, false); bad != nil {
			return nil, nil, answerError(first, bad)
		}
	} else if o.Failure.Class == Fatal {
		return m.failure(first, *o.Failure), p.reject, nil
	}
	return goja.Undefined(), func(any) error {
		if f := o.Failure; f != nil {
			m.note(Note{Type: "log", Level: "warn", Frame: p.call.Frame, Text: fmt.Sprintf("%s failed, and %s goes on without it: %s: %s",
				first.call.Key, p.call.Name, f.Code, clip(f.Message, maxMessage))})
		}
		p.call.Before = &o
		m.emit(p)
		return nil
	}, nil
}
