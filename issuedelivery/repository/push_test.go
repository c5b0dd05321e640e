package repository_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

const branch = "assent/6rabcd-x"

// remote gives the user a bare remote named origin, which has main.
func (u *user) remote() string {
	u.t.Helper()
	dir := filepath.Join(filepath.Dir(u.dir), "far", "origin.git")
	out, err := exec.Command("git", "clone", "-q", "--bare", u.dir, dir).CombinedOutput()
	require.NoError(u.t, err, "%s", out)
	u.git("remote", "add", "origin", dir)
	return dir
}

// script is a program that notes that it was run.
func script(t testing.TB, text string) (path, canary string) {
	t.Helper()
	dir := t.TempDir()
	path, canary = filepath.Join(dir, "program"), filepath.Join(dir, "canary")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho run >> '"+canary+"'\n"+text+"\n"), 0o755))
	return path, canary
}

func (u *user) push(commit string) (bool, error) {
	u.t.Helper()
	return u.Push(u.t.Context(), "origin", branch, commit)
}

// A branch is made, left alone where it is there, moved on, and replaced only where what stood there was
// the run's own.
func TestPush(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	far := u.remote()
	base := u.head()
	tip := func() string { return in(t, far, "rev-parse", "refs/heads/"+branch) }
	one := u.commit(base, "one", files{"n": "1"})
	two := u.commit(one, "two", files{"n": "2"})
	other := u.commit(base, "other", files{"n": "3"})
	for i, commit := range []string{one, two, other} {
		pushed, err := u.push(commit)
		require.NoError(t, err)
		require.True(t, pushed, i)
		require.Equal(t, commit, tip())
		pushed, err = u.push(commit)
		require.NoError(t, err)
		require.False(t, pushed, i)
	}
	require.Equal(t, base, in(t, far, "rev-parse", "main"))
	// Killed after the record, before git pushed: it goes on.
	u.git("update-ref", "refs/assent/delivery/"+run+"/pushed/"+branch+"-before", other)
	u.git("update-ref", "refs/assent/delivery/"+run+"/pushed/"+branch, two)
	pushed, err := u.push(one)
	require.NoError(t, err)
	require.True(t, pushed)
	require.Equal(t, one, tip())

	// Somebody else went on from it: nothing of theirs is replaced, also if it only adds.
	theirs := u.commit(one, "theirs", files{"theirs": "x"})
	u.git("push", "-q", "-f", far, theirs+":refs/heads/"+branch)
	for _, commit := range []string{two, other} {
		_, err = u.push(commit)
		require.Equal(t, fault.PushRefused, fault.CodeOf(err))
		require.ErrorContains(t, err, "push")
		require.ErrorContains(t, err, branch)
		require.ErrorContains(t, err, theirs)
		require.Equal(t, theirs, tip())
	}
	// A commit that has what they did is pushed onto it.
	joined := u.commit(theirs, "joined", files{"n": "4"})
	pushed, err = u.push(joined)
	require.NoError(t, err)
	require.True(t, pushed)
	require.Equal(t, joined, tip())
	// Not so onto what never came from this run.
	u.git("push", "-q", "-f", far, base+":refs/heads/"+branch)
	_, err = u.push(joined)
	require.Equal(t, fault.PushRefused, fault.CodeOf(err))
	require.Equal(t, base, tip())
	// It is gone there: it is made again.
	in(t, far, "update-ref", "-d", "refs/heads/"+branch)
	pushed, err = u.push(two)
	require.NoError(t, err)
	require.True(t, pushed)
	_, err = u.push(strings.Repeat("1", 40))
	require.ErrorContains(t, err, "there is no commit")
	for _, name := range []string{"a..b", "x:main", "main~1", "", "*", "--all"} {
		_, err = u.Push(t.Context(), "origin", name, two)
		require.Error(t, err, name)
	}
	require.Equal(t, base, in(t, far, "rev-parse", "main"))
}

// A branch that was there before the run is not the run's.
func TestPushForeignFromTheBeginning(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	far := u.remote()
	base := u.head()
	u.git("push", "-q", far, base+":refs/heads/"+branch)
	_, err := u.push(u.commit(base, "one", files{"n": "1"}))
	require.Equal(t, fault.PushRefused, fault.CodeOf(err))
	require.Equal(t, base, in(t, far, "rev-parse", "refs/heads/"+branch))
}

// Where a remote is pushed to elsewhere, that is the place that counts.
func TestPushURL(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	far := u.remote()
	fork := filepath.Join(filepath.Dir(far), "fork.git")
	in(t, u.dir, "clone", "-q", "--bare", far, fork)
	u.git("remote", "set-url", "--push", "origin", fork)
	one := u.commit(u.head(), "one", files{"n": "1"})
	u.git("push", "-q", far, u.head()+":refs/heads/"+branch)
	for _, want := range []bool{true, false} {
		pushed, err := u.push(one)
		require.NoError(t, err)
		require.Equal(t, want, pushed)
	}
	require.Equal(t, one, in(t, fork, "rev-parse", "refs/heads/"+branch))
	require.Equal(t, u.head(), in(t, far, "rev-parse", "refs/heads/"+branch))
}

