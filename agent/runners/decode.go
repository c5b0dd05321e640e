package runners

import (
	"cmp"
	"errors"
	"fmt"

	exact "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// decode reads an event, or a part of one. A member whose name is in another case is another member, and
// an object with two members of one name is refused: neither may settle whether an attempt has failed.
// Half of a character, as JavaScript leaves it where it cuts a text, is none of that.
func decode(text []byte, into any) error {
	err := exact.Unmarshal(text, into, jsontext.AllowInvalidUTF8(true))
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok && errors.Is(err, jsontext.ErrDuplicateName) {
		return fmt.Errorf("it has two members %s", syntactic.JSONPointer)
	}
	if semantic, ok := errors.AsType[*exact.SemanticError](err); ok {
		return fmt.Errorf("%s is of another type than it should be", cmp.Or(string(semantic.JSONPointer), "the whole"))
	}
	return err
}

// kindOfEvent is the type of an event.
func kindOfEvent(line []byte) (string, error) {
	var head struct {
		Type string `json:"type"`
	}
	err := decode(line, &head)
	return head.Type, err
}

// meter sums what an agent says that it used.
type meter struct {
	used journal.Usage
	cost float64 // in US dollars: rounded once
	// wrong is why a part could not be counted; the sum is without it.
	wrong error
}

// add counts a part.
func (m *meter) add(input, output []float64, cost float64) {
	part, err := agent.UsageOf(input, output, cost)
	if err != nil {
		m.fail(err)
		return
	}
	whole, err := agent.UsageOf(nil, nil, m.cost+cost)
	if err != nil {
		m.fail(err)
		return
	}
	m.cost += cost
	m.used = agent.AddUsage(m.used, part)
	m.used.CostMicroUSD = whole.CostMicroUSD
}

// fail keeps why a part could not be counted.
func (m *meter) fail(err error) {
	if m.wrong == nil {
		m.wrong = err
	}
}

// uncounted is AGENT_ANSWER_INVALID of an agent whose usage cannot be counted: a budget would not hold
// any more.
func (m *meter) uncounted(called string) error {
	return agent.Unusable(called+" reports a usage that cannot be counted", nil, m.wrong.Error())
}
