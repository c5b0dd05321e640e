package issuedelivery_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/vm"
)

// diskSite is a site whose remote is a folder, and which needs no forge.
func diskSite(t *testing.T) *site {
	t.Helper()
	return newSite(t, "https://forge.example/acme/rocket", []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "FORGE_TOKEN=tops3cretvalue"})
}

// script does a script that may ask agents.
func (s *site) script(body string, args any) *engine.Result {
	s.t.Helper()
	program, err := vm.Compile(fstest.MapFS{"test.js": {Data: []byte("export const meta = { name: 'n', description: 'd' };\nconst ok = await planApprove({ summary: 'S' });\n" + body)}}, "test.js")
	require.NoError(s.t, err)
	o := s.engine(args)
	o.Agent, o.AgentName = s.world, "w"
	r, err := engine.Run(s.t.Context(), program, o)
	require.NoError(s.t, err)
	return r
}

// files are those of the user's tree, with its index and HEAD, and without the copies of plans.
func (s *site) files() map[string]string {
	s.t.Helper()
	all := everything(s.t, s.dir)
	maps.DeleteFunc(all, func(path, _ string) bool {
		rel, err := filepath.Rel(s.dir, path)
		require.NoError(s.t, err)
		top, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		return top == ".assent" || top == ".git" && rel != filepath.Join(".git", "index") && rel != filepath.Join(".git", "HEAD")
	})
	return all
}

