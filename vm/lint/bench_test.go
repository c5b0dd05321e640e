package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/vm/lint"
)

// hundred is a script of about 100 lines as people write them.
func hundred() fstest.MapFS {
	var text strings.Builder
	text.WriteString(header)
	for i := range 12 {
		fmt.Fprintf(&text, `const plan%[1]d = await agent("Plan part %[1]d: " + args.task, {
  label: "plan %[1]d", readOnly: true,
  schema: { type: "object", properties: { steps: { type: "array", items: { type: "string" } } } },
});
const approval%[1]d = await planApprove({ part: %[1]d, steps: plan%[1]d.steps });
if (approval%[1]d.decision !== true) return { success: false, reason: "declined" };
const done%[1]d = await parallel(approval%[1]d.plan.steps.map((step, i) => () => agent(step, { label: `+"`step ${i}`"+`, under: approval%[1]d })));
log(done%[1]d.filter((text) => text !== null).length);
`, i)
	}
	text.WriteString("return { success: true };\n")
	return fstest.MapFS{"script.js": {Data: []byte(text.String())}}
}

// What lint adds to the start of a run is the difference of the two.
func BenchmarkLint(b *testing.B) {
	files := hundred()
	b.Run("compile", func(b *testing.B) {
		for b.Loop() {
			if _, err := vm.Compile(files, "script.js"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("lint", func(b *testing.B) {
		for b.Loop() {
			if _, _, found := lint.File(files, "script.js", options); len(found) > 0 {
				b.Fatal(found)
			}
		}
	})
}
