package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/journal"
)

// configName is where a workspace keeps its configuration.
const configName = ".assent/config.toml"

// maxConfig is the largest file of configuration.
const maxConfig = 1 << 20

// configFile is one file as it is written (docs/reference/config.md). There is no key that
// answers a gate, and an unknown key is an error. Who is asked and who is told is the user's to
// say: a workspace's file that names either is refused.
type configFile struct {
	Agent    string                `toml:"agent"`
	Agents   map[string]agentTable `toml:"agents"`
	Approval struct {
		Timeout      string   `toml:"timeout"`
		Asker        []string `toml:"asker"`
		AskerTimeout string   `toml:"asker-timeout"`
	} `toml:"approval"`
	Notify *notifyTable `toml:"notify"`
	Limits struct {
		MaxAgents   int    `toml:"max-agents"`
		Concurrency int    `toml:"concurrency"`
		Budget      string `toml:"budget"`
		MaxTime     string `toml:"max-time"`
		ReadOnly    bool   `toml:"read-only"`
		LoopGuard   string `toml:"loop-guard"`
		Repeats     int    `toml:"loop-guard-repeats"`

		ContextWarning *float64 `toml:"context-warning"`
	} `toml:"limits"`
}

type notifyTable struct {
	Bell    *bool    `toml:"bell"`
	Title   *bool    `toml:"title"`
	Command []string `toml:"command"`
}

type agentTable struct {
	Command []string `toml:"command"`
	Script  string   `toml:"script"`
	Timeout string   `toml:"timeout"`
	Env     []string `toml:"env"`
}

// config is what the user's file and the workspace's add up to.
type config struct {
	// agent is the default agent's name, "" if there is none.
	agent  string
	agents map[string]agentConfig
	// settings are limits; the flags of a command win over them.
	settings journal.Settings
	// asker carries questions to a person where there is no terminal; nil if there is none.
	// askerLimit bounds each asking, 0 is no bound but the gate's deadline.
	asker      *userProgram
	askerLimit time.Duration
	notify     notifyConfig
	// mine are the keys of the file that only the user's own may have.
	mine []string
}

// agentConfig is one configured agent.
type agentConfig struct {
	command []string
	// script is the absolute path of a file of answers.
	script  string
	timeout time.Duration
	keep    []string
	// dir is the folder of the file that configures it; relative paths start there.
	dir string
}

// config reads the user's configuration and the workspace's. The workspace's agents come
// before the user's; its limits count where they are stricter.
func (a *app) config(workspace string) (config, error) {
	f, err := a.folders()
	if err != nil {
		return config{}, err
	}
	user, err := readConfig(f.config)
	if err != nil {
		return config{}, err
	}
	own, err := readConfig(filepath.Join(workspace, filepath.FromSlash(configName)))
	if err != nil {
		return config{}, err
	}
	if len(own.mine) > 0 {
		return config{}, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: %s belongs in your own configuration alone: a repository does not say who answers for you, nor who is told",
			filepath.Join(workspace, filepath.FromSlash(configName)), own.mine[0]), "take it out, and write it into "+f.config+" if you want it")
	}
	for name, agent := range own.agents {
		user.agents[name] = agent
	}
	user.agent = cmp.Or(own.agent, user.agent)
	user.settings = stricter(user.settings, own.settings)
	if _, ok := user.agents[user.agent]; user.agent != "" && !ok {
		from := f.config
		if own.agent != "" {
			from = filepath.Join(workspace, filepath.FromSlash(configName))
		}
		return config{}, fault.New(fault.ConfigInvalid, fmt.Sprintf("the default agent %q is not configured: %s has agent = %q and no [agents.%s]", user.agent, from, user.agent, user.agent),
			fmt.Sprintf("add [agents.%s] to %s, or take agent out", user.agent, from))
	}
	return user, nil
}

// readConfig reads one file; none is an empty one.
func readConfig(path string) (config, error) {
	c := config{agents: map[string]agentConfig{}, notify: notifyConfig{bell: true, title: true}}
	text, err := regular.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) {
		return c, nil
	}
	if err != nil {
		return c, fault.Wrap(err, fault.ConfigInvalid, "the configuration cannot be read", "")
	}
	var file configFile
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return c, atLine(path, err)
	}
	c.agent = file.Agent
	for name, table := range file.Agents {
		if c.agents[name], err = table.agent(path, name); err != nil {
			return c, err
		}
	}
	if err := c.people(path, file); err != nil {
		return c, err
	}
	c.settings, err = file.settings(path)
	return c, err
}

