package agent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-8d4a6081/assent/agent"
)

// A call without a script: the scripted agent first answers something that the schema does
// not allow, is told so, and then answers well.
func Example() {
	answers, err := agent.ParseScripted([]byte(`
[[answer]]
prompt = "Plan *"
times = 1
text = 'I would say: {"steps": "many"}'

[[answer]]
prompt = "Plan *"
value = {steps = ["read", "write"]}
usage = {output = 12}
`), "answers.toml")
	if err != nil {
		fmt.Println(err)
		return
	}
	call, err := agent.Parse([]json.RawMessage{
		json.RawMessage(`"Plan the change"`),
		json.RawMessage(`{"label": "planner", "schema": {"type": "object", "properties": {"steps": {"type": "array"}}}}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := agent.Do(context.Background(), answers, call, agent.Request{Run: "R", Call: "/agent#0"}, nil)
	fmt.Println(string(answer.Value), answer.Usage.Output, err)

	// A typo is an error, with the option that was meant.
	_, err = agent.Parse([]json.RawMessage{json.RawMessage(`"Plan"`), json.RawMessage(`{"lable": "x"}`)})
	fmt.Println(err)
	// Output:
	// {"steps":["read","write"]} 12 <nil>
	// OPTION_UNKNOWN: agent() has no option "lable"
}
