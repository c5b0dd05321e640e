package scripttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// difference says, by path, where two JSON values are not the same. With part, got may have more
// members than want; a list is compared whole all the same, element by element.
func difference(path string, want, got json.RawMessage, part bool) []string {
	if len(got) == 0 {
		return []string{fmt.Sprintf("%s: expected %s, and there is none", path, excerpt(string(want)))}
	}
	w, err := decode(want)
	if err != nil {
		return []string{path + ": " + err.Error()}
	}
	g, err := decode(got)
	if err != nil {
		return []string{path + ": " + err.Error()}
	}
	list := differ(path, w, g, part)
	if more := len(list) - maxDifferences; more > 0 {
		list = append(list[:maxDifferences], fmt.Sprintf("%s: %d more differences", path, more))
	}
	return list
}

// maxDifferences is how many differences of one value are shown: more of them help nobody.
const maxDifferences = 20

func decode(text json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("a value is not JSON: %w", err)
	}
	return v, nil
}

func differ(path string, want, got any, part bool) []string {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			return differMembers(path, w, g, part)
		}
	case []any:
		if g, ok := got.([]any); ok {
			return differElements(path, w, g, part)
		}
	case json.Number:
		if g, ok := got.(json.Number); ok && sameNumber(w, g) {
			return nil
		}
	default:
		if want == got {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: expected %s, got %s", path, shown(want), shown(got))}
}

func differMembers(path string, want, got map[string]any, part bool) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		at := member(path, name)
		if g, ok := got[name]; ok {
			list = append(list, differ(at, want[name], g, part)...)
		} else {
			list = append(list, fmt.Sprintf("%s: expected %s, and there is none", at, shown(want[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok && !part {
			list = append(list, fmt.Sprintf("%s: not expected, got %s", member(path, name), shown(got[name])))
		}
	}
	return list
}

func differElements(path string, want, got []any, part bool) []string {
	var list []string
	for i := range max(len(want), len(got)) {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case i >= len(got):
			list = append(list, fmt.Sprintf("%s: expected %s, and there is none", at, shown(want[i])))
		case i >= len(want):
			list = append(list, fmt.Sprintf("%s: not expected, got %s", at, shown(got[i])))
		default:
			list = append(list, differ(at, want[i], got[i], part)...)
		}
	}
	return list
}

// sameNumber compares as a script does, to which 1 and 1.0 are the same.
func sameNumber(a, b json.Number) bool {
	x, err := a.Float64()
	y, also := b.Float64()
	return err == nil && also == nil && x == y
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

func member(path, name string) string {
	if plainName.MatchString(name) {
		return path + "." + name
	}
	return path + "[" + strconv.Quote(name) + "]"
}

func shown(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return excerpt(string(bytes.TrimRight(b.Bytes(), "\n")))
}

// excerpt shortens what stands in a message.
func excerpt(text string) string { return shorten(text, 300) }

func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}
