package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// healthRow is what is known of one agent.
type healthRow struct {
	Name string `json:"name"`
	// Used says that run takes it.
	Used    bool   `json:"used"`
	Found   bool   `json:"found"`
	Path    string `json:"path,omitempty"`
	Version string `json:"version,omitempty"`
	// SignedIn is null if that cannot be told without a request.
	SignedIn *bool  `json:"signedIn"`
	Account  string `json:"account,omitempty"`
	Problem  string `json:"problem,omitempty"`
	Next     string `json:"next,omitempty"`
	// Note is what is worth knowing and no problem.
	Note string `json:"note,omitempty"`
	// Tried is how it answered, if it was asked.
	Tried *triedRow `json:"tried,omitempty"`
}

// triedRow is an answer to the question of --try.
type triedRow struct {
	OK     bool     `json:"ok"`
	Answer string   `json:"answer,omitempty"`
	Ms     int64    `json:"ms"`
	Usage  usageRow `json:"usage"`
	Error  *problem `json:"error,omitempty"`
}

// tryTime bounds the answer to the question of --try.
const tryTime = time.Minute

// tryPrompt is that question.
const tryPrompt = "Do not use any tool and do not change anything. Answer with the single word: ready"

// usable reports whether nothing is known that keeps the agent from being used.
func (r healthRow) usable() bool {
	return r.Found && r.Problem == "" && (r.SignedIn == nil || *r.SignedIn) && (r.Tried == nil || r.Tried.OK)
}

// health looks at all agents at once: those that are known, and those that are configured. only is for
// the one that is used alone.
func (a *app) health(ctx context.Context, used string, only, try bool, workspace string, c config) []healthRow {
	var names []string
	known := map[string]candidate{}
	for _, k := range candidates(a.Dir, a.Env) {
		known[k.name] = k
		names = append(names, k.name)
	}
	for _, name := range c.knownAgents() {
		if _, listed := known[name]; !listed {
			names = append(names, name)
		}
	}
	if _, listed := known[used]; only || used != "" && !listed && !c.has(used) {
		names = []string{used}
	}
	rows := make([]healthRow, len(names))
	var looking sync.WaitGroup
	for i, name := range names {
		looking.Go(func() {
			rows[i] = a.healthOf(ctx, name, workspace, c, try)
			rows[i].Used = name == used
			if unfenced := c.unfenced(name); unfenced != "" {
				rows[i].Note = unfenced
			}
			if try && rows[i].Found {
				rows[i].Tried = a.try(ctx, name, workspace, c)
			}
		})
	}
	looking.Wait()
	return rows
}

// healthOf looks at one agent, without a request to its model. What the workspace brings along, as a
// clone does, is started only if start says so.
func (a *app) healthOf(ctx context.Context, name, workspace string, c config, start bool) healthRow {
	row := healthRow{Name: name}
	t := c.table(name, workspace)
	kind, _ := runners.KindOf(t.kind)
	preset, _ := acp.KnownAs(name)
	argv, foreign := slices.Concat(t.command, t.args), ""
	if t.repository && len(argv) > 0 {
		foreign = "named by this repository, in " + configName + "; --try starts it"
	}
	switch {
	case strings.HasPrefix(name, acpPrefix):
		var install string
		if argv, _, install = a.commandLine(name, workspace, c); len(argv) == 0 {
			_, err := a.agentFrom(name, a.Dir, workspace, c)
			return row.wrong(err)
		}
		path, err := agent.FindProgram(argv[0], a.Dir)
		switch row.Path, row.Found = path, err == nil; {
		case err != nil && install != "":
			row.Problem, row.Next = "it is not installed", install
			return row
		case err != nil:
			return row.wrong(err)
		}
		argv[0] = path
	case !c.has(name): // a command line, or a file of answers, that --agent has
		chosen, err := a.agentFrom(name, a.Dir, workspace, c)
		row.Found = err == nil && chosen.runner != nil
		return row.wrong(err)
	case t.script != "":
		_, err := a.scripted(t.script)
		row.Path, row.Found = t.script, err == nil
		return row.wrong(err)
	case len(t.command) > 0:
		path, err := agent.FindProgram(argv[0], t.dir)
		row.Path, row.Found = path, err == nil
		if err != nil {
			return row.wrong(err)
		}
	default:
		argv = slices.Concat(a.commandOf(name, t), t.args)
		path, err := exec.LookPath(argv[0])
		if err != nil {
			row.Problem, row.Next = "it is not installed", cmp.Or(preset.Install, kind.Install)
			return row
		}
		if argv[0] != path { // none outside of the workspace
			foreign = "lies in this repository, so that it is taken only by its name; --try starts it"
		}
		row.Path, row.Found = path, true
	}
	if foreign != "" && !start {
		row.Note = foreign
		return row
	}
	var p runners.Probe
	switch {
	case t.kind == "":
		return row // nothing is known of it but that it is there
	case kind.Probe != nil:
		p = kind.Probe(ctx, runners.Options{Name: name, Program: argv[0], Args: argv[1:], Dir: t.dir, Env: a.Env, Keep: t.keep})
	default:
		p = acp.Probe(ctx, acp.Options{Name: name, Command: argv, Dir: t.dir, Env: a.Env, Keep: t.keep})
	}
	row.Version, row.SignedIn, row.Account, row.Problem, row.Next = p.Version, p.SignedIn, p.Account, p.Problem, p.Next
	return row
}