// B60: a remote that refuses is quoted, and the step is named.
func TestB60PushRefusedByTheRemote(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	far := u.remote()
	hook := filepath.Join(far, "hooks", "pre-receive")
	require.NoError(t, os.MkdirAll(filepath.Dir(hook), 0o755))
	require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\necho 'only on weekdays' >&2\nexit 1\n"), 0o755))
	one := u.commit(u.head(), "one", files{"n": "1"})
	_, err := u.push(one)
	require.Equal(t, fault.PushRefused, fault.CodeOf(err))
	require.ErrorContains(t, err, "the step push")
	require.ErrorContains(t, err, "only on weekdays")
	require.NotContains(t, err.Error(), "\n")
	require.Empty(t, in(t, far, "for-each-ref", "refs/heads/assent"))
	require.NoError(t, os.Remove(hook))
	pushed, err := u.push(one)
	require.NoError(t, err)
	require.True(t, pushed, "and then it goes")
	u.git("remote", "set-url", "origin", filepath.Join(far, "nowhere"))
	_, err = u.push(one)
	require.Equal(t, fault.PushRefused, fault.CodeOf(err))
	u.git("remote", "remove", "origin")
	_, err = u.push(one)
	require.Equal(t, fault.PushRefused, fault.CodeOf(err))
}

// B60: a remote that hangs is given up, and the step is named.
func TestB60RemoteThatHangs(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	ssh, _ := script(t, "exec sleep 300")
	u.git("remote", "add", "origin", "ssh://nowhere.invalid/x")
	u.git("config", "core.sshCommand", ssh)
	u.SetNetworkTime(300 * time.Millisecond)
	one := u.commit(u.head(), "one", files{"n": "1"})
	_, err := u.push(one)
	require.Equal(t, fault.PushRefused, fault.CodeOf(err))
	require.ErrorContains(t, err, "push of "+branch+" to origin: git did not finish the step ls-remote in 300ms")
	_, err = u.MovedBase(t.Context(), "origin", "main", u.head(), nil)
	require.EqualError(t, err, "git did not finish the step fetch in 300ms")
}

// B60: nothing is signed, no hook of the user's is run, and the user's means of signing in are used where
// a remote is spoken to.
func TestB60PushRunsNothingBesides(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	far := u.remote()
	gpg, signed := script(t, "exec sleep 300")
	hook, hooked := script(t, "exit 1")
	for key, value := range map[string]string{
		"commit.gpgSign": "true", "push.gpgSign": "if-asked", "tag.gpgSign": "true", "gpg.program": gpg, "core.hooksPath": filepath.Join(u.dir, ".git", "own"), "push.followTags": "true",
	} {
		u.git("config", key, value)
	}
	for _, name := range []string{"pre-push", "reference-transaction", "post-checkout", "post-commit"} {
		text, err := os.ReadFile(hook)
		require.NoError(t, err)
		put(t, filepath.Join(u.dir, ".git", "own", name), string(text))
		require.NoError(t, os.Chmod(filepath.Join(u.dir, ".git", "own", name), 0o755))
	}
	in(t, far, "config", "receive.certNonceSeed", "x")
	base := u.head()
	in(t, u.dir, "-c", "core.hooksPath=/dev/null", "-c", "tag.gpgSign=false", "tag", "-a", "-m", "x", "v1", base)
	one := func() string {
		stacked := u.stack(base, part("a", base, u.commit(base, "a", files{"n": "1"})), part("b", base, u.commit(base, "b", files{"m": "1"})))
		return stacked.Commit
	}()
	pushed, err := u.push(one)
	require.NoError(t, err)
	require.True(t, pushed)
	require.Equal(t, "N", u.git("log", "-1", "--format=%G?", one))
	require.Empty(t, in(t, far, "tag"))
	remove, err := u.Checkout(t.Context(), one, filepath.Join(u.work, "checks", "x"))
	require.NoError(t, err)
	require.NoError(t, remove(t.Context()))
	require.NoFileExists(t, signed)
	require.NoFileExists(t, hooked)
}

func TestRemoteUsesTheHelperOfTheUser(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer web.Close()
	helper, asked := script(t, "echo username=ann; echo password=hunter22secret")
	u.git("config", "credential.helper", helper)
	u.git("remote", "add", "origin", strings.Replace(web.URL, "http://", "http://bob:pass9word@", 1)+"/x.git")
	_, err := u.push(u.head())
	require.Equal(t, fault.PushRefused, fault.CodeOf(err))
	require.NotContains(t, err.Error(), "pass9word")
	require.NotContains(t, err.Error(), "hunter22secret")
	u.git("remote", "set-url", "origin", web.URL+"/x.git")
	_, err = u.MovedBase(t.Context(), "origin", "main", u.head(), nil)
	require.ErrorContains(t, err, "the step fetch")
	require.FileExists(t, asked)
	address, err := u.RemoteURL(t.Context(), "origin")
	require.NoError(t, err)
	require.Equal(t, web.URL+"/x.git", address)
	for given, want := range map[string]string{
		"https://ann:secret@example.org/x": "https://example.org/x", "ssh://git:secret@example.org/x": "ssh://git@example.org/x", "git@example.org:x": "git@example.org:x",
	} {
		u.git("remote", "set-url", "origin", given)
		address, err := u.RemoteURL(t.Context(), "origin")
		require.NoError(t, err)
		require.Equal(t, want, address)
	}
}
