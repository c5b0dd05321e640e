package cli

import (
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// usageRow is what agents used, in JSON. What an agent did not tell is null: it is not known, which is
// not the same as 0.
type usageRow struct {
	Input        *int64 `json:"input"`
	Output       *int64 `json:"output"`
	CostMicroUSD *int64 `json:"costMicroUSD"`
}

// usageOf is a usage of which tokens, and cost, are known.
func usageOf(u journal.Usage, tokens, cost bool) usageRow {
	var row usageRow
	if tokens {
		row.Input, row.Output = &u.Input, &u.Output
	}
	if cost {
		row.CostMicroUSD = &u.CostMicroUSD
	}
	return row
}

// usageOfCall is what an answered call used. A call that asked no agent used nothing, and that is known.
func usageOfCall(c journal.Call, u journal.Usage, failure *journal.Failure) usageRow {
	asked := journal.Asked(c, failure)
	return usageOf(u, !asked || u.Input+u.Output > 0, !asked || u.CostMicroUSD > 0)
}

// usageOfTotal is a sum as far as it is known.
func usageOfTotal(t journal.PhaseTotal) usageRow {
	return usageOf(t.Usage, t.Agents == 0 || t.TokensUnknown < t.Agents, t.Agents == 0 || t.CostUnknown < t.Agents)
}

// usageOfRun is that of all calls of a run.
func usageOfRun(st *journal.State) usageRow { return usageOfTotal(journal.Total(st.Phases())) }

// usageText is what is known of a usage, for people; "" if nothing is.
func usageText(u journal.Usage) string {
	var parts []string
	if u.Input+u.Output > 0 {
		parts = append(parts, term.Tokens(u.Input+u.Output)+" tokens")
	}
	if u.CostMicroUSD > 0 {
		parts = append(parts, term.Money(u.CostMicroUSD))
	}
	return strings.Join(parts, ", ")
}

// usedText is what a run's agents used until now, for whoever decides how it goes on: "3 agents, 41k
// tokens, $0.12". It is "" where no agent has told anything.
func usedText(t journal.PhaseTotal) string {
	used := usageText(t.Usage)
	if used == "" {
		return ""
	}
	text := term.Plural(int64(t.Agents), "agent", "agents") + ", " + used
	var unknown []string
	if t.TokensUnknown > 0 {
		unknown = append(unknown, term.Count(int64(t.TokensUnknown))+" told no tokens")
	}
	if t.CostUnknown > 0 && t.Usage.CostMicroUSD > 0 {
		unknown = append(unknown, term.Count(int64(t.CostUnknown))+" told no cost")
	}
	if len(unknown) > 0 {
		text += " (" + strings.Join(unknown, ", ") + ")"
	}
	return text
}

// text is a usage for people that says what is unknown; "" of a call that asked no agent.
func (u usageRow) text() string {
	sum := journal.Usage{}
	if u.Input != nil {
		sum.Input, sum.Output = *u.Input, *u.Output
	}
	if u.CostMicroUSD != nil {
		sum.CostMicroUSD = *u.CostMicroUSD
	}
	if text := usageText(sum); text != "" || u.Input != nil {
		return text
	}
	return "unknown (the agent told none)"
}

// usageOfRunText is what a run used, with the calls of which that is not known.
func usageOfRunText(st *journal.State) string {
	total := journal.Total(st.Phases())
	text := usageOfTotal(total).text()
	if n := total.TokensUnknown; n > 0 && n < total.Agents {
		text += ", and what " + term.Plural(int64(n), "call", "calls") + " used is unknown"
	}
	return text
}
