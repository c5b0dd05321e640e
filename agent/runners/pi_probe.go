package runners

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
)

// piKeys are the variables by which pi knows its providers.
var piKeys = []string{
	"ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "DEEPSEEK_API_KEY", "GEMINI_API_KEY", "GROQ_API_KEY",
	"CEREBRAS_API_KEY", "XAI_API_KEY", "FIREWORKS_API_KEY", "OPENROUTER_API_KEY", "AI_GATEWAY_API_KEY", "ZAI_API_KEY", "MISTRAL_API_KEY", "MINIMAX_API_KEY",
	"MOONSHOT_API_KEY", "OPENCODE_API_KEY", "KIMI_API_KEY", "CLOUDFLARE_API_KEY", "XIAOMI_API_KEY", "HF_TOKEN", "AWS_PROFILE", "AWS_ACCESS_KEY_ID",
	"AWS_BEARER_TOKEN_BEDROCK",
}

// probePi asks pi for its version, and looks at the files and variables by which it is signed in.
func probePi(ctx context.Context, o Options) Probe {
	path, err := agent.FindProgram(cmp.Or(o.Program, piName), o.Dir)
	if err != nil {
		return Probe{Problem: "it is not there", Next: piInstall}
	}
	p := Probe{Path: path}
	if p.Problem, p.Next = piArguments.problem(o); p.Problem != "" {
		return p
	}
	version, err := o.look(ctx, path, "--offline", "--version")
	if err != nil {
		p.Problem, p.Next = err.Error(), piInstall
		return p
	}
	p.Version = lastWord(lastLine(version))
	environ := o.passed()
	folder := piFolder(environ)
	if names := keysOf(filepath.Join(folder, "auth.json"), ""); len(names) > 0 {
		p.SignedIn, p.Account = yes(true), "auth.json: "+strings.Join(names, ", ")
		return p
	}
	for _, name := range piKeys {
		if variable(environ, name) != "" {
			p.SignedIn, p.Account = yes(true), name
			return p
		}
	}
	if names := keysOf(filepath.Join(folder, "models.json"), "providers"); len(names) > 0 {
		p.SignedIn, p.Account = yes(true), "models.json: "+strings.Join(names, ", ")
		return p
	}
	p.SignedIn, p.Problem, p.Next = yes(false), "it is not signed in", piSignIn
	return p
}

// keysOf are the names in a file's object, or in the object that a field of it is.
func keysOf(path, field string) []string {
	text, err := settingsFile(path)
	if err != nil {
		return nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return nil
	}
	if field != "" {
		inner := object[field]
		object = nil
		if json.Unmarshal(inner, &object) != nil {
			return nil
		}
	}
	return slices.Sorted(maps.Keys(object))
}
