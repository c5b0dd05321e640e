package scripttest

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// wrongKind is what the TOML reader says of a value that its key does not take, names of ours and all.
var wrongKind = regexp.MustCompile(`cannot (?:decode TOML|store an?) ([a-z -]+?) in(?:to)? `)

// mistake names the line of what the TOML reader did not take.
func mistake(shown string, err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		at := unknown.Errors[0]
		line, _ := at.Position()
		return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s:%d: unknown key %q", shown, line, strings.Join(at.Key(), ".")), suggestion(at.Key()))
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		what := strings.TrimPrefix(bad.Error(), "toml: ")
		if kind := wrongKind.FindStringSubmatch(what); kind != nil {
			what = fmt.Sprintf("%s takes no %s", cmp.Or(strings.Join(bad.Key(), "."), "this key"), kind[1])
		}
		return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s:%d:%d: %s", shown, line, column, what), "")
	}
	return fault.Wrap(err, fault.ConfigInvalid, shown+" cannot be read", "")
}

// suggestion names the key that was most likely meant, else all that can stand there.
func suggestion(key []string) string {
	where := key[:len(key)-1]
	names := keysAt(where)
	if near := options.Nearest(key[len(key)-1], names); near != "" {
		return fmt.Sprintf("did you mean %s?", strings.Join(append(slices.Clone(where), near), "."))
	}
	table := "[" + strings.Join(where, ".") + "]"
	if len(where) == 0 {
		table = "the file"
	}
	return table + " has " + strings.Join(names, ", ")
}

// keysAt are the keys of the table at a path: the tags of the type that it is decoded into.
func keysAt(path []string) []string {
	at := reflect.TypeFor[document]()
	for _, key := range path {
		for i := range at.NumField() {
			if f := at.Field(i); f.Tag.Get("toml") == key {
				at = f.Type
				break
			}
		}
		for at.Kind() == reflect.Slice || at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
		if at.Kind() != reflect.Struct {
			return nil
		}
	}
	var names []string
	for i := range at.NumField() {
		names = append(names, at.Field(i).Tag.Get("toml"))
	}
	return names
}

// head is the line on which an array's table begins.
type head struct {
	name string
	line int
}

// headsOf are all [[…]] of a file, in order. Tables that are written otherwise have none.
func headsOf(text []byte) []head {
	var heads []head
	p := unstable.Parser{}
	p.Reset(text)
	for p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.ArrayTable {
			var words []string
			line := 0
			for k := e.Key(); k.Next(); {
				words = append(words, string(k.Node().Data))
				line = p.Shape(k.Node().Raw).Start.Line
			}
			heads = append(heads, head{strings.Join(words, "."), line})
		}
	}
	return heads
}

// linesAbove are the lines of the keys that stand above all tables.
func linesAbove(text []byte) map[string]int {
	lines := map[string]int{}
	p := unstable.Parser{}
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue {
			break
		}
		if k := e.Key(); k.Next() {
			lines[string(k.Node().Data)] = p.Shape(k.Node().Raw).Start.Line
		}
	}
	return lines
}

// linesOf are the lines of the tables called name: of test number index, or of the file if that is
// negative.
func linesOf(heads []head, index int, name string) []int {
	var lines []int
	at := -1
	for _, h := range heads {
		if h.name == "test" {
			at++
		}
		if h.name == name && (index < 0 || at == index) {
			lines = append(lines, h.line)
		}
	}
	return lines
}
