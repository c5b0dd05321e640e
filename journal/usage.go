package journal

import "sort"

// usageSums are what calls used together, ascending by the entry that each sum reaches to.
type usageSums []usageSum

type usageSum struct {
	seq   uint64
	total Usage
}

func (s usageSums) upTo(seq uint64) Usage {
	i := sort.Search(len(s), func(i int) bool { return s[i].seq > seq })
	if i == 0 {
		return Usage{}
	}
	return s[i-1].total
}

func (s usageSums) with(seq uint64, u Usage) usageSums {
	return append(s, usageSum{seq, s.upTo(seq).Plus(u)})
}

// used adds what the call that entry seq finished used. No usage is one that the agent did not tell.
func (st *State) used(seq uint64, phase string, u Usage) {
	if u == (Usage{}) {
		return
	}
	st.usage = st.usage.with(seq, u)
	st.phases[phase] = st.phases[phase].with(seq, u)
}

// UsageAt is what all calls finished up to seq used, repeated ones included.
func (st *State) UsageAt(seq uint64) Usage { return st.usage.upTo(seq) }

// PhaseUsage is the part of UsageAt that calls of the phase title used; "" is of calls that have
// no phase. A call that was repeated in another phase counts in both, each time with what it used
// there: the parts of all phases are together UsageAt.
func (st *State) PhaseUsage(title string, upTo uint64) Usage { return st.phases[title].upTo(upTo) }

// Plus adds two usages, field by field.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output,
		Tokens: u.Tokens + v.Tokens, CostMicroUSD: u.CostMicroUSD + v.CostMicroUSD,
	}
}
