package process

import (
	"slices"
	"strings"
)

// passing are the variables that an agent gets by itself. Each is there because programs do not
// work, or find their tools, files and models, without it. None names code that a program then runs
// (LD_PRELOAD, NODE_OPTIONS, BASH_ENV, GIT_SSH_COMMAND, GOCACHEPROG, AWS_PAGER), a socket
// (SSH_AUTH_SOCK, DOCKER_HOST, XDG_RUNTIME_DIR), a terminal or a screen, or is there to push and publish
// (GITHUB_TOKEN, NPM_TOKEN, COPILOT_GITHUB_TOKEN): so families with such a member are listed by name.
//
// That is no more than it says. PATH and the folders of settings lead to programs, as HOME does. Keys
// of models' providers pass, those of whole clouds among them (AWS_SECRET_ACCESS_KEY,
// AZURE_CLIENT_SECRET), and an address of a proxy or an index may hold a password. GOFLAGS passes only
// as far as harmless says.
var passing = [][]string{
	{ // who and where the user is
		"HOME", "PATH", "USER", "LOGNAME", "SHELL", "HOSTNAME", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
		"CI", "NO_COLOR", "EMAIL", "GIT_AUTHOR_*", "GIT_COMMITTER_*", "GIT_CONFIG_NOSYSTEM",
	},
	{ // Windows: what programs do not start, or find nothing, without; =* are the folders of its drives
		"=*", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERNAME", "USERDOMAIN", "USERPROFILE", "HOMEDRIVE", "HOMEPATH",
		"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "ALLUSERSPROFILE", "PUBLIC", "PROGRAMFILES*", "PROGRAMW6432", "COMMONPROGRAMFILES*",
		"COMMONPROGRAMW6432", "COMPUTERNAME", "OS", "NUMBER_OF_PROCESSORS", "PROCESSOR_*",
	},
	{ // the way into the network
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_USE_ENV_PROXY",
		"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "PIP_CERT", "CARGO_HTTP_CAINFO",
	},
	{ // toolchains
		"GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOTMPDIR", "GOENV", "GOFLAGS", "GOPROXY", "GOPRIVATE", "GONOPROXY", "GONOSUMDB",
		"GOSUMDB", "GOINSECURE", "GOVCS", "GOWORK", "GOTOOLCHAIN", "GOTELEMETRY", "GOOS", "GOARCH", "GOMAXPROCS", "GOMEMLIMIT", "GO111MODULE", "CGO_ENABLED",
		"CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_TERM_COLOR", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
		"JAVA_HOME", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME", "GRADLE_USER_HOME", "SDKMAN_DIR", "ANDROID_HOME", "ANDROID_SDK_ROOT",
		"DOTNET_ROOT", "DOTNET_CLI_TELEMETRY_OPTOUT", "NUGET_PACKAGES",
		"NVM_DIR", "FNM_DIR", "VOLTA_HOME", "COREPACK_HOME", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR", "YARN_CACHE_FOLDER",
		"NPM_CONFIG_CACHE", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_PREFIX", "npm_config_cache", "npm_config_registry", "npm_config_prefix",
		"PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_ENVS_PATH", "CONDA_PKGS_DIRS", "MAMBA_ROOT_PREFIX",
		"PIP_CACHE_DIR", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIPX_HOME", "POETRY_HOME", "POETRY_CACHE_DIR",
		"UV_CACHE_DIR", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_PYTHON_INSTALL_DIR", "UV_TOOL_DIR", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS",
		"PYTHONUTF8", "PYTHONIOENCODING", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE",
		"RBENV_ROOT", "GEM_HOME", "GEM_PATH", "BUNDLE_PATH", "COMPOSER_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "NIX_PROFILES",
		"HOMEBREW_PREFIX", "HOMEBREW_CELLAR", "HOMEBREW_REPOSITORY", "CCACHE_DIR", "SCCACHE_DIR", "SOURCE_DATE_EPOCH",
	},
	{ // agents' programs
		"CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_API_BASE_URL", "CLAUDE_CODE_USE_*", "CLAUDE_CODE_SKIP_*_AUTH",
		"CLAUDE_CODE_CLIENT_*", "CLAUDE_CODE_CERT_STORE", "CLAUDE_CODE_MAX_*", "CLAUDE_CODE_DISABLE_*", "CLAUDE_CODE_EFFORT_LEVEL",
		"CLAUDE_CODE_SUBAGENT_MODEL", "CLAUDE_CODE_EXTRA_BODY", "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_CODE_TMPDIR",
		"MAX_THINKING_TOKENS", "MAX_STRUCTURED_OUTPUT_RETRIES", "API_TIMEOUT_MS", "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS",
		"BASH_MAX_OUTPUT_LENGTH", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_AUTOUPDATER",
		"DISABLE_AUTO_COMPACT", "DISABLE_PROMPT_CACHING*", "IS_SANDBOX",
		"CODEX_HOME", "CODEX_SQLITE_HOME", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "CODEX_CA_CERTIFICATE", "CODEX_OSS_*",
		"PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR", "PI_OFFLINE", "PI_TELEMETRY", "PI_SKIP_VERSION_CHECK", "PI_CACHE_RETENTION",
		"GEMINI_API_KEY", "GEMINI_MODEL", "GEMINI_CLI_HOME", "OPENCODE_API_KEY", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR",
	},
	{ // providers of models
		"ANTHROPIC_*", "OPENAI_*", "AZURE_OPENAI_*", "AZURE_CLIENT_*", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_AUTHORITY_HOST",
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK", "AWS_BEDROCK_*", "AWS_PROFILE", "AWS_REGION",
		"AWS_DEFAULT_REGION", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ROLE_ARN", "AWS_ROLE_SESSION_NAME",
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_*", "AWS_ENDPOINT_URL*", "AWS_EC2_METADATA_*", "AWS_SDK_LOAD_CONFIG", "AWS_LOGIN_CACHE_DIRECTORY",
		"GOOGLE_API_KEY", "GOOGLE_CLOUD_*", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_*", "GOOGLE_GEMINI_*", "GOOGLE_VERTEX_*",
		"GCLOUD_PROJECT", "CLOUDSDK_CONFIG", "CLOUD_ML_REGION", "VERTEX_REGION_*", "VERTEX_LOCATION",
		"OPENROUTER_*", "MISTRAL_*", "GROQ_*", "XAI_*", "DEEPSEEK_*", "CEREBRAS_*", "FIREWORKS_*", "TOGETHER_*", "MOONSHOT_*", "KIMI_*", "MINIMAX_*",
		"ZAI_*", "XIAOMI_*", "CLOUDFLARE_API_KEY", "CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_GATEWAY_ID", "AI_GATEWAY_API_KEY", "HF_TOKEN",
		"OLLAMA_HOST", "LMSTUDIO_*", "LITELLM_*",
	},
}

// goFlags are the flags in GOFLAGS that choose what is built and how it is told of. Others name programs
// (-toolexec, -exec, -vettool), or hand flags to compilers and linkers that do.
var goFlags = []string{
	"asan", "buildvcs", "count", "cover", "covermode", "failfast", "json", "mod", "modcacherw", "msan", "p", "parallel", "race", "short", "tags",
	"timeout", "trimpath", "v", "x",
}

// harmless reports whether a variable that passes by its name may pass with its value.
func harmless(name, value string) bool {
	if !strings.EqualFold(name, "GOFLAGS") {
		return true
	}
	for word := range strings.FieldsSeq(value) {
		flag, ok := strings.CutPrefix(word, "-")
		flag, _, _ = strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		if !ok || !slices.Contains(goFlags, flag) || strings.ContainsAny(word, `'"`) {
			return false
		}
	}
	return true
}
