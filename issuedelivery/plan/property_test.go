package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/internal/glob"
	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
)

// drawn is a plan of a few steps with few names, so that they often meet.
func drawn(t *rapid.T) (json.RawMessage, []map[string]any) {
	ids := []string{"a", "b", "c", "d", "A", "x y", ""}
	files := []string{"f", "g", "src/", "src/a.go", "src/*", "s*/b.go", "?", "SRC/x", "../f", ".git/x", "d/e/", "d/e/f"}
	var steps []map[string]any
	n := rapid.IntRange(1, 6).Draw(t, "steps")
	wild := rapid.IntRange(0, 3).Draw(t, "wild") == 0 // any dependency, any file; else mostly what can stand
	for i := range n {
		id := fmt.Sprint("s", i)
		if wild && rapid.IntRange(0, 9).Draw(t, "odd id") == 0 {
			id = rapid.SampledFrom(ids).Draw(t, "id")
		}
		var after []string
		for j := range n + 1 {
			if (j < i || wild && j != i) && rapid.IntRange(0, 9).Draw(t, "edge") < 3 {
				after = append(after, fmt.Sprint("s", j))
			}
		}
		names := rapid.SliceOfN(rapid.SampledFrom(files), 1, 2).Draw(t, "files")
		if !wild && rapid.Bool().Draw(t, "own") {
			names = []string{fmt.Sprintf("own%d", i)}
		} else if !wild {
			names = []string{rapid.SampledFrom(files[:8]).Draw(t, "file")}
		}
		steps = append(steps, step(id, names, after...))
	}
	raw, err := json.Marshal(map[string]any{"summary": "S", "steps": steps})
	require.NoError(t, err)
	return raw, steps
}

// A plan that passes has an order in which each step stands behind what it depends on, and waves that
// are the same steps; two steps of one wave name nothing that both could change. The same plan gets the
// same report.
func TestPassingPlansCanBeDone(t *testing.T) {
	passed := 0
	rapid.Check(t, func(t *rapid.T) {
		raw, steps := drawn(t)
		r := plan.Check(raw, plan.Options{})
		require.Equal(t, r, plan.Check(raw, plan.Options{}))
		require.Equal(t, len(r.Violations) == 0, r.OK)
		if !r.OK {
			return
		}
		passed++
		require.Len(t, r.Order, len(steps))
		require.ElementsMatch(t, r.Order, slices.Concat(r.Waves...))
		for _, s := range steps {
			for _, d := range s["dependencies"].([]string) {
				require.Less(t, slices.Index(r.Order, d), slices.Index(r.Order, s["id"].(string)))
			}
		}
		for _, wave := range r.Waves {
			taken := map[string]string{}
			for _, id := range wave {
				for _, s := range steps {
					if s["id"] != id {
						continue
					}
					for _, f := range s["files"].([]string) {
						require.True(t, taken[f] == "" || taken[f] == id, "%s of %s", f, wave)
						taken[f] = id
					}
				}
			}
		}
	})
	require.Positive(t, passed, "none of the plans passed")
}

// Two entries that one path matches can meet: the matcher of the conformance check is the oracle.
func TestEntriesThatMatchOnePathMeet(t *testing.T) {
	letters := rapid.SampledFrom([]string{"a", "b", "/", "*", "?"})
	rapid.Check(t, func(t *rapid.T) {
		one := "x" + strings.Join(rapid.SliceOfN(letters, 0, 6).Draw(t, "one"), "") + "z"
		other := "x" + strings.Join(rapid.SliceOfN(letters, 0, 6).Draw(t, "other"), "") + "z"
		path := "x" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/"}), 0, 6).Draw(t, "path"), "") + "z"
		r := plan.Check(text(t, map[string]any{"summary": "S", "steps": []any{step("a", []string{one}), step("b", []string{other})}}), plan.Options{})
		formed := !slices.Contains(codes(r.Violations), plan.PathForm)
		if formed && glob.Match(one, path) && glob.Match(other, path) {
			require.Contains(t, codes(r.Violations), plan.FilesShared, "%q and %q both name %q", one, other, path)
		}
	})
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"summary":"S","steps":[{"id":"a","files":["a*?/","x"],"dependencies":["a",1],"acceptance":[""]},7]}`))
	f.Add([]byte(good(f)))
	f.Add([]byte(`{"steps":[{"id":"a","dependencies":["b"]},{"id":"b","dependencies":["a"]},{"id":"B"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := plan.Check(raw, plan.Options{Tree: tree{"x": "link"}})
		require.Equal(t, len(r.Violations) == 0, r.OK)
		known := map[plan.Code]bool{}
		for _, rule := range plan.Codes {
			known[rule.Code] = true
		}
		for _, v := range slices.Concat(r.Violations, r.Warnings) {
			require.True(t, known[v.Code], v.Code)
			require.NotEmpty(t, v.What)
			require.NotContains(t, v.What, "\n")
		}
		if r.OK {
			p, broken := plan.Parse(raw)
			require.Empty(t, broken)
			require.Len(t, r.Order, len(p.Steps))
		}
		require.Equal(t, r, plan.Check(raw, plan.Options{Tree: tree{"x": "link"}}))
	})
}
