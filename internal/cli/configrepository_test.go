//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// twice calls its agent two times.
const twice = "export const meta = { name: 'twice', description: 'x' };\nreturn [await agent('1'), await agent('2')];\n"

// A repository's file names programs that run as the user: each is told of once, before it is first
// asked, and so is that it takes the place of the user's own.
func TestAgentsOfTheRepositoryAreToldOf(t *testing.T) {
	t.Parallel()
	u := newUser(t, "twice.js", twice, "plain.js", "export const meta = { name: 'plain', description: 'x' };\nreturn 1;\n",
		"tier.js", "export const meta = { name: 'tier', description: 'x' };\nreturn [await agent('1', { tier: 'big' }), await agent('2', { tier: 'big' })];\n")
	require.NoError(t, os.Chmod(u.put(filepath.Join(u.dir, "tools"), "agent.sh", "#!/bin/sh\necho \"at $(pwd)\"\n"), 0o700))
	u.config("agent = 'mine'\n[agents.mine]\ncommand = ['../tools/agent.sh', 'a b']\n")
	const line = "assent: agent: mine: ../tools/agent.sh 'a b', as .assent/config.toml of this repository says"
	first := u.wants(0, "run", "twice.js")
	require.Equal(t, 1, strings.Count(first.errors, line+"\n"), first.errors)
	require.NotContains(t, u.wants(0, "run", "plain.js").errors, "agent:", "a script that asks none has nothing to do with it")

	u.configures("[agents.mine]\ncommand = ['true']\n[agents.own]\ncommand = ['echo', 'own']\n")
	both := u.wants(0, "run", "twice.js").errors
	require.Equal(t, 1, strings.Count(both, line+", in place of the one in "), both)
	require.Contains(t, both, filepath.Join("config", "assent", "config.toml")+"\n")
	require.NotContains(t, u.wants(0, "run", "twice.js", "--agent", "own").errors, "agent:", "the user's own is no news")

	u.config("agent = 'own'\n[agents.mine]\ncommand = ['../tools/agent.sh', 'a b']\n[tiers.big]\nagent = 'mine'\n")
	require.Equal(t, 1, strings.Count(u.wants(0, "run", "tier.js").errors, line), "also one that a tier names")

	u.configures("")
	u.config("[agents.claude]\nscript = 'answers.toml'\n")
	u.put(filepath.Join(u.dir, ".assent"), "answers.toml", "[[answer]]\nprompt = '*'\ntext = 'x'\n")
	require.Contains(t, u.wants(0, "run", "twice.js").errors, "agent: claude: answers of ")
}

// A repository does not say who gets the user's secrets.
func TestTheRepositoryNamesNoSecrets(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for variable, want := range map[string]string{
		"*": "stands for many variables", "MY_*": "stands for many variables", "MY_?": "stands for many variables",
		"GITHUB_TOKEN": "may lead to a secret", "my_api_key": "may lead to a secret", "DB_PASSWORD": "may lead to a secret", "MYSQL_PWD": "may lead to a secret",
		"SSH_AUTH_SOCK": "may lead to a secret", "DOCKER_HOST": "may lead to a secret", "DATABASE_URL": "may lead to a secret", "XDG_RUNTIME_DIR": "may lead to a secret",
		"DBUS_SESSION_BUS_ADDRESS": "may lead to a secret", "SENTRY_DSN": "may lead to a secret", "WAYLAND_DISPLAY": "may lead to a secret",
	} {
		text := "[agents.mine]\ncommand = ['x']\nenv = ['" + variable + "']\n"
		u.config(text)
		refused := u.wants(2, "agents").errors
		require.Contains(t, refused, "[agents.mine] env: \""+variable+"\" "+want)
		require.Contains(t, refused, "next: take it out, and write an agent with it, of another name, into ")
		u.config("")
		u.configures(text)
		u.wants(0, "agents")
		u.configures("")
	}
	u.config("[agents.mine]\ncommand = ['x']\nenv = ['PLAYWRIGHT_BROWSERS_PATH', 'MY_REGION']\n")
	u.wants(0, "agents")
}

