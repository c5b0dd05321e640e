package plan_test

import (
	"encoding/json"
	"fmt"

	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
)

func ExampleCheck() {
	r := plan.Check(json.RawMessage(`{"summary": "Dates", "steps": [
		{"id": "parser", "title": "Parse dates", "files": ["date/"], "instructions": "Add date.Parse.", "acceptance": ["works well"], "dependencies": []},
		{"id": "cli", "title": "Take --since", "files": ["date/flag.go"], "instructions": "Use it.", "acceptance": ["shop --since x exits with code 2"], "dependencies": []}
	]}`), plan.Options{})
	fmt.Println(r.OK)
	for _, v := range r.Violations {
		fmt.Println(v.Code, v.Step, v.Path)
	}
	// Output:
	// false
	// acceptance-vague parser $.steps[0].acceptance[0]
	// files-shared cli $.steps[1].files[0]
}
