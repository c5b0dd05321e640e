package process_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/agent/process"
)

// set are what any environment ends with.
var set = []string{
	"TERM=dumb", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GCM_INTERACTIVE=never", "SSH_ASKPASS=true",
	"SSH_ASKPASS_REQUIRE=force", "SUDO_ASKPASS=true",
}

// Variables that programs do not work without.
var needed = strings.Fields(`HOME PATH USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR TMP TEMP XDG_CONFIG_HOME XDG_CACHE_HOME
	XDG_DATA_DIRS HTTP_PROXY HTTPS_PROXY http_proxy https_proxy NO_PROXY no_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
	REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO GOPATH GOROOT GOCACHE GOMODCACHE GOPROXY GOPRIVATE GONOSUMDB GOSUMDB
	GOTOOLCHAIN CARGO_HOME RUSTUP_HOME JAVA_HOME NVM_DIR npm_config_cache npm_config_registry PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX UV_CACHE_DIR
	GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_DATE CI ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_MODEL
	CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_SKIP_BEDROCK_AUTH
	CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC CLAUDE_CODE_MAX_OUTPUT_TOKENS OPENAI_API_KEY OPENAI_BASE_URL CODEX_HOME CODEX_API_KEY
	GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_CLOUD_PROJECT GOOGLE_APPLICATION_CREDENTIALS AZURE_OPENAI_API_KEY AZURE_OPENAI_BASE_URL
	AWS_PROFILE AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK OPENROUTER_API_KEY
	MISTRAL_API_KEY GROQ_API_KEY XAI_API_KEY DEEPSEEK_API_KEY PI_CODING_AGENT_DIR HF_TOKEN
	SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) HOMEDRIVE HOMEPATH =C:`)

// What runs other code, leads to a person, a socket or an approval, or is nobody's business.
var fencedOff = strings.Fields(`LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH NODE_OPTIONS NODE_PATH PYTHONSTARTUP PYTHONPATH
	PYTHONHOME BASH_ENV ENV PERL5OPT PERL5LIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS GOCACHEPROG GODEBUG
	RUSTC_WRAPPER RUSTFLAGS CARGO_BUILD_RUSTC npm_config_node_options npm_config_script_shell NPM_CONFIG_USERCONFIG
	GIT_SSH GIT_SSH_COMMAND GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_PAGER GIT_PROXY_COMMAND GIT_CONFIG_COUNT GIT_CONFIG_KEY_0
	GIT_CONFIG_VALUE_0 GIT_CONFIG_PARAMETERS GIT_CONFIG_GLOBAL GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_TRACE EDITOR VISUAL
	PAGER BROWSER LESSOPEN PROMPT_COMMAND AWS_PAGER CLAUDE_CODE_SHELL CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SSE_PORT CLAUDE_CODE_ENTRYPOINT CLAUDECODE
	GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES CODEX_SANDBOX CODEX_EXEC_SERVER_URL PI_ACP_PI_COMMAND
	SSH_AUTH_SOCK SSH_AGENT_PID SSH_TTY SSH_CONNECTION GPG_AGENT_INFO GPG_TTY XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS DOCKER_HOST KUBECONFIG
	DISPLAY WAYLAND_DISPLAY XAUTHORITY TMUX TMUX_PANE STY KITTY_LISTEN_ON WEZTERM_PANE ITERM_SESSION_ID VSCODE_IPC_HOOK_CLI NVIM ZELLIJ
	APPROVER_KEY TEAM_APPROVER_KEY GITHUB_TOKEN GH_TOKEN COPILOT_GITHUB_TOKEN GITLAB_TOKEN NPM_TOKEN STRIPE_API_KEY DATABASE_URL PWD OLDPWD SHLVL _ MY_VARIABLE`)

func TestS19_FilterEnv(t *testing.T) {
	in := []string{
		"PATH=/bin", "HOME=/h", "LC_ALL=", "PATH=/usr/bin", "broken", "", "=C:=C:\\", "TERM=xterm", "MINE=1", "mine=2", "MINE_TOO=3",
		"ASSENT_HOME=/s", "assent_key=/k", "SSH_AUTH_SOCK=/a", "GIT_ASKPASS=/ask", "GIT_TERMINAL_PROMPT=1",
	}
	base := []string{"PATH=/usr/bin", "HOME=/h", "LC_ALL=", "=C:=C:\\"}
	for _, c := range []struct {
		keep, more []string
		fold       bool
	}{
		{},
		{keep: []string{"MINE"}, more: []string{"MINE=1"}},
		{keep: []string{"MINE"}, more: []string{"mine=2"}, fold: true},
		{keep: []string{"mine"}, more: []string{"mine=2"}, fold: true},
		{keep: []string{"M*"}, more: []string{"MINE=1", "MINE_TOO=3"}},
		{keep: []string{"SSH_AUTH_SOCK", "ABSENT"}, more: []string{"SSH_AUTH_SOCK=/a"}},
		{keep: []string{"ASSENT_HOME", "ASSENT_*", "assent_*", "GIT_ASKPASS", "TERM"}},
		{keep: []string{"*"}, more: []string{"MINE=1", "mine=2", "MINE_TOO=3", "SSH_AUTH_SOCK=/a"}},
	} {
		want := slices.Concat(base, c.more, set)
		require.ElementsMatch(t, want, process.Filter(in, c.keep, c.fold), "%v %v", c.keep, c.fold)
	}
	require.Equal(t, slices.Concat(base, set), process.FilterEnv(in, nil), "the order is that of the variables")
}

