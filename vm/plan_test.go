package vm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

type vectors struct {
	Accepted []struct{ Name, JS, Canonical, SHA256 string }
	Refused  []struct{ Name, JS, Error, Path string }
}

func planVectors(t *testing.T) (v vectors) {
	text, err := os.ReadFile("testdata/plan-checksums.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &v))
	require.NotEmpty(t, v.Accepted)
	require.NotEmpty(t, v.Refused)
	return v
}

// canonical is RFC 8785 by another implementation than the project's.
func canonical(t testing.TB, text json.RawMessage) string {
	v := jsontext.Value(append([]byte(nil), text...))
	require.NoError(t, v.Canonicalize())
	return string(v)
}

func TestB23_B24_AcceptedPlans(t *testing.T) {
	t.Parallel()
	for _, vector := range planVectors(t).Accepted {
		t.Run(vector.Name, func(t *testing.T) {
			p := play(t, "await planApprove("+vector.JS+")")
			require.Len(t, p.calls, 1)
			require.Equal(t, "/planApprove#0", p.calls[0].Key)
			text := canonical(t, p.calls[0].Args[0])
			require.Equal(t, vector.Canonical, text)
			sum := sha256.Sum256([]byte(text))
			require.Equal(t, vector.SHA256, hex.EncodeToString(sum[:]))
		})
	}
}

func TestB19_B20_B25_RefusedPlans(t *testing.T) {
	t.Parallel()
	for _, vector := range planVectors(t).Refused {
		for _, shape := range []struct{ js, path string }{
			{vector.JS, vector.Path},
			{"[" + vector.JS + "]", "$[0]" + strings.TrimPrefix(vector.Path, "$")},
		} {
			if vector.Name == "too deep" && shape.path != vector.Path {
				shape.path = "$[0]" // of what nests too deep, only the outermost step is named
			}
			t.Run(vector.Name+" "+shape.path, func(t *testing.T) {
				p := play(t, `
					let kind;
					try { await planApprove(`+shape.js+`) } catch (e) { kind = [e instanceof TypeError, Object.hasOwn(e, "code"), e.code, e.message] }
					return kind;`)
				require.Empty(t, p.calls)
				var got []any
				require.NoError(t, json.Unmarshal([]byte(p.result()), &got))
				require.Equal(t, []any{true, true, vector.Error}, got[:3])
				require.Contains(t, got[3], " at "+shape.path+":")
			})
		}
	}
}

func TestB17_PlanIsReadOnce(t *testing.T) {
	t.Parallel()
	for name, js := range map[string]string{
		"getter":                    `({get step(){ reads++; return "x" }})`,
		"getter in an array":        `[{get step(){ reads++; return "x" }}]`,
		"array element as a getter": `Object.defineProperty([1], 0, {get(){ reads++; return 1 }, enumerable: true})`,
		"proxy":                     `new Proxy({a: 1}, {get(t, k){ reads++; return t[k] }, ownKeys(t){ reads++; return Reflect.ownKeys(t) }, getPrototypeOf(){ reads++; return Object.prototype }})`,
		"proxy of an array":         `[new Proxy([1], {get(t, k){ reads++; return t[k] }})]`,
		"toJSON":                    `({toJSON(){ reads++; return {x: "other"} }})`,
		"toJSON in an array":        `[{toJSON(){ reads++; return {x: "other"} }}]`,
		"toJSON getter":             `({get toJSON(){ reads++; return () => 1 }})`,
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, `let reads = 0; const plan = `+js+`; let code; try { await planApprove(plan) } catch (e) { code = e.code } return [reads, code]`)
			require.Equal(t, `[0,"PLAN_NOT_JSON"]`, p.result())
			require.Empty(t, p.calls)
		})
	}
}

// A polluted Object.prototype must not make an accessor look like data, nor data like an accessor.
func TestB16_B17_PollutedDescriptors(t *testing.T) {
	t.Parallel()
	const pollute = `for (const k of ["value", "get", "set", "writable", "enumerable"]) Object.prototype[k] = "safe"; `
	require.Contains(t, caught(t, pollute+`await planApprove(Object.create(null, {step: Object.assign(Object.create(null), {get() { return "rm" }, enumerable: true})}))`), "PLAN_NOT_JSON")
	require.Contains(t, caught(t, pollute+`await agent("x", {get label() { return "rm" }})`), "VALUE_NOT_JSON")
	require.Equal(t, `{"a":1}`, string(play(t, pollute+`await planApprove({a: 1})`).calls[0].Args[0]))
}

