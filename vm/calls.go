package vm

import (
	"errors"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// function is a host function: what it is called, and how its arguments become JSON.
type function struct {
	Function
	arity int
	// read checks the arguments and fills c; it gives the error for the script, or nil.
	read func(m *Machine, c *Call, p *pending, args []goja.Value) *goja.Object
}

// pending is a call that was made and not answered.
type pending struct {
	call    Call
	order   int
	throws  bool // agent with onError: "throw"
	resolve func(any) error
	reject  func(any) error
	// before is the call that is made when this one, its forerunner, is answered.
	before *pending
	// frame is the one that a workflow was started from.
	frame *frame
}

var builtInFunctions = []function{
	{Function{Name: agentName, Counted: true}, 2, readAgent},
	{Function{Name: "checkpoint", Counted: true}, 2, readCheckpoint},
	{Function{Name: "planApprove", Counted: true}, 2, readPlanApprove},
	{Function{Name: "sleep"}, 1, readSleep},
	{Function{Name: workflowName}, 2, readWorkflow},
}

// call is what happens when the script calls a host function. It gives a promise, always: what is wrong
// with the call rejects it. The ordinal is used up in any case, so that keys do not depend
// on whether a call was refused.
func (m *Machine) call(f function, call goja.FunctionCall) goja.Value {
	r := m.realm
	s := m.tracker.strand()
	if s == nil {
		return r.rejected(m.noFrame(f.Name))
	}
	p := &pending{order: m.made, frame: s.frame, call: Call{
		Key: s.key(f.Name), Name: f.Name, Frame: s.frame.path, Phase: s.frame.phase, PhaseBudget: s.frame.phaseBudget,
		Pos: m.position(), Counted: f.Counted, Within: s.frame.within,
	}}
	m.made++
	if p.call.Pos.File == "" {
		p.call.Pos = m.lastPos
	}
	m.lastPos = p.call.Pos
	if bad := f.read(m, &p.call, p, call.Arguments); bad != nil {
		return r.rejected(bad)
	}
	if bad := m.admit(p.call); bad != nil {
		return r.rejected(bad)
	}
	first := p
	if m.config.Before != nil {
		if f := m.config.Before(p.call); f != nil {
			first = m.forerunner(p, f)
			if bad := m.admit(first.call); bad != nil {
				return r.rejected(bad)
			}
		}
	}
	promise, resolve, reject := r.vm.NewPromise()
	p.resolve, p.reject = resolve, reject
	m.emit(first)
	return r.vm.ToValue(promise)
}

// admit judges a call and counts it; it gives the error for the script, or nil.
func (m *Machine) admit(c Call) *goja.Object {
	r := m.realm
	if m.config.Check != nil {
		if err := m.config.Check(c); err != nil {
			return r.checkError(err)
		}
	}
	if !c.Counted {
		return nil
	}
	if m.counted++; m.counted > r.limits.Calls {
		calls := "calls"
		if r.limits.Calls == 1 {
			calls = "call"
		}
		return r.limitError(codeCalls, "the script makes more than %d "+calls, r.limits.Calls)
	}
	return nil
}

// emit hands a call out.
func (m *Machine) emit(p *pending) {
	m.waiting[p.call.Key] = p
	m.turn.Calls = append(m.turn.Calls, p.call)
}

// checkError is a refusal by Config.Check as the script gets it.
func (r *realm) checkError(err error) *goja.Object {
	k := mark{code: codeArgument}
	if coded, ok := errors.AsType[CodedError](err); ok {
		k.code = coded.ErrorCode()
	}
	if f, ok := errors.AsType[interface {
		error
		Fatal() bool
	}](err); ok {
		k.fatal = f.Fatal()
	}
	return r.newError("TypeError", err.Error(), k)
}

func argument(args []goja.Value, i int) goja.Value {
	if i < len(args) {
		return args[i]
	}
	return goja.Undefined()
}

func ordinal(i int) string {
	return [...]string{"the first argument", "the second argument", "the third argument", "an argument"}[min(i, 3)]
}

func (m *Machine) addArgument(c *Call, what string, v goja.Value) *goja.Object {
	text, bad := m.realm.snapshot(v, m.realm.valueRules(codeValue))
	if bad != nil {
		return m.realm.refusalError(c.Name+": "+what, bad)
	}
	c.Args = append(c.Args, text)
	return nil
}

func (m *Machine) addText(c *Call, what string, v goja.Value) *goja.Object {
	if _, ok := v.(goja.String); !ok {
		return m.realm.typeError(codeArgument, "%s: %s is %s; it has to be a string", c.Name, what, m.realm.describe(v))
	}
	return m.addArgument(c, what, v)
}

// options checks that v may be an options object; nil means that there are none.
func (m *Machine) options(c *Call, v goja.Value) (*goja.Object, *goja.Object) {
	if goja.IsUndefined(v) {
		return nil, nil
	}
	if o, ok := v.(*goja.Object); ok && m.realm.kind(o) == kindPlain {
		return o, nil
	}
	return nil, m.realm.typeError(codeOptionInvalid, "%s: the options are %s; they have to be a plain object", c.Name, m.realm.describe(v))
}

func (m *Machine) addOptions(c *Call, v goja.Value) *goja.Object {
	o, bad := m.options(c, v)
	if o == nil {
		return bad
	}
	return m.addArgument(c, "the options", o)
}

func readCheckpoint(m *Machine, c *Call, _ *pending, args []goja.Value) *goja.Object {
	if bad := m.addText(c, "the prompt", argument(args, 0)); bad != nil {
		return bad
	}
	return m.addOptions(c, argument(args, 1))
}

func readPlanApprove(m *Machine, c *Call, _ *pending, args []goja.Value) *goja.Object {
	text, bad := m.realm.snapshot(argument(args, 0), m.realm.planRules())
	switch {
	case bad != nil && bad.code == codePlanSize:
		return m.realm.refusalError("planApprove: the plan is too large", bad)
	case bad != nil:
		return m.realm.refusalError("planApprove: the plan is not plain JSON data", bad)
	}
	c.Args = append(c.Args, text)
	return m.addOptions(c, argument(args, 1))
}

// workflowFields are what an object that names a workflow may have, one of them.
var workflowFields = []string{"name", "scriptPath", "script"}

// readWorkflow takes a name, a path or a script's text, also as the one field of an object, and the arguments.
func readWorkflow(m *Machine, c *Call, p *pending, args []goja.Value) *goja.Object {
	r := m.realm
	if m.loads++; m.loads > r.limits.Workflows {
		return r.limitError(codeCalls, "the script starts more than %d workflows", r.limits.Workflows)
	}
	if len(p.frame.within) >= maxWorkflowDepth {
		return r.limitError(codeWorkflowDepth, "workflow: workflows start each other deeper than %d", maxWorkflowDepth)
	}
	named := argument(args, 0)
	if o, ok := named.(*goja.Object); ok && r.kind(o) == kindPlain {
		keys := r.keys(o)
		if len(keys) != 1 || !slices.Contains(workflowFields, keys[0]) {
			return r.typeError(codeArgument, "workflow: an object names the workflow by one of name, scriptPath and script")
		}
		named, _ = r.own(o, keys[0])
	}
	if text, ok := named.(goja.String); !ok || strings.TrimSpace(text.String()) == "" {
		return r.typeError(codeArgument, "workflow: the workflow is %s; it has to be a name, a path or a script's text", r.describe(named))
	}
	if bad := m.addArgument(c, "the workflow", named); bad != nil {
		return bad
	}
	if given := argument(args, 1); !goja.IsUndefined(given) {
		return m.addArgument(c, "the arguments", given)
	}
	return nil
}

func readSleep(m *Machine, c *Call, _ *pending, args []goja.Value) *goja.Object {
	if ms, ok := finite(argument(args, 0)); !ok || ms < 0 {
		return m.realm.typeError(codeArgument, "sleep: the time is %s; it has to be a number of milliseconds, 0 or more", m.realm.describe(argument(args, 0)))
	}
	return m.addArgument(c, "the time", argument(args, 0))
}

func readAgent(m *Machine, c *Call, p *pending, args []goja.Value) *goja.Object {
	if bad := m.addText(c, "the prompt", argument(args, 0)); bad != nil {
		return bad
	}
	if s := m.tracker.strand(); s != nil {
		p.throws = s.frame.throws
	}
	o, invalid := m.options(c, argument(args, 1))
	if o == nil {
		return invalid
	}
	return m.addApproved(c, "the options", o, func(key string, v goja.Value) {
		said, _ := v.(goja.String)
		switch {
		case key == "label" && said != nil:
			c.Label = said.String()
		case key == "phase" && said != nil:
			if c.Phase != said.String() {
				c.Phase, c.PhaseBudget = said.String(), ""
			}
		case key == "onError" && said != nil:
			p.throws = said.String() == "throw"
		}
	})
}

// addApproved adds an argument whose member under, if it is an object with one, has to be an approval of
// this run: the call acts under it. onMember, if it is not nil, is told of the argument's own members.
func (m *Machine) addApproved(c *Call, what string, v goja.Value, onMember func(key string, v goja.Value)) *goja.Object {
	r := m.realm
	// An approval that got lost on the way is not one that was never named.
	s := &snapshot{realm: r, rules: r.valueRules(codeValue), keepUndefined: "under"}
	var lookAlike *goja.Object
	s.onMember = func(depth int, key string, v goja.Value) ([]byte, *refusal) {
		if depth != 1 {
			return nil, nil
		}
		if onMember != nil {
			onMember(key, v)
		}
		if key != "under" {
			return nil, nil
		}
		approval, ok := m.approvals[object(v)]
		if !ok {
			lookAlike = r.typeError(codeLookAlike, "%s: the option under is %s; it has to be what planApprove of this run gave, and not a copy of it", c.Name, r.describe(v))
			return nil, refuse(codeLookAlike, "not an approval")
		}
		c.Under = &approval
		return []byte(`{"checksum":` + quoteJSON(approval.Checksum) + `}`), nil
	}
	text, bad := s.text(v)
	switch {
	case lookAlike != nil:
		return lookAlike
	case bad != nil:
		return r.refusalError(c.Name+": "+what, bad)
	}
	c.Args = append(c.Args, text)
	return nil
}

func object(v goja.Value) *goja.Object {
	o, _ := v.(*goja.Object)
	return o
}
