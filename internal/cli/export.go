package cli

import (
	"bufio"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/journal"
)

func newExportCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "export [RUN]",
		Short: "Print a run's journal, one entry a line",
		Long: "Writes the entries as they are stored, one JSON object a line, so that the chain can be checked\n" +
			"with any SHA-256. assent verify --file checks all of it.",
		Example: "  assent export 01JD > run.ndjson",
		Args:    atMostOne,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.export(cmd.Context(), first(args)) },
	}
}

func (a *app) export(ctx context.Context, named string) error {
	if terminal(a.Out) != nil {
		return misused("an export is bytes as they are stored, and not for a terminal", strings.TrimSpace("assent export "+named)+" > run.ndjson")
	}
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.newest(ctx, store, named, "export")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.Out)
	if err := journal.Export(ctx, store, id, out); err != nil {
		return err
	}
	return out.Flush()
}
