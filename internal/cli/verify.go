package cli

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

func newVerifyCommand(a *app) *cobra.Command {
	var file, key string
	cmd := &cobra.Command{
		Use:   "verify [RUN]",
		Short: "Prove a run's journal",
		Long: "Checks the chain of entries, every seal, the anchor, every checksum and every change of a gate's\n" +
			"state, and names each problem. It writes nothing. Exit code 7 if anything is wrong.\n\n" +
			"With --file it checks an export; --key is then the public key whose seals you trust, which a\n" +
			"verify of the run itself prints; your own if it is left out. A key that came with the export\n" +
			"would prove nothing.",
		Example: "  assent verify 01JD\n  assent verify --file run.ndjson --key 8f2c…",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if file == "" && key != "" {
				return misused("--key is for an export, and no --file names one", "assent verify --file EXPORT --key "+key)
			}
			if file != "" && len(args) > 0 {
				return misused("verify takes a run or --file, not both", "assent verify --help")
			}
			if file != "" {
				return a.verifyExport(file, key)
			}
			return a.verify(cmd.Context(), first(args))
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "verify this export instead of a run")
	cmd.Flags().StringVar(&key, "key", "", "the public key to trust, 64 hex digits; your own if it is left out")
	return cmd
}

func (a *app) verify(ctx context.Context, named string) error {
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.newest(ctx, store, named, "verify")
	if err != nil {
		return err
	}
	report, err := journal.Verify(ctx, store, id)
	if err != nil {
		return err
	}
	report.Judge(wrongProgram)
	return a.verdict(report, hex.EncodeToString(store.PublicKey()), store.Path(id), false)
}

// verifyExport holds an export against the key that was named, else against this user's own, if
// there is one.
func (a *app) verifyExport(file, key string) error {
	if key == "" {
		store, err := a.existing()
		if err != nil {
			return misused("an export proves nothing without the key that you trust, and you have none of your own here",
				"assent verify --file EXPORT --key HEX   # assent verify RUN prints the key, where the run is")
		}
		key = hex.EncodeToString(store.PublicKey())
		a.say("against your own key, " + key + "; --key names another")
	}
	trusted, err := publicKey(key)
	if err != nil {
		return err
	}
	in, err := a.openExport(file)
	if err != nil {
		return err
	}
	defer in.Close()
	report, err := journal.VerifyExport(in, trusted)
	if err != nil {
		return err
	}
	report.Judge(wrongProgram)
	return a.verdict(report, key, file, true)
}

// publicKey reads the value of --key.
func publicKey(text string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, misused("--key is not a public key of 64 hex digits", "assent verify RUN   # where the run is; it prints the key")
	}
	return key, nil
}

// openExport opens the file of an export.
func (a *app) openExport(file string) (*os.File, error) {
	in, err := regular.Open(a.path(file))
	if err != nil {
		return nil, fault.Wrap(err, fault.Usage, "the export cannot be read", "assent export RUN --output "+quoteCommand([]string{file})+"   # makes one, where the run is")
	}
	if info, err := in.Stat(); err != nil || info.Size() > journal.MaxExport {
		_ = in.Close() // it was only read
		return nil, fault.New(fault.JournalDamaged, fmt.Sprintf("%s has more than %d MiB, so it is no export", file, journal.MaxExport>>20), "verify the run itself, where it is")
	}
	return in, nil
}

// wrongProgram says what is wrong with a program of a run: what resume would refuse as damaged, a
// verify is to find. Sources of another version of the language, it cannot judge.
func wrongProgram(p journal.Program) error {
	if p.Language != vm.Language || p.Hash == "" && len(p.Sources) == 0 {
		return nil
	}
	sources := make([]vm.Source, len(p.Sources))
	for i, s := range p.Sources {
		sources[i] = vm.Source{Path: s.Path, Text: s.Text}
	}
	if vm.SourcesHash(p.Name, sources) != p.Hash {
		return errors.New("the sources of the program do not have the hash that stands beside them")
	}
	if made, err := vm.FromSources(p.Name, sources); err == nil && made.Hash() != p.Hash {
		return errors.New("the program has sources that are no part of it")
	}
	return nil
}