func TestS19_WhatPassesByItself(t *testing.T) {
	for _, name := range needed {
		require.Contains(t, process.FilterEnv([]string{name + "=v"}, nil), name+"=v")
	}
	for _, name := range fencedOff {
		for _, spelled := range []string{name, strings.ToLower(name)} {
			for _, fold := range []bool{false, true} {
				require.Equal(t, set, process.Filter([]string{spelled + "=v"}, nil, fold), spelled)
			}
		}
	}
	// Where case does not tell names apart, a list in one case is enough.
	require.Contains(t, process.Filter([]string{"Path=p", "SystemRoot=s", "ProgramFiles(x86)=x"}, nil, true), "Path=p")
	require.NotContains(t, process.Filter([]string{"Path=p"}, nil, false), "Path=p")
	require.Equal(t, set, process.Quiet())
}

// GOFLAGS passes with flags that start nothing, and else not at all, unless it is kept.
func TestS19_GoFlags(t *testing.T) {
	for value, passes := range map[string]bool{
		"-buildvcs=false": true, "-mod=mod -tags=a,b": true, "--race  -p=2": true, "": true,
		"-toolexec=/tmp/x": false, "-mod=mod --toolexec=x": false, "-exec=x": false, "-vettool=x": false, "-ldflags=-extld=x": false, "-overlay=x": false,
		"'-toolexec=a b'": false, "-tags='a -exec=b'": false, "v": false, "-modfile=x": false, "-gccgoflags=-B.": false, "-C=x": false,
	} {
		variable := "GOFLAGS=" + value
		require.Equal(t, passes, slices.Contains(process.FilterEnv([]string{variable}, nil), variable), value)
		require.Equal(t, passes, slices.Contains(process.Filter([]string{"GoFlags=" + value}, nil, true), "GoFlags="+value), value)
		require.Contains(t, process.FilterEnv([]string{variable}, []string{"GOFLAGS"}), variable)
	}
}

// Nothing passes that neither list names, whatever the environment; nothing of Assent's ever does;
// and what was filtered once stays as it is.
func TestS19_NothingElsePasses(t *testing.T) {
	names := rapid.OneOf(
		rapid.SampledFrom(slices.Concat(needed, fencedOff)),
		rapid.StringMatching(`(ASSENT|assent|Assent)_[A-Z_]{0,6}`),
		rapid.StringMatching(`(LC|AWS|GO|GIT|CLAUDE|CLAUDE_CODE|NPM|LD|ANTHROPIC|[A-Z])_?[A-Za-z0-9_]{1,8}`),
		rapid.StringMatching(`[^=\x00]{1,6}`),
	)
	rapid.Check(t, func(t *rapid.T) {
		var environ []string
		for range rapid.IntRange(0, 12).Draw(t, "variables") {
			environ = append(environ, names.Draw(t, "name")+"="+rapid.StringN(0, 5, -1).Draw(t, "value"))
		}
		keep := rapid.SliceOfN(names, 0, 3).Draw(t, "keep")
		for i := range keep {
			keep[i] = strings.NewReplacer("*", "", "?", "", `\`, "").Replace(keep[i])
			if len(keep[i]) > 2 && rapid.Bool().Draw(t, "pattern") {
				keep[i] = keep[i][:2] + "*"
			}
		}
		got := process.Filter(environ, keep, false)
		seen := map[string]bool{}
		for _, variable := range got {
			i := strings.IndexByte(variable[1:], '=') + 1
			name := variable[:i]
			if seen[name] {
				t.Fatalf("%q stands twice in %q", name, got)
			}
			seen[name] = true
			if slices.Contains(set, variable) {
				continue
			}
			if strings.HasPrefix(strings.ToUpper(name), "ASSENT_") || !slices.Contains(environ, variable) {
				t.Fatalf("%q of %q", variable, environ)
			}
			if !named(process.Passing(), name) && !named(keep, name) {
				t.Fatalf("%q passes, and neither the list nor %q names it", name, keep)
			}
		}
		for _, variable := range set {
			if !slices.Contains(got, variable) {
				t.Fatalf("%q is not in %q", variable, got)
			}
		}
		again := process.Filter(got, keep, false)
		if slices.Sort(again); !slices.Equal(again, slices.Sorted(slices.Values(got))) {
			t.Fatalf("%q, filtered again, is %q", got, again)
		}
	})
}

// named says whether one of the patterns, of one * at most, names it: by another way than the code's.
func named(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		before, after, star := strings.Cut(pattern, "*")
		if !star {
			return pattern == name
		}
		return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
	})
}
