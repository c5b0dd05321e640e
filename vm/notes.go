package vm

import (
	"math"
	"regexp"
	"slices"
	"strconv"
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
	budget := m.phaseBudget(call.Argument(1))
	s := m.placed("phase")
	s.frame.phaseBudget = budget
	s.frame.phase = clip(strings.ToValidUTF8(title.String(), "\uFFFD"), r.limits.LogBytes)
	m.note(Note{Type: "phase", Text: s.frame.phase})
	return goja.Undefined()
}

// budgetText is how a budget may be written: a number of tokens, with k or m for thousands and millions, or dollars.
var budgetText = regexp.MustCompile(`^(?:\d+(?:\.\d+)?\s*(?:[kKmM]|[uU][sS][dD])?|\$\s*\d+(?:\.\d+)?)$`)

var phaseOptions = []string{"budget"}

// phaseBudget reads the options of phase: the one that there is, as a text.
func (m *Machine) phaseBudget(options goja.Value) string {
	r := m.realm
	if goja.IsUndefined(options) {
		return ""
	}
	o := object(options)
	if o == nil || r.kind(o) != kindPlain {
		panic(r.typeError(codeOptionInvalid, "phase: the options are %s; they have to be a plain object", r.describe(options)))
	}
	for _, key := range r.keys(o) {
		if !slices.Contains(phaseOptions, key) {
			panic(r.typeError(codeOptionUnknown, "phase: unknown option %s%s", quoteJSON(key), suggest(key, phaseOptions)))
		}
	}
	given, _ := r.own(o, "budget")
	if given == nil || goja.IsUndefined(given) {
		return ""
	}
	if n, ok := finite(given); ok && n >= 1 && n < 1<<53 {
		return strconv.FormatFloat(math.Floor(n), 'f', -1, 64)
	}
	if s, ok := given.(goja.String); ok && budgetText.MatchString(s.String()) && strings.ContainsAny(s.String(), "123456789") {
		return s.String()
	}
	panic(r.typeError(codeOptionInvalid, `phase: the budget is %s; it has to be a number of tokens above 0, or a text such as "200k" or "5usd"`, r.describe(given)))
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
