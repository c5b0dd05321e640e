package engine_test

import (
	"context"
	"testing"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func TestZZRaisePhase(t *testing.T) {
	store, workers := newStore(t), usingTokens(600)
	body := func(b string) string { return `phase("a", {budget: ` + b + `}); const got=[]; for (let i=0;i<4;i++) { try { got.push(await agent("x"+i)); } catch (e) { got.push(e.code); } } return got;` }
	r := run(t, script(t, body("1000")), engine.Options{Store: store, Agent: workers})
	t.Logf("%s asked %d", r.Value, workers.asked)
	for _, retry := range []bool{false, true, false} {
		r = resume(t, r.Run, script(t, body("9000")), engine.Options{Store: store, Agent: workers, RetryFailed: retry})
		t.Logf("retry %v: %s %s asked %d", retry, r.State, r.Value, workers.asked)
		if _, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store}); err != nil {
			t.Log(err)
		}
	}
	// throws
	workers = usingTokens(600)
	body = func(b string) string { return `phase("a", {budget: ` + b + `}); const got=[]; for (let i=0;i<4;i++) got.push(await agent("x"+i)); return got;` }
	r = run(t, script(t, body("1000")), engine.Options{Store: store, Agent: workers})
	t.Logf("%s %s asked %d", r.State, r.Code, workers.asked)
	r = resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
	t.Logf("%s %s asked %d", r.State, r.Code, workers.asked)
	r = resume(t, r.Run, script(t, body("9000")), engine.Options{Store: store, Agent: workers})
	t.Logf("raised: %s %s asked %d", r.State, r.Value, workers.asked)
	r = resume(t, r.Run, script(t, body("9000")), engine.Options{Store: store, Agent: workers, RetryFailed: true})
	t.Logf("raised retry: %s %s asked %d", r.State, r.Value, workers.asked)
	// children share the phase
	workers = usingTokens(600)
	books := shelf{"c": `const got = []; for (let i=0;i<3;i++) { try { got.push(await agent("c"+i)); } catch (e) { got.push(e.code); } } phase("other"); got.push(await agent("o")); phase("a"); got.push(await agent("free")); return got;`}
	r = run(t, script(t, `phase("a", {budget: 1000}); const got = await agent("m"); const c = await workflow("c"); let after; try { after = await agent("m2") } catch (e) { after = e.code } 
let own; try { own = await agent("m3", {phase: "a"}) } catch (e) { own = e.code }
return [got, c, after, own];`), engine.Options{Store: store, Agent: workers, Workflows: books})
	t.Logf("%s %s asked %d", r.State, r.Value, workers.asked)
}

func TestZZShapes(t *testing.T) {
	store := newStore(t)
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Prompt == "breaks" {
			return nil, fault.New(fault.AgentFailed, "no", "")
		}
		return req.Prompt, nil
	}}
	books := shelf{"slow": `for (let i=0;i<5;i++) await agent("s"+i); globalThis.late = 1; return "slow";`, "fast": `return "fast";`,
		"never": `await new Promise(() => {});`, "rej": `Promise.reject(new Error("lost")); return 1;`, "rej2": `agent("breaks", {onError: "throw"}); await agent("x"); return 2;`,
		"rand": `return [random(), uuid(), now(), random()];`, "deep": `return args.n > 2 ? args.n : await workflow("deep", {n: args.n + 1});`,
		"sync": `throw new Error("at once");`, "lim": `return meta.limits;`, "sleep": `await sleep(5); return 1`}
	for _, body := range []string{
		`const w = await Promise.race([workflow("slow"), workflow("fast")]); await agent("m"); return w;`,
		`const w = await Promise.race([workflow("slow"), workflow("fast"), workflow("slow")]); for (let i=0;i<9;i++) await agent("m"+i); return [w, globalThis.late];`,
		`return await workflow("never");`,
		`workflow("slow"); await agent("m"); return 1;`,
		`workflow("slow"); return 1;`,
		`workflow("sync"); await agent("m"); return 1;`,
		`return await workflow("rej").catch(e => "caught " + e.message);`,
		`return await workflow("rej2").catch(e => "caught " + e.message);`,
		`return [await workflow("rand"), ...(await parallel([() => workflow("rand"), () => workflow("rand")])), random()];`,
		`return await workflow("deep", {n: 0});`,
		`return await parallel([1,2,3].map(n => () => workflow("deep", {n: 3}))) `,
		`return await workflow("sync").catch(e => e.message);`,
		`try { return await workflow("deep", {n: -2}) } catch (e) { return e.code }`,
		`return await dag([{id: "a", run: () => workflow("slow")}, {id: "b", dependsOn: ["a"], run: (d) => workflow("deep", {n: 0})}, {id:"c", run: () => workflow("sync")}]);`,
		`return await retry(() => workflow("sync"), {attempts: 2}).catch(e => e.message);`,
		`const p = workflow("sleep"); const q = workflow("fast"); return [await q, await p];`,
		`const w = workflow; try { workflow = 1 } catch (e) { return e.message } return w === workflow`,
		`return await workflow({name: "fast"}, undefined)`,
		`return await workflow("fast", {a: undefined, b: () => 1}).catch(e => e.message)`,
		`return await workflow(new String("fast")).catch(e => e.message)`,
	} {
		o := engine.Options{Store: store, Agent: workers, Workflows: books}
		r := run(t, script(t, body), o)
		a := len(workers.take())
		t.Logf("%s\n  -> %s %s %s out=%v asked %d", body, r.State, r.Value, r.Code, r.Outstanding, a)
		if r.Err != nil {
			t.Logf("  err %v", r.Err)
		}
		if p, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store}); err != nil || string(p.Value) != string(r.Value) {
			t.Errorf("  REPLAY %v", err)
		}
		r2 := resume(t, r.Run, nil, o)
		r3 := resume(t, r.Run, script(t, body), o)
		b := workers.take()
		if string(r2.Value) != string(r.Value) || string(r3.Value) != string(r.Value) || len(b) > 0 {
			t.Logf("  again %s %s | %s %s asked %v", r2.State, r2.Value, r3.State, r3.Value, b)
		}
	}
}
