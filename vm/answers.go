package vm

import (
	"encoding/json"
	"fmt"

	"github.com/dop251/goja"
)

// answer turns an outcome into the value that settles p's promise, and the way to settle it.
func (m *Machine) answer(p *pending, o Outcome) (goja.Value, func(any) error, error) {
	if p.before != nil {
		return m.overtake(p, o)
	}
	if o.Failure != nil {
		f := *o.Failure
		if p.call.Name == "agent" && f.Class == Ordinary && !p.throws {
			return goja.Null(), p.resolve, nil
		}
		return m.failure(p, f), p.reject, nil
	}
	if p.call.Name == "sleep" {
		return goja.Undefined(), p.resolve, nil
	}
	text := o.Value
	if len(text) == 0 {
		text = json.RawMessage("null")
	}
	if p.call.Name == workflowName {
		return m.begin(p, text)
	}
	if p.call.Name == "planApprove" {
		v, err := m.approval(p, text, o.Replayed)
		return v, p.resolve, err
	}
	v, bad := m.realm.decode(text, false)
	if bad != nil {
		return nil, nil, answerError(p, bad)
	}
	return v, p.resolve, nil
}

// failure is the Error that the script gets for the failure of p.
func (m *Machine) failure(p *pending, f Failure) *goja.Object {
	return m.realm.newError("Error", f.Message, mark{code: f.Code, fatal: f.Class == Fatal, pos: p.call.Pos})
}

func answerError(p *pending, bad *refusal) *Error {
	return &Error{Code: bad.code, Message: fmt.Sprintf("the answer to %s at %s: %s", p.call.Key, bad.where(), bad.what)}
}

// approval builds what planApprove resolves to: frozen through and through, known to the
// machine by identity, and with `replayed` as an own property that no JSON, spread or result sees.
func (m *Machine) approval(p *pending, text json.RawMessage, replayed bool) (goja.Value, error) {
	r := m.realm
	v, bad := r.decodeOpen(text)
	if bad != nil {
		return nil, answerError(p, bad)
	}
	o := object(v)
	if o == nil || r.kind(o) != kindPlain {
		return nil, answerError(p, refuse(codeJSONText, "it has to be an object"))
	}
	checksum, ok := r.ownString(o, "checksum")
	if decision, _ := r.own(o, "decision"); !ok || goja.IsUndefined(decision) {
		return nil, answerError(p, refuse(codeJSONText, "it needs a checksum and a decision"))
	}
	must(o.DefineDataProperty("replayed", r.vm.ToValue(replayed), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	r.freeze(o)
	m.approvals[o] = Approval{Key: p.call.Key, Checksum: checksum, Within: p.call.Innermost()}
	return o, nil
}
