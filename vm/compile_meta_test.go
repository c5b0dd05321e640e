package vm_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

func compileText(name, text string) (*vm.Program, error) {
	return vm.Compile(fstest.MapFS{name: {Data: []byte(text)}}, name)
}

// accepted are header literals, and the JSON text that JSON.stringify makes of each.
var accepted = map[string]string{
	`{name:"n",description:'d'}`:                                                     `{"name":"n","description":"d"}`,
	`{"name":'n', "description": "d", x: [1, -2, 0.5, .5, 5., 1e3,],}`:               `{"name":"n","description":"d","x":[1,-2,0.5,0.5,5,1000]}`,
	`{name:"n",description:"d",x:[0x1F,0o17,0b101,1_000_000,0xFF_FF]}`:               `{"name":"n","description":"d","x":[31,15,5,1000000,65535]}`,
	`{name:"n",description:"d",x:[1e21,1e-7,123456789012345680000,-0]}`:              `{"name":"n","description":"d","x":[1e+21,1e-7,123456789012345680000,0]}`,
	"{name:`n`,description:`two\r\nlines $ {x} \\${y}`}":                             `{"name":"n","description":"two\nlines $ {x} ${y}"}`,
	`{name:"n",description:"\n\t\b\v\f\r\0\x41\u0042\u{1F600}\ud83d\ude00\q\"\'\\"}`: `{"name":"n","description":"\n\t\b\u000b\f\r\u0000AB😀😀q\"'\\"}`,
	"{name:'n',description:'line \\\n continued'}":                                   `{"name":"n","description":"line  continued"}`,
	`{/* a */name/* b */:"n", // c
		description:"d" /* } */}`: `{"name":"n","description":"d"}`,
	`{name:"n",description:"d",b:1,10:"ten",a:2,"2":"two",0x1:"one",1.5:"x"}`:                    `{"1":"one","2":"two","10":"ten","name":"n","description":"d","b":1,"a":2,"1.5":"x"}`,
	`{name:"n",description:"d",get:1,set:2,async:3,static:4,new:5,null:6,true:7,"":8,$_:9,é:10}`: `{"name":"n","description":"d","get":1,"set":2,"async":3,"static":4,"new":5,"null":6,"true":7,"":8,"$_":9,"é":10}`,
	`{name:"n",description:"d",x:{a:[],b:{},c:null,d:true,e:false}}`:                             `{"name":"n","description":"d","x":{"a":[],"b":{},"c":null,"d":true,"e":false}}`,
	`{name:"n",description:"Date.now() and Math.random() // } ]"}`:                               `{"name":"n","description":"Date.now() and Math.random() // } ]"}`,
}

func TestMetaIsReadAsJavaScriptReadsIt(t *testing.T) {
	t.Parallel()
	for literal, want := range accepted {
		p, err := compileText("a.js", "export const meta = "+literal+"\nreturn 1")
		require.NoError(t, err, literal)
		require.Equal(t, want, string(p.Meta().Raw))
		require.Equal(t, "n", p.Meta().Name)
	}
}

// Node is a second opinion on the literals above.
func TestMetaAgreesWithNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	var script strings.Builder
	script.WriteString("const all = []\n")
	var literals []string
	for literal := range accepted {
		literals = append(literals, literal)
		script.WriteString("{ const meta = " + literal + "\nall.push(JSON.stringify(meta)) }\n")
	}
	command := exec.Command(node, "--input-type=module", "-")
	command.Stdin = strings.NewReader(script.String() + "process.stdout.write(JSON.stringify(all))")
	out, err := command.Output()
	require.NoError(t, err)
	var got []string
	require.NoError(t, json.Unmarshal(out, &got))
	require.Len(t, got, len(literals))
	for i, literal := range literals {
		require.Equal(t, accepted[literal], got[i], literal)
	}
}

