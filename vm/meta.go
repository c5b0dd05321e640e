package vm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Meta is the header of a script: `export const meta = {…}`. It is read without running anything.
type Meta struct {
	Name        string
	Description string
	Phases      []Phase
	// Model is the model of agents that name none.
	Model string
	// PlanFirst holds back everything that may change something until a plan is approved.
	PlanFirst bool
	// Interactive scripts are refused where nobody can answer.
	Interactive bool
	// ArgsSchema is the JSON Schema of the arguments; nil if the script gives none.
	ArgsSchema json.RawMessage
	Limits     MetaLimits
	// Raw is the whole header as JSON, fields that nobody knows included, in the order that a script
	// sees them in.
	Raw json.RawMessage
}

// Phase is a part of the work that the script announces.
type Phase struct {
	Title  string
	Detail string
	Model  string
}

// MetaLimits are the limits that a script asks for. Zero means that it asks for none.
type MetaLimits struct {
	MaxCalls    int
	Concurrency int
	// Budget is a JSON number (tokens) or a JSON string such as "5usd".
	Budget    json.RawMessage
	StretchMs int
	HeapMB    int
}

// metaFrom checks the fields that have a meaning; all others are kept in Raw and left alone, unless
// they are nearly one of those. Of what is wrong it gives everything.
func metaFrom(root *literal) (Meta, []*mistake) {
	m := Meta{Raw: json.RawMessage(root.json(nil))}
	f := fields{of: root, path: "meta"}
	m.Name = f.text("name", true)
	m.Description = f.text("description", true)
	m.Model = f.text("model", false)
	m.PlanFirst = f.truth("planFirst")
	m.Interactive = f.truth("interactive")
	if args := f.object("args"); args != nil {
		m.ArgsSchema = args.json(nil)
	}
	if limits := f.object("limits"); limits != nil {
		m.Limits = limitsFrom(&f, limits)
	}
	if phases := f.get("phases"); phases != nil {
		m.Phases = phasesFrom(&f, phases)
	}
	for _, e := range root.entries {
		if meant := nearest(e.key, metaFields); meant != "" {
			f.fail(e.offset, "meta has no field %s: did you mean %s?", quoted(e.key), meant)
		}
	}
	return m, f.wrong
}

func limitsFrom(outer *fields, of *literal) MetaLimits {
	f := fields{of: of, path: "meta.limits", wrong: outer.wrong}
	l := MetaLimits{
		MaxCalls:    f.count("maxCalls"),
		Concurrency: f.count("concurrency"),
		StretchMs:   f.count("stretchMs"),
		HeapMB:      f.count("heapMB"),
	}
	if budget := f.get("budget"); budget != nil {
		if budget.kind == literalNumber && budget.number > 0 || budget.kind == literalText && strings.TrimSpace(budget.text) != "" {
			l.Budget = budget.json(nil)
		} else {
			f.refuse(budget, "budget", `a number of tokens above 0 or a text such as "5usd"`)
		}
	}
	// A limit that is misspelled would not be in force, and nobody would notice.
	for _, e := range of.entries {
		if slices.Contains(limitFields, e.key) {
			continue
		}
		if meant := nearest(e.key, limitFields); meant != "" {
			f.fail(e.offset, "meta.limits has no field %s: did you mean %s?", quoted(e.key), meant)
			continue
		}
		f.fail(e.offset, "meta.limits has no field %s; it knows maxCalls, concurrency, budget, stretchMs and heapMB", quoted(e.key))
	}
	outer.wrong = f.wrong
	return l
}

func phasesFrom(outer *fields, of *literal) []Phase {
	if of.kind != literalArray {
		outer.refuse(of, "phases", "an array of {title, detail?, model?}")
		return nil
	}
	phases := make([]Phase, 0, len(of.entries))
	for i, e := range of.entries {
		path := fmt.Sprintf("phases[%d]", i)
		if e.value.kind != literalObject {
			outer.refuse(e.value, path, "an object {title, detail?, model?}")
			return nil
		}
		f := fields{of: e.value, path: "meta." + path, wrong: outer.wrong}
		phases = append(phases, Phase{Title: f.text("title", true), Detail: f.text("detail", false), Model: f.text("model", false)})
		outer.wrong = f.wrong
	}
	return phases
}

// fields reads the fields of one object literal and keeps what is wrong.
type fields struct {
	of    *literal
	path  string
	wrong []*mistake
}

func (f *fields) fail(offset int, format string, args ...any) {
	f.wrong = append(f.wrong, mistakeAt(codeMeta, offset, format, args...))
}

func (f *fields) refuse(value *literal, name, want string) {
	is := string(value.json(nil))
	switch value.kind {
	case literalText:
		is = quoted(value.text)
	case literalArray, literalObject:
		is = quoted(is)
	}
	f.fail(value.offset, "%s.%s has to be %s, not %s", f.path, name, want, is)
}

func (f *fields) get(name string) *literal {
	for _, e := range f.of.entries {
		if e.key == name {
			return e.value
		}
	}
	return nil
}

// text reads a text; one that is there has to say something.
func (f *fields) text(name string, required bool) string {
	value := f.get(name)
	if value == nil {
		if required {
			f.fail(f.of.offset, "%s needs a %s: a text that is not empty", f.path, name)
		}
		return ""
	}
	if value.kind != literalText || strings.TrimSpace(value.text) == "" {
		f.refuse(value, name, "a text that is not empty")
		return ""
	}
	return value.text
}

func (f *fields) truth(name string) bool {
	value := f.get(name)
	if value == nil {
		return false
	}
	if value.kind != literalTruth {
		f.refuse(value, name, "true or false")
	}
	return value.truth
}

func (f *fields) count(name string) int {
	value := f.get(name)
	if value == nil {
		return 0
	}
	const most = 1 << 31
	n := int(min(max(value.number, 0), most))
	if value.kind != literalNumber || n < 1 || n == most || float64(n) != value.number {
		f.refuse(value, name, "a whole number above 0")
		return 0
	}
	return n
}

func (f *fields) object(name string) *literal {
	value := f.get(name)
	if value == nil {
		return nil
	}
	if value.kind != literalObject {
		f.refuse(value, name, "an object")
		return nil
	}
	return value
}
