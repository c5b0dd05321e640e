package runners

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// codexArguments are those that may stand before the sandbox of a call that only reads.
var codexArguments = known{
	kind: codexName,
	takes: map[string]values{
		"-c": oneValue, "--config": oneValue, "-m": oneValue, "--model": oneValue, "-p": oneValue, "--profile": oneValue,
		"--oss": noValue, "--local-provider": oneValue, "--strict-config": noValue, "--ignore-user-config": noValue, "--ignore-rules": noValue,
	},
	glued: []string{"-c", "-m", "-p"},
	allows: func(name, value string) bool {
		switch name {
		case "-c", "--config":
			return codexSettled(value)
		case "-p", "--profile":
			return codexProfile.MatchString(value)
		}
		return true
	},
}

// codexProfile is the name of a profile: that of its file, and no path.
var codexProfile = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// codexSettings say how codex thinks, and codexService to what model provider it speaks. Of the others,
// many name programs that run beside the sandbox.
var (
	codexSettings = []string{
		"model", "model_provider", "model_reasoning_effort", "model_reasoning_summary", "model_verbosity", "model_context_window", "model_max_output_tokens",
		"model_auto_compact_token_limit", "service_tier", "personality", "developer_instructions", "web_search", "hide_agent_reasoning", "show_raw_agent_reasoning",
	}
	codexService = regexp.MustCompile(`^model_providers\.[A-Za-z0-9_-]+\.(name|base_url|env_key|wire_api|requires_openai_auth|request_max_retries|stream_max_retries|stream_idle_timeout_ms)$`)
)

// codexSettled says whether a setting, KEY=VALUE, is one of those.
func codexSettled(setting string) bool {
	key, _, ok := strings.Cut(setting, "=")
	return ok && (slices.Contains(codexSettings, key) || codexService.MatchString(key))
}

// codexProfiles are the user's configuration, and the profiles that the arguments lay over it.
func codexProfiles(home string, args []given) []string {
	paths := []string{filepath.Join(home, "config.toml")}
	for _, g := range args {
		if g.name == "-p" || g.name == "--profile" {
			paths = append(paths, filepath.Join(home, g.value+".config.toml"))
		}
	}
	return paths
}
