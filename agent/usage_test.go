package agent_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

func TestUsageOf(t *testing.T) {
	used, err := agent.UsageOf([]float64{3, 4, 0}, []float64{5}, 0.0000016)
	require.NoError(t, err)
	require.Equal(t, journal.Usage{Input: 7, Output: 5, CostMicroUSD: 2}, used)
	used, err = agent.UsageOf(nil, nil, 0)
	require.NoError(t, err)
	require.Zero(t, used)
	for _, wrong := range []float64{-1, 0.5, 1 << 51, math.MaxInt64, 1e300, math.Inf(1), math.NaN()} {
		for _, parts := range [][2][]float64{{{wrong}, nil}, {nil, {wrong}}, {{1 << 50, wrong}, {1}}} {
			used, err = agent.UsageOf(parts[0], parts[1], 1)
			require.Error(t, err, "%v", wrong)
			require.Zero(t, used)
		}
	}
	for _, wrong := range []float64{-1e-9, 1e10, 1e300, math.Inf(1), math.NaN()} {
		_, err = agent.UsageOf([]float64{1}, nil, wrong)
		require.Error(t, err, "%v", wrong)
	}
}

func TestAddUsageNeverGivesBack(t *testing.T) {
	near := journal.Usage{Input: math.MaxInt64 - 1, Output: math.MaxInt64, Tokens: 1, CostMicroUSD: math.MaxInt64 - 5}
	sum := agent.AddUsage(near, journal.Usage{Input: 7, Output: 1, Tokens: 2, CostMicroUSD: 5})
	require.Equal(t, journal.Usage{Input: math.MaxInt64, Output: math.MaxInt64, Tokens: 3, CostMicroUSD: math.MaxInt64}, sum)
}