func (t agentTable) agent(path, name string) (agentConfig, error) {
	refuse := func(what, next string) (agentConfig, error) {
		return agentConfig{}, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [agents.%s] %s", path, name, what), next)
	}
	switch {
	case len(t.Command) == 0 && t.Script == "":
		return refuse("needs a command, or a script of answers", `write command = ["my-agent", "--json"]`)
	case len(t.Command) > 0 && t.Script != "":
		return refuse("has both command and script", "take one of them out")
	}
	c := agentConfig{command: t.Command, keep: t.Env, dir: filepath.Dir(path)}
	if t.Script != "" {
		if c.script = t.Script; !filepath.IsAbs(c.script) {
			c.script = filepath.Join(c.dir, filepath.FromSlash(c.script))
		}
	}
	if t.Timeout != "" {
		d, err := duration(t.Timeout)
		if err != nil {
			return refuse("timeout: "+err.Error(), `write timeout = "15m"`)
		}
		c.timeout = d
	}
	return c, nil
}

func (f configFile) settings(path string) (journal.Settings, error) {
	s := journal.Settings{
		MaxCalls: f.Limits.MaxAgents, Concurrency: f.Limits.Concurrency, ReadOnly: f.Limits.ReadOnly,
		LoopGuard: f.Limits.LoopGuard, LoopGuardRepeats: f.Limits.Repeats,
	}
	refuse := func(key, what string) (journal.Settings, error) {
		_, example := keyTakes(strings.Split(key, "."))
		return s, fault.New(fault.ConfigInvalid, path+": "+key+": "+what, "write "+key[strings.LastIndexByte(key, '.')+1:]+" = "+example)
	}
	for _, n := range []struct {
		key   string
		value int
	}{{"limits.max-agents", s.MaxCalls}, {"limits.concurrency", s.Concurrency}} {
		if n.value < 0 {
			return refuse(n.key, fmt.Sprintf("%d is less than 1", n.value))
		}
	}
	if s.LoopGuard != "" && !slices.Contains(guards, s.LoopGuard) {
		return refuse("limits.loop-guard", fmt.Sprintf("%q is neither warn, stop nor off", s.LoopGuard))
	}
	if n := s.LoopGuardRepeats; n < 0 || n == 1 {
		return refuse("limits.loop-guard-repeats", fmt.Sprintf("%d is less than 2, and what is asked once is no loop", n))
	}
	if part := f.Limits.ContextWarning; part != nil {
		if !(*part > 0 && *part <= 1) {
			return refuse("limits.context-warning", fmt.Sprintf("%v is no part of maxContextTokens: more than 0, and 1 at most", *part))
		}
		s.ContextWarning = max(1, int(math.Round(*part*100)))
	}
	if text := f.Limits.Budget; text != "" {
		budget, err := engine.ParseBudget(text)
		if err != nil {
			return refuse("limits.budget", fmt.Sprintf("%q is neither tokens such as 200k nor dollars such as 5usd", text))
		}
		s.Budget = budget
	}
	for _, d := range []struct {
		key, text string
		to        *int64
	}{{"approval.timeout", f.Approval.Timeout, &s.GateTimeoutMs}, {"limits.max-time", f.Limits.MaxTime, &s.WallMs}} {
		if d.text == "" {
			continue
		}
		value, err := duration(d.text)
		if err != nil {
			return refuse(d.key, err.Error())
		}
		*d.to = value.Milliseconds()
	}
	return s, nil
}

// duration reads a length of time of a millisecond or more.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond {
		return 0, fmt.Errorf("%q is not a length of time such as 90s or 24h", text)
	}
	return d, nil
}

// stricter joins two settings to the narrower of each; 0 is no limit. Budgets in different
// units cannot be compared: the first stands.
func stricter(a, b journal.Settings) journal.Settings {
	return journal.Settings{
		MaxCalls: narrower(a.MaxCalls, b.MaxCalls), Concurrency: narrower(a.Concurrency, b.Concurrency),
		WallMs: narrower(a.WallMs, b.WallMs), GateTimeoutMs: narrower(a.GateTimeoutMs, b.GateTimeoutMs),
		Budget: narrowerBudget(a.Budget, b.Budget), ReadOnly: a.ReadOnly || b.ReadOnly,
		LoopGuard: stricterGuard(a.LoopGuard, b.LoopGuard), LoopGuardRepeats: narrower(a.LoopGuardRepeats, b.LoopGuardRepeats),
		ContextWarning: narrower(a.ContextWarning, b.ContextWarning),
	}
}

// guards are the values of loop-guard, the strictest last.
var guards = []string{"off", "warn", "stop"}

func stricterGuard(a, b string) string {
	if slices.Index(guards, a) < slices.Index(guards, b) {
		return b
	}
	return a
}

func narrower[N int | int64](a, b N) N {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func narrowerBudget(a, b journal.Usage) journal.Usage {
	none := journal.Usage{}
	if a == none || b != none && a.Tokens > 0 && b.Tokens > 0 && b.Tokens < a.Tokens ||
		a.CostMicroUSD > 0 && b.CostMicroUSD > 0 && b.CostMicroUSD < a.CostMicroUSD {
		return b
	}
	return a
}
