package agent

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// ScriptedTable is one [[answer]] as a reader of TOML decodes it; see [ScriptedOf].
type ScriptedTable struct {
	Label  *string           `toml:"label"`
	Prompt *string           `toml:"prompt"`
	Times  *int              `toml:"times"`
	Text   *string           `toml:"text"`
	Value  any               `toml:"value"`
	Error  any               `toml:"error"`
	Delay  *string           `toml:"delay"`
	Write  map[string]string `toml:"write"`
	Run    *string           `toml:"run"`
	Usage  *usageGiven       `toml:"usage"`
}

// maxScript is the largest file of answers.
const maxScript = 16 << 20

// LoadScripted reads a file of answers (TOML). Its [[answer]] tables are tried in order, and
// the first that fits a call answers it:
//
//	[[answer]]
//	label = "worker-*"        # label and/or prompt; * any run of characters, ? one, \ as it is
//	prompt = "Add *"
//	times = 2                 # fits this often, counted in this process; absent: always
//	delay = "20ms"            # first wait,
//	write = {"a/b.txt" = "x"} # then write files inside the call's folder,
//	run = "make"              # then run a shell command there,
//	text = "done"             # then answer: exactly one of text, value and error
//	usage = {input = 10, output = 5, cost = 0.01}
//
// value is any TOML value but a date; error is a text, or {code = "usage_limit", message,
// resetAt}. A process that resumes a run counts times anew; calls that are replayed from the
// journal do not count. Errors are CONFIG_INVALID with file and line.
func LoadScripted(path string) (*Scripted, error) {
	text, err := regular.Read(path, maxScript)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "the file of answers is not there", "name one that is; assent init writes .assent/first.answers.toml to begin with")
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "the file of answers cannot be read", "")
	}
	return ParseScripted(text, path)
}

// ParseScripted is LoadScripted for a text; name stands for the path in messages.
func ParseScripted(text []byte, name string) (*Scripted, error) {
	var file struct {
		Answer []ScriptedTable `toml:"answer"`
	}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, atLine(name, err)
	}
	if len(file.Answer) == 0 {
		return nil, fault.New(fault.ConfigInvalid, name+" has no [[answer]]", "add to it:\n[[answer]]\nlabel = \"*\"\ntext = \"…\"")
	}
	return ScriptedOf(name, "answer", file.Answer, answerLines(text))
}

// ScriptedOf makes the agent of tables that stand in another kind of file, under the name table;
// lines are those on which they begin, as far as that is known.
func ScriptedOf(name, table string, tables []ScriptedTable, lines []int) (*Scripted, error) {
	s := &Scripted{name: name, table: table, left: map[*answer]int{}, taken: map[string][]*answer{}}
	for i, given := range tables {
		a, err := given.check()
		if err != nil {
			place := fmt.Sprintf("%s: answer %d", name, i+1)
			if i < len(lines) {
				place = fmt.Sprintf("%s:%d: [[%s]]", name, lines[i], table)
			}
			return nil, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: %s", place, err), "")
		}
		s.answers = append(s.answers, a)
		s.left[a] = a.times
	}
	return s, nil
}

// Then adds the answers of another one, to be tried after those that are there.
func (s *Scripted) Then(more *Scripted) {
	s.answers = append(s.answers, more.answers...)
	maps.Copy(s.left, more.left)
}

// wrongKind is what the TOML reader says of a value that its key does not take, names of ours and all.
var wrongKind = regexp.MustCompile(`cannot (?:decode TOML|store an?) ([a-z -]+?) in(?:to)? `)

// atLine names the line of a mistake that the TOML reader found.
func atLine(name string, err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s:%d: unknown key %q", name, line, strings.Join(first.Key(), ".")),
			"an answer has label, prompt, times, delay, write, run, usage, and one of text, value and error")
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		what := bad.Error()
		if kind := wrongKind.FindStringSubmatch(what); kind != nil {
			what = fmt.Sprintf("%s takes no %s", cmp.Or(strings.Join(bad.Key(), "."), "this key"), kind[1])
		}
		return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s:%d:%d: %s", name, line, column, what), "")
	}
	return fault.Wrap(err, fault.ConfigInvalid, name+" cannot be read", "")
}

