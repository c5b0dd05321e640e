//go:build unix

package git_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// The user's means of signing in are used by steps that speak to a remote, and by no others; nobody is
// asked either way.
func TestB60RemoteStepsSignIn(t *testing.T) {
	r := repository(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer web.Close()
	helper, canary := filepath.Join(t.TempDir(), "helper"), filepath.Join(t.TempDir(), "canary")
	require.NoError(t, os.WriteFile(helper, []byte("#!/bin/sh\ntouch '"+canary+"'\necho username=ann\necho password=hunter22secret\n"), 0o755))
	_, err := do(r, "config", "config", "credential.helper", helper)
	require.NoError(t, err)
	look := git.Command{Step: "ls-remote", Args: []string{"ls-remote", web.URL + "/x.git"}}
	_, err = r.Do(t.Context(), look)
	require.ErrorContains(t, err, "at the step ls-remote")
	require.NoFileExists(t, canary)
	look.Remote = true
	_, err = r.Do(t.Context(), look)
	require.ErrorContains(t, err, "at the step ls-remote")
	require.NotContains(t, err.Error(), "hunter22secret")
	require.FileExists(t, canary)
}

func TestRemoteStepsHaveWhatSignsIn(t *testing.T) {
	r := repository(t)
	for name, value := range map[string]string{
		"SSH_AUTH_SOCK": "/agent", "GITHUB_TOKEN": "token-of-mine", "GIT_SSH_COMMAND": "ssh -v", "SECRET_OF_OTHERS": "x", "GIT_DIR": "/elsewhere", "GIT_ASKPASS": "asks",
		"GIT_TERMINAL_PROMPT": "1",
	} {
		t.Setenv(name, value)
	}
	show := git.Command{Step: "show", Args: []string{"-c", "alias.show-env=!env", "show-env"}}
	without, err := r.Do(t.Context(), show)
	require.NoError(t, err)
	show.Remote = true
	with, err := r.Do(t.Context(), show)
	require.NoError(t, err)
	for _, line := range []string{"SSH_AUTH_SOCK=/agent\n", "GITHUB_TOKEN=token-of-mine\n", "GIT_SSH_COMMAND=ssh -v\n"} {
		require.NotContains(t, string(without), line)
		require.Contains(t, string(with), line)
	}
	for _, out := range []string{string(without), string(with)} {
		require.NotContains(t, out, "SECRET_OF_OTHERS")
		require.NotContains(t, out, "GIT_DIR=/elsewhere")
		require.Contains(t, out, "GIT_TERMINAL_PROMPT=0\n")
		require.Contains(t, out, "GIT_ASKPASS=true\n")
	}
}
