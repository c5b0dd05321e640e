package runners

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
)

// claudeKeys are the variables by which claude is signed in, in the order in which it looks at them:
// another provider first.
var claudeKeys = []string{
	"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN",
}

// probeClaude asks claude for its version, and looks at the files and variables by which it is signed
// in. `claude auth status` would say too, but may renew a token for that, which is a request.
func probeClaude(ctx context.Context, o Options) Probe {
	path, err := agent.FindProgram(cmp.Or(o.Program, claudeName), o.Dir)
	if err != nil {
		return Probe{Problem: "it is not there", Next: claudeInstall}
	}
	p := Probe{Path: path}
	if p.Problem, p.Next = claudeArguments.problem(o); p.Problem != "" {
		return p
	}
	version, err := o.look(ctx, path, "--version")
	if err != nil {
		p.Problem, p.Next = err.Error(), claudeInstall
		return p
	}
	p.Version, _, _ = strings.Cut(firstLine(version), " ")
	environ := o.passed()
	if p.Account = claudeAccount(environ); p.Account != "" {
		p.SignedIn = yes(true)
		return p
	}
	p.SignedIn, p.Problem, p.Next = yes(false), "it is not signed in", claudeSignIn
	return p
}

// claudeAccount is as what, or by what, claude is signed in; "" if it is not.
func claudeAccount(environ []string) string {
	for _, name := range claudeKeys {
		if value := variable(environ, name); value != "" && value != "0" && value != "false" {
			return name
		}
	}
	settings := fieldsOf(filepath.Join(claudeHome(environ), "settings.json"))
	if settings["apiKeyHelper"] != nil {
		return "apiKeyHelper"
	}
	var variables map[string]string
	_ = json.Unmarshal(settings["env"], &variables)
	for _, name := range claudeKeys {
		if variables[name] != "" {
			return name + " in settings.json"
		}
	}
	state := fieldsOf(claudeState(environ))
	var account struct {
		Email string `json:"emailAddress"`
	}
	if text := state["oauthAccount"]; text != nil && json.Unmarshal(text, &account) == nil {
		return cmp.Or(account.Email, "a subscription")
	}
	var key string
	if _ = json.Unmarshal(state["primaryApiKey"], &key); key != "" {
		return "a key of the console's"
	}
	if fieldsOf(filepath.Join(claudeHome(environ), ".credentials.json"))["claudeAiOauth"] != nil {
		return "a subscription"
	}
	return ""
}
