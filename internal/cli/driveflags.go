package cli

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// driveFlags are what run and resume have in common: how one attempt is driven.
type driveFlags struct {
	agent     string
	headless  bool
	onGate    string
	detach    bool
	maxAgents int
	atOnce    int
	budget    string
	readOnly  bool
	timeout   time.Duration
	maxTime   time.Duration
	loopGuard string
	quiet     bool

	// report is the number of the open file through which a detached child tells its parent
	// the run's id; 0 is none. simulated marks a run of the demo, from its start: no other run
	// takes simulated answers. hintless prints no commands at the end: those of a demo whose
	// folder goes away would lead nowhere. They are not for people.
	report    uint
	simulated bool
	hintless  bool
}

// register adds the flags. raise says that they change what a run began with.
func (f *driveFlags) register(fs *pflag.FlagSet, raise bool) {
	limit := "limit: "
	if raise {
		limit = "from now on, "
	}
	fs.StringVar(&f.agent, "agent", "", "what answers agent(): NAME, 'COMMAND ARGS', acp:COMMAND or script:FILE")
	fs.BoolVar(&f.headless, "headless", false, "ask nobody, even in a terminal")
	fs.StringVar(&f.onGate, "on-gate", "", "what becomes of a gate when nobody is here: default, abort or suspend")
	fs.BoolVar(&f.detach, "detach", false, "go on in the background; gates are suspended")
	fs.IntVar(&f.maxAgents, "max-agents", 0, limit+"at most so many calls of agents and gates")
	fs.IntVar(&f.atOnce, "concurrency", 0, limit+"at most so many agents at once")
	fs.StringVar(&f.budget, "budget", "", limit+"tokens (200k) or dollars (5usd) that agents may use")
	fs.BoolVar(&f.readOnly, "read-only", false, "make every agent of the run read-only, for good")
	fs.DurationVar(&f.timeout, "timeout", 0, limit+"how long a gate waits that sets no time itself (24h)")
	fs.DurationVar(&f.maxTime, "max-time", 0, limit+"how long one attempt may work (2h); waiting for a person does not count")
	fs.StringVar(&f.loopGuard, "loop-guard", "", "what becomes of a loop that asks the same again and again: warn, stop or off")
	fs.BoolVar(&f.quiet, "quiet", false, "say nothing about progress")
	fs.UintVar(&f.report, reportFlag, 0, "")
	_ = fs.MarkHidden(reportFlag) // it was registered above
}

// reportFlag names the flag of a detached child.
const reportFlag = "report-to"

// check refuses what does not go together, and numbers that say nothing. A limit that was left
// out is 0 too: set knows which flags were given.
func (f *driveFlags) check(set *pflag.FlagSet) error {
	zero := func(name string, value int64) bool { return value < 0 || value == 0 && set.Changed(name) }
	rules := []string{"", string(checkpoint.Default), string(checkpoint.Abort), string(checkpoint.Suspend)}
	switch {
	case !slices.Contains(rules, f.onGate):
		return misused(fmt.Sprintf("--on-gate is default, abort or suspend, not %q", f.onGate), "no flag approves a plan")
	case f.loopGuard != "" && !slices.Contains(guards, f.loopGuard):
		return misused(fmt.Sprintf("--loop-guard is warn, stop or off, not %q", f.loopGuard), "assent run --help")
	case zero("max-agents", int64(f.maxAgents)) || zero("concurrency", int64(f.atOnce)):
		return misused("--max-agents and --concurrency count from 1", "assent run --help")
	case zero("timeout", int64(f.timeout)) || zero("max-time", int64(f.maxTime)) ||
		f.timeout%time.Millisecond != 0 || f.maxTime%time.Millisecond != 0:
		return misused("--timeout and --max-time take a length of time such as 90s or 24h, and count from 1ms", "assent run --help")
	case f.detach && f.onGate != "" && f.onGate != string(checkpoint.Suspend):
		return misused("--detach implies --on-gate suspend: nobody watches a run in the background", "leave --on-gate out")
	}
	return nil
}

// settings are the limits that the flags set; those of the configuration stand below them.
func (f *driveFlags) settings(below journal.Settings) (journal.Settings, error) {
	s := below
	if f.maxAgents > 0 {
		s.MaxCalls = f.maxAgents
	}
	if f.atOnce > 0 {
		s.Concurrency = f.atOnce
	}
	if f.timeout > 0 {
		s.GateTimeoutMs = f.timeout.Milliseconds()
	}
	if f.maxTime > 0 {
		s.WallMs = f.maxTime.Milliseconds()
	}
	if f.budget != "" {
		budget, err := engine.ParseBudget(f.budget)
		if err != nil {
			return s, err
		}
		s.Budget = budget
	}
	s.LoopGuard = cmp.Or(f.loopGuard, s.LoopGuard)
	s.ReadOnly = s.ReadOnly || f.readOnly
	s.Simulated = f.simulated
	return s, nil
}

// rule is the rule for gates when nobody is here.
func (f *driveFlags) rule() checkpoint.Rule {
	if f.detach || f.report > 0 {
		return checkpoint.Suspend
	}
	return checkpoint.Rule(f.onGate)
}
