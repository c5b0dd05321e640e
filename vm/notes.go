package vm

import (
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// Notes are what a script says without expecting an answer. log and console never throw, whatever they are given.

func (m *Machine) logger(level string) native {
	return func(call goja.FunctionCall) goja.Value {
		limit := m.realm.limits.LogBytes
		var line strings.Builder
		for i, v := range call.Arguments {
			if i > 0 {
				line.WriteByte(' ')
			}
			if line.Len() > limit {
				break
			}
			line.WriteString(m.realm.print(v, limit))
		}
		m.note(Note{Type: "log", Level: level, Text: clip(line.String(), limit)})
		return goja.Undefined()
	}
}

// note adds one note to the turn, as long as the run's total allows.
func (m *Machine) note(n Note) {
	if s := m.tracker.strand(); s != nil && n.Frame == "" {
		n.Frame = s.frame.path
	}
	before := m.noted
	m.noted += len(n.Text) + len(n.Data) + 32
	total := m.realm.limits.LogTotal
	if m.noted <= total {
		m.turn.Notes = append(m.turn.Notes, n)
	} else if before <= total {
		m.turn.Notes = append(m.turn.Notes, Note{Type: "log", Level: "warn", Text: "the script has written more log than a run may; the rest is left out"})
	}
}

func (m *Machine) phase(call goja.FunctionCall) goja.Value {
	r := m.realm
	title, ok := call.Argument(0).(goja.String)
	if !ok {
		panic(r.typeError(codeArgument, "phase: the title is %s; it has to be a string", r.describe(call.Argument(0))))
	}
	if !goja.IsUndefined(call.Argument(1)) {
		panic(r.typeError(codeOptionLater, "phase: options are not available"))
	}
	s := m.placed("phase")
	s.frame.phase = clip(strings.ToValidUTF8(title.String(), "\uFFFD"), r.limits.LogBytes)
	m.note(Note{Type: "phase", Text: s.frame.phase})
	return goja.Undefined()
}

// statuses are the values that setSemanticStatus takes.
var statuses = []string{
	"spawned", "workflow-running", "workflow-complete-pane-open", "needs-finalize", "finalizing", "completed", "failed", "needs-human",
}

var statusFields = []string{"status", "reason", "nextAction", "details"}

func (m *Machine) setSemanticStatus(call goja.FunctionCall) goja.Value {
	r := m.realm
	const subject = "setSemanticStatus"
	o, ok := call.Argument(0).(*goja.Object)
	if !ok || r.kind(o) != kindPlain {
		panic(r.typeError(codeArgument, "%s: the argument is %s; it has to be {status, reason, nextAction?, details?}", subject, r.describe(call.Argument(0))))
	}
	for _, key := range o.Keys() {
		if !slices.Contains(statusFields, key) {
			panic(r.typeError(codeOptionUnknown, "%s: unknown field %s%s", subject, quoteJSON(key), suggest(key, statusFields)))
		}
	}
	data, bad := r.snapshot(o, r.valueRules(codeValue))
	if bad != nil {
		panic(r.refusalError(subject+": the status", bad))
	}
	status, ok := r.ownString(o, "status")
	if !ok || !slices.Contains(statuses, status) {
		v, _ := r.own(o, "status")
		panic(r.typeError(codeArgument, "%s: the status is %s%s; it has to be one of %s",
			subject, r.describe(v), suggest(status, statuses), strings.Join(statuses, ", ")))
	}
	if _, ok := r.ownString(o, "reason"); !ok {
		v, _ := r.own(o, "reason")
		panic(r.typeError(codeArgument, "%s: the reason is %s; it has to be a string", subject, r.describe(v)))
	}
	m.note(Note{Type: "status", Text: status, Data: data})
	return goja.Undefined()
}

// suggest gives `; did you mean "x"?` if one of the known names is close.
func suggest(name string, known []string) string {
	best, distance := "", 3
	for _, candidate := range known {
		if d := editDistance(name, candidate); d < distance {
			best, distance = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + quoteJSON(best) + "?"
}

// editDistance is Levenshtein's, over bytes; long names are as far apart as can be.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal, row[j] = row[j], min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// branchFailed tells why a branch of a fan-out has null in its place.
func (m *Machine) branchFailed(path string, reason goja.Value) {
	m.partFailed(path, "failed, and is null in the results", reason)
}

// partFailed writes down what became of a part of the script, and why.
func (m *Machine) partFailed(path, what string, reason goja.Value) {
	why := m.realm.print(reason, maxMessage)
	if o, ok := reason.(*goja.Object); ok && m.realm.kind(o) == kindError {
		if p := m.placeOf(o); p.File != "" {
			why += " (" + p.String() + ")"
		}
	}
	m.note(Note{Type: "log", Level: "warn", Frame: path, Text: path + " " + what + ": " + why})
}
