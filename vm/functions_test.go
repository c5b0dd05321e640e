package vm_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// A function with a dot in its name is a method of a frozen object, and its key has the whole name.
func TestFunctionsOfAnObject(t *testing.T) {
	t.Parallel()
	config := vm.Config{Functions: []vm.Function{{Name: "depot.fetch"}, {Name: "depot.store"}, {Name: "other"}}}
	p := playWith(t, `
const first = depot.fetch({a: 1}), second = depot.fetch(), third = other();
"use strict";
let frozen = 0;
for (const f of [() => { depot.fetch = 1 }, () => { depot.more = 1 }, () => { depot = 1 }, () => { depot.fetch.x = 1 }]) { try { f() } catch { frozen += 1 } }
await first; await second; await third;
return [frozen, Object.keys(depot), depot.fetch.name, typeof depot.store]`, config)
	var keys, names []string
	for _, c := range p.calls {
		keys, names = append(keys, c.Key), append(names, c.Name)
	}
	require.Equal(t, []string{"/depot.fetch#0", "/depot.fetch#1", "/other#0"}, keys)
	require.Equal(t, []string{"depot.fetch", "depot.fetch", "other"}, names)
	for _, key := range keys {
		p.answer(key, "null")
	}
	require.JSONEq(t, `[4,["fetch","store"],"fetch","function"]`, p.result())
}

func TestFunctionNamesThatAreTaken(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{
		{"agent"}, {"agent.x"}, {"JSON.x"}, {"a", "a.b"}, {"a.b", "a"}, {"a.b.c"}, {"a."}, {".a"}, {"a.b", "a.b"}, {"budget.more"},
	} {
		var c vm.Config
		for i, name := range names {
			if i%2 == 0 {
				c.Functions = append(c.Functions, vm.Function{Name: name})
			} else {
				c.Calculations = append(c.Calculations, vm.Calculation{Name: name})
			}
		}
		_, err := vm.New(compile(t, "return 1"), c).Start(t.Context(), nil, vm.At{Now: noon})
		require.ErrorContains(t, err, "cannot have the name", names)
	}
}

// A calculation answers at once and is no call; what it gives is the script's own.
func TestCalculations(t *testing.T) {
	t.Parallel()
	config := vm.Config{Calculations: []vm.Calculation{{Name: "count", Do: func(args []json.RawMessage) (json.RawMessage, error) {
		if len(args) == 0 {
			return nil, codedError{code: "NOTHING_GIVEN"}
		}
		if string(args[0]) == `"broken"` {
			return json.RawMessage(`{"a":1,"a":2}`), nil
		}
		if string(args[0]) == `"odd"` {
			return nil, errors.New("odd")
		}
		return json.RawMessage(`{"n":` + strconv.Itoa(len(args)) + `,"first":` + string(args[0]) + `}`), nil
	}}}}
	p := playWith(t, `
const said = [];
for (const f of [() => count(), () => count("odd"), () => count("broken"), () => count(() => 1)]) { try { f() } catch (e) { said.push(e.name + " " + e.code) } }
const value = count({z: 1, a: [true]}, 2, undefined);
value.mine = 1;
return [said, value]`, config)
	require.Empty(t, p.calls)
	require.JSONEq(t, `[["TypeError NOTHING_GIVEN","TypeError ARGUMENT_INVALID","TypeError JSON_INVALID","TypeError VALUE_NOT_JSON"],{"n":2,"first":{"z":1,"a":[true]},"mine":1}]`, p.result())
}

// Only a function that takes approvals tells a real one from a look-alike, in any of its arguments.
func TestFunctionsUnderAnApproval(t *testing.T) {
	t.Parallel()
	config := vm.Config{Functions: []vm.Function{{Name: "work", Approved: true}, {Name: "plain"}}}
	p := playWith(t, `
const a = await planApprove({p: 1});
const said = [];
for (const under of [{...a}, a.checksum, undefined, null, true, {}]) { try { await work({under}) } catch (e) { said.push(e.code) } }
await Promise.all([work("x", {under: a, b: {under: 1}}), work({b: 1}), plain({under: 1})]);
return said`, config)
	p.answer("/planApprove#0", `{"plan":{"p":1},"checksum":"c0ffee","decision":true}`)
	require.Len(t, p.calls, 4)
	require.Equal(t, args(`"x"`, `{"under":{"checksum":"c0ffee"},"b":{"under":1}}`), p.calls[1].Args)
	require.Equal(t, "/planApprove#0", p.calls[1].Under.Key)
	require.Nil(t, p.calls[2].Under)
	require.Nil(t, p.calls[3].Under)
	for _, c := range p.calls[1:] {
		p.answer(c.Key, "null")
	}
	require.JSONEq(t, `["APPROVAL_NOT_GENUINE","APPROVAL_NOT_GENUINE","APPROVAL_NOT_GENUINE","APPROVAL_NOT_GENUINE","APPROVAL_NOT_GENUINE","APPROVAL_NOT_GENUINE"]`, p.result())
}
