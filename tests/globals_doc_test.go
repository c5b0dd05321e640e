package tests_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// ecmascript are the names of ECMA-262 (2025), section 19: the global object, and of its annex
// B. What a realm has beyond them is ours.
var ecmascript = strings.Fields(`
	globalThis Infinity NaN undefined
	eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent
	AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
	FinalizationRegistry Float16Array Float32Array Float64Array Function Int8Array Int16Array Int32Array Iterator Map
	Number Object Promise Proxy RangeError ReferenceError RegExp Set SharedArrayBuffer String Symbol SyntaxError
	TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet
	Atomics JSON Math Reflect escape unescape`)

// webPlatform are names that an editor knows from its own libraries, so that they are not declared.
var webPlatform = []string{"structuredClone", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "atob", "btoa"}

// realGlobals are the globals of a real machine beside those of ECMAScript, with the members of
// those that are plain objects. meta is the script's own header, and a name of its body.
func realGlobals(t *testing.T) map[string][]string {
	t.Helper()
	const script = `export const meta = { name: "globals", description: "what there is" };
	const found = { meta: [] };
	for (const name of Object.getOwnPropertyNames(globalThis)) {
		const value = globalThis[name];
		const plain = value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
		found[name] = plain ? Object.getOwnPropertyNames(value) : [];
	}
	return found;`
	program, err := vm.Compile(fstest.MapFS{"globals.js": {Data: []byte(script)}}, "globals.js")
	require.NoError(t, err)
	turn, err := vm.New(program, withDelivery(vm.Config{Seed: strings.Repeat("0", 64)})).
		Start(t.Context(), json.RawMessage("{}"), vm.At{Now: time.Unix(0, 0)})
	require.NoError(t, err)
	require.True(t, turn.Done)
	require.Nil(t, turn.Err)
	var found map[string][]string
	require.NoError(t, json.Unmarshal(turn.Result, &found))
	for _, name := range ecmascript {
		delete(found, name)
	}
	require.Contains(t, found, "planApprove")
	return found
}

// withDelivery adds what every run of the command line has: the functions of Issue Delivery.
func withDelivery(c vm.Config) vm.Config {
	for _, f := range (&issuedelivery.Host{}).Functions() {
		c.Functions = append(c.Functions, vm.Function{Name: f.Name()})
	}
	for _, f := range issuedelivery.Calculations() {
		c.Calculations = append(c.Calculations, vm.Calculation(f))
	}
	return c
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

// The reference has a section for each global, and none for anything else.
func TestEveryGlobalIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/globals.md")
	require.NoError(t, err)
	var documented []string
	name := regexp.MustCompile("`([A-Za-z]+)`")
	for line := range strings.Lines(string(page)) {
		if title, ok := strings.CutPrefix(line, "### "); ok {
			for _, match := range name.FindAllStringSubmatch(title, -1) {
				documented = append(documented, match[1])
			}
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(realGlobals(t))), sorted(documented))
}

// The editor's types declare each global and no other, and the members of its objects.
func TestEveryGlobalIsTyped(t *testing.T) {
	types, err := os.ReadFile("../workflows/start/assent.d.ts")
	require.NoError(t, err)
	var declared []string
	for _, match := range regexp.MustCompile(`(?m)^declare (?:function|const|var) (\w+)`).FindAllStringSubmatch(string(types), -1) {
		declared = append(declared, match[1])
	}
	declared = slices.Compact(sorted(declared))
	real := realGlobals(t)
	delete(real, "meta") // a script declares its own
	for _, name := range webPlatform {
		require.Contains(t, real, name)
		delete(real, name)
	}
	require.Equal(t, slices.Sorted(maps.Keys(real)), declared)
	for object, form := range map[string]string{
		"console":  `(?s)interface Console \{(.*?)\n\}`,
		"process":  `(?s)interface Process \{(.*?)\n  \}`,
		"budget":   `(?s)declare const budget: \{(.*?)\n\}`,
		"delivery": `(?s)declare const delivery: \{(.*?)\n\};`,
	} {
		body := regexp.MustCompile(form).FindStringSubmatch(string(types))
		require.NotNil(t, body, object)
		var members []string
		depth := regexp.MustCompile(`\n *`).FindString(body[1]) // of the first member
		for _, match := range regexp.MustCompile(`(?m)^`+depth[1:]+`(?:readonly )?(\w+)[(:]`).FindAllStringSubmatch(body[1], -1) {
			members = append(members, match[1])
		}
		require.Equal(t, sorted(real[object]), sorted(members), object)
	}
}

// The options that a call really takes, and no others, stand in both.
func TestEveryOptionIsDocumentedAndTyped(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/globals.md")
	require.NoError(t, err)
	types, err := os.ReadFile("../workflows/start/assent.d.ts")
	require.NoError(t, err)
	for call, of := range map[string]struct{ section, typed string }{
		"agent":       {"### `agent`", "interface AgentOptions {"},
		"checkpoint":  {"### `checkpoint`", "interface CheckpointOptions {"},
		"planApprove": {"### `planApprove`", "interface PlanApproveOptions {"},
	} {
		_, section, ok := strings.Cut(string(page), of.section+"\n")
		require.True(t, ok, call)
		section, _, _ = strings.Cut(section, "\n### ")
		table, _, _ := strings.Cut(section, "\n\n| of the approval")
		var documented []string
		for line := range strings.Lines(table) {
			if first, ok := strings.CutPrefix(line, "| `"); ok {
				cell, _, _ := strings.Cut(first, "|")
				documented = append(documented, regexp.MustCompile(`\w+`).FindAllString(cell, -1)...)
			}
		}
		_, body, ok := strings.Cut(string(types), of.typed)
		require.True(t, ok, call)
		body, _, _ = strings.Cut(body, "\n}")
		var typed []string
		for _, match := range regexp.MustCompile(`(?m)^  (\w+)\?:`).FindAllStringSubmatch(body, -1) {
			typed = append(typed, match[1])
		}
		require.Equal(t, sorted(options(t, call)), sorted(documented), "%s: globals.md", call)
		require.Equal(t, sorted(options(t, call)), sorted(typed), "%s: assent.d.ts", call)
	}
}

// options are the options that a call takes, as its own refusal of another one lists them.
func options(t *testing.T, call string) []string {
	t.Helper()
	args := []json.RawMessage{json.RawMessage(`"x"`), json.RawMessage(`{"qqqqqqqqqqqq":1}`)}
	var err error
	switch call {
	case "agent":
		_, err = agent.Parse(args)
	case "checkpoint":
		_, err = checkpoint.Parse(args)
	default:
		_, err = planapprove.Parse(args)
	}
	refusal, ok := errors.AsType[*agent.Error](err)
	require.True(t, ok, "%v", err)
	_, list, ok := strings.Cut(refusal.Next, "the options are")
	require.True(t, ok, refusal.Next)
	return strings.FieldsFunc(list, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') })
}
