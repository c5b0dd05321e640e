package scripttest_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// impure is a function that asks for something else each time, which no journal can answer.
type impure struct{ n atomic.Int64 }

func (*impure) Name() string { return "impure" }

func (p *impure) Parse([]json.RawMessage) (engine.Request, error) {
	return engine.Request{Identity: json.RawMessage(strconv.FormatInt(p.n.Add(1), 10)), ReadOnly: true}, nil
}

func (*impure) Answer(context.Context, engine.Request, *journal.Step) (json.RawMessage, error) {
	return json.RawMessage(`"done"`), nil
}

// Every test replays, without a word in the file; and one that does not replay fails for that.
func TestARunThatDoesNotReplay(t *testing.T) {
	t.Parallel()
	base := engine.Options{Primitives: []engine.Primitive{&impure{}}}
	r := reports(t, base, `return await impure();`, "[[test]]\n[test.expect]\nresult = 'done'\n")
	require.Len(t, r[0].Differences, 1)
	require.Regexp(t, `^replay: `, r[0].Differences[0])
	require.False(t, r[0].OK)
	r = reports(t, base, `return await impure();`, "[[test]]\nresume = false\n[test.expect]\nresult = 'done'\n")
	require.True(t, r[0].OK, "%v", r[0].Differences)
}

const steps = `
const plan = await agent("plan", { label: "planner", readOnly: true });
const approval = await planApprove({ plan });
if (approval.decision !== true) return "declined";
const parts = await parallel([1, 2, 3].map((n) => () => agent("part " + n, { label: "part " + n, under: approval })));
const sum = await agent("sum", { label: "sum", under: approval });
return { parts, sum, id: uuid() };
`

const stepAnswers = approve + `
[[test.answer]]
label = "planner"
times = 1
text = "p"
[[test.answer]]
label = "part 2"
times = 1
text = "second"
run = "printf x >> trail"
[[test.answer]]
label = "part *"
times = 2
text = "part"
[[test.answer]]
label = "sum"
times = 1
text = "s"
write = {"sum.txt" = "6"}
`

// Answers that are counted are not used up by a call that was cut off, and gates are answered again.
func TestEveryCutLeadsToTheSameEnd(t *testing.T) {
	t.Parallel()
	for range 3 { // the cut falls elsewhere among calls at work
		passes(t, steps, "resilience = true\n"+stepAnswers+"[test.expect]\nresult_contains = {parts = ['part', 'second', 'part'], sum = 's'}\n")
	}
	passes(t, steps, "kill_after = 2\n"+stepAnswers)
	fails(t, steps, "kill_after = 7\n"+stepAnswers, "kill_after: the run has 6 answers, not 7")
	passes(t, `return await checkpoint("Go?", { default: false });`, "on_gate = 'suspend'\nresilience = true\n[test.expect]\nstate = 'waiting'\n")
	passes(t, `await agent("x", { label: "x" });`, "resilience = true\n[[test.answer]]\nlabel = 'x'\nerror = {code = 'usage_limit', message = 'later'}\n[test.expect]\nstate = 'paused'\n")
}

// uuid() is the same in every run of a test, and the run's own id is not.
func TestChanceIsTheSameButIDsAreNot(t *testing.T) {
	t.Parallel()
	tests := ""
	for range 3 {
		tests += "[[test]]\n[test.expect]\nlogs = ['@']\nresult = 0\n"
	}
	ids, chance := map[string]bool{}, map[string]bool{}
	for _, r := range reports(t, noOptions, `log(runId + "@" + uuid() + random()); return 0;`, tests) {
		require.True(t, r.OK, "%v", r.Differences)
		id, rest, _ := strings.Cut(strings.TrimPrefix(r.Talk[0], "log "), "@")
		ids[id], chance[rest] = true, true
	}
	require.Len(t, ids, 3)
	require.Len(t, chance, 1)
}

// A script whose result hangs on when something happened does not survive.
func TestACutThatChangesTheResult(t *testing.T) {
	t.Parallel()
	r := reports(t, noOptions, `await agent("a", { label: "a" }); return { at: now() };`,
		"[[test]]\nkill_after = 1\n[[test.answer]]\nlabel = 'a'\ndelay = '5ms'\ntext = 'x'\n")
	require.Len(t, r[0].Differences, 1)
	require.Regexp(t, `^cut off after answer 1 of 1 \(/agent#0\): result\.at: expected "20.*", got "20.*"$`, r[0].Differences[0])
	r = reports(t, engine.Options{Primitives: []engine.Primitive{&impure{}}}, `await agent("a", { label: "a" }); await impure(); await agent("b", { label: "b" }); return 1;`,
		"[[test]]\nresume = false\nkill_after = 2\n[[test.answer]]\nlabel = '*'\ntext = 'x'\n")
	require.Len(t, r[0].Differences, 1)
	require.Regexp(t, `^cut off after answer 2 of 3 \(/impure#0\): it ended failed \(.*NONDETERMINISTIC_SCRIPT.*\), and without the cut completed$`, r[0].Differences[0])
}

// Work that is not the same the second time shows in the workspace.
func TestACutThatChangesTheWorkspace(t *testing.T) {
	t.Parallel()
	r := reports(t, noOptions, `await agent("a", { label: "a" }); await agent("b", { label: "b" }); return 1;`,
		"[[test]]\nresilience = true\nfiles = {'n' = ''}\n[[test.answer]]\nlabel = 'a'\ntext = 'x'\nrun = 'echo $$ >n'\n[[test.answer]]\nlabel = 'b'\ntext = 'x'\n")
	require.Equal(t, []string{
		"cut off after answer 1 of 2 (/agent#0): the workspace differs in n", "cut off after answer 2 of 2 (/agent#1): the workspace differs in n",
	}, r[0].Differences)
}
