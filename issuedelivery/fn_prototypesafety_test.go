package issuedelivery_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each place that is not safe is refused for its reason, and says what to do; one that is safe is not.
func TestPrototypeSafetyCheck(t *testing.T) {
	p := newPlanned(t)
	main := p.dir
	git := func(dir string, args ...string) {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	type safety struct {
		OK                 bool
		Reason, NextAction string
		Details            []string
	}
	look := func(dir, options string) safety {
		t.Helper()
		p.dir = dir
		r := p.run(`return prototypeSafetyCheck(` + options + `)`)
		require.Equal(t, "completed", r.State, "%v", r.Err)
		var s safety
		require.NoError(t, json.Unmarshal(r.Value, &s))
		require.NotNil(t, s.Details)
		require.NotEmpty(t, s.Reason)
		require.Equal(t, s.OK, s.NextAction == "", "%+v", s)
		return s
	}
	refused := func(reason, dir, options string) safety {
		t.Helper()
		s := look(dir, options)
		require.False(t, s.OK)
		require.Contains(t, s.Reason, reason)
		return s
	}
	git(main, "checkout", "-q", "-f", "HEAD")
	safe := look(main, "")
	require.True(t, safe.OK, "%+v", safe)
	require.True(t, look(main, `{ requireClean: true }`).OK)

	refused("no git repository", t.TempDir(), "")
	refused("bare repository", filepath.Join(main, ".git"), "")
	empty := t.TempDir()
	git(empty, "init", "-q")
	refused("no commit yet", empty, "")

	refused("main working tree", main, `{ worktreeRequired: true }`)
	require.True(t, look(main, `{ worktreeRequired: true, allowSharedCheckout: true }`).OK)
	linked := filepath.Join(t.TempDir(), "linked")
	git(main, "worktree", "add", "-q", "-b", "topic", linked)
	require.True(t, look(linked, `{ worktreeRequired: true }`).OK)

	require.NoError(t, os.WriteFile(filepath.Join(main, "new"), []byte("x"), 0o600))
	require.Equal(t, []string{"new"}, refused("uncommitted work", main, `{ requireClean: true }`).Details)
	require.True(t, look(main, `{ requireClean: true, allowDirty: true }`).OK)
	require.True(t, look(main, "").OK)

	git(linked, "switch", "-q", "--detach")
	refused("on no branch", linked, "")
	require.NoError(t, os.WriteFile(filepath.Join(main, ".git", "MERGE_HEAD"), []byte(p.commit+"\n"), 0o600))
	refused("merge is under way", main, "")
	require.NoError(t, os.Remove(filepath.Join(main, ".git", "MERGE_HEAD")))

	t.Setenv("HOME", main)
	refused("home folder", main, "")
	below := filepath.Join(main, "below")
	require.NoError(t, os.Mkdir(below, 0o700))
	refused("home folder", below, "")

	broken := t.TempDir()
	git(broken, "init", "-q")
	require.NoError(t, os.WriteFile(filepath.Join(broken, ".git", "config"), []byte("[core\n"), 0o600))
	refused("Git cannot look", broken, "")

	r := p.run(`try { return await prototypeSafetyCheck({ requireclean: true }) } catch (e) { return e.code }`)
	require.JSONEq(t, `"OPTION_UNKNOWN"`, string(r.Value))
}
