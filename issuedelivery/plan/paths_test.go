package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
)

// tree is a tree by its paths.
type tree map[string]string

func (t tree) Kind(path string) string { return t[path] }

// withFiles is a plan of one step that names files.
func withFiles(t testing.TB, files ...string) json.RawMessage {
	t.Helper()
	return text(t, map[string]any{"summary": "S", "steps": []any{step("a", files)}})
}

func text(t require.TestingT, v any) json.RawMessage {
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}

// step is a step that breaks no rule.
func step(id string, files []string, after ...string) map[string]any {
	return map[string]any{
		"id": id, "title": "Do " + id, "files": files, "instructions": "Do it.", "expectedOutput": "It is done.",
		"acceptance": []string{"go test ./" + id + " passes"}, "dependencies": append([]string{}, after...),
	}
}

func codes(list []plan.Finding) []plan.Code {
	all := []plan.Code{}
	for _, f := range list {
		all = append(all, f.Code)
	}
	return all
}

// B64, S12: whatever a model writes as a path, it is inside the repository and nobody else's, or named.
func TestPathsThatCannotStand(t *testing.T) {
	there := tree{
		"src": "folder", "src/a.go": "file", "link": "link", "vendor/lib": "submodule", "vendor": "folder", "docs": "folder", "docs/out": "link",
	}
	for path, want := range map[string]plan.Code{
		"": plan.PathForm, "  ": plan.PathForm, ".": plan.PathForm, "./": plan.PathForm, "a/..": plan.PathForm,
		"./a.go": plan.PathForm, "a//b.go": plan.PathForm, "a/./b.go": plan.PathForm, "a.go ": plan.PathForm, " a.go": plan.PathForm, "a /b": plan.PathForm,
		`src\a.go`: plan.PathForm, `..\a.go`: plan.PathForm, "-rf": plan.PathForm, "--upload-pack=x": plan.PathForm, ":(top)a.go": plan.PathForm, ":/": plan.PathForm,
		strings.Repeat("a", 256): plan.PathForm,
		"/etc/passwd":            plan.PathOutside, "/": plan.PathOutside, "//host/share": plan.PathOutside, "C:/x": plan.PathOutside, "c:x": plan.PathOutside, `C:\x`: plan.PathOutside,
		"~/.ssh/config": plan.PathOutside, "~root": plan.PathOutside, "../a.go": plan.PathOutside, "a/../../b": plan.PathOutside, "a/b/../c.go": plan.PathOutside, "..": plan.PathOutside, "*/../../x": plan.PathOutside,
		"a\x00b": plan.PathHidden, "a\nb": plan.PathHidden, "a\tb": plan.PathHidden, "a\x1b[2K": plan.PathHidden, "a\u202eog.b": plan.PathHidden, "a\u200b.go": plan.PathHidden,
		".g\u200cit/config": plan.PathHidden, "a\u00a0b": plan.PathHidden, "a\u3000b": plan.PathHidden, "a\ufe0f": plan.PathHidden, "a\u2800": plan.PathHidden, "a\ue000": plan.PathHidden, "a\u3164b": plan.PathHidden,
		".git": plan.PathGit, ".git/": plan.PathGit, ".git/config": plan.PathGit, ".GIT/hooks/pre-commit": plan.PathGit, ".Git": plan.PathGit, "a/.git/config": plan.PathGit, "a/b/.gIT": plan.PathGit,
		"git~1": plan.PathGit, "GIT~1/config": plan.PathGit, "x/git~2": plan.PathGit, ".git./config": plan.PathGit, ".git::$INDEX_ALLOCATION/x": plan.PathGit, ".git. . /x": plan.PathGit,
		".gi*": plan.PathGit, ".???/config": plan.PathGit, "a/.g*/x": plan.PathGit,
		".assent": plan.PathAssent, ".assent/config.toml": plan.PathAssent, ".ASSENT/plans/": plan.PathAssent, "sub/.assent/x": plan.PathAssent, "assent~1/x": plan.PathAssent, ".ass*/x": plan.PathAssent,
		"link": plan.PathLink, "link/a.go": plan.PathLink, "docs/out/x/y.md": plan.PathLink, "docs/out/": plan.PathLink, "link/*.go": plan.PathLink,
		"vendor/lib": plan.PathSubmodule, "vendor/lib/a.go": plan.PathSubmodule, "vendor/lib/*": plan.PathSubmodule,
		"src": plan.PathKind, "src/a.go/": plan.PathKind, "src/a.go/b.go": plan.PathKind,
	} {
		r := plan.Check(withFiles(t, path), plan.Options{Tree: there})
		require.False(t, r.OK, "%q", path)
		require.Equal(t, []plan.Code{want}, codes(r.Violations), "%q", path)
		require.Equal(t, "$.steps[0].files[0]", r.Violations[0].Path, "%q", path)
		require.Equal(t, "a", r.Violations[0].Step)
		require.NotContains(t, r.Violations[0].What, "\n")
		require.NotContains(t, r.Violations[0].What, "\u202e")
	}
}

