package scripttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Test is one checked test.
type Test struct {
	Name string
	// Line is where it begins, 0 if that is not known.
	Line int

	table   testTable
	args    json.RawMessage
	answers func() *agent.Scripted
	// given are the tables of answers, for what comes near to a call that none fits.
	given   []agent.ScriptedTable
	gates   []*gate
	budget  journal.Usage
	timeout time.Duration
	// workspace is the folder that is copied, "" for none.
	workspace string
	expect    expectation
}

// defaultTimeout is how long one run of a test may take.
const defaultTimeout = time.Minute

// checker turns a document into tests.
type checker struct {
	shown, folder string
	document      *document
	heads         []head
	// lines are those of the keys that stand above all tables.
	lines map[string]int
	// file are the answers of the file that the document names, nil if it names none.
	file func() *agent.Scripted
}

// shared checks what all tests share.
func (c *checker) shared() error {
	if name := c.document.Answers; name != "" {
		path := filepath.FromSlash(name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.folder, path)
		}
		if !isFile(path) {
			return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: answers is %q, and the file of answers is not there: %s", c.whereKey("answers"), name, path), "")
		}
		if _, err := agent.LoadScripted(path); err != nil {
			return err
		}
		c.file = func() *agent.Scripted {
			s, err := agent.LoadScripted(path)
			if err != nil { // it changed while the tests run
				s, _ = agent.ScriptedOf(name, "answer", nil, nil) // no table: nothing to refuse
			}
			return s
		}
	}
	_, err := agent.ScriptedOf(c.shown, "answer", c.document.Answer, linesOf(c.heads, -1, "answer"))
	return err
}

// test checks test number i.
func (c *checker) test(i int) (*Test, error) {
	table := c.document.Test[i]
	t := &Test{Name: strings.TrimSpace(table.Name), table: table}
	if lines := linesOf(c.heads, -1, "test"); i < len(lines) {
		t.Line = lines[i]
	}
	if t.Name == "" {
		t.Name = fmt.Sprintf("test %d", i+1)
	}
	if _, err := agent.ScriptedOf(c.shown, "test.answer", table.Answer, linesOf(c.heads, i, "test.answer")); err != nil {
		return nil, err
	}
	t.given = slices.Concat(table.Answer, c.document.Answer)
	t.answers = func() *agent.Scripted { return c.scripted(table.Answer) }
	for _, read := range []func(*Test) error{c.settings, c.people, c.limits, c.place, c.expectation} {
		if err := read(t); err != nil {
			return nil, fault.New(fault.ConfigInvalid, c.where(t)+": "+said(err), "")
		}
	}
	return t, nil
}

// where is the place of a test, for messages.
func (c *checker) where(t *Test) string {
	if t.Line == 0 {
		return c.shown + ": " + t.Name
	}
	return fmt.Sprintf("%s:%d: [[test]] %s", c.shown, t.Line, t.Name)
}

// whereKey is the place of a key that stands above all tables, for messages.
func (c *checker) whereKey(key string) string {
	if c.lines[key] == 0 {
		return c.shown
	}
	return fmt.Sprintf("%s:%d", c.shown, c.lines[key])
}

// said is an error without its code, where the sentence goes on.
func said(err error) string {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e.What
	}
	return err.Error()
}

// scripted is an agent that answers from all tables, which were checked.
func (c *checker) scripted(own []agent.ScriptedTable) *agent.Scripted {
	s, _ := agent.ScriptedOf(c.shown, "test.answer", own, nil)
	more, _ := agent.ScriptedOf(c.shown, "answer", c.document.Answer, nil)
	s.Then(more)
	if c.file != nil {
		s.Then(c.file())
	}
	return s
}

func (c *checker) settings(t *Test) (err error) {
	t.args = json.RawMessage("{}")
	if t.table.Args != nil {
		if t.args, err = canonical.Of(t.table.Args); err != nil {
			return fmt.Errorf("args are not JSON: %w", err)
		}
	}
	if rules := []string{"", "default", "abort", "suspend"}; !slices.Contains(rules, t.table.OnGate) {
		return fmt.Errorf("on_gate is %q, not default, abort or suspend", t.table.OnGate)
	}
	if n := t.table.MaxAgents; n != nil && *n < 1 {
		return fmt.Errorf("max_agents is %d; it counts from 1", *n)
	}
	if t.table.Budget != "" {
		t.budget, err = engine.ParseBudget(t.table.Budget)
	}
	return err
}

