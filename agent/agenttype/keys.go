package agenttype

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-8d4a6081/assent/internal/options"
)

// Keys are the keys of the front matter that have a meaning here.
var Keys = []string{"name", "description", "tools", "disallowedTools", "model", "tier", "effort", "agent", "readOnly", "skills"}

// Tiers are the tiers that a type can name.
var Tiers = []string{"small", "medium", "big"}

// bounds are the keys that keep an agent within bounds. What may be a slip of one of them is
// refused: that it is passed over would set the agent free.
var bounds = []string{"tools", "disallowedTools", "readOnly"}

// same are names that other programs have for a key of ours.
var same = map[string]string{"thinking": "effort", "skill": "skills"}

// foreign are keys of other programs that are no slip of ours.
var foreign = []string{
	"color", "permissionMode", "mcpServers", "hooks", "maxTurns", "memory", "background", "isolation", "initialPrompt", "omitClaudeMd",
	"extensions", "systemPromptMode", "promptMode", "inheritProjectContext", "inheritSkills", "inheritContext", "contextMode", "context", "defaultContext", "fallbackModels",
	"output", "reads", "defaultReads", "progress", "defaultProgress", "interactive", "maxSubagentDepth", "cwd", "enabled", "disabled", "mode", "temperature", "version", "tags", "title", "author",
}

// entry is one key with its value. ours is the key as it is called here, "" if it has no meaning.
type entry struct {
	ours       string
	key, value *yaml.Node
}

// keyOf gives the key that a spelling stands for: upper and lower case, - and _ do not count.
func keyOf(spelled string) string {
	if at := slices.IndexFunc(Keys, func(k string) bool { return plain(k) == plain(spelled) }); at >= 0 {
		return Keys[at]
	}
	return same[plain(spelled)]
}

// nearKey gives the key that an unknown one may be a slip of, "" if it is as likely another program's:
// few letters differ, or they are in another order.
func nearKey(spelled string) string {
	at := slices.IndexFunc(Keys, func(k string) bool { return sorted(k) == sorted(spelled) })
	if at >= 0 {
		return Keys[at]
	}
	return options.Close(spelled, Keys)
}

func sorted(key string) string {
	letters := []rune(plain(key))
	slices.Sort(letters)
	return string(letters)
}

func plain(key string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(key))
}

// foreign judges a key that has no meaning here.
func (r *reader) foreign(e entry) error {
	spelled := e.key.Value
	is := func(name string) bool { return plain(name) == plain(spelled) }
	switch {
	case is("permissionMode"):
		r.permission(e)
		return nil
	case slices.ContainsFunc(foreign, is):
		r.others = append(r.others, spelled)
		return nil
	case checkName(spelled) != "":
		r.others = append(r.others, shown(spelled)) // no word
		return nil
	}
	near := nearKey(spelled)
	if slices.Contains(bounds, near) {
		return r.at(line(e.key), fmt.Sprintf("unknown key %q", spelled), fmt.Sprintf("did you mean %s? A slip in it would set the agent free", near))
	}
	if near != "" {
		r.warn(line(e.key), fmt.Sprintf("the key %q has no meaning; did you mean %s?", spelled, near))
		return nil
	}
	r.others = append(r.others, spelled)
	return nil
}

// permission is Claude's way to say that an agent only plans. Its other modes allow something, and
// what an agent may do is for the approval to say that it works under.
func (r *reader) permission(e entry) {
	if e.value.Kind == yaml.ScalarNode && e.value.Value == "plan" {
		r.plan = true
		return
	}
	r.warn(line(e.value), "permissionMode allows nothing here: what an agent may do, its approval says")
}

// take takes over a key that has a meaning here.
func (r *reader) take(e entry, t *Type) (err error) {
	switch e.ours {
	case "description":
		t.Description, err = r.text(e)
	case "model":
		if t.Model, err = r.text(e); t.Model == "inherit" {
			t.Model = ""
		}
	case "effort":
		t.Effort, err = r.text(e)
	case "agent":
		t.Agent, err = r.text(e)
	case "tier":
		if t.Tier, err = r.text(e); err == nil && !slices.Contains(Tiers, t.Tier) {
			next := "the tiers are " + strings.Join(Tiers, ", ")
			if near := options.Nearest(t.Tier, Tiers); near != "" {
				next = "did you mean " + near + "?"
			}
			err = r.at(line(e.value), fmt.Sprintf("there is no tier %s", shown(t.Tier)), next)
		}
	case "readOnly":
		t.ReadOnly, err = r.truth(e)
	case "tools":
		t.Tools, err = r.list(e)
		if len(t.Tools) == 1 && t.Tools[0] == "*" {
			t.Tools = nil // every tool, as without the key
		}
	case "disallowedTools":
		t.DisallowedTools, err = r.list(e)
	case "skills":
		t.Skills, err = r.list(e)
	}
	return err
}
