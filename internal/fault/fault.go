// Package fault is the one shape of a refusal: a stable code, what was wrong with
// which value, and what to do next (promise P11).
//
// Every package that a user can meet returns errors of this shape where the user has to
// act; plain wrapped errors are for faults that only a developer can mend. The public
// packages export it under their own name (type Error = fault.Error), so that embedders
// can write errors.As(err, &e) and switch over e.Code.
package fault

import "errors"

// Error is a refusal with a stable code.
type Error struct {
	// Code is one of the codes of docs/reference/errors.md, such as PLAN_NOT_JSON.
	Code Code
	// What says, in lower case and one line, what was wrong with which value.
	What string
	// Next says what to do about it; often a command. May be empty.
	Next string
	// Err is the cause, if there is one.
	Err error
}

// New returns a refusal without a cause.
func New(code Code, what, next string) *Error { return &Error{Code: code, What: what, Next: next} }

// Wrap returns a refusal that err caused.
func Wrap(err error, code Code, what, next string) *Error {
	return &Error{Code: code, What: what, Next: next, Err: err}
}

// Error gives "CODE: what: cause"; Next is left to whoever prints it.
func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.What
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the first Error in err's chain, or "".
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// Is reports whether err carries code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }

// ErrorCode gives the code to rooms that know no type of ours, such as vm.
func (e *Error) ErrorCode() string { return string(e.Code) }