func TestMetaRefusesWhatIsNotPure(t *testing.T) {
	t.Parallel()
	const d = `name:"n",description:"d"`
	for literal, want := range map[string]string{
		"{" + d + `,x:f()}`:                       `1:49: META_INVALID: meta has to be a pure literal: "f" is a name`,
		"{" + d + `,...x}`:                        `1:47: META_INVALID: meta has to be a pure literal: spread`,
		"{" + d + `,x:[...y]}`:                    `1:50: META_INVALID: meta has to be a pure literal: spread`,
		"{" + d + `,["x"]:1}`:                     `1:47: META_INVALID: meta has to be a pure literal: a computed key`,
		"{" + d + `,get x(){return 1}}`:           `1:51: META_INVALID: meta has to be a pure literal: no accessors`,
		"{" + d + `,set x(v){}}`:                  `1:51: META_INVALID: meta has to be a pure literal: no accessors`,
		"{" + d + `,m(){}}`:                       `1:48: META_INVALID: meta has to be a pure literal: "m" is a method`,
		"{" + d + `,async m(){}}`:                 `1:53: META_INVALID: meta has to be a pure literal: no accessors or methods`,
		"{" + d + `,*m(){}}`:                      `1:47: META_INVALID: meta has to be a pure literal: a key has to stand here, not "*"`,
		"{" + d + `,x}`:                           `1:48: META_INVALID: meta has to be a pure literal: "x" is a name`,
		"{" + d + `,x:[1,,2]}`:                    `1:52: META_INVALID: meta has to be a pure literal: an array has no holes`,
		"{" + d + ",x:`a${1}b`}":                  `1:49: META_INVALID: meta has to be a pure literal: a template with ${`,
		"{" + d + `,__proto__:null}`:              `1:47: META_INVALID: meta has to be a pure literal: the key "__proto__" is refused`,
		"{" + d + `,"\x5f_proto__":null}`:         `1:47: META_INVALID: meta has to be a pure literal: the key "__proto__" is refused`,
		"{" + d + `,x:{constructor:1}}`:           `1:50: META_INVALID: meta has to be a pure literal: the key "constructor" is refused`,
		"{" + d + `,x:{'prototype':1}}`:           `1:50: META_INVALID: meta has to be a pure literal: the key "prototype" is refused`,
		"{" + d + `,x:1,"x":2}`:                   `1:51: META_INVALID: the key "x" stands twice`,
		"{" + d + `,1:1,0x1:2}`:                   `1:51: META_INVALID: the key "1" stands twice`,
		"{" + d + `,x:undefined}`:                 `1:49: META_INVALID: meta has to be a pure literal: "undefined" is a name`,
		"{" + d + `,x:NaN}`:                       `1:49: META_INVALID`,
		"{" + d + `,x:+1}`:                        `1:49: META_INVALID`,
		"{" + d + `,x:-"1"}`:                      `1:50: META_INVALID`,
		"{" + d + `,x:1n}`:                        `1:49: META_INVALID: meta has to be a pure literal: "1n": a BigInt`,
		"{" + d + `,x:010}`:                       `1:49: META_INVALID`,
		"{" + d + `,x:1__0}`:                      `1:49: META_INVALID`,
		"{" + d + `,x:1_}`:                        `1:49: META_INVALID`,
		"{" + d + `,x:0x}`:                        `1:49: META_INVALID`,
		"{" + d + `,x:1e999}`:                     `1:49: META_INVALID`,
		"{" + d + `,x:/r/}`:                       `1:49: META_INVALID`,
		"{" + d + `,x:("a")}`:                     `1:49: META_INVALID`,
		"{" + d + `,x:"a"+"b"}`:                   `1:52: META_INVALID`,
		"{" + d + `,x:()=>1}`:                     `1:49: META_INVALID`,
		"{" + d + `,x:"\08"}`:                     `1:49: META_INVALID`,
		"{" + d + `,x:"\ud800"}`:                  `1:49: META_INVALID`,
		"{" + d + `,x:"\ud800\ud800"}`:            `1:49: META_INVALID`,
		"{" + d + `,x:"\ude00a"}`:                 `1:49: META_INVALID`,
		"{" + d + `,x:"\xg0"}`:                    `1:49: META_INVALID`,
		"{" + d + `,x:"\u{110000}"}`:              `1:49: META_INVALID`,
		"{" + d + `,x:"\u{}"}`:                    `1:49: META_INVALID`,
		"{" + d + ",x:\"a\nb\"}":                  `1:49: META_INVALID`,
		"{" + d:                                   `1:46: META_INVALID`,
		"{" + d + "}.x":                           `1:47: META_INVALID`,
		"{" + d + "}, other = 1":                  `1:47: META_INVALID`,
		"{" + d + "}\n(async () => {})()":         `2:1: META_INVALID`,
		"{" + d + "}\n[1].map(f)":                 `2:1: META_INVALID`,
		"{" + d + "}\n`x`":                        `2:1: META_INVALID`,
		"{" + d + "}\n/x/.test()":                 `2:1: META_INVALID`,
		"{" + d + "} return 1":                    `1:48: META_INVALID`,
		"{" + d + ",x:" + strings.Repeat("[", 80): `META_INVALID: meta has to be a pure literal: it nests deeper than 64`,
		"Object.freeze({})":                       `1:21: META_INVALID`,
		`{name:"n"}`:                              `1:21: META_INVALID: meta needs a description`,
		`{description:"d"}`:                       `1:21: META_INVALID: meta needs a name`,
		`{name:" ",description:"d"}`:              `1:27: META_INVALID: meta.name has to be a text that is not empty, not " "`,
		`{name:1,description:"d"}`:                `1:27: META_INVALID: meta.name`,
		"{" + d + `,planFirst:"yes"}`:             `META_INVALID: meta.planFirst has to be true or false`,
		"{" + d + `,model:1}`:                     `META_INVALID: meta.model`,
		"{" + d + `,args:[]}`:                     `META_INVALID: meta.args has to be an object`,
		"{" + d + `,phases:{}}`:                   `META_INVALID: meta.phases has to be an array`,
		"{" + d + `,phases:["a"]}`:                `META_INVALID: meta.phases[0]`,
		"{" + d + `,phases:[{title:"a"},{}]}`:     `META_INVALID: meta.phases[1] needs a title`,
		"{" + d + `,limits:{maxCalls:0}}`:         `META_INVALID: meta.limits.maxCalls has to be a whole number above 0, not 0`,
		"{" + d + `,limits:{heapMB:1.5}}`:         `META_INVALID: meta.limits.heapMB`,
		"{" + d + `,limits:{budget:-1}}`:          `META_INVALID: meta.limits.budget`,
		"{" + d + `,limits:{maxcalls:1}}`:         `META_INVALID: meta.limits has no field "maxcalls": did you mean maxCalls?`,
	} {
		_, err := compileText("a.js", "export const meta = "+literal)
		require.ErrorContains(t, err, want, literal)
	}
}

