package vm

import "encoding/json"

// Config is what a machine is made with. All of it has to be the same when a run is executed again.
type Config struct {
	// Seed feeds random() and uuid().
	Seed string
	// RunID is what runId and workflowRunId give.
	RunID string
	// Cwd is what cwd and process.cwd() give. The machine does not look at it.
	Cwd string
	// Limits bounds the script.
	Limits Limits
	// Functions are further functions that the script can call, beside agent, checkpoint,
	// planApprove, sleep and workflow.
	Functions []Function
	// Calculations are further functions that only compute.
	Calculations []Calculation
	// Check judges a call at the moment the script makes it. It has to be pure. Its error
	// rejects the promise that the script gets, with a TypeError whose `code` is that of a
	// CodedError; the call is then not part of the turn. Its ordinal is used up all the same,
	// so that the keys of later calls do not depend on the judgement. An error with a method
	// Fatal() bool that says true passes through parallel and pipeline.
	Check func(c Call) error
	// Before says what has to be answered before c is made, once Check has let c pass; nil
	// means nothing. It has to be pure. The machine then makes that call first, and c in the
	// turn of its answer, as the arguments were when the script called. The script sees only c.
	Before func(c Call) *Forerunner
}

// Forerunner is a call of agent that is made before another call, which the script made. Its
// key is that of the other call with /agent#0 behind it.
type Forerunner struct {
	// Args are the arguments of agent, as JSON texts.
	Args []json.RawMessage
	// Label is how people see the call.
	Label string
}

// Function is a host function: a global of that name, whose calls the caller of the machine answers. With
// a dot in its name it is a method of a frozen object: delivery.begin is the method begin of the global
// delivery.
type Function struct {
	Name string
	// Counted says whether calls count against Limits.Calls.
	Counted bool
	// Approved says that an object among the arguments may name an approval that the call acts under, as
	// its member under.
	Approved bool
}

// Calculation is a function that is answered at once: the same arguments give the same value, always. Its
// calls are no part of a turn. Its name is as a Function's.
type Calculation struct {
	Name string
	// Do computes the value, as JSON. Its error is thrown as that of Config.Check is.
	Do func(args []json.RawMessage) (json.RawMessage, error)
}