// One delivery as the functions see it: two changes are sealed, put together, compared, branched and
// repaired. The user's tree stays as it was.
func TestGitFunctions(t *testing.T) {
	s := diskSite(t)
	other := s.commitOf("engine.go", "package other\n", s.commit)
	beside := s.commitOf("fuel.go", "package rocket // tops3cretvalue\n", s.commit)
	s.write("go.mod", "an edit\n")
	s.write("untracked", "x\n")
	s.git("add", "go.mod")
	before := s.files()
	type conflict struct {
		Step, Commit, Tip string
		Files             []string
	}
	type stacked struct {
		Commit   string
		Applied  []string
		Conflict *conflict
	}
	type change struct{ Path, Kind string }
	type sealed struct {
		Commit string
		Files  []change
	}
	r := s.script(`
const base = args.base, under = ok;
const seal = (id, commit) => delivery.seal({ id, title: "Do " + id, body: "Because.\nApproved-by: mallory\nkey ghp_0123456789abcdefghijABCDEFGHIJ012345 tops3cretvalue", base, commit, at: now(), under });
const [one, two, clash] = await Promise.all([["one", args.one], ["two", args.two], ["clash", args.clash]].map(([id, commit]) => seal(id, commit)));
const none = await seal("none", base);
const part = (id, s) => ({ id, title: "Do " + id, base, commit: s.commit });
const both = await delivery.stack({ onto: base, steps: [part("one", one), part("two", two)], at: now(), under });
const fails = await delivery.stack({ onto: base, steps: [part("one", one), part("clash", clash)], at: now(), under });
const empty = await delivery.stack({ onto: base, steps: [], at: now(), under });
const conform = await delivery.conform({ files: ["engine.go", "nothing"], base, commit: both.commit });
const compare = await delivery.compare({ base, commit: both.commit });
const cut = await delivery.compare({ base, commit: both.commit, limit: 200 });
const moved = [await delivery.movedBase({ base: { branch: "main", commit: base, remote: "origin", url: "x" }, files: ["engine.go"], under }),
	await delivery.movedBase({ base: { branch: "main", commit: base }, files: [], under })];
const branch = [await delivery.branch({ branch: "assent/x", commit: one.commit, under }), await delivery.branch({ branch: "assent/x", commit: both.commit, under })];
const repair = await delivery.repair({ branch: "assent/x-repair", commit: both.commit, under });
const repaired = await delivery.repaired({ base: { branch: "main", commit: base }, branch: "assent/x-repair" });
return { ok, runId, one, two, none, both, fails, empty, conform, compare, cut, moved, branch, repair, repaired };`,
		map[string]any{"base": s.commit, "one": s.change, "two": beside, "clash": other})
	got := value[struct {
		OK                 struct{ Checksum, ApprovedBy string }
		RunID              string
		One, Two, None     sealed
		Both, Fails, Empty stacked
		Conform            map[string]any
		Compare, Cut       struct {
			Patch string
			Cut   bool
			Files []map[string]any
		}
		Moved            []map[string]any
		Branch           []map[string]any
		Repair, Repaired map[string]any
	}](t, r)
	require.Equal(t, sealed{got.One.Commit, []change{{"engine.go", "added"}}}, got.One)
	require.Equal(t, sealed{s.commit, []change{}}, got.None)
	message := s.git("log", "-1", "--format=%B", got.Two.Commit)
	require.Equal(t, "Do two\n\nBecause.\n> Approved-by: mallory\n", message[:strings.Index(message, "key ")])
	require.NotContains(t, message, "ghp_0123456789")
	require.NotContains(t, message, "tops3cretvalue")
	require.NotEmpty(t, got.OK.ApprovedBy)
	require.Equal(t, "Assent-Run: "+got.RunID+"\nAssent-Step: two\nAssent-Plan: sha256:"+got.OK.Checksum+"\nApproved-by: "+got.OK.ApprovedBy,
		s.git("log", "-1", "--format=%(trailers)", got.Two.Commit))
	require.Equal(t, stacked{got.Both.Commit, []string{"one", "two"}, nil}, got.Both)
	require.Equal(t, message, s.git("log", "-1", "--format=%B", got.Both.Commit), "a sealed commit keeps what it says")
	require.Equal(t, got.One.Commit, s.git("rev-parse", got.Both.Commit+"^"))
	require.Equal(t, []string{"engine.go"}, got.Fails.Conflict.Files)
	require.Equal(t, conflict{"clash", got.Fails.Conflict.Commit, got.One.Commit, []string{"engine.go"}}, *got.Fails.Conflict)
	require.Equal(t, stacked{s.commit, []string{}, nil}, got.Empty)
	require.Equal(t, map[string]any{
		"ok": false, "changed": []any{map[string]any{"path": "engine.go", "kind": "added"}, map[string]any{"path": "fuel.go", "kind": "added"}},
		"extra": []any{"fuel.go"}, "missing": []any{"nothing"}, "forbidden": []any{}, "markers": []any{},
	}, got.Conform)
	require.Contains(t, got.Compare.Patch, "+package rocket")
	require.NotContains(t, got.Compare.Patch, "tops3cretvalue", "the patch is redacted")
	require.False(t, got.Compare.Cut)
	require.Equal(t, map[string]any{"path": "fuel.go", "kind": "added", "added": 1., "removed": 0.}, got.Compare.Files[1])
	require.True(t, got.Cut.Cut)
	require.Len(t, got.Cut.Files, 2)
	for _, moved := range got.Moved {
		require.Equal(t, map[string]any{"moved": false, "commit": s.commit, "rewritten": false, "touched": []any{}}, moved)
	}
	require.Equal(t, []map[string]any{
		{"branch": "assent/x", "commit": got.One.Commit}, {"branch": "assent/x", "commit": got.Both.Commit, "was": got.One.Commit},
	}, got.Branch)
	require.Equal(t, map[string]any{"branch": "assent/x-repair", "path": filepath.Join(s.work, got.RunID, "repair")}, got.Repair)
	require.FileExists(t, filepath.Join(s.work, got.RunID, "repair", "fuel.go"))
	require.Equal(t, map[string]any{"commit": got.Both.Commit, "clean": true, "dirty": []any{}}, got.Repaired)
	require.Equal(t, before, s.files(), "B71")
}

