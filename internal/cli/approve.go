package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

func newApproveCommand(a *app) *cobra.Command {
	var f answerFlags
	cmd := &cobra.Command{
		Use:   "approve [RUN] --checksum SHA256",
		Short: "Approve a plan that waits",
		Long: "Records your yes to the plan with this checksum, and to no other. The checksum is the one that\n" +
			"assent review shows, in full: the SHA-256 of what assent show --raw prints.\n\n" +
			"With the yes you say how the work under this plan is to be done: in which permission mode, and, if\n" +
			"you like, by which model and with which effort. That holds for the agents that the script sends out\n" +
			"under this approval, and for nothing else. An agent that does not have what you chose does nothing.\n\n" +
			"It counts as the yes of this user of the operating system, and is refused below an agent.",
		Example: "  assent approve 01JD --gate 5zk3qa-1 --checksum 4f0a…\n" +
			"  assent approve 01JD --checksum 4f0a… --mode accept-edits --model big",
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.checksum == "" {
				return misused("approve needs the checksum of what you approve", strings.TrimSpace("assent review "+first(args)))
			}
			if !slices.Contains(checkpoint.Modes, f.mode) {
				return misused(fmt.Sprintf("--mode is one of %s, not %q", strings.Join(checkpoint.Modes, ", "), f.mode), "assent approve --help")
			}
			for _, named := range []struct{ what, name string }{{"model", f.model}, {"effort", f.effort}} {
				if !cmd.Flags().Changed(named.what) {
					continue
				}
				if err := checkpoint.CheckName(named.what, named.name); err != nil {
					return misused(problemOf(err).What, "assent approve --help")
				}
			}
			return a.respond(cmd.Context(), first(args), "approve", f, func(run string, g *journal.Gate) (json.RawMessage, error) {
				return json.RawMessage("true"), plansOnly(run, g)
			})
		},
	}
	cmd.Flags().StringVar(&f.checksum, "checksum", "", "the plan's whole SHA-256, as it was shown")
	cmd.Flags().StringVar(&f.mode, "mode", checkpoint.ModeAsk, "the permission mode to approve with: ask, accept-edits or auto")
	cmd.Flags().StringVar(&f.model, "model", "", "the model for the work under this plan; it wins over the script's")
	cmd.Flags().StringVar(&f.effort, "effort", "", "the effort for the work under this plan; it wins over the script's")
	f.register(cmd)
	return cmd
}