// people checks the gates: they are answered by tables, or by the rule for when nobody is here.
func (c *checker) people(t *Test) error {
	switch asked := len(t.table.Gate) > 0; {
	case asked && t.table.Headless:
		return errors.New("headless means that nobody answers, and it has [[test.gate]]")
	case asked && t.table.OnGate != "":
		return errors.New("on_gate is for when nobody answers, and it has [[test.gate]]")
	}
	for i, table := range t.table.Gate {
		g, err := table.check()
		if err != nil {
			return fmt.Errorf("[[test.gate]] %d: %w", i+1, err)
		}
		g.number = i + 1
		t.gates = append(t.gates, g)
	}
	return nil
}

func (c *checker) limits(t *Test) error {
	t.timeout = defaultTimeout
	if text := t.table.Timeout; text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return fmt.Errorf("timeout is %q, not a duration such as \"90s\"", text)
		}
		t.timeout = d
	}
	if n := t.table.KillAfter; n != nil {
		switch {
		case *n < 1:
			return fmt.Errorf("kill_after is %d; it counts answers from 1", *n)
		case t.table.Resilience:
			return errors.New("resilience cuts the run off after every answer; kill_after goes without it")
		}
	}
	return nil
}

// place checks where the run works.
func (c *checker) place(t *Test) error {
	if name := t.table.Workspace; name != "" {
		t.workspace = filepath.FromSlash(name)
		if !filepath.IsAbs(t.workspace) {
			t.workspace = filepath.Join(c.folder, t.workspace)
		}
		if info, err := os.Stat(t.workspace); err != nil || !info.IsDir() {
			return fmt.Errorf("workspace is %q, and there is no such folder: %s", name, t.workspace)
		}
	}
	for name := range t.table.Files {
		if !local(name) {
			return fmt.Errorf("files names %q, which is not a path inside the workspace", name)
		}
	}
	return nil
}

func local(name string) bool {
	return name != "" && filepath.IsLocal(filepath.FromSlash(name)) && !strings.ContainsRune(name, 0)
}

// gate is a checked gateTable.
type gate struct {
	gateTable
	// number counts the tables of a test from 1.
	number             int
	answer             json.RawMessage // nil: later
	plan, planContains json.RawMessage
	left               int
}

var gateKinds = []string{"plan", "confirm", "input", "select"}

// check turns a table into a gate.
func (g gateTable) check() (*gate, error) {
	made := &gate{gateTable: g, left: 1}
	if g.Kind != nil && !slices.Contains(gateKinds, *g.Kind) {
		return nil, fmt.Errorf("kind is %q, not one of %s", *g.Kind, strings.Join(gateKinds, ", "))
	}
	if g.Times != nil {
		if made.left = *g.Times; made.left < 1 {
			return nil, fmt.Errorf("times is %d; it counts from 1", made.left)
		}
	}
	given := 0
	for _, is := range []bool{g.Decision != nil, g.Answer != nil, g.Later} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, fmt.Errorf("it has %d of decision, answer and later; it needs one", given)
	}
	for name, value := range map[string]any{"decision": g.Decision, "answer": g.Answer} {
		switch value.(type) {
		case nil, bool, string:
		default:
			return nil, fmt.Errorf("%s is %v, which answers no gate: it takes true, false or a text", name, value)
		}
	}
	if g.ExpectPlan != nil && g.ExpectPlanContains != nil {
		return nil, errors.New("it has expect_plan and expect_plan_contains; one says it all")
	}
	for _, value := range []struct {
		name string
		from any
		to   *json.RawMessage
	}{{"decision", g.Decision, &made.answer}, {"answer", g.Answer, &made.answer}, {"expect_plan", g.ExpectPlan, &made.plan}, {"expect_plan_contains", g.ExpectPlanContains, &made.planContains}} {
		if err := toJSON(value.name, value.from, value.to); err != nil {
			return nil, err
		}
	}
	policy := checkpoint.Policy{Mode: g.Mode, Model: g.Model, Effort: g.Effort}
	switch {
	case policy != (checkpoint.Policy{}) && string(made.answer) != "true":
		return nil, errors.New("mode, model and effort go with decision = true")
	case g.Mode != "" && !slices.Contains(checkpoint.Modes, g.Mode):
		return nil, fmt.Errorf("mode is %q, not one of %s", g.Mode, strings.Join(checkpoint.Modes, ", "))
	}
	return made, nil
}

// toJSON writes a value of TOML as JSON; one that is absent stays so.
func toJSON(name string, from any, to *json.RawMessage) error {
	if from == nil {
		return nil
	}
	text, err := canonical.Of(from)
	if err != nil {
		return fmt.Errorf("%s is not JSON: %w", name, err)
	}
	*to = text
	return nil
}
