package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func newExportCommand(a *app) *cobra.Command {
	var output string
	var markdown bool
	cmd := &cobra.Command{
		Use:   "export [RUN]",
		Short: "Print a run's journal, one entry a line, or a report",
		Long: "Writes the entries as they are stored, one JSON object a line, so that the chain can be checked\n" +
			"with any SHA-256: assent verify --file checks all of it, assent import takes it in elsewhere.\n" +
			"With --markdown it writes a report for people instead.",
		Example: "  assent export 01JD > run.ndjson\n  assent export 01JD --markdown --output run.md",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.export(cmd.Context(), first(args), output, markdown)
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "write to this file, which must not be there yet")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "write a report for people, as Markdown")
	return cmd
}

func (a *app) export(ctx context.Context, named, output string, markdown bool) error {
	if output == "" && markdown && a.json {
		return misused("a report is for people: --markdown and --json go together only with --output", strings.TrimSpace("assent export "+named)+" --markdown --json --output run.md")
	}
	if output == "" && !markdown && terminal(a.Out) != nil {
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
	if output == "" {
		return a.exportTo(ctx, store, id, markdown, a.Out)
	}
	var text bytes.Buffer
	if err := a.exportTo(ctx, store, id, markdown, &text); err != nil {
		return err
	}
	path := a.path(output)
	if err := durable.CreateFile(path, text.Bytes(), 0o600); errors.Is(err, fs.ErrExist) {
		return fault.New(fault.Usage, path+" is there already, and is left as it is", "name another file with --output")
	} else if err != nil {
		return fault.Wrap(err, fault.Usage, "the export cannot be written", "name a new file, in a folder that is there and that you may write to, with --output")
	}
	if a.json {
		return a.emit(struct {
			Format int    `json:"format"`
			Run    string `json:"run"`
			File   string `json:"file"`
			Bytes  int    `json:"bytes"`
		}{jsonFormat, id, path, text.Len()})
	}
	a.say(fmt.Sprintf("wrote %s (%s)", path, bytesText(int64(text.Len()))))
	return nil
}

// exportTo writes a run in one of the two forms.
func (a *app) exportTo(ctx context.Context, store *journal.Store, id string, markdown bool, out io.Writer) error {
	if !markdown {
		return journal.Export(ctx, store, id, out)
	}
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return err
	}
	defer visit.Close()
	entries, err := journal.Entries(ctx, store, id)
	if err != nil {
		return err
	}
	st := visit.State()
	// What came between the two readings belongs to the next report.
	entries = entries[:min(uint64(len(entries)), st.Head)]
	_, owned := visit.Owner()
	text, err := markdownOf(st, entries, owned, store.PublicKey())
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
