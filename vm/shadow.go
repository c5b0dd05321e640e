package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// boundNames gives the names that an import declares, from the tokens between import and the file's name. What TypeScript imports as
// a type only is none.
func boundNames(tokens []string, typescript bool) []string {
	if typescript && len(tokens) > 1 && tokens[0] == "type" && tokens[1] != "from" && tokens[1] != "," {
		return nil
	}
	var names []string
	first := 0 // where the current binding starts
	for i, token := range tokens[:max(len(tokens)-1, 0)] {
		next := tokens[i+1]
		if token == "{" || token == "," || token == "}" || token == "*" {
			first = i + 1
			continue
		}
		typeOnly := typescript && tokens[first] == "type" && first < i && tokens[first+1] != "as"
		if (next == "," || next == "}" || next == "from") && !typeOnly {
			names = append(names, token)
		}
	}
	return names
}

// shadowed finds what the body declares although an import has the name already. The body is a function, which may do that; in a
// module, which the author has in mind, it is an error. So the bundler's parser is shown a body that declares the names itself.
func (b *bundler) shadowed(h header) *Error {
	if len(h.bound) == 0 {
		return nil
	}
	last := b.layout.lines + 1
	result := api.Transform(b.layout.body+"\n;let "+strings.Join(h.bound, ",")+"}", api.TransformOptions{
		Loader: loaderOf(b.entry), Sourcefile: b.entry, Target: api.ESNext, TsconfigRaw: "{}", LogLevel: api.LogLevelSilent,
	})
	for _, m := range result.Errors {
		if m.Location == nil || m.Location.Line != last || len(m.Notes) == 0 || m.Notes[0].Location == nil || m.Notes[0].Location.Line >= last {
			continue
		}
		at := m.Notes[0].Location
		if name := at.LineText[at.Column:min(at.Column+at.Length, len(at.LineText))]; slices.Contains(h.bound, name) {
			m.Location, m.Detail = at, &refused{codeSyntax, fmt.Sprintf("The symbol %q has already been declared: an import has this name", name)}
			return b.explain(m)
		}
	}
	return nil
}
