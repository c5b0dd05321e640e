package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/journal"
)

func newRejectCommand(a *app) *cobra.Command {
	var f answerFlags
	var changes string
	cmd := &cobra.Command{
		Use:     "reject [RUN]",
		Short:   "Reject a plan that waits, or ask for changes",
		Long:    "Records your no to a plan. With --changes it is a request for changes, which the script gets as text.",
		Example: "  assent reject 01JD\n  assent reject 01JD --changes 'Split step 3, and keep the old name'",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			decision := json.RawMessage("false")
			if cmd.Flags().Changed("changes") {
				if changes == "" {
					return misused("--changes is empty", "assent reject --changes 'WHAT SHOULD CHANGE'   # without --changes it rejects the plan")
				}
				decision = jsonText(changes)
			}
			return a.respond(cmd.Context(), first(args), "reject", f, func(run string, g *journal.Gate) (json.RawMessage, error) {
				return decision, plansOnly(run, g)
			})
		},
	}
	cmd.Flags().StringVar(&f.checksum, "checksum", "", "the plan's whole SHA-256, to be sure which plan it is")
	cmd.Flags().StringVar(&changes, "changes", "", "what should change")
	f.register(cmd)
	return cmd
}
