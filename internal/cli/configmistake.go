package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// atLine names the line of a mistake.
func atLine(path string, err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		at := unknown.Errors[0]
		line, _ := at.Position()
		key := strings.Join(at.Key(), ".")
		next := "the keys are agent, agents, approval, limits and notify; docs/reference/config.md explains them"
		switch {
		case strings.HasPrefix(key, "agents."):
			next = "an agent has command or script, timeout and env"
		case strings.HasPrefix(key, "limits"):
			next = "limits has max-agents, concurrency, budget, max-time, read-only, loop-guard, loop-guard-repeats and context-warning"
		case strings.HasPrefix(key, "notify"):
			next = "notify has bell, title and command"
		case strings.HasPrefix(key, "approval"):
			next = "approval has timeout, asker and asker-timeout: nothing but a person answers a gate"
		}
		return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s:%d: unknown key %q", path, line, key), next)
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		return badValue(path, bad)
	}
	return fault.Wrap(err, fault.ConfigInvalid, path+" cannot be read", "")
}

// badValue says what stands in the file at a mistake, and what a key takes if it is known which
// one has the wrong type.
func badValue(path string, bad *toml.DecodeError) error {
	line, column := bad.Position()
	place := fmt.Sprintf("%s:%d:%d: ", path, line, column)
	key := strings.Join(bad.Key(), ".")
	if want, example := keyTakes(bad.Key()); want != "" {
		return fault.New(fault.ConfigInvalid, place+key+" takes "+want, "write "+bad.Key()[len(bad.Key())-1]+" = "+example)
	}
	return fault.New(fault.ConfigInvalid, place+strings.TrimPrefix(bad.Error(), "toml: "), "")
}

// keyTakes says what a key takes, with an example.
func keyTakes(key []string) (want, example string) {
	if len(key) == 0 {
		return "", ""
	}
	switch key[len(key)-1] {
	case "agent":
		return "the name of an agent, as a text", `"mine"`
	case "command":
		return "a list of texts: a program and its arguments", `["my-agent", "--json"]`
	case "asker":
		return "a list of texts: a program and its arguments", `["my-asker", "--room", "ops"]`
	case "bell", "title":
		return "true or false", "false"
	case "env":
		return "a list of names of variables", `["SSH_AUTH_SOCK"]`
	case "script":
		return "the path of a file of answers, as a text", `"answers.toml"`
	case "timeout", "asker-timeout":
		return "a length of time, as a text", `"15m"`
	case "max-time":
		return "a length of time, as a text", `"2h"`
	case "max-agents", "concurrency":
		return "a whole number", "4"
	case "loop-guard":
		return "warn, stop or off, as a text", `"stop"`
	case "loop-guard-repeats":
		return "a whole number", "8"
	case "context-warning":
		return "a part of maxContextTokens, between 0 and 1", "0.8"
	case "budget":
		return "a text of tokens or dollars", `"500k"`
	case "read-only":
		return "true or false", "true"
	}
	return "", ""
}