func TestPathsThatStand(t *testing.T) {
	there := tree{"src": "folder", "src/a.go": "file", "docs": "folder"}
	for path, warned := range map[string]plan.Code{
		"a.go": "", "src/a.go": "", "src/new/b.go": "", "src/": "", "new/": "", "src/*.go": "", "docs/**/*.md": "", "a b/c d.txt": "", "päth/ü.go": "",
		".github/workflows/ci.yml": "", ".gitignore": "", "src/.gitignore": "", ".gitlab-ci.yml": "", "git/config": "", "my.git/x": "", "app/[id].tsx": "",
		"a..b": "", "...": "", "ab:c.txt": "", "日本/語.go": "", "assent/x.go": "",
		".gitmodules": plan.GitSettings, "src/.gitattributes": plan.GitSettings, "*.go": plan.PathBroad, "?x/a": plan.PathBroad, "src/{a,b}.go": plan.PathBraces,
	} {
		r := plan.Check(withFiles(t, path), plan.Options{Tree: there})
		require.True(t, r.OK, "%q: %v", path, r.Violations)
		want := []plan.Code{}
		if warned != "" {
			want = append(want, warned)
		}
		require.Equal(t, want, codes(r.Warnings), "%q", path)
	}
}

// A step may put a folder in the place of a file, if it says so.
func TestFolderInPlaceOfAFile(t *testing.T) {
	there := tree{"conf": "file"}
	require.True(t, plan.Check(withFiles(t, "conf", "conf/a.toml"), plan.Options{Tree: there}).OK)
	require.False(t, plan.Check(withFiles(t, "conf/a.toml"), plan.Options{Tree: there}).OK)
}

func TestPathsOnlyTheCaseTellsApart(t *testing.T) {
	for _, files := range [][]string{{"readme.md", "README.md"}, {"Src/a.go", "src/b.go"}, {"src/", "SRC/x.go"}, {"straße/É", "straße/é"}} {
		r := plan.Check(withFiles(t, files...), plan.Options{})
		require.Equal(t, []plan.Code{plan.PathCase}, codes(r.Violations), "%q", files)
	}
	r := plan.Check(withFiles(t, "a.go", "a.go"), plan.Options{})
	require.True(t, r.OK)
	require.Equal(t, []plan.Code{plan.PathTwice}, codes(r.Warnings))
}

func TestPathsToAskTheTreeFor(t *testing.T) {
	require.Equal(t, []string{"a.go", "src", "docs/x", "lib"}, plan.Paths(withFiles(t, "a.go", "../x", "src/*.go", "*.md", "docs/x/", "src/", "lib/?/y", ".git/config", "a.go")))
	require.Empty(t, plan.Paths(json.RawMessage(`[]`)))
}
