package vm

import "strconv"

// Scripts that end badly, and calls that are refused.
//
// Each names file, line and column in the author's own source, also after transpiling.
const (
	// The script threw, and nothing in it caught that.
	//
	// When: while it runs; the run has failed.
	//
	// Do: mend the script and `assent resume RUN --script FILE`: what was finished and does not depend
	// on the change is not done again.
	codeScript = "SCRIPT_ERROR"

	// The script waits, and nothing is outstanding that could wake it, such as a promise that nobody
	// resolves.
	//
	// When: at once, not after a time limit.
	//
	// Do: look at the `await` named.
	codeDeadlock = "SCRIPT_DEADLOCK"

	// A promise was rejected and nothing handled it: a call of an async function without `await`, for
	// instance.
	//
	// When: the script ends, or only waits.
	//
	// Do: await the promise, or catch its rejection.
	codeUnhandled = "UNHANDLED_REJECTION"

	// The script returned something that is not JSON data.
	//
	// When: it ends. The message names the path.
	//
	// Do: return plain objects, arrays, texts, numbers, booleans and null.
	codeResult = "RESULT_NOT_JSON"

	// The machine itself failed. The journal is whole.
	//
	// When: never, if there is no fault in Assent.
	//
	// Do: report it with the message and the script. `assent resume RUN` tries again.
	codeFault = "VM_FAULT"

	// The script computed for longer than one stretch may be without waiting for anything.
	//
	// When: after `meta.limits.stretchMs`, 30 seconds by default.
	//
	// Do: do heavy work in an agent or another program; or raise the limit.
	codeStretch = "STRETCH_LIMIT"

	// A stretch of the script was stopped from outside, by Ctrl-C for instance.
	//
	// When: while it computes.
	//
	// Do: `assent resume RUN`.
	codeStopped = "STRETCH_INTERRUPTED"

	// Workflows start each other deeper than four.
	//
	// When: `workflow()` is called, mostly by a workflow that starts itself.
	//
	// Do: end the recursion, or do the innermost work in a function.
	codeWorkflowDepth = "WORKFLOW_DEPTH"

	// Functions of the script call each other too deeply, mostly a recursion without an end.
	//
	// When: while it computes.
	//
	// Do: look at the stack in the message.
	codeDepth = "CALL_DEPTH"

	// The run has made as many counted calls (agents and gates) as it may: 1,000, or what
	// `meta.limits.maxCalls` or `--max-agents` says.
	//
	// When: at the call after the last one. It always throws.
	//
	// Do: look for a loop that makes calls without end; or `assent resume RUN --max-agents MORE`.
	codeCalls = "CALL_LIMIT"

	// `parallel` or `pipeline` was given more than 4,096 items.
	//
	// When: before any of them starts.
	//
	// Do: split the list; it is mostly a mistake in what makes it.
	codeFanOut = "FAN_OUT_LIMIT"

	// A value that would enter or leave the script has more than 1,000 levels; or the script parses or
	// prints such a text.
	//
	// When: at the call, or when an answer is delivered.
	//
	// Do: make it flatter.
	codeJSONDepth = "JSON_DEPTH"

	// A value that would enter or leave the script has more than 64 MiB of JSON text.
	//
	// When: at the call, or when an answer is delivered.
	//
	// Do: keep large data in files and hand over their paths.
	codeJSONSize = "JSON_SIZE"

	// One operation would make a string or buffer of more than 64 MiB, or with a regular expression a
	// list that takes as much.
	//
	// When: before it is made; a RangeError.
	//
	// Do: keep large data in files.
	codeString = "STRING_LIMIT"

	// A regular expression has so many ways to match a text that trying them would take more than
	// 128 MiB; or it is longer than 65,536 characters, or takes too much to be read.
	//
	// When: while it matches, a RangeError; where it is made, a SyntaxError. A script with such a literal
	// is refused.
	//
	// Do: make it more exact, so that no part can match what the next part matches: `[^"]*"` instead of
	// `.*"`. One that is too long: look for its parts one after the other, or in a Set.
	codeRegExp = "REGEXP_LIMIT"

	// The script asked for the time or for chance in a way that would differ when it runs again.
	//
	// When: at `Date.now()`, `Date()`, `new Date()` or `Math.random()`, however they are reached.
	//
	// Do: `now()`, `random()` and `uuid()` give the same on a resume.
	codeNondeterministic = "NONDETERMINISTIC_API"

	// A call was made from a place that belongs to no part of the script's structure, so it has no
	// key.
	//
	// When: at the call.
	//
	// Do: make calls from the script's own code, its async functions and its `.then` handlers.
	codeNoFrame = "CALL_OUTSIDE_FRAME"

	codePlan     = "PLAN_NOT_JSON"
	codePlanSize = "PLAN_TOO_LARGE"
	// An argument of a call is not JSON data.
	//
	// When: at the call; a TypeError that names the path. Nothing was asked and nothing written.
	//
	// Do: change the value at the path.
	codeValue = "VALUE_NOT_JSON"

	// A function of the script language was given an argument that it does not take, such as promises
	// instead of functions in `parallel`.
	//
	// When: at the call; a TypeError.
	//
	// Do: the message says what it takes.
	codeArgument = "ARGUMENT_INVALID"

	codeOptionUnknown = "OPTION_UNKNOWN"
	codeOptionInvalid = "OPTION_INVALID"
	codeOptionLater   = "OPTION_NOT_AVAILABLE"
	// `under` is no approval of this run: a copy, an object that looks like one, or something else.
	//
	// When: at the call; a TypeError.
	//
	// Do: pass on the very object that `planApprove` gave.
	codeLookAlike = "APPROVAL_NOT_GENUINE"

	// A Go program drove the machine in an order that it does not have: an answer to a call that was
	// not made or is answered, or any after its end.
	//
	// When: `vm.Machine`'s methods.
	//
	// Do: mend the program; [the engine](../../engine) is one that does it right.
	codeMisuse = "MACHINE_MISUSE"

	// An answer that was to be delivered to the script is not one strict JSON value.
	//
	// When: a Go program's own primitive answers so.
	//
	// Do: the message names the place; mend the primitive.
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
