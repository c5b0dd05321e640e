package issuedelivery_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// planned is a repository with a link and a file, and a store for runs in it.
type planned struct {
	t      *testing.T
	dir    string
	commit string
	store  *journal.Store
}

func newPlanned(t *testing.T) *planned {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o600))
	git("add", "main.go")
	git("update-index", "--add", "--cacheinfo", "120000,"+git("hash-object", "-w", "main.go")+",out")
	git("commit", "-q", "-m", "first")
	other := t.TempDir()
	store, err := journal.Open(journal.Options{Dir: filepath.Join(other, "store"), KeyDir: filepath.Join(other, "keys")})
	require.NoError(t, err)
	return &planned{t, dir, git("rev-parse", "HEAD"), store}
}

// run makes a script of one workflow do its body, and verifies its journal.
func (p *planned) run(body string) *engine.Result {
	p.t.Helper()
	text := `export const meta = { name: "n", description: "d" };` + "\n" + body
	program, err := vm.Compile(fstest.MapFS{"test.js": {Data: []byte(text)}}, "test.js")
	require.NoError(p.t, err)
	h := &issuedelivery.Host{Store: p.store, Workspace: p.dir, Work: p.t.TempDir()}
	r, err := engine.Run(p.t.Context(), program, engine.Options{Store: p.store, Workspace: p.dir, Primitives: h.Functions()})
	require.NoError(p.t, err)
	report, err := journal.Verify(p.t.Context(), p.store, r.Run)
	require.NoError(p.t, err)
	require.True(p.t, report.OK, "%v", report.Problems)
	return r
}

const aStep = `({ id: "a", title: "T", files: [FILE], instructions: "Do it.", expectedOutput: "", acceptance: ["go test ./... passes"], dependencies: [] })`

// A plan is held against the tree of the commit that the work begins with; that it breaks a rule is a value.
func TestCheckPlanHoldsAPlanAgainstTheBase(t *testing.T) {
	p := newPlanned(t)
	for file, want := range map[string]string{
		`"main.go"`: "", `"new/x.go"`: "", `"out/x.go"`: "path-link", `"main.go/x"`: "path-kind", `".git/config"`: "path-git",
	} {
		step := strings.ReplaceAll(aStep, "FILE", file)
		r := p.run(`return delivery.checkPlan({ summary: "S", steps: [` + step + `] }, { base: "` + p.commit + `" })`)
		require.Equal(t, "completed", r.State, "%v", r.Err)
		var got struct {
			OK         bool                                      `json:"ok"`
			Violations []struct{ Code, Step, Path, What string } `json:"violations"`
			Order      []string                                  `json:"order"`
			Waves      [][]string                                `json:"waves"`
		}
		require.NoError(t, json.Unmarshal(r.Value, &got))
		require.Equal(t, want == "", got.OK, "%s: %s", file, r.Value)
		require.Equal(t, []string{"a"}, got.Order)
		if want != "" {
			require.Equal(t, want, got.Violations[0].Code, file)
			require.Equal(t, "$.steps[0].files[0]", got.Violations[0].Path)
		}
	}
}

func TestCheckPlanTakesTheNumberOfSteps(t *testing.T) {
	p := newPlanned(t)
	two := strings.ReplaceAll(aStep, "FILE", `"x"`) + "," + strings.Replace(strings.ReplaceAll(aStep, "FILE", `"y"`), `"a"`, `"b"`, 1)
	r := p.run(`const r = await delivery.checkPlan({ summary: "S", steps: [` + two + `] }, { maxSteps: 1 }); return r.violations.map((v) => v.code)`)
	require.JSONEq(t, `["too-many-steps"]`, string(r.Value), "%v", r.Err)
	// Whatever the planner answered is a plan that is judged, and no error.
	r = p.run(`return Promise.all([null, [], "no plan"].map(async (x) => (await delivery.checkPlan(x, { base: "` + p.commit + `" })).violations[0].code))`)
	require.JSONEq(t, `["wrong-type","wrong-type","wrong-type"]`, string(r.Value), "%v", r.Err)
}

func TestCheckPlanRefusesOptions(t *testing.T) {
	p := newPlanned(t)
	for _, args := range []string{`{}, { base: "main" }`, `{}, { base: "--help" }`, `{}, { maxSteps: -1 }`, `{}, { maxSteps: 101 }`, `{}, { maxSteps: "2" }`, ``} {
		r := p.run(`try { return await delivery.checkPlan(` + args + `) } catch (e) { return e.code }`)
		require.JSONEq(t, `"OPTION_INVALID"`, string(r.Value), "%s: %v", args, r.Err)
	}
	r := p.run(`try { return await delivery.checkPlan({}, { bases: 1 }) } catch (e) { return e.code }`)
	require.JSONEq(t, `"OPTION_UNKNOWN"`, string(r.Value), "%v", r.Err)
}
