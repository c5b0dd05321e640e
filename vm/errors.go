package vm

import "strconv"

// The codes that this package itself gives. The names are a contract (docs/reference/errors.md).
const (
	// How a script ends badly.
	codeScript    = "SCRIPT_ERROR"        // it threw
	codeDeadlock  = "SCRIPT_DEADLOCK"     // it waits, and nothing is outstanding
	codeUnhandled = "UNHANDLED_REJECTION" // a rejected promise that nobody handles
	codeResult    = "RESULT_NOT_JSON"     // it returned something that is not JSON
	codeFault     = "VM_FAULT"            // the machine itself failed

	// Limits.
	codeStretch   = "STRETCH_LIMIT"
	codeStopped   = "STRETCH_INTERRUPTED"
	codeDepth     = "CALL_DEPTH"
	codeCalls     = "CALL_LIMIT"
	codeFanOut    = "FAN_OUT_LIMIT"
	codeJSONDepth = "JSON_DEPTH"
	codeJSONSize  = "JSON_SIZE"
	codeString    = "STRING_LIMIT"
	codeRegExp    = "REGEXP_LIMIT"

	// What a script may not do, or did wrong.
	codeNondeterministic = "NONDETERMINISTIC_API"
	codeNoFrame          = "CALL_OUTSIDE_FRAME"
	codePlan             = "PLAN_NOT_JSON"
	codePlanSize         = "PLAN_TOO_LARGE"
	codeValue            = "VALUE_NOT_JSON"
	codeArgument         = "ARGUMENT_INVALID"
	codeOptionUnknown    = "OPTION_UNKNOWN"
	codeOptionInvalid    = "OPTION_INVALID"
	codeOptionLater      = "OPTION_NOT_AVAILABLE"
	codeLookAlike        = "APPROVAL_NOT_GENUINE"

	// What the caller of the machine did wrong.
	codeMisuse   = "MACHINE_MISUSE"
	codeJSONText = "JSON_INVALID"
)

// CodedError is an error with a stable code. Config.Check may return one; its code is then
// the `code` property of the TypeError that the script gets.
type CodedError interface {
	error
	ErrorCode() string
}

// Error says why a script was refused, or how it ended: a code, what happened, and where in
// the author's own source. Line and Column count from 1; they are 0 where the place is not known.
type Error struct {
	Code    string
	Message string
	File    string
	Line    int
	Column  int
	Stack   string

	cause error
}

var _ CodedError = (*Error)(nil)

// Error gives "file:line:column: CODE: message", without the place if it is not known.
func (e *Error) Error() string {
	text := e.Code + ": " + e.Message
	if e.File == "" {
		return text
	}
	place := e.File
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column)
	}
	return place + ": " + text
}

// ErrorCode gives the code.
func (e *Error) ErrorCode() string { return e.Code }

// Unwrap gives the cause; for an interrupted stretch that is the context's.
func (e *Error) Unwrap() error { return e.cause }
