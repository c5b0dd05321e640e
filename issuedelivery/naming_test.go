package issuedelivery_test

import (
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

func TestNames(t *testing.T) {
	for task, want := range map[string][2]string{
		"Fix the engine":                       {"Fix the engine", "fix-the-engine"},
		"\n\n## Add  a\tflag `--x`\n\nDetails": {"Add a flag `--x`", "add-a-flag-x"},
		"Zündung prüfen":                       {"Zündung prüfen", "z-ndung-pr-fen"},
		"エンジンを直す":                              {"エンジンを直す", "task"},
		"--force ../..\x1b[2K\u202e~^:?*":      {"--force ../.. [2K ~^:?*", "force-2k"},
		"":                                     {"", "task"},
		strings.Repeat("a", 100):               {strings.Repeat("a", 70) + " …", strings.Repeat("a", 40)},
		"Rewrite the whole of the ignition so that it no longer needs a person with a match": {
			"Rewrite the whole of the ignition so that it no longer needs a person …", "rewrite-the-whole-of-the-ignition-so",
		},
	} {
		title := issuedelivery.TitleOf(task)
		require.Equal(t, want[0], title, task)
		require.Equal(t, want[1], issuedelivery.SlugOf(title), task)
	}
	require.Equal(t, "assent/wxyz12-fix", issuedelivery.BranchOf("01JDABCDEFGHJKMNPQRSWXYZ12", "fix"))
	require.Equal(t, "assent/wxyz-fix", issuedelivery.BranchOf("WXYZ", "fix"))
}

// Whatever a task says, its branch is one that git takes.
func TestBranchesAreSafe(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		title := issuedelivery.TitleOf(rapid.OneOf(rapid.String(), rapid.StringMatching(`[-./@{}~^:*?\[\\a-z ]{0,90}`)).Draw(rt, "task"))
		slug := issuedelivery.SlugOf(title)
		if utf8.RuneCountInString(title) > 72 || strings.ContainsAny(title, "\r\n\x1b") || slug == "" || len(slug) > 40 {
			rt.Fatalf("%q %q", title, slug)
		}
		if strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(slug, "-") || strings.HasSuffix(slug, "-") {
			rt.Fatalf("%q", slug)
		}
	})
	require.NoError(t, exec.Command("git", "check-ref-format", "--branch", issuedelivery.BranchOf("01ABCDEF", issuedelivery.SlugOf("a..b.lock/@{x"))).Run())
}

func TestNotesOfARepository(t *testing.T) {
	long := strings.Repeat("ü", 10_000)
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte("Be brief.")}, "CLAUDE.md": {Data: []byte("@AGENTS.md\n")}, "docs/AGENTS.md": {Data: []byte("other")}}
	require.Equal(t, []any{"AGENTS.md", "Be brief.", false}, issuedelivery.NotesOf(tree))
	tree["CLAUDE.md"] = &fstest.MapFile{Data: []byte(long)}
	require.Equal(t, []any{"AGENTS.md", "Be brief.", false, "CLAUDE.md", strings.Repeat("ü", 8192), true}, issuedelivery.NotesOf(tree))
	require.Empty(t, issuedelivery.NotesOf(fstest.MapFS{"AGENTS.md": {Data: []byte(" \n")}}))
}

func TestTemplateOfPullRequests(t *testing.T) {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for want, tree := range map[string]fstest.MapFS{
		"in .github": {".github/PULL_REQUEST_TEMPLATE.md": text("in .github\n"), "pull_request_template.md": text("no")},
		"at the top": {"Pull_Request_Template.md": text("at the top"), "docs/pull_request_template.md": text("no"), ".github/other.md": text("no")},
		"in docs":    {"docs/pull_request_template.txt": text("in docs"), ".github/PULL_REQUEST_TEMPLATE/a.md": text("one of several")},
		"":           {"README.md": text("x")},
	} {
		require.Equal(t, want, issuedelivery.TemplateOf(tree))
	}
}

func TestWorkflowsOfARepository(t *testing.T) {
	for path, want := range map[string]bool{".github/workflows/a.yml": true, ".github/workflows/a.yaml": true, ".github/workflows/README.md": false, "workflows/a.yml": false} {
		has, err := issuedelivery.HasWorkflows(fstest.MapFS{path: {Data: []byte("x")}})
		require.NoError(t, err)
		require.Equal(t, want, has, path)
	}
}
