package cli

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

func newVerifyCommand(a *app) *cobra.Command {
	var file, key string
	cmd := &cobra.Command{
		Use:   "verify [RUN]",
		Short: "Prove a run's journal",
		Long: "Checks the chain of entries, every seal, the anchor, every checksum and every change of a gate's\n" +
			"state, and names each problem. It writes nothing. Exit code 7 if anything is wrong.\n\n" +
			"With --file it checks an export; --key is then the public key whose seals you trust, which a\n" +
			"verify of the run itself prints. A key that came with the export would prove nothing.",
		Example: "  assent verify 01JD\n  assent verify --file run.ndjson --key 8f2c…",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (file == "") != (key == "") {
				return misused("--file and --key go together: an export proves nothing without the key that you trust",
					"assent verify --file EXPORT --key HEX   # assent verify RUN prints the key, where the run is")
			}
			if file != "" && len(args) > 0 {
				return misused("verify takes a run or --file, not both", "")
			}
			if file != "" {
				return a.verifyExport(file, key)
			}
			return a.verify(cmd.Context(), first(args))
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "verify this export instead of a run")
	cmd.Flags().StringVar(&key, "key", "", "the public key to trust, 64 hex digits")
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
	return a.verdict(report, hex.EncodeToString(store.PublicKey()), nil)
}

// maxExport is the largest export that is verified: all of it is held in memory.
const maxExport = 1 << 30

func (a *app) verifyExport(file, key string) error {
	trusted, err := hex.DecodeString(key)
	if err != nil || len(trusted) != ed25519.PublicKeySize {
		return misused("--key is not a public key of 64 hex digits", "assent verify RUN   # where the run is; it prints the key")
	}
	in, err := regular.Open(a.path(file))
	if err != nil {
		return fault.Wrap(err, fault.Usage, "the export cannot be read", "")
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || info.Size() > maxExport {
		return fault.New(fault.Usage, fmt.Sprintf("%s has more than %d MiB", file, maxExport>>20), "verify the run itself, where it is")
	}
	last := &lastLine{}
	report, err := journal.VerifyExport(io.TeeReader(io.LimitReader(in, maxExport), last), trusted)
	if err != nil {
		return err
	}
	return a.verdict(report, key, &export{cut: !last.ends()})
}

// verdictReport is a verdict, as --json prints it.
type verdictReport struct {
	Format   int    `json:"format"`
	Run      string `json:"run"`
	OK       bool   `json:"ok"`
	Exit     int    `json:"exit"`
	Entries  int    `json:"entries"`
	Head     string `json:"head"`
	Key      string `json:"key"`
	Proven   bool   `json:"proven"`
	Unproven string `json:"unproven,omitempty"`
	// Cut says that an export may be cut: it does not end with the end of the run.
	Cut      bool         `json:"cut,omitempty"`
	Problems []problemRow `json:"problems"`
	Gates    []provenGate `json:"gates"`
}

type problemRow struct {
	Code string `json:"code"`
	Seq  uint64 `json:"seq,omitempty"`
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
}

// rawText is a text that is JSON already.
type rawText string

// MarshalJSON gives the text.
func (t rawText) MarshalJSON() ([]byte, error) { return []byte(t), nil }

// verdict prints what Verify found. A run without its anchor is whole and yet proves nothing.
func (a *app) verdict(r *journal.Report, key string, e *export) error {
	code := exitOK
	if !r.OK || !r.Proven && e == nil {
		code = exitDamaged
	}
	if a.json {
		o := verdictReport{
			Format: jsonFormat, Run: r.Run, OK: r.OK, Exit: code, Entries: r.Entries, Head: r.Head, Key: key,
			Proven: r.Proven, Unproven: r.Unproven, Problems: []problemRow{}, Gates: []provenGate{},
		}
		o.Cut = e != nil && e.cut
		for _, p := range r.Problems {
			o.Problems = append(o.Problems, problemRow(p))
		}
		for _, g := range r.Gates {
			o.Gates = append(o.Gates, provenGate{g.ID, g.Key, g.Kind, g.Checksum, string(g.State), rawText(g.Decision), g.Who})
		}
		if err := a.emit(o); err != nil {
			return err
		}
		return ends(code)
	}
	if err := a.print(verdictText(r, key, e)); err != nil {
		return err
	}
	return ends(code)
}

func verdictText(r *journal.Report, key string, e *export) string {
	var b strings.Builder
	what := "run " + r.Run
	if e != nil {
		what = "export of " + what
	}
	switch {
	case !r.OK:
		fmt.Fprintf(&b, "%s: DAMAGED, %s\n", term.Escape(what), term.Plural(int64(len(r.Problems)), "problem", "problems"))
	case !r.Proven && e == nil:
		fmt.Fprintf(&b, "%s: whole, but UNPROVEN: nothing in it counts as an approval\n", term.Escape(what))
	case e != nil && e.cut:
		fmt.Fprintf(&b, "%s: consistent, but it may be cut: it does not end with the end of the run\n", term.Escape(what))
	default:
		fmt.Fprintf(&b, "%s: OK\n", term.Escape(what))
	}
	for _, p := range r.Problems {
		place := ""
		if p.Seq > 0 {
			place = fmt.Sprintf("entry %d: ", p.Seq)
		}
		fmt.Fprintf(&b, "  %s: %s%s\n", p.Code, place, term.Escape(p.What))
	}
	fmt.Fprintf(&b, "entries  %d\nhead     %s\nkey      %s\n", r.Entries, term.Escape(r.Head), key)
	if r.Unproven != "" {
		fmt.Fprintf(&b, "note     %s\n", term.Escape(r.Unproven))
	}
	for _, g := range r.Gates {
		fmt.Fprintf(&b, "gate     %s  %s  %s\n", term.Escape(g.ID), term.Escape(g.Kind), stateText(g.State))
		if g.Kind == string(checkpoint.KindPlan) {
			fmt.Fprintf(&b, "         plan sha256 %s\n", term.Escape(g.Checksum))
		}
		if g.Decision != "" {
			fmt.Fprintf(&b, "         decision %s %s\n", term.Escape(short(g.Decision)), term.Escape(decidedBy(g)))
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
