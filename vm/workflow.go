package vm

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// workflow() is a call like any other: it is answered with the program that its argument names. The machine compiles that and runs
// it in a frame of its own; what the body gives settles the promise that the script got. So a workflow's source comes from the
// journal when a run is resumed, and its calls replay like the script's own.

const workflowName = "workflow"

// maxWorkflowDepth is how many workflows may stand in each other: a workflow that starts itself has to end.
const maxWorkflowDepth = 4

// Started is the answer to a call of workflow: what runs, and its arguments.
type Started struct {
	// Name is the path of the entry file, Hash the program's hash.
	Name    string   `json:"name"`
	Hash    string   `json:"hash"`
	Sources []Source `json:"sources"`
	// Args are the workflow's args; absent if it has none.
	Args json.RawMessage `json:"args,omitempty"`
}

// StartedBy gives the answer that starts p with args.
func StartedBy(p *Program, args json.RawMessage) Started {
	return Started{Name: p.name, Hash: p.hash, Sources: p.Sources(), Args: args}
}

// begin reads the answer to a call of workflow, and gives the way to run the body: as Start runs the script's.
func (m *Machine) begin(p *pending, text json.RawMessage) (goja.Value, func(any) error, error) {
	r := m.realm
	var s Started
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, nil, answerError(p, refuse(codeJSONText, "it has to be a program"))
	}
	args := goja.Undefined()
	if len(s.Args) > 0 {
		v, bad := r.decode(s.Args, true)
		if bad != nil {
			return nil, nil, answerError(p, bad)
		}
		args = v
	}
	program, why := m.compiled(s)
	if why != "" {
		return m.failure(p, Failure{Code: codeSyntax, Message: why}), p.reject, nil
	}
	meta, bad := r.decodeMeta(program.meta.Raw)
	if bad != nil {
		return nil, nil, answerError(p, bad)
	}
	return goja.Undefined(), func(any) error {
		body, err := r.vm.RunProgram(program.compiled)
		if err != nil {
			return err
		}
		inner := p.frame.inner(branchPath(p.call.Key, 0))
		inner.throws, inner.within = false, append(slices.Clone(p.frame.within), Nested{inner.path, program.meta})
		inner.phase, inner.phaseBudget = p.call.Phase, p.call.PhaseBudget
		m.next = inner
		_, err = m.child(goja.Undefined(), body, args, meta, r.named("", m.returned(p, program)), r.named("", func(call goja.FunctionCall) goja.Value {
			must(p.reject(call.Argument(0)))
			return goja.Undefined()
		}))
		return err
	}, nil
}

// compiled gives the program that is started, or says why there is none. One that runs several times is compiled once.
func (m *Machine) compiled(s Started) (p *Program, why string) {
	if SourcesHash(s.Name, s.Sources) != s.Hash {
		return nil, s.Name + ": the sources do not have their hash"
	}
	for _, known := range m.programs {
		if known.hash == s.Hash {
			return known, ""
		}
	}
	program, err := FromSources(s.Name, s.Sources)
	switch {
	case err != nil:
		return nil, err.Error()
	case program.hash != s.Hash:
		return nil, s.Name + ": there are sources that it does not need"
	}
	m.programs = append(m.programs, program)
	return program, ""
}

// returned takes what a workflow's body gives: a copy, as of any answer.
func (m *Machine) returned(p *pending, program *Program) native {
	return func(call goja.FunctionCall) goja.Value {
		r := m.realm
		text, bad := r.snapshot(call.Argument(0), r.valueRules(codeResult))
		var result goja.Value
		if bad == nil {
			result, bad = r.decode(text, false)
		}
		if bad != nil {
			must(p.reject(r.refusalError("workflow: the result of "+program.name, bad)))
		} else {
			must(p.resolve(result))
		}
		return goja.Undefined()
	}
}

// A program can hold other workflows, which it starts with workflow(): those that were edited after the run began. They stand among
// its sources, so its hash, and with it what an approval holds for, is that of all of them:
//
//	@workflows                   a JSON array of Held, in their order
//	@workflows/N/PATH.loaded     the sources of the one with the index N
//
// No file that a script could import, and no script, has such a path.
const (
	childrenList = "@workflows"
	childEnding  = ".loaded"
)

// held is one of the list.
type held struct {
	// Reference is what workflow() names it by, as the caller of With wrote it; Name is the path of its entry file.
	Reference string `json:"reference"`
	Name      string `json:"name"`
}

// With gives the program that holds children too, by what workflow() names them by, in place of those that it held. No child holds any.
func (p *Program) With(children map[string]*Program) *Program {
	own := slices.DeleteFunc(p.Sources(), func(s Source) bool { return isChildSource(s.Path) })
	with := *p
	with.sources, with.children, with.hash = own, nil, hashOf(p.name, own)
	if len(children) == 0 {
		return &with
	}
	with.children = maps.Clone(children)
	var all []held
	for _, ref := range slices.Sorted(maps.Keys(children)) {
		child := children[ref]
		for _, s := range child.sources {
			with.sources = append(with.sources, Source{Path: childFolder(len(all)) + s.Path + childEnding, Text: s.Text})
		}
		all = append(all, held{ref, child.name})
	}
	list, err := json.MarshalIndent(all, "", "  ")
	must(err) // texts are JSON
	with.sources = append(with.sources, Source{Path: childrenList, Text: string(list) + "\n"})
	with.hash = hashOf(p.name, with.sources)
	return &with
}

// Children gives the workflows that With added, by the same.
func (p *Program) Children() map[string]*Program { return maps.Clone(p.children) }

func childFolder(n int) string { return childrenList + "/" + strconv.Itoa(n) + "/" }

func isChildSource(path string) bool {
	return path == childrenList || strings.HasPrefix(path, childrenList+"/") && strings.HasSuffix(path, childEnding)
}

// childrenOf compiles the workflows that stand among sources.
func childrenOf(files memory) (map[string]*Program, error) {
	var all []held
	if err := json.Unmarshal([]byte(files[childrenList]), &all); err != nil {
		return nil, &Error{Code: codeSourceName, Message: "the list of workflows is damaged", File: childrenList}
	}
	children := map[string]*Program{}
	for i, h := range all {
		var sources []Source
		for path, text := range files {
			inner, found := strings.CutPrefix(path, childFolder(i))
			if inner, ends := strings.CutSuffix(inner, childEnding); found && ends {
				sources = append(sources, Source{Path: inner, Text: text})
			}
		}
		child, err := FromSources(h.Name, sources)
		if err != nil {
			return nil, err
		}
		children[h.Reference] = child
	}
	return children, nil
}
