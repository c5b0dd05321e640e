//go:build unix

package acp_test

import (
	"os"
	"path/filepath"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/acp"
)

// Every kind of tool, in each sort of place, under each sort of call. The columns are: a read-only call;
// then calls that may change something, in the mode "ask" with a person, in "ask" with a person in a
// working tree of its own, in "ask" with nobody, in no mode with a person, in no mode with nobody, in
// "accept-edits" with a person, in "accept-edits" with nobody, in "auto".
func TestS19_EveryPermission(t *testing.T) {
	calls := []acp.Rules{
		acp.NewRules(true, "", false, true),
		acp.NewRules(false, "ask", false, true), acp.NewRules(false, "ask", true, true), acp.NewRules(false, "ask", false, false),
		acp.NewRules(false, "", false, true), acp.NewRules(false, "", false, false),
		acp.NewRules(false, "accept-edits", false, true), acp.NewRules(false, "accept-edits", false, false),
		acp.NewRules(false, "auto", false, false),
	}
	const in, scratch, git, out = acp.Inside, acp.InScratch, acp.Reserved, acp.Outside
	const none, reads, other = acp.NoCommand, acp.ReadingCommand, acp.OtherCommand
	for _, row := range []struct {
		name string
		use  acp.Use
		want string // y allowed, n denied, ? a person is asked
	}{
		{"read inside", acp.NewUse(sdk.ToolKindRead, none, in), "yyyyyyyyy"},
		{"read without a place", acp.NewUse(sdk.ToolKindRead, none), "yyyyyyyyy"},
		{"read in git's folder", acp.NewUse(sdk.ToolKindRead, none, git), "yyyyyyyyy"},
		{"read in scratch", acp.NewUse(sdk.ToolKindRead, none, scratch), "yyyyyyyyy"},
		{"read outside", acp.NewUse(sdk.ToolKindRead, none, out), "n??n?n?ny"},
		{"read inside and outside", acp.NewUse(sdk.ToolKindRead, none, in, out), "n??n?n?ny"},
		{"read by a command that reads", acp.NewUse(sdk.ToolKindRead, reads, in), "yyyyyyyyy"},
		{"read by another command", acp.NewUse(sdk.ToolKindRead, other, in), "n??n?n?ny"},
		{"search inside", acp.NewUse(sdk.ToolKindSearch, none, in), "yyyyyyyyy"},
		{"search outside", acp.NewUse(sdk.ToolKindSearch, none, out), "n??n?n?ny"},
		{"think", acp.NewUse(sdk.ToolKindThink, none), "yyyyyyyyy"},
		{"fetch", acp.NewUse(sdk.ToolKindFetch, none), "n??n?n?ny"},
		{"switch mode", acp.NewUse(sdk.ToolKindSwitchMode, none), "n??n?n?ny"},
		{"other", acp.NewUse(sdk.ToolKindOther, none), "n??n?n?ny"},
		{"other inside", acp.NewUse(sdk.ToolKindOther, none, in), "n??n?n?ny"},
		{"no kind", acp.NewUse("", none, in), "n??n?n?ny"},
		{"no kind, but a command that reads", acp.NewUse("", reads, in), "n??n?n?ny"},
		{"a kind that there is not", acp.NewUse("reading", none, in), "n??n?n?ny"},
		{"edit inside", acp.NewUse(sdk.ToolKindEdit, none, in), "n?yn?yyyy"},
		{"edit two inside", acp.NewUse(sdk.ToolKindEdit, none, in, in), "n?yn?yyyy"},
		{"edit without a place", acp.NewUse(sdk.ToolKindEdit, none), "n??n?n?ny"},
		{"edit outside", acp.NewUse(sdk.ToolKindEdit, none, out), "n??n?n?ny"},
		{"edit inside and outside", acp.NewUse(sdk.ToolKindEdit, none, in, out), "n??n?n?ny"},
		{"edit in git's folder or Assent's", acp.NewUse(sdk.ToolKindEdit, none, git), "nnnnnnnnn"},
		{"delete there", acp.NewUse(sdk.ToolKindDelete, none, in, git), "nnnnnnnnn"},
		{"move to there", acp.NewUse(sdk.ToolKindMove, none, in, git), "nnnnnnnnn"},
		{"read inside, and something else", acp.Contradicting(acp.NewUse(sdk.ToolKindRead, none, in)), "nnnnnnnny"},
		{"execute what reads, and something else", acp.Contradicting(acp.NewUse(sdk.ToolKindExecute, reads, in)), "nnnnnnnny"},
		{"edit in scratch", acp.NewUse(sdk.ToolKindEdit, none, scratch), "yyyyyyyyy"},
		{"edit in scratch and inside", acp.NewUse(sdk.ToolKindEdit, none, scratch, in), "n?yn?yyyy"},
		{"edit by a command", acp.NewUse(sdk.ToolKindEdit, reads, in), "n??n?n?ny"},
		{"delete inside", acp.NewUse(sdk.ToolKindDelete, none, in), "n?yn?yyyy"},
		{"move inside", acp.NewUse(sdk.ToolKindMove, none, in, in), "n?yn?yyyy"},
		{"move to an unknown place", acp.NewUse(sdk.ToolKindMove, none, in), "n??n?n?ny"},
		{"execute what reads", acp.NewUse(sdk.ToolKindExecute, reads), "yyyyyyyyy"},
		{"execute what reads, inside", acp.NewUse(sdk.ToolKindExecute, reads, in), "yyyyyyyyy"},
		{"execute what reads, in scratch", acp.NewUse(sdk.ToolKindExecute, reads, scratch), "n??n?n?ny"},
		{"execute what reads, outside", acp.NewUse(sdk.ToolKindExecute, reads, out), "n??n?n?ny"},
		{"execute what reads, in git's folder", acp.NewUse(sdk.ToolKindExecute, reads, git), "n??n?n?ny"},
		{"execute something else", acp.NewUse(sdk.ToolKindExecute, other, in), "n??n?n?ny"},
		{"execute who knows what", acp.NewUse(sdk.ToolKindExecute, none, in), "n??n?n?ny"},
	} {
		got := ""
		for _, rules := range calls {
			got += map[any]string{acp.Allowed: "y", acp.Denied: "n", acp.Asked: "?"}[rules.Decide(row.use)]
		}
		require.Equal(t, row.want, got, row.name)
	}
	// A stamp is not lifted by a mode, nor by a working tree of the call's own.
	for _, mode := range []string{"", "ask", "accept-edits", "auto", "else"} {
		require.Equal(t, acp.Denied, acp.NewRules(true, mode, true, true).Decide(acp.NewUse(sdk.ToolKindEdit, none, in)), mode)
	}
}

