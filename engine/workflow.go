package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// A workflow that the script starts is loaded by a call: its answer is the source, which the journal keeps. So a resumed
// run executes what it loaded, whatever became of the file. Only somebody who resumes with a named script (an edited one, or the
// same) has the files looked at again: workflows that differ then become part of the program, which is another one with them, so that
// approvals are asked again; and what was loaded before is stale.

// Workflows finds the workflows that a script starts with workflow().
type Workflows interface {
	// Load compiles the workflow that ref names: the name of a saved one, or a path. from is the path of the file that asks, as
	// its program names it; a ref that begins with ./ or ../ starts in its folder.
	Load(ref, from string) (*vm.Program, error)
}

// start is what a call of workflow() asks for.
type start struct {
	ref  string
	args json.RawMessage
	// inline says that ref is the script itself.
	inline bool
	from   string
}

// inlineName is what a script is called that was handed over as a text.
const inlineName = "inline.js"

// maxReference is as long as systems let a path be.
const maxReference = 4096

func parseStart(c vm.Call) (Request, error) {
	s := start{args: json.RawMessage("{}"), from: c.Pos.File}
	if err := json.Unmarshal(c.Args[0], &s.ref); err != nil {
		return Request{}, fmt.Errorf("workflow: %w", err)
	}
	if len(c.Args) > 1 {
		s.args = c.Args[1]
	}
	s.inline = strings.Contains(s.ref, "\n") || strings.Contains(s.ref, "export const meta")
	label := s.ref
	switch {
	case s.inline:
		label = inlineName
	case len(s.ref) > maxReference:
		return Request{}, fmt.Errorf("workflow: no name and no path has %d bytes; a script's text has more than one line, and export const meta in it", len(s.ref))
	}
	// The folder that asks counts only where the path starts there: code that moves asks for the same.
	id := map[string]any{"workflow": s.ref, "args": s.args}
	if folder := s.folder(); folder != "" {
		if s.from == "" {
			return Request{}, fmt.Errorf("workflow(%q): nobody knows which file asks, because no function of it does; write () => workflow(%[1]q)", s.ref)
		}
		id["from"] = folder
	}
	text, err := marshal(id)
	return Request{Identity: text, ReadOnly: true, Label: label, Value: s}, err
}

// reference is what names the workflow within the program: the name or path, and for a path that starts there also the folder that asks. A
// script's text has none.
func (s start) reference() string {
	if folder := s.folder(); folder != "" {
		return s.ref + "\n" + folder // no name or path has a second line
	}
	return s.ref
}

// folder is where the path starts, if that is the folder that asks, and else "".
func (s start) folder() string {
	if s.inline || !strings.HasPrefix(s.ref, "./") && !strings.HasPrefix(s.ref, "../") {
		return ""
	}
	return path.Dir(s.from)
}

// loader makes the worker behind workflow(): it compiles what is named, and checks the arguments.
func loader(o Options, program *vm.Program) worker {
	return worker{parse: parseStart, do: func(_ context.Context, c *call, _ *journal.Step) answer {
		s := c.request.Value.(start)
		p, err := load(o.Workflows, program, s)
		if err == nil {
			s.args = WithDefaults(p, s.args)
			err = startable(p, s.args, o)
		}
		if err != nil {
			return answer{err: err, class: journal.FailureOrdinary}
		}
		value, err := marshal(vm.StartedBy(p, s.args))
		if err == nil {
			err = canonical.Check(value, maxValue)
		}
		if err != nil {
			return answer{err: err, class: journal.FailureOrdinary}
		}
		return answer{value: value}
	}}
}

func load(from Workflows, program *vm.Program, s start) (*vm.Program, error) {
	if s.inline {
		return vm.FromSources(inlineName, []vm.Source{{Path: inlineName, Text: vm.StripFence(s.ref)}})
	}
	if held := program.Children()[s.reference()]; held != nil {
		return held, nil
	}
	if from == nil {
		return nil, fault.New(fault.WorkflowUnknown, fmt.Sprintf("workflow(%q): no workflows can be found here", s.ref), "hand over the script's text, or set Options.Workflows")
	}
	return from.Load(s.ref, s.from)
}

// startable says whether a workflow can run inside of another run.
func startable(p *vm.Program, args json.RawMessage, o Options) error {
	if p.Meta().Interactive && o.Asker == nil {
		return fault.New(fault.PlanInteractive, p.Name()+" says that it needs a person (meta.interactive), and nobody is here", "run it, or resume it, in a terminal, without --headless and --detach")
	}
	err := checkArgs(p, args)
	if refused, ok := errors.AsType[*fault.Error](err); ok {
		refused.Next = "mend the second argument of workflow()"
	}
	return err
}

// edited says why the answer to a call of workflow() in the journal is none any more: the program of this attempt holds a newer
// version of what it started.
func (a *attempt) edited(old *journal.CallState) string {
	children := a.program.Children()
	if old.Call.Name != workflowName || len(children) == 0 || old.Finish == nil || old.Finish.Failure != nil {
		return ""
	}
	asked, s, err := startedBy(old)
	if err != nil || asked.inline {
		return ""
	}
	if held := children[asked.reference()]; held == nil || held.Hash() == s.Hash {
		return ""
	}
	return "the workflow " + s.Name + " was edited"
}

// startedBy reads a call of workflow() that was answered: what it asked for, and what it got.
func startedBy(c *journal.CallState) (asked start, got vm.Started, err error) {
	request, err := parseStart(vm.Call{Args: c.Call.Args, Pos: vm.Position{File: c.Call.File}})
	if err != nil {
		return start{}, got, err
	}
	err = json.Unmarshal(c.Finish.Value, &got)
	return request.Value.(start), got, err
}

// withEdited gives the program together with the workflows that a run has started and that are other ones now, and those that its
// program holds already. A workflow that is not there any more stays as it was loaded.
func withEdited(program *vm.Program, st *journal.State, from Workflows) (*vm.Program, error) {
	held := map[string]*vm.Program{}
	if before, err := programOf(st); err == nil {
		maps.Copy(held, before.Children())
	}
	keys := make([]string, 0, len(st.Calls))
	for key, c := range st.Calls {
		if from != nil && c.Call.Name == workflowName && c.Finish != nil && c.Finish.Failure == nil {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	looked := map[string]*vm.Program{}
	for _, key := range keys {
		asked, loaded, err := startedBy(st.Calls[key])
		if err != nil {
			return nil, err
		}
		if asked.inline {
			continue
		}
		ref := asked.reference()
		if path.Dir(asked.from) == path.Dir(program.Name()) {
			asked.from = program.Name() // the script may have another name by now
		}
		now, known := looked[ref]
		if !known {
			now, err = from.Load(asked.ref, asked.from)
			if err != nil && !fault.Is(err, fault.WorkflowUnknown) {
				return nil, err
			}
			looked[ref] = now
		}
		if now != nil && (now.Hash() != loaded.Hash || held[ref] != nil) {
			held[ref] = now
		}
	}
	return program.With(held), nil
}
