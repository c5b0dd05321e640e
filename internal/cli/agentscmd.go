package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/agent/agenttype"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
)

func newAgentsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "agents",
		Short: "List agents, tiers and agent types",
		Long: "Lists what can answer agent() here: the configured agents and those that are known by name, what\n" +
			"the tiers stand for, and the agent types with where they come from. A type that cannot be used is\n" +
			"listed with what is wrong with its file, and one whose name another file has is marked. No agent\n" +
			"is started.",
		Example: "  assent agents\n  assent agents --json",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return a.agents() },
	}
}

// agentList is what agents --json prints.
type agentList struct {
	Format    int        `json:"format"`
	Workspace string     `json:"workspace"`
	Agents    []agentRow `json:"agents"`
	Tiers     []tierRow  `json:"tiers"`
	Types     []typeRow  `json:"types"`
	// Unreadable says of folders why they could not be read.
	Unreadable []string `json:"unreadable"`
	// Uses is the agent that run takes, "" if there is none; Why says why it is that.
	Uses string `json:"uses"`
	Why  string `json:"why"`
}

// fromNowhere is the origin of an agent that no file configures.
const fromNowhere = "known"

// agentRow is an agent that goes by a name.
type agentRow struct {
	Name string `json:"name"`
	// Kind is command, script, acp, or the kind of a known program.
	Kind string `json:"kind"`
	// From is project or user for the file that configures it, or known.
	From    string `json:"from"`
	Default bool   `json:"default"`
	// Found says that its program, or its file of answers, is there.
	Found   bool     `json:"found"`
	Command []string `json:"command,omitempty"`
	Script  string   `json:"script,omitempty"`
	Model   string   `json:"model,omitempty"`
	Models  []string `json:"models,omitempty"`
	Effort  string   `json:"effort,omitempty"`
}

// tierRow is a tier; one that stands for nothing has only its name.
type tierRow struct {
	Name string `json:"name"`
	// From is configuration, or the kind of the agent that run takes, which has it so by itself.
	From   string `json:"from,omitempty"`
	Agent  string `json:"agent,omitempty"`
	Model  string `json:"model,omitempty"`
	Effort string `json:"effort,omitempty"`
}

// typeRow is the file of an agent type. Tools and skills are null where the agent has its own.
type typeRow struct {
	Name            string   `json:"name"`
	Description     string   `json:"description,omitempty"`
	From            string   `json:"from"`
	Path            string   `json:"path"`
	HiddenBy        string   `json:"hiddenBy,omitempty"`
	Agent           string   `json:"agent,omitempty"`
	Model           string   `json:"model,omitempty"`
	Effort          string   `json:"effort,omitempty"`
	Tier            string   `json:"tier,omitempty"`
	ReadOnly        bool     `json:"readOnly"`
	Tools           []string `json:"tools"`
	DisallowedTools []string `json:"disallowedTools,omitempty"`
	Skills          []string `json:"skills"`
	SHA256          string   `json:"sha256,omitempty"`
	Warnings        []string `json:"warnings,omitempty"`
	Error           *problem `json:"error,omitempty"`
}

// agents lists what can answer.
func (a *app) agents() error {
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	c, err := a.config(workspace)
	if err != nil {
		return err
	}
	types, err := a.agentTypes(workspace)
	if err != nil {
		return err
	}
	list := agentList{Format: jsonFormat, Workspace: workspace, Agents: a.agentRows(c, workspace), Tiers: []tierRow{}, Types: []typeRow{}, Unreadable: []string{}}
	if list.Uses, list.Why, err = a.wouldUse("", workspace, c); err != nil {
		list.Why = problemOf(err).What
	}
	configured := tiersOf(c.settings.Tiers)
	for _, name := range agenttype.Tiers {
		row := tierRow{Name: name}
		for _, t := range tiersOf(c.tiersFor(list.Uses)) {
			if t.name != name {
				continue
			}
			row = tierRow{name, "configuration", t.Agent, t.Model, t.Effort}
			if !slices.ContainsFunc(configured, func(n named) bool { return n.name == name }) {
				row.From = c.table(list.Uses, workspace).kind
			}
		}
		list.Tiers = append(list.Tiers, row)
	}
	entries, unread := types.List()
	for _, e := range entries {
		list.Types = append(list.Types, typeRowOf(e, c))
	}
	for _, err := range unread {
		list.Unreadable = append(list.Unreadable, problemOf(err).What)
	}
	if a.json {
		return a.emit(list)
	}
	for _, text := range list.Unreadable {
		a.say(text)
	}
	return a.print(a.agentsText(list))
}

func (a *app) agentRows(c config, workspace string) []agentRow {
	rows := []agentRow{}
	for _, name := range c.knownAgents() {
		t := c.table(name, workspace)
		row := agentRow{
			Name: name, Kind: t.kind, From: fromNowhere, Default: name == c.agent,
			Found:   a.there(name, workspace, c),
			Command: slices.Concat(t.command, t.args), Script: t.script, Model: t.model, Models: t.models, Effort: t.effort,
		}
		if _, configured := c.agents[name]; configured {
			row.From, row.Default = "user", row.Default || c.agent == "" && len(c.agents) == 1
			if t.dir == from(workspace, ".assent") {
				row.From = "project"
			}
		}
		switch {
		case t.script != "":
			row.Kind = "script"
		case t.kind == "":
			row.Kind = "command"
		}
		rows = append(rows, row)
	}
	return rows
}