// answerLines are the lines on which the [[answer]] tables begin.
func answerLines(text []byte) []int {
	var lines []int
	p := unstable.Parser{}
	p.Reset(text)
	for p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.ArrayTable {
			k := e.Key()
			if k.Next() && string(k.Node().Data) == "answer" && k.IsLast() {
				lines = append(lines, p.Shape(k.Node().Raw).Start.Line)
			}
		}
	}
	return lines
}

// check turns a table into an answer.
func (t ScriptedTable) check() (*answer, error) {
	if t.Label == nil && t.Prompt == nil {
		return nil, errors.New(`it needs label or prompt (label = "*" fits every call)`)
	}
	a := &answer{label: t.Label, prompt: t.Prompt, write: t.Write}
	for _, read := range []func(*answer) error{t.reads, t.acts, t.says} {
		if err := read(a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// reads takes what counts and measures the answer.
func (t ScriptedTable) reads(a *answer) error {
	if t.Times != nil {
		if a.times = *t.Times; a.times < 1 {
			return fmt.Errorf("times is %d; it counts from 1", a.times)
		}
	}
	if t.Delay != nil {
		d, err := time.ParseDuration(*t.Delay)
		if err != nil || d < 0 {
			return fmt.Errorf("delay is %q, not a duration such as \"20ms\"", *t.Delay)
		}
		a.delay = d
	}
	if t.Usage != nil {
		used, err := t.Usage.usage()
		if err != nil {
			return err
		}
		a.usage = used
	}
	return nil
}

// acts takes what the answer does in the call's folder.
func (t ScriptedTable) acts(a *answer) error {
	for path := range t.Write {
		if path == "" || !filepath.IsLocal(filepath.FromSlash(path)) || strings.ContainsRune(path, 0) {
			return fmt.Errorf("write names %q, which is not a path inside the call's folder", path)
		}
	}
	if t.Run != nil {
		if a.command = *t.Run; strings.TrimSpace(a.command) == "" {
			return errors.New("run is empty")
		}
	}
	return nil
}

// says takes the answer itself.
func (t ScriptedTable) says(a *answer) error {
	given := []bool{t.Text != nil, t.Value != nil, t.Error != nil}
	if n := len(slices.DeleteFunc(given, func(b bool) bool { return !b })); n != 1 {
		return fmt.Errorf("it has %d of text, value and error; it needs one", n)
	}
	var err error
	switch {
	case t.Text != nil:
		a.value, err = quote(*t.Text)
	case t.Value != nil:
		if err = jsonOnly(t.Value, "value"); err == nil {
			a.structured = true
			a.value, err = canonical.Of(t.Value)
		}
	default:
		a.failure, err = t.fails()
	}
	return err
}

// fails reads error: a text, or a table.
func (t ScriptedTable) fails() (error, error) {
	switch e := t.Error.(type) {
	case string:
		return fault.New(fault.AgentFailed, redact.Text(e, nil), ""), nil
	case map[string]any:
		code, _ := e["code"].(string)
		message, _ := e["message"].(string)
		for name := range e {
			if !slices.Contains([]string{"code", "message", "resetAt"}, name) {
				return nil, fmt.Errorf("error has an unknown key %q", name)
			}
		}
		reset := e["resetAt"]
		if at, ok := reset.(time.Time); ok {
			reset = at.Format(time.RFC3339)
		}
		if strings.EqualFold(code, "usage_limit") {
			return usageLimit(message, reset), nil
		}
		if err := unable(code, message); err != nil {
			return err, nil
		}
		return fault.New(fault.AgentFailed, redact.Text(strings.TrimSpace(code+" "+message), nil), ""), nil
	default:
		return nil, fmt.Errorf("error is a %T, not a text", e)
	}
}

// jsonOnly refuses what TOML has and JSON has not.
func jsonOnly(v any, path string) error {
	switch v := v.(type) {
	case string, bool, int64:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s is not a number of JSON", path)
		}
		return nil
	case []any:
		for i, element := range v {
			if err := jsonOnly(element, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		for name, element := range v {
			if err := jsonOnly(element, path+"."+name); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("%s is a date or time; write it as a text", path)
	}
}