func TestS19_LeaveIsForOnce(t *testing.T) {
	option := func(id string, kind sdk.PermissionOptionKind) sdk.PermissionOption {
		return sdk.PermissionOption{OptionId: sdk.PermissionOptionId(id), Kind: kind, Name: "Reject"}
	}
	always := []sdk.PermissionOption{option("aa", sdk.PermissionOptionKindAllowAlways), option("ra", sdk.PermissionOptionKindRejectAlways)}
	require.Empty(t, acp.OptionFor(always, true))
	require.Empty(t, acp.OptionFor(always, false))
	require.Empty(t, acp.OptionFor(nil, false))
	all := append(always, option("", sdk.PermissionOptionKindAllowOnce), option("ao", sdk.PermissionOptionKindAllowOnce), option("ro", sdk.PermissionOptionKindRejectOnce), option("x", "else"))
	require.EqualValues(t, "ao", acp.OptionFor(all, true))
	require.EqualValues(t, "ro", acp.OptionFor(all, false))
}

func TestS19_PlacesAreWhereLinksLead(t *testing.T) {
	top := t.TempDir()
	dir, scratch, other := filepath.Join(top, "work"), filepath.Join(top, "scratch"), filepath.Join(top, "work-too")
	for _, d := range []string{filepath.Join(dir, "a", ".git", "hooks"), scratch, other} {
		require.NoError(t, os.MkdirAll(d, 0o700))
	}
	link := func(to, at string) { require.NoError(t, os.Symlink(to, filepath.Join(dir, at))) }
	link(other, "out")
	link("a", "in")
	link(filepath.Join(other, "none"), "dangling")
	link("loop", "loop")
	link(".git", "a/git")
	link("/proc/self/cwd", "own")
	link("in/../own", "far")
	t.Chdir(dir)
	require.NoError(t, os.Symlink(dir, filepath.Join(top, "alias")))
	for path, want := range map[string]acp.Place{
		"a/x": acp.Inside, "new/deep/x": acp.Inside, ".": acp.Inside, filepath.Join(dir, "x"): acp.Inside, "in/x": acp.Inside,
		"out": acp.Outside, "out/x": acp.Outside, "out/new/x": acp.Outside, "dangling": acp.Outside, "loop/x": acp.Outside,
		"../work-too/x": acp.Outside, "a/../../work-too/x": acp.Outside, "a/../x": acp.Outside, filepath.Join(other, "x"): acp.Outside, "/etc/passwd": acp.Outside,
		"": acp.Outside, "a\x00b": acp.Outside, dir + "-too/x": acp.Outside, top: acp.Outside, "/": acp.Outside,
		".git": acp.Reserved, "a/.git/hooks/pre-commit": acp.Reserved, ".GIT/config": acp.Reserved, "a/git/config": acp.Reserved, ".gitignore": acp.Inside,
		".git ": acp.Outside, ".git /x": acp.Reserved, ".git.": acp.Reserved, "git~1/x": acp.Reserved, ".assent/config.toml": acp.Reserved, ".Assent/agents/x.md": acp.Reserved, "a/.assent": acp.Reserved, ".assents": acp.Inside,
		// What an agent may read otherwise.
		"~": acp.Outside, "~/x": acp.Outside, "~root/x": acp.Outside, "$HOME/x": acp.Outside, "a/~": acp.Inside, "a b": acp.Inside,
		" a": acp.Outside, "a ": acp.Outside, "\ta": acp.Outside, "\u00a0" + dir + "/a": acp.Outside, "\ufeffa": acp.Outside, "a\u3000": acp.Outside, "a\n": acp.Outside, "a\nb": acp.Outside, ".g\u200cit/x": acp.Outside, "\xff": acp.Outside,
		"file://" + dir + "/a": acp.Outside, "FILE:a": acp.Outside, "http://x/a": acp.Outside, "'a'": acp.Outside,
		"a//x": acp.Outside, "a/./x": acp.Outside, "/" + dir + "/x": acp.Outside, "./a": acp.Inside, "a/": acp.Inside, dir + "/": acp.Inside,
		"/proc/self/cwd/a": acp.Outside, "/proc/self/root" + dir + "/a": acp.Outside, "/proc/1/environ": acp.Outside, "/dev/stdin": acp.Outside, "/dev/fd/3": acp.Outside, "own/a": acp.Outside, "own": acp.Outside, "far/a": acp.Outside,
		filepath.Join(scratch, "x"): acp.InScratch, filepath.Join(top, "alias", "x"): acp.Inside,
	} {
		got, err := acp.LocateIn(dir, scratch, path)
		require.NoError(t, err)
		require.Equal(t, want, got, "%q", path)
	}
	got, err := acp.LocateIn(filepath.Join(top, "alias"), "", filepath.Join(dir, "x"))
	require.NoError(t, err)
	require.Equal(t, acp.Inside, got, "a folder that is named by a link")
	got, err = acp.LocateIn(dir, "", filepath.Join(scratch, "x"))
	require.NoError(t, err)
	require.Equal(t, acp.Outside, got, "without a scratch folder nothing is one")
}
