package vm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// generator writes random scripts out of a small grammar. Scripts share an array S, draw random
// values, and put what they know into their prompts, so that any difference in order shows.
type generator struct {
	r      *rand.Rand
	id     int
	budget int
	pure   bool // no shared state and no races: then nothing depends on the order of answers
}

func (g *generator) pick(n int) int { return g.r.IntN(n) }

func (g *generator) prompt() string {
	g.id++
	if g.pure {
		return fmt.Sprintf(`"p%d:" + JSON.stringify(acc) + uuid() + random()`, g.id)
	}
	switch g.pick(5) {
	case 0:
		return `"same"`
	case 1:
		return fmt.Sprintf(`"p%d:" + S.length`, g.id)
	case 2:
		return fmt.Sprintf(`"p%d:" + JSON.stringify(acc)`, g.id)
	case 3:
		return fmt.Sprintf(`"p%d:" + uuid().slice(0, 8) + random()`, g.id)
	default:
		return fmt.Sprintf(`"p%d:" + now() + S.join()`, g.id)
	}
}

func (g *generator) call() string {
	g.budget--
	switch g.pick(8) {
	case 0:
		return `await checkpoint(` + g.prompt() + `)`
	case 1:
		return `(await planApprove({acc: JSON.stringify(acc)})).decision`
	case 2:
		return `await sleep(acc.length)`
	default:
		return `await agent(` + g.prompt() + `, {label: "l" + acc.length, onError: "throw"})`
	}
}

// function gives an async function that takes nothing and gives a value.
func (g *generator) function(depth int) string {
	return `async () => { const acc = []; ` + g.block(depth) + ` return acc }`
}

