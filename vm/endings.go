package vm

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/dop251/goja"
)

// fulfilled is called when the body returned. The result is taken at that very moment.
func (m *Machine) fulfilled(call goja.FunctionCall) goja.Value {
	text, bad := m.realm.snapshot(call.Argument(0), m.realm.valueRules(codeResult))
	if bad != nil {
		m.ending = &bodyEnd{err: &Error{Code: bad.code, Message: "the result at " + bad.where() + ": " + bad.what, File: m.program.Name()}}
	} else {
		m.ending = &bodyEnd{result: text}
	}
	return goja.Undefined()
}

// failed is called when the body threw.
func (m *Machine) failed(call goja.FunctionCall) goja.Value {
	m.ending = &bodyEnd{err: m.thrown(call.Argument(0), codeScript)}
	return goja.Undefined()
}

// trackRejection keeps the list of rejected promises that nobody handles.
func (m *Machine) trackRejection(p *goja.Promise, operation goja.PromiseRejectionOperation) {
	if operation == goja.PromiseRejectionReject {
		m.rejected = append(m.rejected, p)
		return
	}
	if i := slices.Index(m.rejected, p); i >= 0 {
		m.rejected = slices.Delete(m.rejected, i, i+1)
	}
}

// settle decides, when goja has nothing more to do, whether the script ended. err is what the top
// level threw past the script.
func (m *Machine) settle(err error) {
	switch {
	case err != nil:
		m.finish(nil, m.uncaught(err))
	case m.ending != nil && m.ending.err != nil:
		m.finish(nil, m.ending.err)
	case len(m.rejected) > 0:
		m.finish(nil, m.thrown(m.unhandled(), codeUnhandled))
	case m.ending != nil:
		m.finish(m.ending.result, nil)
	case len(m.waiting) == 0:
		m.finish(nil, m.deadlock())
	}
}

// unhandled is what the first promise that nobody handles was rejected with; a fatal error comes before others, for it says whether
// the run can go on.
func (m *Machine) unhandled() goja.Value {
	for _, p := range m.rejected {
		if m.realm.carried(p.Result()).fatal {
			return p.Result()
		}
	}
	return m.rejected[0].Result()
}

func (m *Machine) finish(result []byte, err *Error) {
	m.turn.Done, m.turn.Result, m.turn.Err = true, result, err
	left := make([]*pending, 0, len(m.waiting))
	for _, p := range m.waiting {
		left = append(left, p)
	}
	slices.SortFunc(left, func(a, b *pending) int { return a.order - b.order })
	for _, p := range left {
		m.turn.Outstanding = append(m.turn.Outstanding, p.call.Key)
	}
}

// thrown makes the error for something that the script threw. A limit, or a failure that the machine itself
// handed to the script, keeps its code.
func (m *Machine) thrown(reason goja.Value, code string) *Error {
	e := &Error{Code: code, File: m.program.Name()}
	o := object(reason)
	if o == nil || m.realm.kind(o) != kindError {
		e.Message = "the script threw " + m.realm.print(reason, maxMessage)
		return e
	}
	e.Message = m.realm.errorText(o)
	e.Message += absent(e.Message)
	p := m.placeOf(o)
	if _, e.Stack = m.errorPlace(o); p.File != "" {
		e.File, e.Line, e.Column = p.File, p.Line, p.Column
	}
	known := m.realm.carried(o)
	ok := known.code != ""
	if ok && (code == codeScript || known.fatal) {
		e.Code = known.code
	} else if ok {
		e.Message += " (" + known.code + ")"
	}
	return e
}

// placeOf gives where an error object was made; for the failure of a call that is the call.
func (m *Machine) placeOf(o *goja.Object) Position {
	if known := m.realm.marks[o]; known.pos.File != "" {
		return known.pos
	}
	p, _ := m.errorPlace(o)
	return p
}

// uncaught makes the error for what ended a stretch from outside the script's own handling.
func (m *Machine) uncaught(err error) *Error {
	if overflow, ok := errors.AsType[*goja.StackOverflowError](err); ok {
		e := &Error{Code: codeDepth, Message: "functions call each other deeper than " + strconv.Itoa(m.realm.limits.CallStack), File: m.program.Name()}
		if p := m.firstPlace(overflow.Stack()); p.File != "" {
			e.File, e.Line, e.Column = p.File, p.Line, p.Column
		}
		return e
	}
	if exception, ok := errors.AsType[*goja.Exception](err); ok {
		return m.thrown(exception.Value(), codeScript)
	}
	return &Error{Code: codeFault, Message: err.Error(), cause: err}
}

// deadlock tells that the script waits for something that nobody will ever settle. goja does not say where it
// waits; the place is that of the last call it made, or else its file.
func (m *Machine) deadlock() *Error {
	e := &Error{
		Code: codeDeadlock, File: m.program.Name(),
		Message: "the script waits for a promise that nothing can settle: no call is outstanding",
	}
	if m.lastPos.File != "" {
		e.File, e.Line, e.Column = m.lastPos.File, m.lastPos.Line, m.lastPos.Column
		e.Message += "; its last call was made here"
	}
	return e
}

// stopped is the error for a stretch that ctx ended.
func (m *Machine) stopped(ctx context.Context, p Position) *Error {
	cause := context.Cause(ctx)
	e := &Error{Code: codeStopped, Message: "the script was interrupted: " + cause.Error(), cause: cause, File: p.File, Line: p.Line, Column: p.Column}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Code, e.Message = codeStretch, "the script ran too long without waiting for anything: "+cause.Error()
	}
	return e
}

// String gives file:line:column, as compilers write it.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}