// verdictReport is a verdict, as --json prints it.
type verdictReport struct {
	Format   int    `json:"format"`
	Run      string `json:"run"`
	File     string `json:"file"`
	OK       bool   `json:"ok"`
	Exit     int    `json:"exit"`
	Entries  int    `json:"entries"`
	Head     string `json:"head"`
	Key      string `json:"key"`
	Proven   bool   `json:"proven"`
	Unproven string `json:"unproven,omitempty"`
	// State is what the entries end in.
	State string `json:"state,omitempty"`
	// Imported is whose seals the entries have that were imported.
	Imported *importedRow `json:"imported,omitempty"`
	// Unsealed is the first entry of an export that nobody's seal vouches for.
	Unsealed uint64 `json:"unsealed,omitempty"`
	// Cut says that an export may be cut: it does not end with the end of the run.
	Cut      bool         `json:"cut,omitempty"`
	Problems []problemRow `json:"problems"`
	// Remarks are no problems.
	Remarks []remarkRow  `json:"remarks,omitempty"`
	Gates   []provenGate `json:"gates"`
}

type problemRow struct {
	Code string `json:"code"`
	Seq  uint64 `json:"seq,omitempty"`
	What string `json:"what"`
}

type remarkRow struct {
	Seq  uint64 `json:"seq"`
	What string `json:"what"`
}

type provenGate struct {
	Gate     string      `json:"gate"`
	Key      string      `json:"key"`
	Kind     string      `json:"kind"`
	Checksum string      `json:"checksum"`
	State    string      `json:"state"`
	Decision rawText     `json:"decision,omitempty"`
	Who      journal.Who `json:"who"`
	// Revoked says who took the approval back.
	Revoked *withdrawnRow `json:"revoked,omitempty"`
}

// withdrawnRow is the end of an approval, as the journal proves it.
type withdrawnRow struct {
	Who    journal.Who `json:"who"`
	Reason string      `json:"reason,omitempty"`
}

// rawText is a text that is JSON already.
type rawText string

// MarshalJSON gives the text.
func (t rawText) MarshalJSON() ([]byte, error) { return []byte(t), nil }

// verdict prints what Verify found. A run without its anchor is whole and yet proves nothing.
func (a *app) verdict(r *journal.Report, key, file string, export bool) error {
	code := exitOK
	if !r.OK || !r.Proven && !export {
		code = exitDamaged
	}
	if a.json {
		o := verdictReport{
			Format: jsonFormat, Run: r.Run, File: file, OK: r.OK, Exit: code, Entries: r.Entries, Head: r.Head, Key: key,
			Proven: r.Proven, Unproven: r.Unproven, Problems: []problemRow{}, Gates: []provenGate{},
		}
		o.State, o.Imported = r.State, importedOf(r.Imported, r.ImportedSeq)
		o.Cut, o.Unsealed = export && !r.Ended, unsealed(r, export)
		for _, p := range r.Problems {
			o.Problems = append(o.Problems, problemRow(p))
		}
		for _, remark := range r.Remarks {
			o.Remarks = append(o.Remarks, remarkRow(remark))
		}
		for _, g := range r.Gates {
			row := provenGate{Gate: g.ID, Key: g.Key, Kind: g.Kind, Checksum: g.Checksum, State: string(g.State), Decision: rawText(g.Decision), Who: g.Who}
			if g.Revocation != nil {
				row.Revoked = &withdrawnRow{g.Revocation.Who, g.Revocation.Reason}
			}
			o.Gates = append(o.Gates, row)
		}
		if err := a.emit(o); err != nil {
			return err
		}
		return ends(code)
	}
	if err := a.print(verdictText(r, key, file, export)); err != nil {
		return err
	}
	switch {
	case !r.OK:
		a.next("assent explain " + r.Problems[0].Code + "   # says what can be done")
	case !r.Proven && !export:
		a.next("assent explain " + string(fault.JournalUnproven) + "   # says what can be done")
	}
	return ends(code)
}

