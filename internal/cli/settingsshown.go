package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// budgetText is a budget for people, "" if there is none.
func budgetText(u journal.Usage) string {
	switch {
	case u.Tokens > 0:
		return term.Tokens(u.Tokens) + " tokens"
	case u.CostMicroUSD > 0:
		return term.Money(u.CostMicroUSD)
	}
	return ""
}

// tiersText is what tiers stand for.
func tiersText(t journal.Tiers) string {
	var parts []string
	for _, n := range tiersOf(t) {
		stands := withModel(n.Model, n.Effort)
		if n.Agent != "" {
			stands = strings.TrimSuffix("agent "+n.Agent+", "+stands, ", ")
		}
		parts = append(parts, n.name+" is "+stands)
	}
	return strings.Join(parts, "; ")
}

// changedSettings says which settings of a run an attempt at it changed, and to what.
func changedSettings(before, now journal.Settings) []string {
	var changed []string
	say := func(differs bool, name, value string) {
		if differs && value != "" {
			changed = append(changed, name+" "+value)
		}
	}
	number := strconv.Itoa
	span := func(ms int64) string {
		if ms == 0 {
			return ""
		}
		return term.Duration(time.Duration(ms) * time.Millisecond)
	}
	say(before.Budget != now.Budget, "budget", budgetText(now.Budget))
	say(before.Tiers != now.Tiers, "tiers:", tiersText(now.Tiers))
	say(before.MaxCalls != now.MaxCalls, "max-agents", number(now.MaxCalls))
	say(before.Concurrency != now.Concurrency, "concurrency", number(now.Concurrency))
	say(before.WallMs != now.WallMs, "max-time", span(now.WallMs))
	say(before.GateTimeoutMs != now.GateTimeoutMs, "gate-timeout", span(now.GateTimeoutMs))
	say(before.ReadOnly != now.ReadOnly, "read-only", "for all")
	say(before.LoopGuard != now.LoopGuard, "loop-guard", now.LoopGuard)
	return changed
}
