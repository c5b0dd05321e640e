package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// word is the form of an id: it becomes a part of names of branches and of the answers of calls.
var word = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// reserved are words that an object of the script has already.
var reserved = []string{"constructor", "prototype", "__proto__"}

// graph are steps and what they wait for, by their places in the plan.
type graph struct {
	ids []string
	// after are the dependencies of each step, each once, in the order in which it names them.
	after [][]int
	// reach says of two steps that the first one waits for the second, maybe through others.
	reach [][]bool
}

// graph holds ids and dependencies against the rules; sound says that they break none, so that there is
// an order. Dependencies that break one are left out.
func (f *findings) graph(steps []Step) (g graph, sound bool) {
	before := len(f.violations)
	g.after = make([][]int, len(steps))
	at, folded := map[string]int{}, map[string]int{}
	for i, s := range steps {
		path := fmt.Sprintf("$.steps[%d].id", i)
		g.ids = append(g.ids, s.ID)
		if s.ID == "" {
			continue // said already
		}
		if !word.MatchString(s.ID) || slices.Contains(reserved, strings.ToLower(s.ID)) {
			f.violate(IDForm, s.ID, path, "the id %s is no plain word: begin with a letter or a digit, then letters, digits, dots, dashes and underscores, 64 at most", quoted(s.ID))
		}
		if other, taken := at[s.ID]; taken {
			f.violate(IDTwice, s.ID, path, "the steps %d and %d both have the id %s: give each its own", other+1, i+1, quoted(s.ID))
			continue
		}
		at[s.ID] = i
		fold := strings.ToLower(s.ID)
		if other, taken := folded[fold]; taken {
			f.violate(IDTwice, s.ID, path, "the ids %s and %s differ only in upper and lower case: give the steps different ones", quoted(steps[other].ID), quoted(s.ID))
			continue
		}
		folded[fold] = i
	}
	for i, s := range steps {
		for j, id := range s.Dependencies {
			path := fmt.Sprintf("$.steps[%d].dependencies[%d]", i, j)
			target, known := at[id]
			switch {
			case !known:
				f.violate(DependencyUnknown, s.ID, path, "the step depends on %s, and no step has that id: there are %s", quoted(id), quoted(listed(g.ids)))
			case target == i || id == s.ID:
				f.violate(DependencySelf, s.ID, path, "the step depends on itself: leave that out")
			case slices.Contains(g.after[i], target):
				f.warn(DependencyTwice, s.ID, path, "the step names the dependency %s twice", quoted(id))
			default:
				g.after[i] = append(g.after[i], target)
			}
		}
	}
	for _, circle := range g.circles() {
		f.violate(DependencyCycle, g.ids[circle[0]], fmt.Sprintf("$.steps[%d].dependencies", circle[0]),
			"these steps wait for each other in a circle: %s; take one dependency out", g.path(circle))
	}
	g.reachable()
	return g, len(f.violations) == before && !slices.Contains(g.ids, "")
}

// path writes steps as one waits for the next, and the last for the first.
func (g graph) path(circle []int) string {
	var ids []string
	for _, i := range append(slices.Clone(circle), circle[0]) {
		ids = append(ids, g.ids[i])
	}
	return strings.Join(ids, " -> ")
}

// circles gives one circle for each dependency that closes one, looking in the order of the plan.
func (g graph) circles() (circles [][]int) {
	const fresh, open, done = 0, 1, 2
	state := make([]int, len(g.after))
	var way []int
	var visit func(i int)
	visit = func(i int) {
		state[i] = open
		way = append(way, i)
		for _, next := range g.after[i] {
			switch state[next] {
			case fresh:
				visit(next)
			case open:
				circles = append(circles, slices.Clone(way[slices.Index(way, next):]))
			}
		}
		way = way[:len(way)-1]
		state[i] = done
	}
	for i := range g.after {
		if state[i] == fresh {
			visit(i)
		}
	}
	return circles
}

// reachable fills in reach.
func (g *graph) reachable() {
	g.reach = make([][]bool, len(g.after))
	for i := range g.after {
		g.reach[i] = make([]bool, len(g.after))
		ahead := slices.Clone(g.after[i])
		for len(ahead) > 0 {
			next := ahead[len(ahead)-1]
			ahead = ahead[:len(ahead)-1]
			if !g.reach[i][next] {
				g.reach[i][next] = true
				ahead = append(ahead, g.after[next]...)
			}
		}
	}
}

// independent reports whether neither of two steps waits for the other, so that they may run at once.
func (g graph) independent(i, j int) bool { return i != j && !g.reach[i][j] && !g.reach[j][i] }

// order gives the steps in an order in which they can be done, and by level. There is no circle.
func (g graph) order() (order []string, waves [][]string) {
	level := make([]int, len(g.ids))
	done := make([]bool, len(g.ids))
	order, waves = []string{}, [][]string{}
	for range g.ids {
		next := 0 // the first in the plan whose dependencies are done: there is one, for there is no circle
		for done[next] || slices.ContainsFunc(g.after[next], func(d int) bool { return !done[d] }) {
			next++
		}
		for _, d := range g.after[next] {
			level[next] = max(level[next], level[d]+1)
		}
		done[next] = true
		order = append(order, g.ids[next])
	}
	for i, id := range g.ids {
		for len(waves) <= level[i] {
			waves = append(waves, []string{})
		}
		waves[level[i]] = append(waves[level[i]], id)
	}
	return order, waves
}