func (g *generator) list(depth int, wrap string) string {
	var items []string
	for range 2 + g.pick(2) {
		items = append(items, fmt.Sprintf(wrap, g.function(depth)))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (g *generator) block(depth int) string {
	var b strings.Builder
	for range 1 + g.pick(3) {
		if g.budget <= 0 {
			break
		}
		kind := g.pick(16)
		if depth <= 0 {
			kind = g.pick(4)
		}
		if g.pure && (kind == 3 || kind == 8) {
			kind = 0
		}
		switch kind {
		case 0, 1:
			b.WriteString(`acc.push(` + g.call() + `); `)
		case 2:
			b.WriteString(`try { acc.push(` + g.call() + `) } catch (e) { acc.push(e.code) } `)
		case 3:
			b.WriteString(`S.push(` + g.call() + `); if (S.length % 3 === 0) S.sort(); `)
		case 4, 5:
			b.WriteString(`acc.push(await parallel(` + g.list(depth-1, "%s") + `)); `)
		case 6:
			b.WriteString(`acc.push(await pipeline([1, 2, 3], async (v, item, i) => { const acc = [v, item, i]; ` + g.block(0) + ` return acc }, (v) => agent("stage" + JSON.stringify(v)))); `)
		case 7:
			b.WriteString(`acc.push(await Promise.all(` + g.list(depth-1, "(%s)()") + `)); `)
		case 8:
			b.WriteString(`acc.push(await Promise.` + []string{"race", "any"}[g.pick(2)] + `(` + g.list(depth-1, "(%s)().catch((e) => e.code)") + `)); `)
		case 9:
			b.WriteString(`acc.push((await Promise.allSettled(` + g.list(depth-1, "(%s)()") + `)).map((x) => x.status)); `)
		case 10:
			b.WriteString(fmt.Sprintf(`acc.push(await agent("c%d").then((v) => agent("d" + v)).then((v) => { S.push(v); return agent("e" + v) }, (e) => e.code)); `, g.id))
			g.budget -= 3
		case 11:
			b.WriteString(`{ async function* it() { for (let i = 0; i < 2; i++) yield await agent("g" + i + JSON.stringify(acc)) } for await (const v of it()) acc.push(v, ` + g.call() + `); } `)
			g.budget -= 2
		case 12:
			b.WriteString(`{ let go; const later = new Promise((ok) => { go = ok }); acc.push(await parallel([async () => { const v = ` + g.call() + `; go(v); return v }, async () => [await later, ` + g.call() + `]])); } `)
		case 13:
			b.WriteString(`{ const { promise, resolve, reject } = Promise.withResolvers(); const p = promise.catch((e) => e.code); acc.push(await parallel([async () => { try { resolve(` + g.call() + `) } catch (e) { reject(e) } return 1 }, async () => [await p, ` + g.call() + `]])); } `)
		case 14:
			b.WriteString(`acc.push(await Array.fromAsync([1, 2], async (i) => { const acc = [i]; ` + g.block(0) + ` return acc })); `)
		default:
			b.WriteString(`{ const shared = agent("shared" + JSON.stringify(acc)); acc.push(await Promise.all([shared.catch(() => 1), (async () => [await shared.catch(() => 2), ` + g.call() + `])()])); } `)
		}
	}
	return b.String()
}

func (g *generator) script() string {
	return `const S = []; const acc = []; try { ` + g.block(3) + ` } catch (e) { acc.push(e.code) } return [acc, S]`
}

// delivery is one recorded answer.
type delivery struct {
	key     string
	outcome vm.Outcome
	at      vm.At
}

// record is everything that a run does which somebody could see.
type record struct {
	turns      []string
	deliveries []delivery
}

// execute runs the program; next chooses the next delivery from what is outstanding.
func execute(t *testing.T, p *vm.Program, next func(outstanding []vm.Call) delivery) record {
	var r record
	seen := map[string]bool{}
	var open []vm.Call
	take := func(turn vm.Turn, err error) vm.Turn {
		require.NoError(t, err)
		for _, c := range turn.Calls {
			require.False(t, seen[c.Key], "the key %s stands twice", c.Key)
			seen[c.Key] = true
		}
		open = append(open, turn.Calls...)
		text, err := json.Marshal(turn)
		require.NoError(t, err)
		r.turns = append(r.turns, string(text))
		return turn
	}
	m := vm.New(p, vm.Config{Seed: "property"})
	for turn := take(m.Start(context.Background(), nil, vm.At{Now: noon})); !turn.Done; {
		require.NotEmpty(t, open)
		d := next(open)
		for i, c := range open {
			if c.Key == d.key {
				open = append(open[:i:i], open[i+1:]...)
				break
			}
		}
		r.deliveries = append(r.deliveries, d)
		turn = take(m.Deliver(context.Background(), d.key, d.outcome, d.at))
	}
	return r
}

func answerTo(r *rand.Rand, c vm.Call, n int) vm.Outcome {
	if r.IntN(8) == 0 {
		return vm.Outcome{Failure: &vm.Failure{Code: "AGENT_FAILED", Message: "stub", Class: vm.Class(r.IntN(2))}}
	}
	if c.Name == "planApprove" {
		return vm.Outcome{Value: json.RawMessage(fmt.Sprintf(`{"plan":%s,"checksum":"c%d","decision":%t}`, c.Args[0], n, r.IntN(2) == 0))}
	}
	return vm.Outcome{Value: json.RawMessage(fmt.Sprintf(`"v%d"`, r.IntN(5)))}
}

// P2: the same program and the same deliveries give the same calls, to the byte, and no two calls share a key.
func TestP2_SameDeliveriesSameCalls(t *testing.T) {
	t.Parallel()
	scripts := 40
	if os.Getenv("ASSENT_LONG") != "" {
		scripts = 5000
	}
	calls := 0
	for seed := range uint64(scripts) {
		r := rand.New(rand.NewPCG(seed, 1))
		script := (&generator{r: r, budget: 12}).script()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Logf("seed %d: %s", seed, script)
				}
			}()
			p := compile(t, script)
			for order := range uint64(2) {
				r := rand.New(rand.NewPCG(seed, order+2))
				now := noon
				first := execute(t, p, func(open []vm.Call) delivery {
					c := open[r.IntN(len(open))]
					now = now.Add(time.Duration(r.IntN(5000)-1000) * time.Millisecond)
					calls++
					return delivery{c.Key, answerTo(r, c, calls), vm.At{Now: now, Spent: float64(calls)}}
				})
				for range 2 {
					n := 0
					again := execute(t, p, func([]vm.Call) delivery { n++; return first.deliveries[n-1] })
					require.Equal(t, first.turns, again.turns)
				}
			}
		})
	}
	require.Greater(t, calls, 4*scripts, "the scripts do too little")
}

