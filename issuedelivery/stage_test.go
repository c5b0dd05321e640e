package issuedelivery_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// Which stage comes after which, as the pipeline is described; everything else is invalid.
var after = map[string]string{
	"":             "preflight stopped failed",
	"preflight":    "preflight scout plan stopped failed",
	"scout":        "scout thinker stopped failed",
	"thinker":      "thinker plan stopped failed",
	"plan":         "plan thinker approval stopped failed",
	"approval":     "approval thinker workers checks integration repair done stopped failed",
	"workers":      "workers approval checks integration repair stopped failed",
	"checks":       "checks workers verifier pull-request repair stopped failed",
	"verifier":     "verifier workers pull-request repair stopped failed",
	"integration":  "integration approval checks repair stopped failed",
	"pull-request": "pull-request finalization stopped failed",
	"finalization": "finalization repair done stopped failed",
	"repair":       "repair approval integration stopped failed",
	"done":         "",
	"stopped":      "",
	"failed":       "",
}

// Every pair of stages is a transition or is refused.
func TestStageTransitions(t *testing.T) {
	all := append([]issuedelivery.Stage{issuedelivery.StageUnbegun}, issuedelivery.Stages()...)
	require.Len(t, all, len(after))
	for _, from := range all {
		valid, known := after[string(from)]
		require.True(t, known, from)
		for _, to := range append(all, "elsewhere") {
			got, err := from.To(to)
			if to != "" && strings.Contains(" "+valid+" ", " "+string(to)+" ") {
				require.NoError(t, err)
				require.Equal(t, to, got)
				continue
			}
			require.True(t, fault.Is(err, fault.DeliveryStagesInvalid), "%q to %q", from, to)
			require.Equal(t, from, got, "it stays where it is")
		}
	}
}