// typeRowOf describes a file. That its agent is not there is as much of an obstacle as a mistake in it.
func typeRowOf(e agenttype.Entry, c config) typeRow {
	row := typeRow{
		Name: e.Name, Description: e.Description, From: string(e.Origin), Path: e.Source, HiddenBy: e.HiddenBy,
		Agent: e.Agent, Model: e.Model, Effort: e.Effort, Tier: e.Tier, ReadOnly: e.ReadOnly,
		Tools: e.Tools, DisallowedTools: e.DisallowedTools, Skills: e.Skills, SHA256: e.SHA256, Warnings: e.Warnings,
	}
	err := e.Err
	if err == nil && e.Agent != "" && !c.has(e.Agent) {
		err = fault.New(fault.AgentNotConfigured, "it names the agent "+e.Agent+", which is not configured", nearest(e.Agent, c.knownAgents(), "there are"))
	}
	if err != nil {
		p := problemOf(err)
		row.Error = &p
	}
	return row
}

// agentsText is the list for people.
func (a *app) agentsText(list agentList) string {
	var b strings.Builder
	var agents, tiers, heads term.Table
	for _, r := range list.Agents {
		what := r.Kind
		if len(r.Command) > 0 {
			what += ": " + quoteCommand(r.Command)
		} else if r.Script != "" {
			what += ": " + a.typed(r.Script)
		}
		from, mark := r.From, "  "
		if r.Default {
			from += ", the default"
		}
		if !r.Found {
			from += ", not there"
		}
		if r.Name == list.Uses {
			mark = "* "
		}
		agents.Row(mark+r.Name, from, what, withModel(r.Model, r.Effort))
	}
	uses := "run takes no agent: " + list.Why
	if list.Uses != "" {
		uses = "run takes " + list.Uses + ": " + list.Why
	}
	for _, r := range list.Tiers {
		stands := withModel(r.Model, r.Effort)
		if r.From != "" && r.From != "configuration" {
			stands += ", which " + r.From + " has by itself"
		}
		if r == (tierRow{Name: r.Name}) {
			stands = "stands for nothing; [tiers." + r.Name + "] of the configuration says what for"
		}
		tiers.Row("  "+r.Name, r.Agent, stands)
	}
	for _, r := range list.Types {
		origin, path := r.From, a.typed(r.Path)
		if r.Path == agenttype.BuiltInSource {
			path = ""
		}
		if r.HiddenBy == agenttype.BuiltInSource {
			origin += ", hidden by a built-in one"
		} else if r.HiddenBy != "" {
			origin += ", hidden by " + a.typed(r.HiddenBy)
		}
		heads.Row("  "+r.Name, origin, path)
	}
	b.WriteString("Agents\n" + agents.String() + "\n" + strings.Join(term.Wrap(term.Escape(uses), width(a.Out), "  "), "\n") + "\n\nTiers\n" + tiers.String() + "\nAgent types\n")
	head := strings.Split(heads.String(), "\n")
	for i, r := range list.Types {
		path := a.typed(r.Path)
		b.WriteString(head[i] + "\n")
		for _, text := range append([]string{strings.Join(strings.Fields(r.Description), " "), r.says(), r.trouble()}, r.Warnings...) {
			if text = strings.ReplaceAll(text, r.Path, path); text != "" {
				b.WriteString(strings.Join(term.Wrap("    "+term.Escape(text), width(a.Out), "      "), "\n") + "\n")
			}
		}
	}
	return b.String()
}

func withModel(model, effort string) string {
	var parts []string
	if model != "" {
		parts = append(parts, "model "+model)
	}
	if effort != "" {
		parts = append(parts, "effort "+effort)
	}
	return strings.Join(parts, ", ")
}

// says is what the type decides.
func (r typeRow) says() string {
	var parts []string
	if r.ReadOnly {
		parts = append(parts, "read-only")
	}
	for _, p := range []struct{ label, text string }{
		{"tier ", r.Tier}, {"agent ", r.Agent}, {"", withModel(r.Model, r.Effort)}, {"without ", strings.Join(r.DisallowedTools, " ")},
	} {
		if p.text != "" {
			parts = append(parts, p.label+p.text)
		}
	}
	for _, l := range []struct {
		label string
		names []string
	}{{"tools ", r.Tools}, {"skills ", r.Skills}} {
		switch {
		case l.names != nil && len(l.names) == 0:
			parts = append(parts, "no "+strings.TrimSpace(l.label))
		case len(l.names) > 0:
			parts = append(parts, l.label+strings.Join(l.names, " "))
		}
	}
	return strings.Join(parts, "; ")
}

// trouble says why a type cannot be used; "" if it can.
func (r typeRow) trouble() string {
	if r.Error == nil {
		return ""
	}
	text := "cannot be used: " + r.Error.Code + ": " + r.Error.What
	if r.Error.Next != "" {
		text += " (" + r.Error.Next + ")"
	}
	return text
}