func verdictText(r *journal.Report, key, file string, export bool) string {
	var b strings.Builder
	what := "run " + r.Run
	switch {
	case export && r.Run == "":
		what = file // it says of no run that it is its own
	case export:
		what = "export of " + what
	}
	switch {
	case !r.OK:
		fmt.Fprintf(&b, "%s: DAMAGED, %s\n", term.Escape(what), term.Plural(int64(len(r.Problems)), "problem", "problems"))
	case !r.Proven && !export:
		fmt.Fprintf(&b, "%s: whole, but UNPROVEN: nothing in it counts as an approval\n", term.Escape(what))
	case export && !r.Ended:
		fmt.Fprintf(&b, "%s: consistent, but it may be cut: it does not end with the end of the run\n", term.Escape(what))
	default: // of an export that is whole, state says at which end
		fmt.Fprintf(&b, "%s: OK\n", term.Escape(what))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "  %s: %s\n", term.Escape(p.Code), term.Escape(p.String()))
	}
	if !r.OK { // it is what to restore
		fmt.Fprintf(&b, "file     %s\n", term.Escape(file))
	}
	fmt.Fprintf(&b, "entries  %d\n", r.Entries)
	if r.Head != "" {
		fmt.Fprintf(&b, "head     %s\n", term.Escape(r.Head))
	}
	fmt.Fprintf(&b, "key      %s\n", term.Escape(key))
	if r.State != "" {
		fmt.Fprintf(&b, "state    %s\n", term.Escape(r.State))
	}
	if r.Imported != nil {
		fmt.Fprintf(&b, "imported at entry %d; the entries before it have the seals of key %s\n", r.ImportedSeq, term.Escape(r.Imported.Key))
	}
	if from := unsealed(r, export); from > 0 {
		fmt.Fprintf(&b, "unsealed from entry %d on: who wrote that, no seal says\n", from)
	}
	if r.Unproven != "" {
		fmt.Fprintf(&b, "note     %s\n", term.Escape(r.Unproven))
	}
	for _, remark := range r.Remarks {
		fmt.Fprintf(&b, "remark   entry %d: %s\n", remark.Seq, term.Escape(remark.What))
	}
	for _, g := range r.Gates {
		fmt.Fprintf(&b, "gate     %s  %s  %s\n", term.Escape(g.ID), term.Escape(g.Kind), stateText(g.State))
		if g.Kind == string(checkpoint.KindPlan) {
			fmt.Fprintf(&b, "         plan sha256 %s\n", term.Escape(g.Checksum))
		}
		if g.Decision != "" {
			fmt.Fprintf(&b, "         decision %s %s\n", term.Escape(short(g.Decision)), term.Escape(decidedBy(g)))
		}
		if r := g.Revocation; r != nil {
			fmt.Fprintf(&b, "         revoked by %s %s\n", term.Escape(whoText(r.Who)), term.Escape(short(r.Reason)))
		}
	}
	return b.String()
}

func decidedBy(g journal.ReportGate) string {
	if g.State == journal.Defaulted {
		return "(the default; nobody answered)"
	}
	return "by " + whoText(g.Who)
}

// importedRow is an import in JSON.
type importedRow struct {
	Seq       uint64 `json:"seq"`
	Key       string `json:"key"`
	Workspace string `json:"workspace"`
}

func importedOf(r *journal.RunImported, seq uint64) *importedRow {
	if r == nil {
		return nil
	}
	return &importedRow{seq, r.Key, r.Workspace}
}

// unsealed is the first entry of an export behind the last seal; 0 if there is none.
func unsealed(r *journal.Report, export bool) uint64 {
	if !export || uint64(r.Entries) <= r.Sealed {
		return 0
	}
	return r.Sealed + 1
}
