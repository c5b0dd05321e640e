package cli

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

func newImportCommand(a *app) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take in a run that was exported elsewhere",
		Long: "Checks an export as verify --file does, with your own key or the one that you trust, and takes the\n" +
			"run into this workspace, where it can be verified, shown and resumed. What was approved in it has\n" +
			"lapsed and is asked again, unless this store knows that nothing came after it.",
		Example: "  assent import run.ndjson\n  assent import run.ndjson --key 8f2c…",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return misused(fmt.Sprintf("import takes one file, not %d", len(args)), "assent import FILE --key HEX")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.importRun(cmd.Context(), args[0], key) },
	}
	cmd.Flags().StringVar(&key, "key", "", "the public key to trust, 64 hex digits; your own if it is left out")
	return cmd
}

func (a *app) importRun(ctx context.Context, file, key string) error {
	// Whose word is trusted is for a person to say: what the export holds is answered for good.
	if err := refuseAgents(); err != nil {
		return err
	}
	missing, err := a.noStore()
	if err != nil {
		return err
	}
	var trusted ed25519.PublicKey
	if key != "" {
		if trusted, err = publicKey(key); err != nil {
			return err
		}
	} else if missing != "" {
		return fault.New(fault.Usage, "nothing was sealed here yet, so the export is of another key than yours",
			"assent import "+quoteCommand([]string{file})+" --key HEX   # as assent verify RUN prints it, where the run is")
	}
	in, err := a.openExport(file)
	if err != nil {
		return err
	}
	defer in.Close()
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	if missing != "" { // nothing is made for what is no export
		if err := wrongExport(in, trusted); err != nil {
			return aboutFile(err, file, key)
		}
	}
	store, err := a.store()
	if err != nil {
		return err
	}
	done, err := journal.Import(ctx, store, in, journal.ImportOptions{Key: trusted, Workspace: workspace, Program: wrongProgram})
	if err != nil {
		return aboutFile(err, file, key)
	}
	visit, err := store.Visit(ctx, done.ID)
	if err != nil {
		return err
	}
	defer visit.Close()
	return a.importedRun(visit.State(), done.Restored)
}

// wrongExport says why an export would be refused, and leaves it to be read again.
func wrongExport(in io.ReadSeeker, trusted ed25519.PublicKey) error {
	report, err := journal.VerifyExport(in, trusted)
	if err != nil {
		return err
	}
	report.Judge(wrongProgram)
	if err := report.Refusal(); err != nil {
		return err
	}
	_, err = in.Seek(0, io.SeekStart)
	return err
}

// importedRun says what came of an import.
func (a *app) importedRun(st *journal.State, restored bool) error {
	lapsed := []string{}
	for _, id := range st.GateOrder {
		if st.Gates[id].State == journal.Lapsed {
			lapsed = append(lapsed, id)
		}
	}
	at := a.standingOf(st, false)
	if a.json {
		return a.emit(struct {
			Format    int          `json:"format"`
			Run       string       `json:"run"`
			Title     string       `json:"title"`
			State     string       `json:"state"`
			Workspace string       `json:"workspace"`
			Agent     string       `json:"agent,omitempty"`
			Entries   uint64       `json:"entries"`
			Restored  bool         `json:"restored"`
			Imported  *importedRow `json:"imported,omitempty"`
			Lapsed    []string     `json:"lapsed"`
			Next      []string     `json:"next"`
		}{
			jsonFormat, st.ID, st.Started.Title, at.state, st.Workspace, st.Agent, st.Head, restored,
			importedOf(st.Imported, st.ImportedSeq), lapsed, commands(at.hints()),
		})
	}
	if restored {
		a.say(fmt.Sprintf("run %s is back as it was, in %s: this store knows that nothing came after it", st.ID, st.Workspace))
	} else {
		a.say(fmt.Sprintf("run %s is imported into %s; it is %s", st.ID, st.Workspace, at.state))
		if len(lapsed) > 0 {
			a.say(term.Plural(int64(len(lapsed)), "approval", "approvals") + " of it lapsed; a resume asks again: " + strings.Join(lapsed, ", "))
		}
		if st.Agent != "" {
			a.say("a resume starts the agent that the export names: " + st.Agent)
		}
	}
	if err := a.print(st.ID + "\n"); err != nil {
		return err
	}
	a.hints(append([]hint{{"assent show " + st.ID, "what it is, and what has been done"}}, at.hints()...))
	return nil
}

// aboutFile puts the file, and the key if one was given, into the hint of a refusal.
func aboutFile(err error, file, key string) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	refused := *e
	refused.Next = strings.Replace(refused.Next, "--file FILE", "--file "+quoteCommand([]string{file}), 1)
	if key != "" {
		refused.Next = strings.Replace(refused.Next, "--key HEX", "--key "+key, 1)
	}
	return &refused
}