// doctor starts nothing that a clone brings along, unless it is told to try it.
func TestDoctorDoesNotStartWhatTheRepositoryNames(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	marker := filepath.Join(u.dir, "started")
	require.NoError(t, os.Chmod(u.put(filepath.Join(u.dir, ".assent"), "evil.sh", "#!/bin/sh\ntouch "+marker+"\necho 1.2.3\n"), 0o700))
	for _, kind := range []string{"runner = 'claude'\n", "runner = 'acp'\n", ""} {
		u.config("[agents.mine]\n" + kind + "command = ['./evil.sh']\n")
		require.Contains(t, u.assent("doctor").out, "named by this repository, in .assent/config.toml; --try starts it")
		require.NoFileExists(t, marker)
		u.assent("doctor", "--try", "--agent", "mine")
		require.FileExists(t, marker)
		require.NoError(t, os.Remove(marker))
	}
}

// A program that lies in the workspace is none that is found on this machine; one outside is, also
// behind it, and it is that which is started.
func TestWhatLiesInTheWorkspaceIsNotFound(t *testing.T) {
	t.Parallel()
	u := newUser(t, "once.js", onceScript)
	inside, outside := filepath.Join(u.dir, "node_modules", ".bin"), filepath.Join(filepath.Dir(u.dir), "bin")
	marker := filepath.Join(u.dir, "who")
	put := func(folder, word string) {
		require.NoError(t, os.Chmod(u.put(folder, "codex", "#!/bin/sh\necho "+word+" >>"+marker+"\necho 'codex-cli 1.2.3'\n"), 0o700))
	}
	put(inside, "inside")
	link := filepath.Join(filepath.Dir(u.dir), "link")
	require.NoError(t, os.Symlink(inside, link))
	path := agentless()
	u.env = append(u.env, "PATH="+inside+":"+link+":"+path)
	require.Contains(t, u.assent("run", "once.js").errors, "no agent is configured")
	diagnosis := u.assent("doctor").out
	require.Contains(t, diagnosis, "lies in this repository, so that it is taken only by its name; --try starts it")
	require.Contains(t, diagnosis, "run takes no agent")
	require.NoFileExists(t, marker)

	put(outside, "outside")
	u.env = append(u.env, "PATH="+inside+":"+link+":"+outside+":"+path)
	require.Contains(t, u.assent("run", "once.js").errors, "agent: codex 1.2.3 ("+outside+"/codex), found on this machine")
	u.assent("run", "once.js", "--agent", "codex")
	require.NotContains(t, u.read("who"), "inside")

	// Where the workspace is the home folder it is no clone.
	u.env = append(u.env, "HOME="+u.dir, "ASSENT_HOME="+u.store()+"-2", "PATH="+inside+":"+path)
	require.Contains(t, u.assent("run", "once.js").errors, "("+inside+"/codex), found on this machine")
}

// A program that cannot be looked at is told of with what happened.
func TestDoctorSaysWhatHappened(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	bin := filepath.Join(filepath.Dir(u.dir), "bin")
	u.env = append(u.env, "PATH="+bin+":"+agentless())
	for script, want := range map[string]string{
		"exec head -c 3000000 /dev/zero": "`codex --version` printed more than 1048576 bytes, and was ended",
		"exit 3":                         "`codex --version` ended with exit status 3, and said nothing",
		"echo no node >&2; exit 3":       "`codex --version` ended with exit status 3: no node",
		"kill -9 $$":                     "`codex --version` ended with signal: killed, and said nothing",
		"echo \"it is broken\"; exit 1":  "`codex --version` ended with exit status 1: it is broken",
	} {
		require.NoError(t, os.Chmod(u.put(bin, "codex", "#!/bin/sh\n"+script+"\n"), 0o700))
		row := u.object(1, "doctor", "--json", "--agent", "codex")["agents"].([]any)[0].(map[string]any)
		require.Equal(t, want, row["problem"], script)
	}
}
