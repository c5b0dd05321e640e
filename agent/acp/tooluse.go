package acp

import (
	"path/filepath"
	"reflect"
	"slices"

	sdk "github.com/coder/acp-go-sdk"
)

// kinds are those that the protocol has.
var kinds = []sdk.ToolKind{
	sdk.ToolKindRead, sdk.ToolKindEdit, sdk.ToolKindDelete, sdk.ToolKindMove, sdk.ToolKindSearch, sdk.ToolKindExecute,
	sdk.ToolKindThink, sdk.ToolKindFetch, sdk.ToolKindSwitchMode, sdk.ToolKindOther,
}

// pathKeys are names under which agents give a tool its paths. They can only narrow what is allowed:
// an agent that names one place and means another gives itself away.
var pathKeys = []string{
	"file_path", "filePath", "filepath", "directory", "path", "paths", "abs_path", "absolute_path", "notebook_path", "target_file", "cwd", "workdir", "dir_path", "changes",
}

// commandKeys are names under which they give it a command.
var commandKeys = []string{"command", "cmd", "script"}

// tool is what an agent has said of one use of a tool, in all its messages.
type tool struct {
	kinds     []sdk.ToolKind
	title     string
	inputs    []any // that differ
	locations []string
	diffs     []diff
	name      string // what an adapter calls it
	// lost says that it told more than is kept, clash that two of its messages contradict each other.
	lost, clash bool
	// told and ended say which of its events are out.
	told, ended bool
}

// adds takes in what a message says.
func (t *tool) adds(kind sdk.ToolKind, title string, input any, locations []sdk.ToolCallLocation, content []sdk.ToolCallContent) {
	if kind != "" && !slices.Contains(t.kinds, kind) {
		t.kinds = append(t.kinds, kind)
	}
	if title != "" {
		t.title = title
	}
	object, isObject := input.(map[string]any)
	if input != nil && (!isObject || len(object) > 0) && !slices.ContainsFunc(t.inputs, func(known any) bool { return reflect.DeepEqual(known, input) }) {
		t.clash = t.clash || slices.ContainsFunc(t.inputs, func(known any) bool { return clashes(known, input) })
		if t.lost = t.lost || len(t.inputs) >= maxInputs; !t.lost {
			t.inputs = append(t.inputs, input)
		}
	}
	for _, l := range locations {
		t.at(l.Path)
	}
	for _, c := range content {
		if c.Diff != nil {
			t.at(c.Diff.Path)
			t.changes(newDiff(c.Diff))
		}
	}
}

func (t *tool) at(path string) {
	if slices.Contains(t.locations, path) {
		return
	}
	if t.lost = t.lost || len(t.locations) >= maxLocations; !t.lost {
		t.locations = append(t.locations, path)
	}
}

func (t *tool) changes(d diff) {
	if slices.Contains(t.diffs, d) {
		return
	}
	if t.lost = t.lost || len(t.diffs) >= maxLocations; !t.lost {
		t.diffs = append(t.diffs, d)
	}
}

// clashes reports whether two inputs of one use cannot both be true: what both name has to be the same.
func clashes(a, b any) bool {
	one, ok := a.(map[string]any)
	other, also := b.(map[string]any)
	if !ok || !also {
		return true
	}
	for key, value := range one {
		if again, ok := other[key]; ok && !reflect.DeepEqual(value, again) {
			return true
		}
	}
	return false
}

// asks takes in a request for leave. A place that was told before and that the request leaves out, while
// it names others, contradicts it.
func (t *tool) asks(c sdk.ToolCallUpdate) {
	before := t.paths()
	var now tool
	now.adds(deref(c.Kind), deref(c.Title), c.RawInput, c.Locations, c.Content)
	t.adds(deref(c.Kind), deref(c.Title), c.RawInput, c.Locations, c.Content)
	if named := now.paths(); len(named) > 0 && slices.ContainsFunc(before, func(path string) bool { return !slices.Contains(named, path) }) {
		t.clash = true
	}
	if len(now.diffs) > 0 && slices.ContainsFunc(t.diffs, func(d diff) bool { return !slices.Contains(now.diffs, d) }) {
		t.clash = true
	}
}

// clone is a copy that can be added to.
func (t *tool) clone() *tool {
	c := *t
	c.kinds, c.inputs, c.locations, c.diffs = slices.Clone(t.kinds), slices.Clone(t.inputs), slices.Clone(t.locations), slices.Clone(t.diffs)
	return &c
}

// kind is the one kind that the agent gave, "" if it gave none, several, or one that is not known.
func (t *tool) kind() sdk.ToolKind {
	if len(t.kinds) != 1 || !slices.Contains(kinds, t.kinds[0]) {
		return ""
	}
	return t.kinds[0]
}

// use is what the rules look at. The title is never a part of it. git says whether git may look in a
// folder.
func (t *tool) use(f folder, git func(dir string) bool) use {
	u := use{kind: t.kind(), contradicts: t.clash || t.lost || len(t.kinds) > 1}
	for _, p := range t.paths() {
		at, _, _ := f.locate(p)
		u.places = append(u.places, at)
	}
	for _, input := range t.inputs {
		object, _ := input.(map[string]any)
		for _, key := range commandKeys {
			if value, ok := object[key]; ok {
				u.command = max(u.command, looker{f, t.dir(f), git}.judge(value))
			}
		}
		if u.kind == sdk.ToolKindSearch {
			for _, key := range []string{"pattern", "glob", "include"} {
				text, _ := object[key].(string)
				if f.leadsOut(text) {
					u.places = append(u.places, outside)
				}
			}
		}
	}
	return u
}

// dir is the folder in which a command would run, with links followed; "" if the agent names none of
// the call's.
func (t *tool) dir(f folder) string {
	dir := f.real
	for _, input := range t.inputs {
		object, _ := input.(map[string]any)
		for _, key := range []string{"cwd", "workdir", "dir_path", "directory"} {
			value, ok := object[key]
			if !ok || value == nil || value == "" {
				continue
			}
			text, _ := value.(string)
			at, root, name := f.locate(text)
			if at == outside {
				return ""
			}
			dir = filepath.Join(root, name)
		}
	}
	return dir
}

// paths are all that the agent names.
func (t *tool) paths() []string {
	paths := slices.Clone(t.locations)
	for _, input := range t.inputs {
		object, _ := input.(map[string]any)
		for _, key := range pathKeys {
			for _, text := range texts(object[key]) {
				if text != "" {
					paths = append(paths, text)
				}
			}
		}
	}
	return paths
}

// texts are the texts in a value: itself, its elements, or its names.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	case map[string]any:
		out := make([]string, 0, len(v))
		for name := range v {
			out = append(out, name)
		}
		slices.Sort(out)
		return out
	default:
		return nil
	}
}