func TestS08_PlanIsASnapshot(t *testing.T) {
	t.Parallel()
	p := play(t, `
		const plan = {steps: ["safe"]};
		const asked = planApprove(plan);
		plan.steps[0] = "rm -rf";
		Promise.resolve().then(() => { plan.steps.push("more") });
		const a = await asked;
		let failures = 0;
		for (const change of [() => { a.plan.steps[0] = "x" }, () => { a.decision = false }, () => { a.plan = 1 }, () => { a.extra = 1 }, () => { delete a.checksum }, () => { a.replayed = true }]) {
			try { change() } catch { failures++ }
		}
		return [a, failures, a.plan.steps === plan.steps];`)
	require.Equal(t, `{"steps":["safe"]}`, string(p.calls[0].Args[0]))
	p.answer("/planApprove#0", `{"plan":{"steps":["safe"]},"checksum":"c1","decision":true}`)
	require.Equal(t, `[{"plan":{"steps":["safe"]},"checksum":"c1","decision":true},6,false]`, p.result())
}

func TestReplayedIsSeenByNobodyWhoDoesNotAsk(t *testing.T) {
	t.Parallel()
	for _, replayed := range []bool{false, true} {
		p := play(t, `
			const a = await planApprove(1);
			const d = Object.getOwnPropertyDescriptor(a, "replayed");
			const look = [JSON.stringify(a), Object.keys(a), {...a}, a, Object.hasOwn(a, "decision"), d.enumerable, d.writable, d.configurable];
			await agent("x", {look});
			return a.replayed;`)
		p.outcome("/planApprove#0", vm.Outcome{Value: json.RawMessage(`{"plan":1,"checksum":"c","decision":"smaller, please"}`), Replayed: replayed})
		require.Equal(t, `{"look":["{\"plan\":1,\"checksum\":\"c\",\"decision\":\"smaller, please\"}",["plan","checksum","decision"],`+
			`{"plan":1,"checksum":"c","decision":"smaller, please"},{"plan":1,"checksum":"c","decision":"smaller, please"},true,false,false,false]}`, string(p.calls[1].Args[1]))
		p.answer("/agent#0", "null")
		require.Equal(t, map[bool]string{false: "false", true: "true"}[replayed], p.result())
	}
}

func TestPlanTooLarge(t *testing.T) {
	t.Parallel()
	require.Equal(t, "TypeError PLAN_TOO_LARGE: planApprove: the plan is too large at $: the JSON text is longer than 4194304 bytes",
		caught(t, `await planApprove("x".repeat(4 << 20))`)) // two quotes too long
	require.Len(t, play(t, `await planApprove("x".repeat((4 << 20) - 2))`).calls, 1)
	// A shared reference that doubles with every level is caught by its size, not walked to its end.
	p := playWith(t, `let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; await planApprove(a)`, vm.Config{Limits: vm.Limits{PlanBytes: 64 << 10}})
	require.Contains(t, p.failure().Message, "the JSON text is longer than 65536 bytes")
}

func TestUnderNeedsTheRealApproval(t *testing.T) {
	t.Parallel()
	const ask = `const a = await planApprove({x: 1});`
	const yes = `{"plan":{"x":1},"checksum":"c1","decision":true}`
	for name, lookAlike := range map[string]string{
		"copy": `{...a}`, "clone": `JSON.parse(JSON.stringify(a))`, "heir": `Object.create(a)`, "proxy": `new Proxy(a, {})`, "checksum": `a.checksum`,
		"its text": `{checksum: a.checksum}`, "true": `true`, "null": `null`, "undefined": `undefined`, "its plan": `a.plan`,
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, ask+`try { await agent("w", {under: `+lookAlike+`}) } catch (e) { return [e.name, e.code] }`)
			p.answer("/planApprove#0", yes)
			require.Equal(t, `["TypeError","APPROVAL_NOT_GENUINE"]`, p.result())
			require.Len(t, p.calls, 1)
		})
	}
	p := play(t, ask+`await agent("w", {model: "m", under: a, label: "L"})`)
	p.answer("/planApprove#0", yes)
	require.Equal(t, `{"model":"m","under":{"checksum":"c1"},"label":"L"}`, string(p.calls[1].Args[1]))
	require.Equal(t, &vm.Approval{Key: "/planApprove#0", Checksum: "c1"}, p.calls[1].Under)
	// Without it there is none.
	p = play(t, `await agent("w", {})`)
	require.Nil(t, p.calls[0].Under)
	require.Equal(t, `{}`, string(p.calls[0].Args[1]))
}
