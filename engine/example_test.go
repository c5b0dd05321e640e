package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// The smallest program that runs a workflow script: a store, a script, and what answers its
// calls.
func Example() {
	dir, _ := os.MkdirTemp("", "assent")
	defer os.RemoveAll(dir)
	files := fstest.MapFS{"hello.js": {Data: []byte(`
		export const meta = { name: "hello", description: "asks before it works" };
		const plan = await planApprove({ steps: ["say hello"] });
		if (plan.decision !== true) return "declined";
		return await agent("say hello", { under: plan });`)}}
	store, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
	check(err)
	program, err := vm.Compile(files, "hello.js")
	check(err)
	result, err := engine.Run(context.Background(), program, engine.Options{Store: store, Agent: greeter{}, Asker: yes})
	check(err)
	fmt.Println(result.State, string(result.Value))
	// Output: completed "hello"
}

type greeter struct{}

func (greeter) Run(context.Context, agent.Request, agent.Step) (agent.Response, error) {
	return agent.Response{Value: json.RawMessage(`"hello"`)}, nil
}

var yes = checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
	return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann"}}, nil
})

func check(err error) {
	if err != nil {
		panic(err)
	}
}
