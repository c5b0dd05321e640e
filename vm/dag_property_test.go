package vm_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/vm"
)

// plannedNode is a node of a random dag. It needs only nodes of smaller numbers; where it stands in the
// script's list is drawn apart.
type plannedNode struct {
	id    string
	needs []int
	kind  string // value, throw: at once; answer, fail, fatal: what its agent comes to
}

// plannedDag is the model: it knows from the answers so far, and from nothing else, how each node stands.
type plannedDag struct {
	nodes    []plannedNode
	answered map[string]bool
}

func drawDag(t *rapid.T) plannedDag {
	n := rapid.IntRange(0, 10).Draw(t, "nodes")
	kinds := []string{"value", "throw", "answer", "answer", "answer", "fail"}
	d := plannedDag{answered: map[string]bool{}}
	fatal := rapid.IntRange(-3*n-1, n-1).Draw(t, "fatal node, if any")
	for i := range n {
		node := plannedNode{id: fmt.Sprintf("n%d", i), kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		if i == fatal {
			node.kind = "fatal"
		}
		if i > 0 {
			node.needs = rapid.SliceOfN(rapid.IntRange(0, i-1), 0, 3).Draw(t, "needs") // one may stand twice
		}
		d.nodes = append(d.nodes, node)
	}
	return d
}

// status gives waiting, running, completed, failed or skipped, for each node.
func (d plannedDag) status() []string {
	status := make([]string, len(d.nodes))
	for i, node := range d.nodes {
		status[i] = "running"
		for _, need := range node.needs {
			switch status[need] {
			case "failed", "skipped":
				status[i] = "skipped"
			case "waiting", "running":
				if status[i] != "skipped" {
					status[i] = "waiting"
				}
			}
		}
		if status[i] != "running" {
			continue
		}
		switch {
		case node.kind == "value", node.kind == "answer" && d.answered[node.id]:
			status[i] = "completed"
		case node.kind == "throw", node.kind == "fail" && d.answered[node.id]:
			status[i] = "failed"
		}
	}
	return status
}

// atWork are the keys of the calls that nobody has answered yet.
func (d plannedDag) atWork() []string {
	keys := []string{}
	for i, status := range d.status() {
		if status == "running" {
			keys = append(keys, "/dag#0["+d.nodes[i].id+"]/agent#0")
		}
	}
	slices.Sort(keys)
	return keys
}

func (d plannedDag) node(key string) plannedNode {
	i := slices.IndexFunc(d.nodes, func(n plannedNode) bool { return strings.Contains(key, "["+n.id+"]") })
	return d.nodes[i]
}

// prompt is what a node's agent is asked: it has what the node was given.
func (d plannedDag) prompt(n plannedNode) string {
	var deps []string
	for _, need := range n.needs {
		if entry := fmt.Sprintf("%q:%q", d.nodes[need].id, d.nodes[need].id); !slices.Contains(deps, entry) {
			deps = append(deps, entry)
		}
	}
	text, _ := json.Marshal(n.id + " {" + strings.Join(deps, ",") + "}")
	return string(text)
}

func (d plannedDag) script(order []int) string {
	var list []string
	for _, i := range order {
		n := d.nodes[i]
		needs := []string{}
		for _, need := range n.needs {
			needs = append(needs, d.nodes[need].id)
		}
		text, _ := json.Marshal(needs)
		run := fmt.Sprintf(`(deps) => agent("%s " + JSON.stringify(deps))`, n.id)
		switch n.kind {
		case "value":
			run = fmt.Sprintf(`() => %q`, n.id)
		case "throw":
			run = `() => { throw new Error("thrown") }`
		}
		list = append(list, fmt.Sprintf(`{id: %q, dependsOn: %s, run: %s}`, n.id, text, run))
	}
	return `return await dag([` + strings.Join(list, ", ") + `])`
}

// outcome is what dag gives in the end, as JSON: every member in the order of the script's list.
func (d plannedDag) outcome(order []int) string {
	status := d.status()
	var results, states, errors, skipped []string
	for _, i := range order {
		id := d.nodes[i].id
		states = append(states, fmt.Sprintf("%q:%q", id, status[i]))
		switch status[i] {
		case "completed":
			results = append(results, fmt.Sprintf("%q:%q", id, id))
		case "failed":
			why := "Error: no"
			if d.nodes[i].kind == "throw" {
				why = "Error: thrown"
			}
			errors = append(errors, fmt.Sprintf("%q:%q", id, why))
		case "skipped":
			skipped = append(skipped, fmt.Sprintf("%q", id))
		}
	}
	return fmt.Sprintf(`{"results":{%s},"status":{%s},"errors":{%s},"skipped":[%s],"ok":%t}`, strings.Join(results, ","),
		strings.Join(states, ","), strings.Join(errors, ","), strings.Join(skipped, ","), len(results) == len(order))
}

// Random graphs with random failures, answered in random order, against a model in Go: after each answer
// exactly those nodes are at work whose needs have all ended well, under the same keys in every order.
func TestDagAgreesWithAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		d := drawDag(rt)
		order := rapid.Permutation(indices(len(d.nodes))).Draw(rt, "list")
		p := play(t, d.script(order))
		for {
			open := d.atWork()
			if len(open) == 0 {
				require.Equal(rt, d.outcome(order), p.result())
				return
			}
			require.False(rt, p.turn.Done)
			require.Equal(rt, open, p.outstanding())
			key := rapid.SampledFrom(open).Draw(rt, "answer")
			node := d.node(key)
			require.Equal(rt, d.prompt(node), string(p.calls[slices.Index(p.keys(), key)].Args[0]))
			d.answered[node.id] = true
			switch node.kind {
			case "answer":
				p.answer(key, `"`+node.id+`"`)
			case "fail":
				p.fail(key, "AGENT_FAILED", "no", vm.Ordinary)
			default:
				before := len(p.calls)
				require.Equal(rt, "USAGE_LIMIT", p.fail(key, "USAGE_LIMIT", "later", vm.Fatal).failure().Code)
				require.Len(rt, p.calls, before)
				return
			}
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// outstanding are the keys of the calls that have no answer, sorted.
func (p *player) outstanding() []string {
	keys := []string{}
	for _, key := range p.keys() {
		if !p.answered[key] {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
