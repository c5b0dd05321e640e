package acp

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"
)

// diff is a change of a file as an agent tells it: what of it is shown, and the sums of the texts.
type diff struct {
	path, text    string
	before, after [sha256.Size]byte
	// fresh says that there was no file, long that it cannot be shown.
	fresh, long bool
}

func newDiff(c *sdk.ToolCallContentDiff) diff {
	before := deref(c.OldText)
	d := diff{path: c.Path, before: sha256.Sum256([]byte(before)), after: sha256.Sum256([]byte(c.NewText)), fresh: c.OldText == nil}
	d.text = c.Path + ", "
	switch {
	case !d.fresh && before == c.NewText:
		d.text += "as it is"
	case c.NewText == "":
		d.text += "to be empty, "
	case d.fresh:
		d.text += "all of it, "
	}
	d.text = strings.TrimSuffix(d.text+changed(before, c.NewText), "\n")
	if d.long = len(d.text) > askShown; d.long {
		d.text = ""
	}
	return d
}

// changed are the lines that differ, with those of the old text before those of the new one.
func changed(before, after string) string {
	old, now := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	head := 0
	for head < min(len(old), len(now)) && old[head] == now[head] {
		head++
	}
	old, now = old[head:], now[head:]
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	var text strings.Builder
	if len(old)+len(now) > 0 {
		fmt.Fprintf(&text, "from line %d:\n", head+1)
	}
	for _, part := range []struct {
		mark  string
		lines []string
	}{{"-", old}, {"+", now}} {
		for _, line := range part.lines {
			text.WriteString(part.mark + strings.TrimSuffix(line, "\n") + "\n")
			if !strings.HasSuffix(line, "\n") {
				text.WriteString("  (no end of line)\n")
			}
		}
	}
	return text.String()
}

// shown is all that a person sees of it, and what the leave is for. ok is false if it is too long.
func (t *tool) shown() (text string, ok bool) {
	var parts []string
	if len(t.inputs) > 0 {
		parts = append(parts, t.inputText())
	}
	seen := (&tool{inputs: t.inputs}).paths()
	for _, d := range t.diffs {
		seen = append(seen, d.path)
	}
	for _, path := range t.locations {
		if !slices.Contains(seen, path) {
			parts = append(parts, path)
		}
	}
	size := 0
	for _, d := range t.diffs {
		if size += len(d.text); d.long || size > askShown {
			return "", false
		}
		parts = append(parts, d.text)
	}
	text = strings.Join(parts, "\n")
	return text, len(text) <= askShown && (text != "" || len(t.title) <= messageShown)
}

// inputText is what the tool is given, as text: all that was told of it, or the latest of what cannot
// be put together.
func (t *tool) inputText() string {
	if len(t.inputs) == 0 {
		return strings.Join(t.locations, "\n")
	}
	input := t.inputs[len(t.inputs)-1]
	if whole := t.input(); whole != nil && !t.clash {
		input = whole
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(input) != nil {
		return ""
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// input is all that was told of the tool's input, nil if it is no object.
func (t *tool) input() map[string]any {
	whole := map[string]any{}
	for _, input := range t.inputs {
		object, ok := input.(map[string]any)
		if !ok {
			return nil
		}
		maps.Copy(whole, object)
	}
	return whole
}

// keys are what leave for this is leave for, once it was shown: commands with their folder and
// variables, and files with all that is to stand in them. Of a part of a file, none.
func (t *tool) keys(f folder) []string {
	var keys []string
	input := t.input()
	switch t.kind() {
	case sdk.ToolKindExecute:
		for _, key := range commandKeys {
			keys = append(keys, commandKey(input[key], t.dir(f), input["env"]))
		}
	case sdk.ToolKindEdit:
		for _, d := range t.diffs {
			_, dir, name := f.locate(d.path)
			if dir == "" || d.long {
				continue
			}
			now := textIn(dir, name)
			if d.fresh && now == nil || now != nil && sha256.Sum256([]byte(*now)) == d.before {
				keys = append(keys, editKey(dir, name, d.after))
			}
		}
		content, ok := input["content"].(string)
		for _, key := range []string{"file_path", "filePath", "path"} {
			path, _ := input[key].(string)
			if _, dir, name := f.locate(path); ok && dir != "" {
				keys = append(keys, editKey(dir, name, sha256.Sum256([]byte(content))))
			}
		}
	}
	return slices.DeleteFunc(keys, func(key string) bool { return key == "" })
}

// commandKey is the same for a program with its arguments and for a line of a shell that means just
// that; "" if it cannot be told what would run.
func commandKey(value any, dir string, environ any) string {
	set, ok := variables(environ)
	if !ok || dir == "" {
		return ""
	}
	where := "\x00in\x00" + filepath.Clean(dir) + "\x00" + strings.Join(set, "\x00")
	switch v := value.(type) {
	case string:
		if commands, ok := shellWords(v); ok && len(commands) == 1 && !strings.ContainsAny(v, "*?[") {
			return "run\x00" + strings.Join(commands[0], "\x00") + where
		}
		return "shell\x00" + v + where
	case []any:
		if words := texts(v); len(words) == len(v) {
			return "run\x00" + strings.Join(words, "\x00") + where
		}
	}
	return ""
}

// variables are those of an input, sorted, as NAME=VALUE.
func variables(environ any) (set []string, ok bool) {
	switch v := environ.(type) {
	case nil:
		return nil, true
	case map[string]any:
		for name, value := range v {
			text, ok := value.(string)
			if !ok {
				return nil, false
			}
			set = append(set, name+"="+text)
		}
		slices.Sort(set)
		return set, true
	}
	return nil, false
}
