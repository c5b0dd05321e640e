package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
)

// generator writes random scripts. Each call has a unique name and knows by name all calls
// whose answers could have influenced it: its label is "name|known,known,…". That is the ground
// truth the replay rules are held against.
type generator struct {
	r      *rand.Rand
	id     int
	budget int
	// What the scripts may use besides parallel and pipeline.
	plain, race, shared, promises, deferred, sleeps bool
	// plans asks about plans, some of which a validator sees first; planFirst refuses what may
	// change something before one is approved, and the script asks again for less.
	plans, planFirst bool
	// nested uses dags, and workflows in each other, of which deep counts those around the current place.
	nested bool
	deep   int
}

const prologue = `
const S = [];
const H = v => { let h = 2166136261; for (const c of JSON.stringify(v)) h = Math.imul(h ^ c.codePointAt(0), 16777619) >>> 0; return h.toString(16) };
const ask = (prompt, name, k) => agent(prompt, {label: name + "|" + k.join(",")});
const U = ""; let k = []; const acc = [];
`

// lessAsk is ask for a script whose header says planFirst.
const lessAsk = `
const ask = async (prompt, name, k) => {
	const label = name + "|" + k.join(",");
	try { return await agent(prompt, {label}) } catch (e) { if (e.code !== "PLAN_NOT_APPROVED") throw e }
	return agent(prompt, {label, readOnly: true});
};
`

func (g *generator) script() string {
	g.budget = 20
	if g.nested {
		return nestedPrologue + "let k = []; const acc = []; const U = \"\";\n" + g.body(3, 4+g.r.Intn(3)) + "\nreturn acc;"
	}
	if g.planFirst {
		head, tail, _ := strings.Cut(prologue, "const ask =")
		_, tail, _ = strings.Cut(tail, "\n")
		return head + lessAsk + tail + g.body(3, 4+g.r.Intn(3)) + "\nreturn acc;"
	}
	return prologue + g.body(3, 4+g.r.Intn(3)) + "\nreturn acc;"
}

// nestedPrologue stands in every workflow. In a node of a dag, a failed agent gives null as it does elsewhere.
var nestedPrologue = func() string {
	head, _, _ := strings.Cut(prologue, "const U =")
	return strings.Replace(head, "{label: name", "{onError: \"null\", label: name", 1)
}()

// nodes is a dag: the second and the third node wait for the first, the last for both.
func (g *generator) nodes(depth int) string {
	node := func(needs string) string {
		return `async (deps) => { const K = k; return await (async (k, acc) => { for (const x of Object.values(deps)) { acc.push(x[0]); k = k.concat(x[1]) } ` +
			g.body(depth, 1+g.r.Intn(2)) + ` return [acc, k] })(K.slice(), []) }, dependsOn: [` + needs + `]`
	}
	return `{ const D = await dag([{id: "a", run: ` + node("") + `}, {id: "b", run: ` + node(`"a"`) + `}, {id: "c/", run: ` + node(`"a"`) + `}, {id: "d", run: ` + node(`"b", "c/"`) +
		`}]); const rs = Object.values(D.results);` + join + ` acc.push(D.ok) }`
}

// workflow is a script as a text, which goes on with what the one around it knows.
func (g *generator) workflow(depth int) string {
	g.deep++
	defer func() { g.deep-- }()
	text := header + nestedPrologue + "let k = args.k; const acc = []; const U = args.U;\n" + g.body(depth, 1+g.r.Intn(3)) + "\nreturn [acc, k];"
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return `{ const rs = [await workflow(` + string(quoted) + `, {k, U})];` + join + `}`
}

func (g *generator) next() int { g.id++; g.budget--; return g.id }

func (g *generator) prompt(id int) string {
	switch g.r.Intn(4) {
	case 0:
		return `"same"`
	case 1:
		return fmt.Sprintf(`"p%d"`, id)
	case 2:
		if g.shared {
			return fmt.Sprintf(`"p%d:" + H(S)`, id)
		}
	}
	return fmt.Sprintf(`"p%d:" + H(acc)`, id)
}

func (g *generator) call() string {
	id := g.next()
	share := ""
	if g.shared && g.r.Intn(2) == 0 {
		share = "S.push(r); if (S.length % 3 === 0) S.sort();"
	}
	return fmt.Sprintf(`{ const r = await ask(%s, U + "%d", k); %s acc.push(r); k = k.concat([U + "%d"]); }`, g.prompt(id), id, share, id)
}

