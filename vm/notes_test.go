package vm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

func TestLogPrintsAnything(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`"text", 1, true, null, undefined`:                                   `text 1 true null undefined`,
		`{a: [1, "x", {b: null}]}`:                                           `{"a":[1,"x",{"b":null}]}`,
		`["a\nb", "é"]`:                                                      `["a\nb","é"]`,
		`new TypeError("bad", {cause: new Error("why")})`:                    `TypeError: bad; caused by Error: why`,
		`{e: new Error("x")}`:                                                `{"e":Error: x}`,
		`[1, , , 2, ,]`:                                                      `[1,(2 holes),2]`,
		`(() => { const a = {n: 1}; a.self = a; return a })()`:               `{"n":1,"self":[Circular]}`,
		`{get a() { throw new Error("read") }}`:                              `{"a":[Getter]}`,
		`new Proxy({}, {get() { throw 1 }, ownKeys() { throw 1 }})`:          `[Proxy]`,
		`{toString() { throw 1 }, toJSON() { throw 1 }}`:                     `{"toString":[Function toString],"toJSON":[Function toJSON]}`,
		`10n, Symbol("s"), function f() {}, () => 1`:                         `10n Symbol(s) [Function f] [Function ]`,
		`new Date(0), new Date(NaN)`:                                         `1970-01-01T00:00:00.000Z Invalid Date`,
		`new Map(), new Set(), /a/, Promise.resolve(1)`:                      `[Map] [Set] [RegExp] [Promise]`,
		`new (class P { constructor() { this.a = 1 } })()`:                   `{"a":1}`,
		`Object.create(null)`:                                                `{}`,
		`"\ud800"`:                                                           "\uFFFD",
		`Object.defineProperty(new Error(), "message", {get() { throw 1 }})`: `Error`,
		``: ``,
	} {
		p := play(t, `log(`+js+`)`)
		p.result()
		require.Equal(t, []string{want}, p.said(), js)
	}
	p := play(t, `let a = []; for (let i = 0; i < 20000; i++) a = [a]; log(a); log("x".repeat(1 << 20)); log(Array(1e5).fill("yy"))`)
	p.result()
	require.Len(t, p.notes, 3)
	require.Contains(t, p.notes[0].Text, "…")
	for _, n := range p.notes[1:] {
		require.Less(t, len(n.Text), 66<<10)
		require.Contains(t, n.Text, "more bytes)")
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	p := play(t, `console.log(1); console.info(2); console.warn(3); console.error(4); console.debug(5); log(6); await parallel([() => log(7)])`)
	p.result()
	var got []string
	for _, n := range p.notes {
		got = append(got, n.Type+" "+n.Level+" "+n.Text+" "+n.Frame)
	}
	require.Equal(t, []string{"log info 1 ", "log info 2 ", "log warn 3 ", "log error 4 ", "log debug 5 ", "log info 6 ", "log info 7 /parallel#0[0]"}, got)
}

func TestLogTotalIsBounded(t *testing.T) {
	t.Parallel()
	p := playWith(t, `for (let i = 0; i < 1000; i++) log("0123456789"); return "ok"`, vm.Config{Limits: vm.Limits{LogTotal: 420}})
	require.Equal(t, `"ok"`, p.result())
	require.Len(t, p.notes, 11) // ten of 42 bytes each, and the one that says so
	require.Contains(t, p.notes[10].Text, "left out")
}

func TestPhase(t *testing.T) {
	t.Parallel()
	p := play(t, `phase("one"); try { phase("x", {budgets: 1}) } catch (e) { log(e.code) } try { phase(1) } catch (e) { log(e.message) }`)
	p.result()
	require.Equal(t, []string{"one", "OPTION_UNKNOWN", "phase: the title is 1; it has to be a string"}, p.said())
	require.Equal(t, "phase", p.notes[0].Type)
}

func TestSetSemanticStatus(t *testing.T) {
	t.Parallel()
	p := play(t, `setSemanticStatus({status: "needs-human", reason: "review", details: {pr: 7}})`)
	p.result()
	require.Equal(t, "status", p.notes[0].Type)
	require.Equal(t, "needs-human", p.notes[0].Text)
	require.Equal(t, `{"status":"needs-human","reason":"review","details":{"pr":7}}`, string(p.notes[0].Data))
	for _, status := range strings.Fields("spawned workflow-running workflow-complete-pane-open needs-finalize finalizing completed failed needs-human") {
		play(t, `setSemanticStatus({status: "`+status+`", reason: "r"})`).result()
	}
	for js, want := range map[string]string{
		`{status: "complete", reason: "r"}`:                 `TypeError ARGUMENT_INVALID: setSemanticStatus: the status is \"complete\"; did you mean \"completed\"?; it has to be one of spawned, workflow-running, workflow-complete-pane-open, needs-finalize, finalizing, completed, failed, needs-human`,
		`{status: "failed"}`:                                `TypeError ARGUMENT_INVALID: setSemanticStatus: the reason is undefined; it has to be a string`,
		`{status: "failed", reason: "r", detail: 1}`:        `TypeError OPTION_UNKNOWN: setSemanticStatus: unknown field \"detail\"; did you mean \"details\"?`,
		`{status: "failed", reason: "r", details: () => 1}`: `TypeError VALUE_NOT_JSON: setSemanticStatus: the status at $.details: a function is not JSON`,
		`"failed"`: `TypeError ARGUMENT_INVALID: setSemanticStatus: the argument is \"failed\"; it has to be {status, reason, nextAction?, details?}`,
		`Object.create({status: "failed", reason: "r"})`: `TypeError ARGUMENT_INVALID: setSemanticStatus: the argument is a class instance; it has to be {status, reason, nextAction?, details?}`,
	} {
		require.Equal(t, want, caught(t, `setSemanticStatus(`+js+`)`), js)
	}
}
