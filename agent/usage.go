package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/seed-8d4a6081/assent/journal"
)

// usageGiven is what an agent says it used: tokens, and US dollars.
type usageGiven struct {
	Input  *float64 `json:"input" toml:"input"`
	Output *float64 `json:"output" toml:"output"`
	Cost   *float64 `json:"cost" toml:"cost"`
}

// parseUsage reads the usage of an answer; absent or null is none.
func parseUsage(text json.RawMessage) (journal.Usage, error) {
	if len(text) == 0 {
		return journal.Usage{}, nil
	}
	var given *usageGiven
	if err := json.Unmarshal(text, &given); err != nil {
		return journal.Usage{}, errors.New("usage is not an object of numbers: " + shorten(string(text), 80))
	}
	if given == nil {
		return journal.Usage{}, nil
	}
	return given.usage()
}

func (g usageGiven) usage() (journal.Usage, error) {
	return UsageOf([]float64{number(g.Input)}, []float64{number(g.Output)}, number(g.Cost))
}

// UsageOf is a usage by the parts that an agent counts its input and its output in, and by its cost in
// US dollars. A budget is held against it, and a number that is negative, or so large that a sum
// overflows, would give budget back: the error is that there is such a number, and nothing counts then.
func UsageOf(input, output []float64, cost float64) (journal.Usage, error) {
	in, err := tokens("input", input)
	if err != nil {
		return journal.Usage{}, err
	}
	out, err := tokens("output", output)
	if err != nil {
		return journal.Usage{}, err
	}
	if !(cost >= 0 && cost <= maxCost) {
		return journal.Usage{}, fmt.Errorf("usage.cost is %v, not an amount in US dollars", cost)
	}
	return journal.Usage{Input: in, Output: out, CostMicroUSD: int64(math.Round(cost * 1e6))}, nil
}

// tokens sums parts, each of which is a number of tokens by itself.
func tokens(name string, parts []float64) (int64, error) {
	var sum int64
	for _, n := range parts {
		if !(n >= 0 && n <= maxTokens) || n != math.Trunc(n) {
			return 0, fmt.Errorf("usage.%s is %v, not a number of tokens", name, n)
		}
		sum = plus(sum, int64(n))
	}
	return sum, nil
}

func number(given *float64) float64 {
	if given == nil {
		return 0
	}
	return *given
}

// AddUsage sums two usages. No sum is less than either.
func AddUsage(a, b journal.Usage) journal.Usage { return add(a, b) }

// add sums what attempts used.
func add(a, b journal.Usage) journal.Usage {
	return journal.Usage{
		Input: plus(a.Input, b.Input), Output: plus(a.Output, b.Output),
		Tokens: plus(a.Tokens, b.Tokens), CostMicroUSD: plus(a.CostMicroUSD, b.CostMicroUSD),
	}
}

// plus adds without overflow: a sum that wraps around would give budget back.
func plus(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
