package engine_test

import (
	"testing"

	"github.com/seed-8d4a6081/assent/engine"
)

func TestZZUnder(t *testing.T) {
	store, workers := newStore(t), &team{}
	books := shelf{"inner": `return await agent("child does it", {under: globalThis.ok});`,
		"asks": `const ok = await planApprove({child: 1}); globalThis.ok2 = ok; return ok.decision;`,
		"pf":   `return await agent("changes");`}
	p := script(t, `const ok = await planApprove({x: 1}); globalThis.ok = ok;
if (ok.decision !== true) return "no";
let r = [];
try { r.push(await workflow("inner")); } catch (e) { r.push(e.code) }
try { r.push(await workflow("asks")); r.push(await agent("main", {under: globalThis.ok2})); } catch (e) { r.push(e.code) }
try { r.push(await workflow("export const meta = {name:'a', description:'child with planFirst', planFirst: true};\nreturn await agent('changes')")); } catch (e) { r.push(e.code) }
return r;`)
	r := run(t, p, engine.Options{Store: store, Agent: workers, Workflows: books, Asker: says("true")})
	t.Logf("%s %+v", r.Value, r)
}

func TestZZPos(t *testing.T) {
	store, workers := newStore(t), &team{}
	books := shelf{"inner": `return 1;`}
	p := script(t, `const r = [];
try { r.push(await Promise.resolve("./inner").then(workflow)); } catch (e) { r.push(e.message) }
try { r.push(await Promise.all(["./inner", "inner"].map((x) => workflow(x)))); } catch (e) { r.push(e.message) }
try { r.push(await Promise.all(["./inner", "inner"].map(workflow))); } catch (e) { r.push(e.message) }
return r;`)
	r := run(t, p, engine.Options{Store: store, Agent: workers, Workflows: books})
	t.Logf("%s %+v", r.Value, r)
}

func TestZZPhase(t *testing.T) {
	for _, b := range []string{`1.5`, `"1.5"`, `"$ 5"`, `"5 usd"`, `"0.0000001usd"`, `"0.1"`, `"0.5 k"`, `"2 M"`, `"99999999999999999999"`, `1e15`, `"$0.000001"`,`"5USD"`, `Infinity`} {
		store, workers := newStore(t), usingTokens(1)
		p := script(t, `let r=[]; try { phase("a", {budget: `+b+`}); for (let i=0;i<3;i++) r.push(await agent("x"+i)); } catch (e) { r.push(e.code+" "+e.message) } return r;`)
		r := run(t, p, engine.Options{Store: store, Agent: workers})
		t.Logf("%s: %s %v", b, r.Value, r.Err)
	}
}
