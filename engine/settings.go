package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// defaultConcurrency is how many calls work at once: agents mostly wait for a model, so at
// least two, and leave two cores to the machine's owner.
func defaultConcurrency() int { return min(16, max(2, runtime.NumCPU()-2)) }

// settle fills the zero fields of given from before (the run that is resumed, or zero), the
// script's own limits, and the defaults.
func settle(given, before journal.Settings, meta vm.Meta) (journal.Settings, error) {
	s := journal.Settings{
		MaxCalls:      cmp.Or(given.MaxCalls, before.MaxCalls, meta.Limits.MaxCalls, defaultMaxCalls),
		Concurrency:   cmp.Or(given.Concurrency, before.Concurrency, meta.Limits.Concurrency, defaultConcurrency()),
		StretchMs:     cmp.Or(given.StretchMs, before.StretchMs, int64(meta.Limits.StretchMs), defaultStretch.Milliseconds()),
		WallMs:        cmp.Or(given.WallMs, before.WallMs),
		GateTimeoutMs: cmp.Or(given.GateTimeoutMs, before.GateTimeoutMs),
		Budget:        cmp.Or(given.Budget, before.Budget),
		ReadOnly:      given.ReadOnly || before.ReadOnly,
		Simulated:     given.Simulated || before.Simulated,
		Tiers:         cmp.Or(given.Tiers, before.Tiers),

		LoopGuard:        cmp.Or(given.LoopGuard, before.LoopGuard),
		LoopGuardRepeats: cmp.Or(given.LoopGuardRepeats, before.LoopGuardRepeats),
		ContextWarning:   cmp.Or(given.ContextWarning, before.ContextWarning),
	}
	if err := guarded(given); err != nil {
		return s, err
	}
	for name, value := range map[string]int64{
		"maxCalls": int64(given.MaxCalls), "concurrency": int64(given.Concurrency), "stretchMs": given.StretchMs, "wallMs": given.WallMs,
		"gateTimeoutMs": given.GateTimeoutMs, "budget.tokens": given.Budget.Tokens, "budget.costMicroUSD": given.Budget.CostMicroUSD,
	} {
		if value < 0 {
			return s, fault.New(fault.OptionInvalid, fmt.Sprintf("the setting %s cannot be %d", name, value), "leave it out, or set it to 1 or more")
		}
	}
	if s.Budget.Tokens > 0 && s.Budget.CostMicroUSD > 0 {
		return s, fault.New(fault.OptionInvalid, "the budget is in tokens and in dollars", "choose one")
	}
	if s.Budget == (journal.Usage{}) && len(meta.Limits.Budget) > 0 {
		var err error
		if s.Budget, err = metaBudget(meta.Limits.Budget); err != nil {
			return s, err
		}
	}
	return s, nil
}

// metaBudget reads meta.limits.budget: a number of tokens, or a text as ParseBudget takes it.
func metaBudget(raw json.RawMessage) (journal.Usage, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return ParseBudget(text)
}

// ParseBudget reads a budget: "200000", "200k" or "1.5m" are tokens, "5usd" or "$5" dollars.
func ParseBudget(text string) (journal.Usage, error) {
	refuse := fault.New(fault.OptionInvalid, "the budget "+strconv.Quote(text)+" is neither tokens nor dollars", "write 200k (tokens) or 5usd")
	lower := strings.ToLower(strings.TrimSpace(text))
	number, isUSD := strings.CutSuffix(lower, "usd")
	if !isUSD {
		number, isUSD = strings.CutPrefix(lower, "$")
	}
	scale := 1.0
	if isUSD {
		scale = 1e6
	} else if n, ok := strings.CutSuffix(number, "k"); ok {
		number, scale = n, 1e3
	} else if n, ok := strings.CutSuffix(number, "m"); ok {
		number, scale = n, 1e6
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if amount := value * scale; err == nil && amount >= 1 && amount < math.MaxInt64/2 {
		if isUSD {
			return journal.Usage{CostMicroUSD: int64(math.Round(amount))}, nil
		}
		return journal.Usage{Tokens: int64(math.Round(amount))}, nil
	}
	return journal.Usage{}, refuse
}

// spent measures usage in the unit of the budget: dollars or tokens.
func spent(used, budget journal.Usage) float64 {
	if budget.CostMicroUSD > 0 {
		return float64(used.CostMicroUSD) / 1e6
	}
	return float64(used.Input + used.Output)
}

// total is the budget in its own unit; ok is false if there is none.
func total(budget journal.Usage) (value float64, ok bool) {
	if budget.CostMicroUSD > 0 {
		return float64(budget.CostMicroUSD) / 1e6, true
	}
	return float64(budget.Tokens), budget.Tokens > 0
}
