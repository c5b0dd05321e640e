package issuedelivery_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
)

// The form that the built-in workflow asks its planner for is the schema that plans have.
func TestWorkflowAsksForTheSchemaOfPlans(t *testing.T) {
	text, err := os.ReadFile("../workflows/builtin/issue-delivery.js")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\nconst tiers =")
	require.True(t, found)
	forms, _, found := strings.Cut(rest, "\nconst reportForm =")
	require.True(t, found)
	r := newPlanned(t).run("const tiers =" + forms + "\nreturn planForm")
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, string(plan.Schema()), string(r.Value))
}
