package vm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing/fstest"
	"time"

	"github.com/seed-8d4a6081/assent/vm"
)

// A machine without an engine: whoever drives it gives the answers, in any order.
func Example() {
	program, err := vm.Compile(fstest.MapFS{"review.js": {Data: []byte(`
		export const meta = { name: "review", description: "reviews two files, then asks" };
		const reviews = await parallel(args.files.map((file) => () => agent("Review " + file)));
		const approval = await planApprove({ fix: reviews });
		return { fixing: approval.decision === true };`)}}, "review.js")
	if err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	at := vm.At{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	m := vm.New(program, vm.Config{Seed: "example"})
	turn, err := m.Start(ctx, json.RawMessage(`{"files": ["a.go", "b.go"]}`), at)
	answer := func(key, value string) {
		for _, call := range turn.Calls {
			fmt.Printf("%s %s\n", call.Key, call.Args[0])
		}
		if err == nil {
			turn, err = m.Deliver(ctx, key, vm.Outcome{Value: json.RawMessage(value)}, at)
		}
	}
	answer("/parallel#0[1]/agent#0", `"no tests"`)
	answer("/parallel#0[0]/agent#0", `"fine"`)
	answer("/planApprove#0", `{"plan": {"fix": ["fine", "no tests"]}, "checksum": "…", "decision": true}`)
	fmt.Println(turn.Done, string(turn.Result), err)
	// Output:
	// /parallel#0[0]/agent#0 "Review a.go"
	// /parallel#0[1]/agent#0 "Review b.go"
	// /planApprove#0 {"fix":["fine","no tests"]}
	// true {"fixing":true} <nil>
}