func TestMetaHasToComeFirst(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "a.js:1:1: META_INVALID: a script starts with",
		"return 1":                "a.js:1:1: META_INVALID",
		"\n  // x\n let a = 1":    "a.js:3:2: META_INVALID",
		"export let meta = {}":    "a.js:1:8: META_INVALID",
		"export const mata = {}":  "a.js:1:14: META_INVALID",
		"const meta = {}":         "a.js:1:1: META_INVALID",
		"export const meta: M={}": "a.js:1:18: META_INVALID",
		"import 'x' export":       "a.js:1:12: SCRIPT_SYNTAX",
	} {
		_, err := compileText("a.js", text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestMetaFields(t *testing.T) {
	t.Parallel()
	p, err := compileText("a.mts", `export const meta: Meta = {
  name: "deliver", description: "Delivers.", model: "big", planFirst: true, interactive: true,
  args: { type: "object", required: ["task"] },
  phases: [{ title: "Plan", detail: "think", model: "small" }, { title: "Do", other: 1 }],
  limits: { maxCalls: 50, concurrency: 4, budget: "5usd", stretchMs: 1000, heapMB: 64 },
  unknown: ["kept"],
} as const;
return meta`)
	require.NoError(t, err)
	m := p.Meta()
	require.JSONEq(t, `["kept"]`, string(field(t, m.Raw, "unknown")))
	m.Raw = nil
	require.Equal(t, vm.Meta{
		Name: "deliver", Description: "Delivers.", Model: "big", PlanFirst: true, Interactive: true,
		ArgsSchema: json.RawMessage(`{"type":"object","required":["task"]}`),
		Phases:     []vm.Phase{{Title: "Plan", Detail: "think", Model: "small"}, {Title: "Do"}},
		Limits: vm.MetaLimits{
			MaxCalls: 50, Concurrency: 4, Budget: json.RawMessage(`"5usd"`), StretchMs: 1000, HeapMB: 64,
		},
	}, m)
}

func field(t *testing.T, object json.RawMessage, name string) json.RawMessage {
	t.Helper()
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(object, &fields))
	return fields[name]
}

// Whatever the text, the parser answers; and what it takes is one JSON text with the two fields.
func FuzzMeta(f *testing.F) {
	for literal := range accepted {
		f.Add(literal)
	}
	f.Add(`{name:"n",description:"d",x:"\u{1F600}\`)
	f.Add("{name:`")
	f.Fuzz(func(t *testing.T, literal string) {
		p, err := compileText("a.js", "export const meta = "+literal)
		if err != nil {
			return
		}
		raw := p.Meta().Raw
		require.True(t, json.Valid(raw), "%q", raw)
		again, err := compileText("a.js", "export const meta = "+string(raw)+";")
		require.NoError(t, err)
		require.Equal(t, string(raw), string(again.Meta().Raw))
	})
}