// Without races and shared state, what stands at a key must not depend on which answer came first.
func TestP2_KeysSayWhereACallStands(t *testing.T) {
	t.Parallel()
	scripts := 30
	if os.Getenv("ASSENT_LONG") != "" {
		scripts = 3000
	}
	for seed := range uint64(scripts) {
		script := (&generator{r: rand.New(rand.NewPCG(seed, 5)), budget: 12, pure: true}).script()
		p := compile(t, script)
		var want map[string]string
		for order := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, order))
			got := map[string]string{}
			execute(t, p, func(open []vm.Call) delivery {
				for _, c := range open {
					text, err := json.Marshal(c)
					require.NoError(t, err)
					got[c.Key] = string(text)
				}
				c := open[r.IntN(len(open))]
				answer := rand.New(rand.NewPCG(uint64(len(c.Key)), uint64(c.Key[len(c.Key)-1])))
				o := answerTo(answer, c, len(c.Key))
				if o.Failure != nil {
					o = vm.Outcome{Value: json.RawMessage(`{"plan":1,"checksum":"c","decision":false}`)}
				}
				return delivery{c.Key, o, vm.At{Now: noon}}
			})
			if want == nil {
				want = got
			}
			require.Equal(t, want, got, "seed %d: %s", seed, script)
		}
	}
}

// TestTranscript prints what a fixed set of scripts does; TestP2_SameBytesElsewhere compares it between hosts.
func TestTranscript(t *testing.T) {
	if os.Getenv("ASSENT_TRANSCRIPT") == "" {
		t.Skip("only for TestP2_SameBytesElsewhere")
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 9))
		p := compile(t, (&generator{r: r, budget: 12}).script()+`.concat(new Date("2021-04-18 23:59:59").getTime(), String(new Date(2021, 3, 18)), ["z", "ä", "a", "I"].sort((a, b) => a.localeCompare(b)), 0.1 + 0.2, Math.sin(1))`)
		n := 0
		got := execute(t, p, func(open []vm.Call) delivery {
			n++
			c := open[r.IntN(len(open))]
			return delivery{c.Key, answerTo(r, c, n), vm.At{Now: noon.Add(time.Duration(n) * time.Second)}}
		})
		for _, turn := range got.turns {
			fmt.Println("TURN", turn)
		}
	}
}

func TestP2_SameBytesElsewhere(t *testing.T) {
	t.Parallel()
	transcript := func(env ...string) string {
		var turns []string
		for line := range strings.Lines(elsewhere(t, "TestTranscript", append(env, "ASSENT_TRANSCRIPT=1")...)) {
			if strings.HasPrefix(line, "TURN") {
				turns = append(turns, line)
			}
		}
		require.Greater(t, len(turns), 50)
		return strings.Join(turns, "")
	}
	want := transcript("TZ=UTC", "LANG=C", "GOMAXPROCS=1")
	require.Equal(t, want, transcript("TZ=America/New_York", "LANG=de_DE.UTF-8", "LC_ALL=tr_TR.UTF-8", "GOMAXPROCS=4", "GOGC=5"))
	require.Equal(t, want, transcript("TZ=Asia/Kathmandu", "LANG=", "GOMAXPROCS=2"))
}
