package vm

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dop251/goja"
)

// Machine executes one script. It has no goroutine of its own and is not safe for concurrent use.
type Machine struct {
	program *Program
	// programs are program and those that workflow() has started, in that order.
	programs []*Program
	config   Config
	realm    *realm
	tracker  *tracker
	start    goja.Callable     // prelude: runs the body in the root frame
	child    goja.Callable     // prelude: runs the body of a workflow that the script starts
	next     *frame            // where it stands
	fans     map[string]*frame // what the nodes of a dag inherit, by its key

	functions []function
	approvals map[*goja.Object]Approval // what planApprove gave, by identity
	waiting   map[string]*pending       // calls without an answer, by key
	places    map[goja.StackFrame]Position

	regexps
	stretching context.Context // of the stretch that is under way; a match asks it whether it may go on

	at      At
	now     time.Time // never goes back
	made    int       // calls that were made, to put waiting ones in order
	counted int
	loads   int // calls of workflow
	noted   int // bytes of notes
	lastPos Position

	turn     Turn
	rejected []*goja.Promise // rejected and not handled, oldest first
	ending   *bodyEnd        // how the body ended, once it did

	started bool
	dead    error // why nothing can be delivered any more
}

// bodyEnd is how the script's body ended.
type bodyEnd struct {
	result json.RawMessage
	err    *Error
}

// New makes a machine for one execution of p. A fault in c is told by Start.
func New(p *Program, c Config) *Machine {
	m := unbuilt(p, c)
	m.dead = m.contain(m.install)
	return m
}

// unbuilt is a machine whose realm is as the engine made it.
func unbuilt(p *Program, c Config) *Machine {
	c.Limits = c.Limits.withDefaults()
	m := &Machine{
		program: p, programs: []*Program{p}, config: c, tracker: &tracker{},
		approvals: map[*goja.Object]Approval{}, waiting: map[string]*pending{},
		places: map[goja.StackFrame]Position{}, fans: map[string]*frame{},
		functions: append([]function(nil), builtInFunctions...),
	}
	m.expressions = ofMachine(m.mayGoOn)
	m.realm = newRealm(c.Limits)
	return m
}

func misuse(format string, args ...any) *Error {
	return &Error{Code: codeMisuse, Message: fmt.Sprintf(format, args...)}
}

// Start runs the script until it can only wait, or ended. args is one JSON text; empty
// means that there are no arguments, and args is undefined.
//
// ctx ends the synchronous stretch. The error is then an *Error that wraps the context's
// cause, and the machine is dead: what the script did so far cannot be known. Every other way
// a script can fail is Turn.Err, and not an error of Start.
func (m *Machine) Start(ctx context.Context, args json.RawMessage, at At) (Turn, error) {
	switch {
	case m.dead != nil:
		return Turn{}, m.dead
	case m.started:
		return Turn{}, misuse("the machine was started already")
	}
	argsValue := goja.Undefined()
	if len(args) > 0 {
		v, bad := m.realm.decode(args, true)
		if bad != nil {
			return Turn{}, &Error{Code: bad.code, Message: fmt.Sprintf("the arguments at %s: %s", bad.where(), bad.what)}
		}
		argsValue = v
	}
	meta, bad := m.realm.decodeMeta(m.program.Meta().Raw)
	if bad != nil {
		return Turn{}, &Error{Code: bad.code, Message: "the program's meta: " + bad.what}
	}
	m.started = true
	m.realm.global("args", argsValue)
	m.realm.global("meta", meta)
	return m.stretch(ctx, at, func() error {
		body, err := m.realm.vm.RunProgram(m.program.compiled)
		if err != nil {
			return err
		}
		_, err = m.start(goja.Undefined(), body, argsValue, meta)
		return err
	})
}

// Deliver gives the answer to one outstanding call, and runs the script until it can only wait again.
// ctx is as for Start. An error of another kind leaves the machine as it was: the key
// is not outstanding, or the answer is not JSON.
func (m *Machine) Deliver(ctx context.Context, key string, o Outcome, at At) (Turn, error) {
	switch {
	case m.dead != nil:
		return Turn{}, m.dead
	case !m.started:
		return Turn{}, misuse("the machine was not started")
	}
	p := m.waiting[key]
	if p == nil {
		return Turn{}, misuse("no call with the key %q is outstanding", key)
	}
	answer, settle, err := m.answer(p, o)
	if err != nil {
		return Turn{}, err
	}
	delete(m.waiting, key)
	return m.stretch(ctx, at, func() error {
		if failed := o.Failure; failed != nil && goja.IsNull(answer) {
			m.note(Note{Type: "log", Level: "warn", Frame: p.call.Frame, Text: fmt.Sprintf("%s failed, and gives null: %s: %s", key, failed.Code, clip(failed.Message, maxMessage))})
		}
		return settle(answer)
	})
}

// stretch runs step, and with it everything that goja then finds to do, and says what came of it.
func (m *Machine) stretch(ctx context.Context, at At, step func() error) (Turn, error) {
	m.turn = Turn{}
	m.setAt(at)
	m.stretching = ctx
	err := m.contain(func() error {
		release := m.interruptible(ctx)
		defer release()
		if ctx.Err() != nil {
			return m.stopped(ctx, Position{})
		}
		err := step()
		if err == nil || !interrupted(err) {
			// Writing down how the script ended may run a little of its code: a name that is an accessor.
			err = caught(func() { m.settle(err) })
		}
		if stopped, ok := err.(*goja.InterruptedError); ok { //nolint:errorlint // goja never wraps it
			return m.stopped(ctx, m.firstPlace(stopped.Stack()))
		}
		if err != nil {
			m.finish(nil, m.uncaught(err))
		}
		return nil
	})
	turn := m.turn
	m.turn = Turn{}
	if err != nil {
		m.die(err)
		return Turn{}, err
	}
	if turn.Done {
		m.die(misuse("the script has ended"))
	}
	return turn, nil
}

func interrupted(err error) bool {
	_, ok := err.(*goja.InterruptedError) //nolint:errorlint // goja never wraps it
	return ok
}

// caught gives what f threw past goja: an interrupt or a stack overflow.
func caught(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *goja.InterruptedError:
			err = x
		case *goja.StackOverflowError:
			err = x
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

// interruptible lets ctx interrupt the script until release is called. After release nothing of it is left:
// an interrupt that came too late must not hit the next stretch.
func (m *Machine) interruptible(ctx context.Context) (release func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	vm := m.realm.vm
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		vm.Interrupt(context.Cause(ctx))
	})
	return func() {
		if !stop() {
			<-done
			vm.ClearInterrupt()
		}
	}
}

// contain turns a Go panic, which only a fault in goja or in here can be, into an error.
func (m *Machine) contain(f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = &Error{Code: codeFault, Message: fmt.Sprintf("the machine failed: %v", x)}
		}
	}()
	return f()
}

// die makes the machine useless, and lets its memory go.
func (m *Machine) die(err error) {
	m.dead = err
	m.realm, m.tracker, m.start, m.child, m.approvals, m.waiting, m.places, m.regexps, m.rejected = nil, nil, nil, nil, nil, nil, nil, regexps{}, nil
}
