package checks

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// isGoTest reports whether a command is go test, which tells how many tests ran only if it is asked for
// events.
func isGoTest(command []string) bool {
	return len(command) >= 2 && command[0] == "go" && command[1] == "test"
}

// withEvents is go test that prints events.
func withEvents(command []string) []string {
	if slices.ContainsFunc(command, func(word string) bool {
		return word == "-json" || word == "--json" || strings.HasPrefix(word, "-json=")
	}) {
		return command
	}
	return slices.Insert(slices.Clone(command), 2, "-json")
}

// goTest makes of the events of go test what go test prints without them, and counts its tests: those of
// the top level, of which each may have more below it.
type goTest struct {
	out io.Writer
	// events says that there were any, ran counts tests.
	events bool
	ran    int
	// pending is what tests printed that have not ended, by package and name. What tests print that are
	// good is not kept.
	pending map[string]*window
}

type goEvent struct {
	Action  string `json:"Action"`
	Package string `json:"Package"`
	Test    string `json:"Test"`
	Output  string `json:"Output"`
}

// pendingOutput is how much is kept of what one test prints.
const pendingOutput = 16 << 10

func (g *goTest) line(line []byte) {
	var e goEvent
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &e) != nil || e.Action == "" {
		_, _ = g.out.Write(append(line[:len(line):len(line)], '\n'))
		return
	}
	g.events = true
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if e.Test == "" {
			if e.Output != "PASS\n" {
				_, _ = io.WriteString(g.out, e.Output)
			}
			return
		}
		if strings.HasPrefix(e.Output, "=== ") {
			return
		}
		if g.pending == nil {
			g.pending = map[string]*window{}
		}
		if g.pending[key] == nil {
			g.pending[key] = &window{limit: pendingOutput}
		}
		_, _ = io.WriteString(g.pending[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			return
		}
		if e.Action != "skip" && !strings.Contains(e.Test, "/") {
			g.ran++
		}
		if e.Action == "fail" {
			g.flush(key)
		}
		delete(g.pending, key)
	}
}

// end prints what tests printed that never ended.
func (g *goTest) end() {
	keys := make([]string, 0, len(g.pending))
	for key := range g.pending {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		g.flush(key)
	}
}

// flush prints what a test printed. What is left out of it is not cleaned here, but where all is.
func (g *goTest) flush(key string) {
	if w := g.pending[key]; w != nil {
		_, _ = io.WriteString(g.out, strings.TrimRight(w.text(pendingOutput, func(text string) string { return text }), "\n")+"\n")
	}
}