// wrong adds what is wrong, if something is.
func (r healthRow) wrong(err error) healthRow {
	if err != nil {
		p := problemOf(err)
		r.Problem, r.Next = p.What, p.Next
	}
	return r
}

// try asks an agent one harmless question, in an empty folder.
func (a *app) try(ctx context.Context, name, workspace string, c config) *triedRow {
	row := &triedRow{}
	failed := func(err error) *triedRow {
		p := problemOf(err)
		row.Error = &p
		return row
	}
	folder, err := os.MkdirTemp("", "assent-doctor-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(folder)
	chosen, err := a.agentFrom(name, a.Dir, workspace, c)
	if err != nil {
		return failed(err)
	}
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	begun := a.Now()
	resp, err := chosen.runner.Run(ctx, agent.Request{
		Version: agent.Version, Run: "doctor", Call: "/agent#0", Label: "doctor", Prompt: tryPrompt, ReadOnly: true, Cwd: resolved(folder), Attempt: 1,
	}, nil)
	row.Ms = a.Now().Sub(begun).Milliseconds()
	row.Usage = usageOf(resp.Usage, resp.Usage.Input+resp.Usage.Output > 0, resp.Usage.CostMicroUSD > 0)
	if err != nil {
		return failed(err)
	}
	row.OK = true
	if json.Unmarshal(resp.Value, &row.Answer) != nil {
		row.Answer = string(resp.Value)
	}
	row.Answer = term.Truncate(strings.TrimSpace(row.Answer), answerShown)
	return row
}

// answerShown caps an answer to that question, in columns.
const answerShown = 200

// state is how the agent stands, in a word or two.
func (r healthRow) state() string {
	switch {
	case !r.Found && r.Problem == "it is not installed":
		return "not found"
	case !r.Found, r.Problem != "" && (r.SignedIn == nil || *r.SignedIn):
		return "wrong"
	case r.SignedIn == nil:
		return "found"
	case *r.SignedIn:
		return "signed in"
	}
	return notSignedIn
}

// notSignedIn is the state of an agent that waits for its account.
const notSignedIn = "not signed in"

// details are what else is known.
func (r healthRow) details() []string {
	var lines []string
	if r.Account != "" {
		lines = append(lines, "signed in: "+r.Account)
	}
	if r.Note != "" {
		lines = append(lines, r.Note)
	}
	switch {
	case r.state() == "not found" && r.Next == "":
	case r.state() == "not found":
		lines = append(lines, "install: "+r.Next)
	case r.Problem != "":
		if r.state() != notSignedIn || r.Next == "" { // else all is said
			lines = append(lines, r.Problem)
		}
		if r.Next != "" {
			lines = append(lines, "next: "+r.Next)
		}
	}
	if t := r.Tried; t != nil {
		took := (time.Duration(t.Ms) * time.Millisecond).Round(100 * time.Millisecond).String()
		if t.OK {
			lines = append(lines, fmt.Sprintf("answered %q in %s%s", t.Answer, took, t.Usage.behind()))
		} else {
			lines = append(lines, fmt.Sprintf("did not answer (%s): %s: %s", took, t.Error.Code, t.Error.What))
			if t.Error.Next != "" {
				lines = append(lines, "next: "+t.Error.Next)
			}
		}
	}
	return lines
}

// behind is what is known of a usage, as it stands behind something else.
func (u usageRow) behind() string {
	var text string
	if u.Input != nil && u.Output != nil {
		text += ", " + term.Tokens(*u.Input+*u.Output) + " tokens"
	}
	if u.CostMicroUSD != nil {
		text += ", " + term.Money(*u.CostMicroUSD)
	}
	return text
}

// gitCheck looks for git, and for whose commits it would make. Only calls in working trees of their
// own and the watch over changes need it.
func (a *app) gitCheck(ctx context.Context) checkRow {
	row := checkRow{Name: "git", OK: true}
	path, err := exec.LookPath("git")
	if err != nil {
		row.What, row.Next = "not found: calls cannot have working trees of their own, and changes are not told", "install git"
		return row
	}
	ask := func(args ...string) string {
		ctx, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		p := process.Program{Argv: append([]string{path}, args...), Dir: a.Dir, Env: a.Env, MaxOutput: 64 << 10}
		out, err := p.Run(ctx, "doctor", "git", nil)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	row.What = strings.TrimPrefix(ask("--version"), "git version ")
	if name, mail := ask("config", "user.name"), ask("config", "user.email"); name != "" && mail != "" {
		row.What += ", commits as " + name + " <" + mail + ">"
		return row
	}
	row.What += ", without a name for commits"
	row.Next = `git config --global user.name "YOUR NAME"; git config --global user.email YOU@EXAMPLE.ORG`
	return row
}
