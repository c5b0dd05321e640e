package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
)

func newDoctorCommand(a *app) *cobra.Command {
	var try bool
	var only string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Show which agents can be used here, and what is missing",
		Long: "Looks for the agents' programs on this machine and says of each where it is, its version, whether\n" +
			"it is signed in if that can be told without asking its model, and what to do about what is wrong;\n" +
			"then which agent run would take and why, and how git, the store, the key and the configuration are.\n\n" +
			"With --try each agent that is found, or the one that --agent names, is asked one short question. It\n" +
			"may change nothing, and it works in an empty folder; it uses a few tokens.\n\n" +
			"Exit code 0 if run has an agent that can be used, and nothing else is wrong; else 1.",
		Example: "  assent doctor\n  assent doctor --try --agent claude",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), try, only) },
	}
	cmd.Flags().BoolVar(&try, "try", false, "ask each agent that is found one short question")
	cmd.Flags().StringVar(&only, "agent", "", "look at this agent, which run would be given")
	return cmd
}

// diagnosis is what doctor --json prints.
type diagnosis struct {
	Format int         `json:"format"`
	Agents []healthRow `json:"agents"`
	// Uses is the agent that run takes, "" if there is none; Why says why it is that.
	Uses string     `json:"uses"`
	Why  string     `json:"why"`
	Rest []checkRow `json:"checks"`
	OK   bool       `json:"ok"`
}

// checkRow is something else that a run needs.
type checkRow struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	// State is ok, wrong, or lacks of what a run can do without.
	State string `json:"state"`
	What  string `json:"what"`
	Next  string `json:"next,omitempty"`
}

// stand gives each check its state.
func stand(rows []checkRow) []checkRow {
	for i, r := range rows {
		rows[i].State = "ok"
		switch {
		case !r.OK:
			rows[i].State = "wrong"
		case r.Next != "":
			rows[i].State = "lacks"
		}
	}
	return rows
}

// doctor looks at everything that a run needs.
func (a *app) doctor(ctx context.Context, try bool, only string) error {
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	c, configErr := a.config(workspace)
	if configErr != nil && fault.CodeOf(configErr) == "" {
		return configErr
	}
	d := diagnosis{Format: jsonFormat, Agents: []healthRow{}, Rest: stand(a.checks(ctx, configErr))}
	if configErr == nil {
		if d.Uses, d.Why, err = a.wouldUse(only, workspace, c); err != nil {
			return err
		}
	} else {
		d.Why = "the configuration cannot be read"
	}
	said := a.slow("looking at the agents; one that has to open a session takes a while")
	d.Agents = a.health(ctx, d.Uses, only != "", try, workspace, c)
	said()
	d.OK = slices.ContainsFunc(d.Agents, func(r healthRow) bool { return r.Used && r.usable() }) &&
		!slices.ContainsFunc(d.Rest, func(r checkRow) bool { return !r.OK })
	if a.json {
		err = a.emit(d)
	} else {
		err = a.print(a.diagnosisText(d))
	}
	if err != nil || d.OK {
		return err
	}
	return exitCode(exitFailed)
}

// slow tells a person what is being done, if it takes longer than a moment. The result ends that.
func (a *app) slow(text string) (done func()) {
	if terminal(a.Err) == nil {
		return func() {}
	}
	told := make(chan struct{})
	timer := time.AfterFunc(time.Second, func() {
		a.say(text)
		close(told)
	})
	return func() {
		if !timer.Stop() {
			<-told // what follows stands below it
		}
	}
}

// wouldUse is the agent that run takes, and why.
func (a *app) wouldUse(only, workspace string, c config) (name, why string, err error) {
	chosen, err := a.chooseAgent(only, "", workspace, c)
	if err != nil {
		return "", "", err
	}
	_, discovered := chosen.runner.(*found)
	switch {
	case only != "":
		why = "--agent names it"
	case chosen.runner == nil && len(c.agents) > 0:
		why = "several agents are configured, and none is the default: write agent = \"NAME\" at the top of " + configName
	case chosen.runner == nil:
		why = "none is configured, and none is found on this machine"
	case discovered:
		why = "none is configured, and it is the first that is found on this machine"
	case c.agent != "":
		why = "it is the default of the configuration"
	default:
		why = "it is the only one that is configured"
	}
	return chosen.name, why, nil
}

// checks look at what a run needs besides an agent. Nothing is made: what the first run makes is said
// to be missing yet.
func (a *app) checks(ctx context.Context, configErr error) []checkRow {
	rows := []checkRow{a.gitCheck(ctx)}
	f, err := a.folders()
	if err != nil {
		return append(rows, wrong("store", err))
	}
	store := checkRow{Name: "store", OK: true, What: f.store}
	key := checkRow{Name: "key", OK: true, What: f.keys}
	_, storeErr := os.Stat(f.store)
	_, keyErr := os.Stat(f.keys)
	switch {
	case errors.Is(storeErr, fs.ErrNotExist):
		store.What += " (not there yet: the first run makes it)"
		if errors.Is(keyErr, fs.ErrNotExist) {
			key.What += " (not there yet: the first run makes it)"
		}
	default:
		if _, err := a.store(); fault.Is(err, fault.KeyUnusable) {
			key = wrong("key", err)
		} else if err != nil {
			store = wrong("store", err)
		}
	}
	config := checkRow{Name: "configuration", OK: true, What: "none: what is built in holds"}
	if workspace, err := a.workspace(); err == nil {
		var there []string
		for _, path := range []string{f.config, from(workspace, configName)} {
			if _, err := os.Stat(path); err == nil {
				there = append(there, path)
			}
		}
		if len(there) > 0 {
			config.What = strings.Join(there, ", ")
		}
	}
	if configErr != nil {
		config = wrong("configuration", configErr)
	}
	return append(rows, store, key, config)
}

// wrong is a check that found something wrong.
func wrong(name string, err error) checkRow {
	p := problemOf(err)
	return checkRow{Name: name, What: p.What, Next: p.Next}
}

// diagnosisText is the diagnosis for people.
func (a *app) diagnosisText(d diagnosis) string {
	var b strings.Builder
	line := func(indent, text string) {
		b.WriteString(strings.Join(term.Wrap(indent+term.Escape(text), width(a.Out), indent+"  "), "\n") + "\n")
	}
	b.WriteString("Agents\n")
	var table term.Table
	for _, r := range d.Agents {
		mark := "  "
		if r.Used {
			mark = "* "
		}
		table.Row(mark+r.Name, r.state(), r.Version, r.Path)
	}
	heads := strings.Split(table.String(), "\n")
	for i, r := range d.Agents {
		b.WriteString(heads[i] + "\n")
		for _, text := range r.details() {
			line("    ", text)
		}
	}
	b.WriteByte('\n')
	if d.Uses == "" {
		line("", "run takes no agent: "+d.Why)
	} else {
		line("", fmt.Sprintf("run takes %s: %s", d.Uses, d.Why))
	}
	b.WriteByte('\n')
	var rest term.Table
	for _, r := range d.Rest {
		rest.Row("  "+r.Name, r.State, r.What)
	}
	heads = strings.Split(rest.String(), "\n")
	for i, r := range d.Rest {
		b.WriteString(heads[i] + "\n")
		if r.Next != "" {
			line("    ", "next: "+r.Next)
		}
	}
	return b.String()
}
