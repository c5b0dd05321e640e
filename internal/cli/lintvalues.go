package cli

import (
	"encoding/json"
	"strconv"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm/lint"
)

// Whether an option takes a value, those know who read it: they are given a call that has nothing but this option.

func agentTakes(option string, value json.RawMessage) *lint.Refusal {
	if option == "under" {
		return nil // an approval looks another way in a script
	}
	_, err := agent.Parse(with(`"task"`, option, value))
	return refusalOf(err)
}

func planTakes(option string, value json.RawMessage) *lint.Refusal {
	if option == "default" {
		return nil // it has a rule of its own
	}
	_, err := planapprove.Parse(with(`{}`, option, value))
	return refusalOf(err)
}

// checkpointTakes leaves alone what depends on other options: the choices of a select, and a default, which is an answer.
func checkpointTakes(option string, value json.RawMessage) *lint.Refusal {
	if option == "choices" || option == "default" || option == "kind" && string(value) == strconv.Quote(string(checkpoint.KindSelect)) {
		return nil
	}
	_, err := checkpoint.Parse(with(`"question"`, option, value))
	return refusalOf(err)
}

// phaseTakes looks at a budget that is written as a text.
func phaseTakes(_ string, value json.RawMessage) *lint.Refusal {
	var text string
	if json.Unmarshal(value, &text) != nil || string(value) == "null" {
		return nil
	}
	_, err := engine.ParseBudget(text)
	return refusalOf(err)
}

// with are the arguments of a call with one option.
func with(first, option string, value json.RawMessage) []json.RawMessage {
	return []json.RawMessage{json.RawMessage(first), json.RawMessage("{" + strconv.Quote(option) + ":" + string(value) + "}")}
}

func refusalOf(err error) *lint.Refusal {
	if err == nil {
		return nil
	}
	p := problemOf(err)
	return &lint.Refusal{Code: p.Code, What: p.What, Fix: p.Next}
}
