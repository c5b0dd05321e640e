package issuedelivery

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/journal"
)

// Host is what the functions of Issue Delivery need of the program that runs them.
type Host struct {
	// Store keeps the journals: what a run approved is read from its own.
	Store engine.Store
	// Workspace is the folder of the run; its repository is delivered to.
	Workspace string
	// Work is the folder below which runs keep what is theirs; see engine.Options.Work.
	Work string
	// Environ is the environment of the user; nil is this process's own.
	Environ []string
	// Config says what the repository and its user want.
	Config Config
}

// Config says how this repository is delivered to. Its zero value finds everything out by itself.
type Config struct {
	// Base is the branch that work begins at and goes to, Remote where it lies.
	Base, Remote string
	// Checks and Setup are command lines by their names; empty ones are found by what is there.
	Checks, Setup map[string][]string
	// CheckTimeout ends a check; 0 is checks.DefaultTimeout.
	CheckTimeout time.Duration
	// Env are names of environment variables that checks get besides.
	Env []string
}

// Functions are the calls that scripts can make of Issue Delivery.
func (h *Host) Functions() []engine.Primitive {
	return []engine.Primitive{
		h.stageCheck(), h.checkPlan(), h.begin(), h.publish(), h.checkFinalization(),
		h.stack(), h.seal(), h.conform(), h.compare(), h.movedBase(), h.branch(), h.repair(), h.repaired(), h.tidy(), h.prototypeSafetyCheck(),
		h.stop(),
	}
}

// folder is the run's own folder.
func (h *Host) folder(run string) string { return filepath.Join(h.Work, run) }

// call is one live call of a host function.
type call struct {
	// Run is the id of its run, Step its place in it.
	Run  string
	Step *journal.Step
	// Mark is RUN/CALL, which marks what it starts.
	Mark string
	// Approval is what it acts under; nil if it names none.
	Approval *engine.Approval
}

// effect says what calls of a function may change.
type effect int

const (
	// reads changes nothing outside of the run's own folder.
	reads effect = iota
	// repeatable changes something, and ends in the same state however often it is done. It needs an approval.
	repeatable
	// free changes something that nobody can promise anything of.
	free
)

// function is a host function. Its one argument is an object of options, T: a struct whose JSON names
// are the options.
type function[T any] struct {
	name   string
	effect func(in T) effect
	// label is how people see a call; nil is its name alone.
	label func(in T) string
	// check refuses options that do not go together; nil takes all.
	check func(in T) error
	// leading are names of options that may stand as arguments before the object.
	leading []string
	do      func(ctx context.Context, c call, in T) (any, error)
}

var _ engine.Approvable = function[struct{}]{}

// always is a function's effect whatever is asked of it.
func always[T any](e effect) func(T) effect { return func(T) effect { return e } }

// Name is the function's name in the script.
func (f function[T]) Name() string { return f.name }

// TakesApproval says that calls name the approval they act under.
func (f function[T]) TakesApproval() bool { return true }

// asked is a checked call.
type asked[T any] struct{ in T }

// Parse reads the options. Its errors are OPTION_UNKNOWN and OPTION_INVALID.
func (f function[T]) Parse(args []json.RawMessage) (engine.Request, error) {
	given, under, err := f.gather(args)
	if err != nil {
		return engine.Request{}, err
	}
	var in T
	text, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		return engine.Request{}, fault.Wrap(err, fault.OptionInvalid, f.name+": "+mistyped(err), "docs/reference/globals.md has its options")
	}
	if f.check != nil {
		if err := f.check(in); err != nil {
			return engine.Request{}, err
		}
	}
	r := engine.Request{Value: asked[T]{in}}
	switch e := f.effect(in); {
	case e == reads:
		r.ReadOnly = true
	case e == repeatable && under == nil:
		return r, fault.New(fault.OptionInvalid, f.name+" changes something, and names no approval", "give it the option under: what planApprove gave")
	default:
		r.Idempotent = e == repeatable
	}
	if f.label != nil {
		r.Label = f.label(in)
	}
	if under != nil {
		given["under"] = under
	}
	r.Identity, err = canonical.Of(given)
	return r, err
}

// gather puts all arguments into one object, and takes the approval out of it.
func (f function[T]) gather(args []json.RawMessage) (given map[string]json.RawMessage, under json.RawMessage, err error) {
	given = map[string]json.RawMessage{}
	names := slices.Clone(f.leading)
	for i, arg := range args {
		arg = bytes.TrimSpace(arg)
		if last := i == len(args)-1; last && len(arg) > 0 && arg[0] == '{' && (i > 0 || len(f.leading) == 0 || !f.takesObject()) {
			set, err := options.Parse(f.name, arg, append(f.options(), "under"))
			if err != nil {
				return nil, nil, err
			}
			for _, name := range append(f.options(), "under") {
				if set.Has(name) && string(set.Raw(name)) != "null" {
					given[name] = set.Raw(name)
				}
			}
			break
		}
		if len(names) == 0 {
			return nil, nil, fault.New(fault.OptionInvalid, fmt.Sprintf("%s: argument %d is %s, and it takes an object of options", f.name, i+1, options.Show(arg)), "")
		}
		given[names[0]], names = arg, names[1:]
	}
	under = given["under"]
	delete(given, "under")
	return given, under, nil
}

// takesObject reports whether the first argument is an object itself, and no options: json.RawMessage.
func (f function[T]) takesObject() bool {
	for field := range reflect.TypeFor[T]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name == f.leading[0] {
			return field.Type == reflect.TypeFor[json.RawMessage]()
		}
	}
	return false
}

// options are the names of the options.
func (f function[T]) options() []string {
	var names []string
	for field := range reflect.TypeFor[T]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// Answer does the work of a live call.
func (f function[T]) Answer(ctx context.Context, req engine.Request, step *journal.Step) (json.RawMessage, error) {
	out, err := f.do(ctx, call{
		Run: step.RunID(), Step: step, Mark: step.RunID() + "/" + strings.TrimPrefix(step.Key(), "/"), Approval: req.Approval,
	}, req.Value.(asked[T]).in)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encode := json.NewEncoder(&text)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(out); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return bytes.TrimSpace(text.Bytes()), nil
}

// mistyped says which option has a value of another type than it takes.
func mistyped(err error) string {
	if e, ok := err.(*json.UnmarshalTypeError); ok { //nolint:errorlint // Unmarshal gives it as it is
		return fmt.Sprintf("the option %q is a %s, and it takes a %s", e.Field, e.Value, e.Type)
	}
	return "the options cannot be read"
}
