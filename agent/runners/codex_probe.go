package runners

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/seed-8d4a6081/assent/agent"
)

// probeCodex asks codex for its version, for whether it is signed in (it reads a file for that), and
// for a sandbox around `true`.
func probeCodex(ctx context.Context, o Options) Probe {
	path, err := agent.FindProgram(cmp.Or(o.Program, codexName), o.Dir)
	if err != nil {
		return Probe{Problem: "it is not there", Next: codexInstall}
	}
	p := Probe{Path: path}
	if p.Problem, p.Next = codexArguments.problem(o); p.Problem != "" {
		return p
	}
	version, err := o.look(ctx, path, "--version")
	if err != nil {
		p.Problem, p.Next = err.Error(), codexInstall
		return p
	}
	p.Version = lastWord(firstLine(version))
	environ := o.passed()
	status, err := o.look(ctx, path, "login", "status")
	provider := codexProvider(environ)
	switch {
	case err == nil:
		p.SignedIn, p.Account = yes(true), loggedIn(status)
	case variable(environ, "CODEX_API_KEY") != "":
		p.SignedIn, p.Account = yes(true), "CODEX_API_KEY"
	case provider != "" && provider != "openai":
		p.Account = "model provider " + provider // which may need no key, or have one of its own
	default:
		p.SignedIn, p.Problem, p.Next = yes(false), "it is not signed in", codexSignIn
	}
	word, err := o.look(ctx, path, "sandbox", "--", "true")
	if word = lastLine(word); err != nil && p.Problem == "" && brokenSandbox.MatchString(word) {
		p.Problem = "its sandbox does not work on this machine: " + word
		p.Next = "codex sandbox -- true   # shows it; in a container, allow user namespaces"
	}
	return p
}

// loggedIn is the account in what codex says of its login, which may say more below it.
func loggedIn(status string) string {
	for line := range strings.Lines(status) {
		if account, found := strings.CutPrefix(strings.TrimSpace(line), "Logged in using "); found {
			return account
		}
	}
	return ""
}

// codexProvider is the model provider that the user's configuration names.
func codexProvider(environ []string) string {
	text, err := settingsFile(filepath.Join(codexHome(environ), "config.toml"))
	if err != nil {
		return ""
	}
	var config struct {
		Provider string `toml:"model_provider"`
	}
	_ = toml.Unmarshal(text, &config)
	return config.Provider
}

func yes(v bool) *bool { return &v }

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }
