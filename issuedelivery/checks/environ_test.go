package checks_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

// values are the variables that a check sees.
func values(t *testing.T, dir string, command []string, change func(*checks.Options)) map[string]string {
	t.Helper()
	r := run(t, dir, func(o *checks.Options) {
		o.Checks, o.Setup = []checks.Check{{Name: "it", Command: command, Kind: checks.Other}}, nil
		o.Environ = []string{"PATH=/usr/bin:/bin", "HOME=/home/ann"}
		change(o)
	})
	require.True(t, r.OK, r.Summary)
	seen := map[string]string{}
	for line := range strings.Lines(r.Checks[0].Stdout) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		seen[name] = value
	}
	return seen
}

func TestChecksGetNoSecrets(t *testing.T) {
	seen := values(t, t.TempDir(), []string{"env"}, func(o *checks.Options) {
		o.Environ = append(o.Environ, "GITHUB_TOKEN=aaaaaaaa", "ANTHROPIC_API_KEY=bbbbbbbb", "AWS_SECRET_ACCESS_KEY=cccccccc", "DB_URL=x", "LD_PRELOAD=/x", "GIT_DIR=/y", "DATABASE_HOST=here", "GOCACHE=/c")
		o.Keep = []string{"DATABASE_*"}
	})
	for _, name := range []string{"GITHUB_TOKEN", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "DB_URL", "LD_PRELOAD", "GIT_DIR", "PYTHONPATH", "VIRTUAL_ENV"} {
		require.NotContains(t, seen, name)
	}
	require.Equal(t, "here", seen["DATABASE_HOST"])
	require.Equal(t, "/home/ann", seen["HOME"])
	require.Equal(t, "/c", seen["GOCACHE"])
	require.Equal(t, "true", seen["CI"])
	require.Equal(t, "1", seen["NO_COLOR"])
	require.Equal(t, "0", seen["GIT_TERMINAL_PROMPT"])
	require.Equal(t, "run/checks", seen["ASSENT_AGENT"], "what it starts cannot approve")
}

func TestAKeptSecretPasses(t *testing.T) {
	r := one(t, checks.Other, checks.Configured, `[ "$DB_PASSWORD" = hunter22 ] && echo "it is $DB_PASSWORD"`, func(o *checks.Options) {
		o.Environ, o.Keep = []string{"PATH=/usr/bin:/bin", "DB_PASSWORD=hunter22"}, []string{"DB_PASSWORD"}
	})
	require.True(t, r.OK)
	require.Equal(t, "it is [redacted]\n", r.Stdout)
}

func TestSecretsAreTakenOut(t *testing.T) {
	// Made up, of the published shapes; written in parts so that no scanner takes them for real.
	key := "sk" + "-ant-api03-AbCdEf123456_xyz"
	r := one(t, checks.Other, checks.Configured, "echo out "+key+"; echo found the sesame; echo error: "+key+" >&2; exit 1", func(o *checks.Options) {
		o.Environ = []string{"PATH=/usr/bin:/bin", "STORE_PASSWORD=the sesame"} // which the check did not get, and found elsewhere
	})
	require.Equal(t, "out [redacted]\nfound [redacted]\n", r.Stdout)
	require.Equal(t, "error: [redacted]\n", r.Stderr)
	require.Equal(t, "it failed with exit code 1. It says: error: [redacted].", r.Summary)
}

// Of an output that is cut, no part of a secret is shown which is none any more because of the cut.
func TestSecretsAtTheCut(t *testing.T) {
	key := "ghp" + "_0123456789abcdefghijABCDEFGHIJ012345"
	clean := func(text string) string { return redact.Text(text, nil) }
	for shift := range 2 * len(key) {
		for _, end := range []string{"\n", " "} { // with lines, and without
			text := checks.Kept(1024, clean, strings.Repeat("-", shift)+" ", strings.Repeat(key+end, 2000))
			require.Contains(t, text, "bytes left out")
			require.NotContains(t, text, "abcdefghij")
			require.NotContains(t, text, "ABCDEFGHIJ")
		}
	}
}

func TestVirtualEnvironment(t *testing.T) {
	workspace := project(t, map[string]string{".venv/pyvenv.cfg": "home = /usr\n", ".venv/bin/python3#": "#!/bin/sh\nenv\n"})
	own := project(t, map[string]string{".venv/pyvenv.cfg": "home = /usr\n", ".venv/bin/python3#": "#!/bin/sh\nexit 1\n"})
	seen := values(t, own, []string{"python3"}, func(o *checks.Options) { o.Workspace = workspace })
	require.Equal(t, filepath.Join(workspace, ".venv"), seen["VIRTUAL_ENV"])
	require.Equal(t, filepath.Join(workspace, ".venv", "bin")+":/usr/bin:/bin", seen["PATH"])
	require.Equal(t, filepath.Join(own, "src")+":"+own, seen["PYTHONPATH"], "the tree is tested, and not what an installation of the workspace leads to")

	// One that a commit brings is not used, nor a folder that only has the name.
	seen = values(t, own, []string{"env"}, func(o *checks.Options) { o.Workspace = t.TempDir() })
	require.NotContains(t, seen, "VIRTUAL_ENV")
	half := project(t, map[string]string{"venv/bin/python3#": "#!/bin/sh\nexit 1\n"})
	require.NotContains(t, values(t, own, []string{"env"}, func(o *checks.Options) { o.Workspace = half }), "VIRTUAL_ENV")
}

func TestKept(t *testing.T) {
	same := func(text string) string { return text }
	require.Empty(t, checks.Kept(100, same))
	require.Equal(t, "one\ntwo\n", checks.Kept(100, same, "one\n", "two\n"))
	long := strings.Repeat("0123456789abcdef\n", 4000)
	text := checks.Kept(340, same, "begin\n", long, long[:100], long, "end\n")
	require.True(t, strings.HasPrefix(text, "begin\n0123456789abcdef\n"))
	require.True(t, strings.HasSuffix(text, "0123456789abcdef\nend\n"))
	require.Less(t, len(text), 400)
	for line := range strings.Lines(text) {
		require.Regexp(t, `^(begin|end|[0-9a-f]{16}|… \(\d+ bytes left out\) …)\n$`, line)
	}
	// Without lines, bytes that are cut are text all the same.
	require.True(t, strings.HasPrefix(checks.Kept(64, same, strings.Repeat("ä", 100_000)), strings.Repeat("ä", 16)+"\n… ("))
	// The end of a key whose beginning is not there.
	key := strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC\n", 20) + "-----END " + "PRIVATE KEY-----\nafter\n"
	require.NotContains(t, checks.Kept(2000, same, long, key), "MIIEvQ")
	require.Contains(t, checks.Kept(2000, same, long, key), "[redacted]\nafter\n")
}

func TestGoodChecksKeepLess(t *testing.T) {
	script := "i=0; while [ $i -lt 3000 ]; do echo a line of output; i=$((i+1)); done; exit "
	require.Less(t, len(one(t, checks.Other, "", script+"0", nil).Stdout), 5<<10)
	require.Greater(t, len(one(t, checks.Other, "", script+"1", nil).Stdout), 49_000)
}