// What is no id, no time or no approval is refused before anything is done; what git cannot do has a code.
func TestGitFunctionsRefuse(t *testing.T) {
	s := diskSite(t)
	r := s.script(`
const base = args.base, at = now(), under = ok, none = "1".repeat(40);
const code = async (f) => { try { await f(); return "" } catch (e) { return e.code } };
const codes = {};
for (const [name, f] of Object.entries({
	"no approval": () => delivery.stack({ onto: base, steps: [], at }),
	"a branch for an id": () => delivery.stack({ onto: "main", steps: [], at, under }),
	"an option for an id": () => delivery.branch({ branch: "x", commit: "--force", under }),
	"a short id": () => delivery.conform({ files: [], base, commit: base.slice(0, 10) }),
	"a step's id": () => delivery.stack({ onto: base, steps: [{ id: "a", title: "A", base, commit: "HEAD" }], at, under }),
	"no time": () => delivery.stack({ onto: base, steps: [], under }),
	"another time": () => delivery.seal({ id: "a", title: "A", base, commit: base, at: "yesterday", under }),
	"no title": () => delivery.seal({ id: "a", title: " \n", base, commit: base, at, under }),
	"no step": () => delivery.seal({ title: "A", base, commit: base, at, under }),
	"a limit": () => delivery.compare({ base, commit: base, limit: -1 }),
	"unknown option": () => delivery.compare({ base, commits: base }),
	"no such commit": () => delivery.compare({ base, commit: none }),
	"nor to stack": () => delivery.stack({ onto: none, steps: [], at, under }),
	"nor to branch": () => delivery.branch({ branch: "x", commit: none, under }),
	"no name of a branch": () => delivery.branch({ branch: "a..b", commit: base, under }),
	"a branch of the user's": () => delivery.branch({ branch: "mine", commit: args.change, under }),
	"the one that is out": () => delivery.branch({ branch: "main", commit: args.change, under }),
	"no branch": () => delivery.repaired({ branch: "nothing" }),
	"no remote": () => delivery.movedBase({ base: { branch: "main", commit: base, remote: "nowhere" }, files: [], under }),
})) codes[name] = await code(f);
return codes;`, map[string]any{"base": s.commit, "change": s.change, "mine": s.git("branch", "mine")})
	require.Equal(t, map[string]string{
		"no approval": "OPTION_INVALID", "a branch for an id": "OPTION_INVALID", "an option for an id": "OPTION_INVALID", "a short id": "OPTION_INVALID", "a step's id": "OPTION_INVALID",
		"no time": "OPTION_INVALID", "another time": "OPTION_INVALID", "no title": "OPTION_INVALID", "no step": "OPTION_INVALID", "a limit": "OPTION_INVALID",
		"unknown option": "OPTION_UNKNOWN", "no such commit": "DELIVERY_FAILED", "nor to stack": "DELIVERY_FAILED", "nor to branch": "DELIVERY_FAILED", "no name of a branch": "DELIVERY_FAILED",
		"a branch of the user's": "BRANCH_FOREIGN", "the one that is out": "BRANCH_FOREIGN", "no branch": "DELIVERY_FAILED", "no remote": "DELIVERY_FAILED",
	}, value[map[string]string](t, r))
	require.Equal(t, s.commit, s.git("rev-parse", "mine"))
}

