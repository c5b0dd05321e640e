package forge_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
)

func TestParse(t *testing.T) {
	for remote, want := range map[string]string{
		"https://github.com/acme/rocket.git":              "github.com/acme/rocket",
		"https://github.com/acme/rocket/":                 "github.com/acme/rocket",
		"https://user:secret@GitHub.com/acme/rocket":      "github.com/acme/rocket",
		"https://www.github.com/acme/rocket":              "github.com/acme/rocket",
		"https://localhost:8443/acme/rocket":              "localhost:8443/acme/rocket",
		"http://forge.example/acme/my.rocket":             "forge.example/acme/my.rocket",
		"git@github.com:acme/rocket.git":                  "github.com/acme/rocket",
		"github.com:acme/rocket":                          "github.com/acme/rocket",
		"ssh://git@forge.example:2222/acme/rocket.git":    "forge.example/acme/rocket",
		"ssh://git@ssh.github.com:443/acme/rocket.git":    "github.com/acme/rocket",
		"org-1234@github.com:acme/rocket.git":             "github.com/acme/rocket",
		"/srv/git/rocket.git":                             "",
		"../rocket.git":                                   "",
		"file:///srv/acme/rocket.git":                     "",
		`C:\git\acme\rocket`:                              "",
		"C:/acme/rocket":                                  "",
		"git://github.com/acme/rocket.git":                "",
		"https://gitlab.example/group/below/rocket.git":   "",
		"https://github.com/rocket":                       "",
		"https://github.com/-R/rocket":                    "",
		"https://github.com/acme/..":                      "",
		"https://-x/acme/rocket":                          "",
		"git@github.com:acme/rocket.git --upload-pack=x":  "",
		"https://github.com/acme/rocket%0a--body-file=/x": "",
		"ext::sh -c touch% /tmp/x":                        "",
		"":                                                "",
	} {
		at, ok := forge.Parse(remote)
		require.Equal(t, want != "", ok, remote)
		if ok {
			require.Equal(t, want, at.String(), remote)
		}
	}
}

// A host that is an alias of the user's ssh is asked of ssh itself.
func TestAliasOfSSH(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	folder := t.TempDir()
	for name, script := range map[string]string{"gh": "exit 1", "ssh": `[ "$1 $2" = "-G work" ] && printf 'user git\nhostname github.com\nport 22\n'`} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	}
	at, ok := forge.Parse("git@work:acme/rocket.git")
	require.True(t, ok)
	require.Equal(t, "github.com/acme/rocket", open(t, at, []string{"PATH=" + folder}).At().String())
	at, ok = forge.Parse("https://work/acme/rocket.git")
	require.True(t, ok)
	require.Equal(t, "work/acme/rocket", open(t, at, []string{"PATH=" + folder}).At().String(), "only of ssh")
	_, err := forge.New(t.Context(), at, forge.Options{Folder: folder, Environ: []string{"PATH=" + t.TempDir()}})
	require.ErrorIs(t, err, forge.ErrNoProgram)
}