// plan asks about a plan. The plan says what the question is called and what it knows.
func (g *generator) plan() string {
	id := g.next()
	options, validated := "{}", false
	if g.r.Intn(4) > 0 {
		options, validated = `{planModel: "m"}`, true
	}
	return fmt.Sprintf(`{ const r = await planApprove({name: U + "%d", knows: k, validated: %v}, %s); acc.push(r.decision); k = k.concat([U + "%d"]); }`, id, validated, options, id)
}

// branch is an async function with its own acc and k, which gives both.
func (g *generator) branch(depth int) string {
	return `async () => { const K = k; return await (async (k, acc) => { ` + g.body(depth, 1+g.r.Intn(3)) + ` return [acc, k] })(K.slice(), []) }`
}

func (g *generator) branches(n, depth int, form string) string {
	var list []string
	for range n {
		list = append(list, fmt.Sprintf(form, g.branch(depth)))
	}
	return strings.Join(list, ", ")
}

// join takes in what branches give.
const join = ` for (const x of rs) { if (x) { acc.push(x[0]); k = k.concat(x[1]) } else acc.push(null) }`

func (g *generator) body(depth, n int) string {
	var b strings.Builder
	for i := 0; i < n && g.budget > 0; i++ {
		b.WriteString(g.statement(depth) + "\n")
	}
	return b.String()
}

func (g *generator) statement(depth int) string {
	kind := g.r.Intn(14)
	if depth <= 0 {
		kind = 13 * g.r.Intn(2) // a call, or a plan
	}
	switch {
	case g.nested && depth > 0 && kind < 2:
		return g.nodes(depth - 1)
	case g.nested && depth > 0 && kind < 4 && g.deep < 4:
		return g.workflow(depth - 1)
	case kind == 4 || kind == 5:
		return "{ const rs = await parallel([" + g.branches(2+g.r.Intn(2), depth-1, "%s") + "]);" + join + "}"
	case kind == 6:
		var stages strings.Builder
		for range 1 + g.r.Intn(2) {
			stages.WriteString(`, async (v, item, ix) => { const U = P + "i" + ix + "."; return await (async (k, acc) => { ` + g.body(0, 1+g.r.Intn(2)) + ` return [acc, k] })(v[1].slice(), [v[0]]) }`)
		}
		return `{ const P = U; const rs = await pipeline([0, 1, 2].map(i => [[i], k.slice()])` + stages.String() + `);` + join + "}"
	case kind == 7 && g.plain:
		return "{ const rs = await Promise.all([" + g.branches(2+g.r.Intn(2), depth-1, "(%s)()") + "]);" + join + "}"
	case kind == 8 && g.sleeps:
		return fmt.Sprintf("await sleep(%d);", g.r.Intn(4))
	case kind == 9 && g.race:
		return "{ const rs = [await Promise." + []string{"race", "any"}[g.r.Intn(2)] + "([" + g.branches(2, depth-1, "(%s)()") + "])];" + join + "}"
	case kind == 10: // begun here, joined later
		begun := "parallel([" + g.branches(2, depth-1, "%s") + "])"
		if g.plain && g.r.Intn(2) == 0 {
			begun = "Promise.all([" + g.branches(1, depth-1, "(%s)()") + "])"
		}
		return "{ const later = " + begun + "; " + g.body(depth-1, 2) + " const rs = await later;" + join + "}"
	case kind == 11 && g.promises: // one promise awaited in several branches
		id := g.next()
		var list strings.Builder
		for range 2 {
			list.WriteString(`async () => { return await (async (k, acc) => { ` + g.body(0, 1) + ` { const rs = [await sp];` + join + `} ` + g.body(0, 2) + ` return [acc, k] })(K1.slice(), []) },`)
		}
		return fmt.Sprintf(`{ const K1 = k; const sp = ask("sp%d", U + "%d", K1).then(r => [[r], K1.concat([U + "%d"])]); const rs = await parallel([`, id, id, id) + list.String() + "]);" + join + "}"
	case kind == 12 && g.deferred: // a branch resolves what another awaits
		return `{ let res; const d = new Promise(r => res = r); const K1 = k; const rs = await parallel([` +
			`async () => { return await (async (k, acc) => { ` + g.body(0, 2) + ` res([acc.slice(), k]); ` + g.body(0, 1) + ` return [acc, k] })(K1.slice(), []) },` +
			`async () => { return await (async (k, acc) => { ` + g.body(0, 1) + ` { const rs = [await d];` + join + `} ` + g.body(0, 2) + ` return [acc, k] })(K1.slice(), []) },` +
			"]);" + join + "}"
	case kind >= 12 && g.plans:
		return g.plan()
	default:
		return g.call()
	}
}
