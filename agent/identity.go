package agent

import (
	"encoding/json"
	"path"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/internal/canonical"
)

// identity is what makes two calls the same question. A default is left out, so that it does
// not matter whether the script wrote it down.
type identity struct {
	Version         int             `json:"v"`
	Prompt          string          `json:"prompt"`
	Model           string          `json:"model,omitempty"`
	Effort          string          `json:"effort,omitempty"`
	Schema          json.RawMessage `json:"schema,omitempty"`
	Strict          bool            `json:"strict,omitempty"`
	Tools           []string        `json:"tools,omitzero"`
	DisallowedTools []string        `json:"disallowedTools,omitempty"`
	Skills          []string        `json:"skills,omitzero"`
	ReadOnly        bool            `json:"readOnly,omitempty"`
	Cwd             string          `json:"cwd,omitempty"`
	Under           string          `json:"under,omitempty"`
	Tier            string          `json:"tier,omitempty"`
	AgentType       string          `json:"agentType,omitempty"`
	Isolation       string          `json:"isolation,omitempty"`
	Base            string          `json:"base,omitempty"`
}

// Identity returns the canonical JSON of the script-given part of the call's identity:
// prompt, model, tier, effort, agentType, schema, strict, tools, disallowedTools, skills, readOnly,
// isolation, base, cwd and the checksum of under. Label, phase, timeouts and retries are no part of it. An empty list of
// tools or skills is not the same as none given: it takes all of them away.
func (c Call) Identity() ([]byte, error) {
	o := c.Options
	return canonical.Of(identity{
		Version: 1, Prompt: c.Prompt, Model: o.Model, Effort: o.Effort, Schema: o.Schema, Strict: o.Strict,
		Tools: o.Tools, DisallowedTools: o.DisallowedTools, Skills: o.Skills,
		ReadOnly: o.ReadOnly != nil && *o.ReadOnly, Cwd: plainFolder(o.Cwd), Under: o.Under,
		Tier: o.Tier, AgentType: o.AgentType, Isolation: o.Isolation, Base: o.Base,
	})
}

// plainFolder is a folder without detours; the workspace itself is "".
func plainFolder(folder string) string {
	if folder == "" {
		return ""
	}
	if folder = path.Clean(filepath.ToSlash(folder)); folder == "." {
		return ""
	}
	return folder
}
