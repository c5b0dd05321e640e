package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeysOfStructure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		answers    []string // keys, in the order of delivery
		want       []string
	}{
		{
			"straight code at the root shows no strand", `await agent("a"); await checkpoint("b"); await agent("c")`,
			[]string{"/agent#0", "/checkpoint#0"},
			[]string{"/agent#0", "/checkpoint#0", "/agent#1"},
		},
		{
			"straight code in a branch shows no strand", `await parallel([async () => { await agent("a"); await agent("b") }, () => agent("c")])`,
			[]string{"/parallel#0[0]/agent#0"},
			[]string{"/parallel#0[0]/agent#0", "/parallel#0[1]/agent#0", "/parallel#0[0]/agent#1"},
		},
		{
			"the fourth branch", `await parallel([0, 1, 2, 3].map((i) => async () => { await agent("a" + i); await agent("b" + i) }))`,
			[]string{"/parallel#0[3]/agent#0"},
			[]string{"/parallel#0[0]/agent#0", "/parallel#0[1]/agent#0", "/parallel#0[2]/agent#0", "/parallel#0[3]/agent#0", "/parallel#0[3]/agent#1"},
		},
		{
			"stages of a pipeline", `await pipeline([1, 2], (v) => agent("a" + v), (v) => agent("b" + v))`,
			[]string{"/pipeline#0[1]/agent#0", "/pipeline#0[0]/agent#0"},
			[]string{"/pipeline#0[0]/agent#0", "/pipeline#0[1]/agent#0", "/pipeline#0[1]/agent#1", "/pipeline#0[0]/agent#1"},
		},
		{
			"nested frames", `await parallel([() => pipeline([7], (v) => agent("x"))]); await parallel([() => agent("y")])`,
			[]string{"/parallel#0[0]/pipeline#0[0]/agent#0"},
			[]string{"/parallel#0[0]/pipeline#0[0]/agent#0", "/parallel#1[0]/agent#0"},
		},
		{
			"after a fan-out the root goes on", `await parallel([() => agent("a")]); await agent("b")`,
			[]string{"/parallel#0[0]/agent#0"},
			[]string{"/parallel#0[0]/agent#0", "/agent#0"},
		},
		{
			"chains take strands of their own", `const chain = async (n) => { await agent(n + 1); await agent(n + 2) }; await Promise.all([chain("a"), chain("b")]); await agent("z")`,
			[]string{"/agent#1", "/agent#0"},
			[]string{"/agent#0", "/agent#1", "~2/agent#0", "~1/agent#0"},
		},
		{
			"host function as a reaction", `await agent("a").then(agent)`,
			[]string{"/agent#0"},
			[]string{"/agent#0", "~1/agent#0"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := play(t, test.body)
			for _, key := range test.answers {
				p.answer(key, `"ok"`)
			}
			require.Equal(t, test.want, p.keys())
		})
	}
}

// A key must not tell which answer came first.
func TestKeysDoNotDependOnTheOrderOfAnswers(t *testing.T) {
	t.Parallel()
	const body = `
		const chain = (n) => agent(n + "0").then((v) => agent(n + "1")).then(() => agent(n + "2"));
		await Promise.all([chain("a"), chain("b"), (async () => { await agent("c0"); await agent("c1") })()]);`
	prompts := func(order []string) map[string]string {
		p := play(t, body)
		for len(p.calls) < 8 {
			for _, first := range order {
				for _, c := range p.calls {
					if string(c.Args[0])[1:2] == first && !p.answered[c.Key] {
						p.answer(c.Key, "1")
						break
					}
				}
			}
		}
		byKey := map[string]string{}
		for _, c := range p.calls {
			byKey[c.Key] = string(c.Args[0])
		}
		return byKey
	}
	want := prompts([]string{"a", "b", "c"})
	require.Len(t, want, 8)
	require.Equal(t, want, prompts([]string{"c", "b", "a"}))
	require.Equal(t, want, prompts([]string{"b", "b", "b", "a", "c"}))
}

func TestCallWithoutAFrame(t *testing.T) {
	t.Parallel()
	// goja calls the then of a foreign thenable without any context.
	p := play(t, `await { then(resolve, reject) { agent("x").then(resolve, reject) } }`)
	require.Empty(t, p.calls)
	require.Equal(t, "CALL_OUTSIDE_FRAME", p.failure().Code)
}

func TestFrameAndPhaseOfACall(t *testing.T) {
	t.Parallel()
	p := play(t, `
		phase("build");
		await parallel([
			async () => { phase("left"); await agent("a") },
			async () => { await agent("b", {label: "lint"}); await agent("c", {phase: "own"}) },
		]);
		await agent("d");`)
	p.answer("/parallel#0[1]/agent#0", "1").answer("/parallel#0[0]/agent#0", "1").answer("/parallel#0[1]/agent#1", "1")
	type place struct{ Frame, Phase, Label string }
	var got []place
	for _, c := range p.calls {
		got = append(got, place{c.Frame, c.Phase, c.Label})
	}
	require.Equal(t, []place{
		{"/parallel#0[0]", "left", ""}, {"/parallel#0[1]", "build", "lint"}, {"/parallel#0[1]", "own", ""}, {"", "build", ""},
	}, got)
}