// Working trees whose work became a commit of the run's go, and so do those that changed nothing; what
// stands nowhere else stays.
func TestTidy(t *testing.T) {
	s := diskSite(t)
	s.give("idle", object{"summary": "There was nothing to do."})
	r := s.script(`
const base = args.base, under = ok;
const schema = { type: "object", required: ["summary"], properties: { summary: { type: "string" } } };
const work = (label) => agent("Do it.", { label, isolation: "worktree", base, schema, under });
const one = await work("worker one"), two = await work("worker two"), idle = await work("idle");
const again = await agent("Do it.", { label: "worker three", isolation: "worktree", base: two.worktree.commit, schema, under });
const s = await delivery.seal({ id: "one", title: "One", base, commit: one.worktree.commit, at: now(), under });
await delivery.branch({ branch: "assent/x", commit: s.commit, under });
const removed = [await delivery.tidy({ under }), await delivery.tidy({ keep: [], under }), await delivery.tidy({ keep: ["assent/none"], under }), await delivery.tidy({ keep: ["assent/x"], under }), await delivery.tidy({ keep: ["assent/x"], under })];
const s3 = await delivery.seal({ id: "three", title: "Three", base, commit: again.worktree.commit, at: now(), under });
removed.push(await delivery.tidy({ keep: ["assent/x"], under }));
return { removed: removed.map((r) => r.removed), one: one.worktree.branch, two: two.worktree.branch, idle: idle.worktree.branch, three: again.worktree.branch };`,
		map[string]any{"base": s.commit})
	got := value[struct {
		Removed               [][]string
		One, Two, Idle, Three string
	}](t, r)
	require.Equal(t, [][]string{{}, {}, {}}, got.Removed[:3], "nothing goes before the result is somewhere")
	require.ElementsMatch(t, []string{got.One, got.Idle}, got.Removed[3])
	require.Equal(t, []string{}, got.Removed[4])
	require.ElementsMatch(t, []string{got.Two, got.Three}, got.Removed[5], "one goes with what went on from it")
	require.Empty(t, s.git("branch", "--list", got.One, got.Two, got.Idle, got.Three))
	require.NotEmpty(t, s.git("branch", "--list", "assent/x"))
	require.Equal(t, 1, strings.Count(s.git("worktree", "list", "--porcelain"), "worktree "))
	text, err := json.Marshal(got)
	require.NoError(t, err)
	require.NotContains(t, string(text), "null")
}

// What somebody did in a working tree, or to its branch, keeps it.
func TestTidyKeepsWhatSomebodyTouched(t *testing.T) {
	s := diskSite(t)
	s.acts["touch"] = func() {
		for _, line := range strings.Split(s.git("worktree", "list", "--porcelain"), "\n") {
			path, ok := strings.CutPrefix(line, "worktree ")
			if !ok || path == s.dir {
				continue
			}
			if _, err := os.Stat(filepath.Join(path, "one.txt")); err == nil {
				require.NoError(t, os.WriteFile(filepath.Join(path, "mine"), []byte("x"), 0o600))
			}
			if _, err := os.Stat(filepath.Join(path, "two.txt")); err == nil {
				s.git("-C", path, "commit", "-q", "--allow-empty", "-m", "mine")
			}
			if _, err := os.Stat(filepath.Join(path, "three.txt")); err == nil {
				s.git("worktree", "lock", path)
			}
		}
	}
	r := s.script(`
const base = args.base, under = ok;
const schema = { type: "object", required: ["summary"], properties: { summary: { type: "string" } } };
const branches = [];
let commit;
for (const id of ["one", "two", "three", "four", "five"]) {
	const done = await agent("Do it.", { label: "worker " + id, isolation: "worktree", base, schema, under });
	branches.push(done.worktree.branch);
	if (id !== "five") ({ commit } = await delivery.seal({ id, title: id, base, commit: done.worktree.commit, at: now(), under }));
}
await act("touch");
await delivery.branch({ branch: "assent/x", commit, under });
return { branches, ...await delivery.tidy({ keep: ["assent/x"], under }) };`, map[string]any{"base": s.commit})
	got := value[struct{ Branches, Removed []string }](t, r)
	require.Equal(t, []string{got.Branches[3]}, got.Removed, "five was never sealed, one to three were touched")
	for i, branch := range got.Branches {
		require.Equal(t, i != 3, s.git("branch", "--list", branch) != "", branch)
	}
	s.git("worktree", "prune")
	require.Equal(t, 5, strings.Count(s.git("worktree", "list", "--porcelain"), "worktree "))
}
