package planapprove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Change is one difference between two plans.
type Change struct {
	// Path is where: $.steps[0].file, or $.steps[id="s1"].file in a list whose elements have ids.
	Path string `json:"path"`
	// Kind is "added", "removed" or "changed".
	Kind string `json:"kind"`
	// Old and New are JSON values; Old is absent for added, New for removed.
	Old json.RawMessage `json:"old,omitempty"`
	New json.RawMessage `json:"new,omitempty"`
}

// Drift lists how the plan current differs from the plan previous, in the order of current's
// canonical text. Both are canonical texts.
func Drift(previous, current string) ([]Change, error) {
	old, err := parse(previous)
	if err != nil {
		return nil, err
	}
	now, err := parse(current)
	if err != nil {
		return nil, err
	}
	var d drift
	d.compare("$", old, now)
	return d.changes, nil
}

// Lines gives changes as lines for a person: "~ $.a: 1 -> 2", "+ $.b: 3", "- $.c: 4". Of texts
// of several lines, such as a document, it gives the lines that differ, indented.
func Lines(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		switch c.Kind {
		case "added":
			fmt.Fprintf(&b, "+ %s: %s\n", c.Path, c.New)
		case "removed":
			fmt.Fprintf(&b, "- %s: %s\n", c.Path, c.Old)
		default:
			if lines := changedLines(c); lines != "" {
				fmt.Fprintf(&b, "~ %s:\n%s", c.Path, lines)
			} else {
				fmt.Fprintf(&b, "~ %s: %s -> %s\n", c.Path, c.Old, c.New)
			}
		}
	}
	return b.String()
}

// changedLines shows how a text of several lines changed; "" if it is none, or if only what no
// line shows differs.
func changedLines(c Change) string {
	var old, now string
	if json.Unmarshal(c.Old, &old) != nil || json.Unmarshal(c.New, &now) != nil || !strings.Contains(old, "\n") || !strings.Contains(now, "\n") {
		return ""
	}
	_, hunks, _ := strings.Cut(udiff.Unified("old", "new", old, now), "\n+++ new\n")
	var b strings.Builder
	for line := range strings.Lines(hunks) {
		b.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

type drift struct{ changes []Change }

func (d *drift) add(path, kind string, old, now any) {
	c := Change{Path: path, Kind: kind}
	if kind != "added" {
		c.Old = encode(old)
	}
	if kind != "removed" {
		c.New = encode(now)
	}
	d.changes = append(d.changes, c)
}

func (d *drift) compare(path string, old, now any) {
	switch now := now.(type) {
	case map[string]any:
		if old, ok := old.(map[string]any); ok {
			d.objects(path, old, now)
			return
		}
	case []any:
		if old, ok := old.([]any); ok {
			d.arrays(path, old, now)
			return
		}
	}
	if !reflect.DeepEqual(old, now) {
		d.add(path, "changed", old, now)
	}
}

func (d *drift) objects(path string, old, now map[string]any) {
	names := slices.Collect(maps.Keys(now))
	for name := range old {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		d.one(path+member(name), lookup(old, name), lookup(now, name))
	}
}

// arrays compares element by element; lists whose elements all have unique ids by id.
func (d *drift) arrays(path string, old, now []any) {
	oldIDs, oldAt := ids(old)
	newIDs, newAt := ids(now)
	if len(newIDs) > 0 && len(oldIDs) > 0 {
		for _, id := range slices.Concat(newIDs, without(oldIDs, newAt)) {
			d.one(path+"[id="+strconv.Quote(id)+"]", at(old, oldAt, id), at(now, newAt, id))
		}
		if !slices.Equal(within(oldIDs, newAt), within(newIDs, oldAt)) {
			d.add(path, "changed", oldIDs, newIDs)
		}
		return
	}
	for i := range max(len(old), len(now)) {
		d.one(path+"["+strconv.Itoa(i)+"]", element(old, i), element(now, i))
	}
}

// one compares two values of which one may be absent (nil pointer).
func (d *drift) one(path string, old, now *any) {
	switch {
	case old == nil:
		d.add(path, "added", nil, *now)
	case now == nil:
		d.add(path, "removed", *old, nil)
	default:
		d.compare(path, *old, *now)
	}
}

func lookup(m map[string]any, name string) *any {
	if v, ok := m[name]; ok {
		return &v
	}
	return nil
}

func element(list []any, i int) *any {
	if i >= len(list) {
		return nil
	}
	return &list[i]
}

func at(list []any, places map[string]int, id string) *any {
	if i, ok := places[id]; ok {
		return &list[i]
	}
	return nil
}

// ids gives the ids of a list's elements in order, and where each stands; none if not all
// elements have a unique text as their id.
func ids(list []any) ([]string, map[string]int) {
	found, places := make([]string, 0, len(list)), make(map[string]int, len(list))
	for i, v := range list {
		object, _ := v.(map[string]any)
		id, ok := object["id"].(string)
		if _, seen := places[id]; !ok || seen {
			return nil, nil
		}
		places[id] = i
		found = append(found, id)
	}
	return found, places
}

func within(list []string, places map[string]int) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { _, ok := places[id]; return !ok })
}

func without(list []string, places map[string]int) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { _, ok := places[id]; return ok })
}

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // values that were parsed from JSON always encode
	return bytes.TrimRight(b.Bytes(), "\n")
}
