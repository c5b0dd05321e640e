package journal_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Whatever is done to an export: it is refused and leaves nothing, or it is a journal that holds,
// proven, in which nothing is approved.
func TestImportOfAnythingApprovesNothing(t *testing.T) {
	ann, eve := open(t, newOptions(t)), open(t, newOptions(t))
	id := decided(t, ann)
	whole := exported(t, ann, id)
	ids := []string{id, decided(t, ann), decided(t, eve)}
	pool := strings.SplitAfter(whole+exported(t, ann, ids[1])+exported(t, eve, ids[2]), "\n")
	// eve imports ann's run, and hands that on.
	_, err := importInto(t, eve, whole, ann.PublicKey())
	require.NoError(t, err)
	pool = append(pool, strings.SplitAfter(exported(t, eve, id), "\n")...)
	taken := 0
	rapid.Check(t, func(r *rapid.T) {
		lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
		for range rapid.IntRange(0, 3).Draw(r, "edits") {
			at := rapid.IntRange(0, len(lines)-1).Draw(r, "at")
			switch rapid.IntRange(0, 4).Draw(r, "kind") {
			case 0: // cut
				lines = lines[:at+1]
			case 1: // put in a line of another export
				lines[at] = rapid.SampledFrom(pool).Draw(r, "line")
			case 2: // swap two
				other := rapid.IntRange(0, len(lines)-1).Draw(r, "other")
				lines[at], lines[other] = lines[other], lines[at]
			case 3: // change a byte
				if text := []byte(lines[at]); len(text) > 0 {
					text[rapid.IntRange(0, len(text)-1).Draw(r, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(r, "by"))
					lines[at] = string(text)
				}
			case 4: // go on with another export from here
				rest := rapid.IntRange(0, len(pool)-1).Draw(r, "from")
				lines = append(append([]string{}, lines[:at+1]...), pool[rest:]...)
			}
		}
		o := newOptions(t)
		bob := open(t, o)
		got, err := importInto(t, bob, strings.Join(lines, ""), ann.PublicKey())
		if err != nil {
			noRun(t, o)
			return
		}
		taken++
		require.Equal(r, id, got)
		require.True(r, verified(t, bob, got).Proven)
		for _, g := range stateOf(t, bob, got).Gates {
			require.NotEqual(r, journal.Approved, g.State)
		}
	})
	require.Positive(t, taken, "some of them are good")
}

// Of those that import the same run at once, one does; and nobody sees half of it.
func TestImportAtOnce(t *testing.T) {
	ann, o := open(t, newOptions(t)), newOptions(t)
	id := decided(t, ann)
	text := exported(t, ann, id)
	bob := open(t, o)
	var done sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		done.Go(func() {
			_, errs[i] = journal.Import(t.Context(), bob, strings.NewReader(text), journal.ImportOptions{Key: ann.PublicKey()})
		})
	}
	done.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.Contains(t, []fault.Code{fault.RunExists, fault.RunBusy}, fault.CodeOf(err), "%v", err)
	}
	require.Equal(t, 1, won)
	require.True(t, verified(t, bob, id).Proven)
}

// Pruning, importing and looking for leftovers of one run at once never leave half a run.
func TestPruneAndImportAtOnce(t *testing.T) {
	ann, o := open(t, newOptions(t)), newOptions(t)
	r := create(t, ann)
	_, err := journal.Append(t.Context(), r, finished(0))
	require.NoError(t, err)
	require.NoError(t, r.Close())
	id, text := r.ID(), exported(t, ann, r.ID())
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			s := open(t, o)
			for range 15 {
				_, err := journal.Import(t.Context(), s, strings.NewReader(text), journal.ImportOptions{Key: ann.PublicKey()})
				if err != nil {
					require.Contains(t, []fault.Code{fault.RunExists, fault.RunBusy}, fault.CodeOf(err), "%v", err)
				}
				if err := s.Prune(t.Context(), id); err != nil {
					require.Contains(t, []fault.Code{fault.RunUnknown, fault.RunBusy}, fault.CodeOf(err), "%v", err)
				}
				if _, err := s.RemoveLeftover(t.Context(), id, true); err != nil {
					require.Equal(t, fault.RunBusy, fault.CodeOf(err), "%v", err)
				}
			}
		})
	}
	done.Wait()
	s := open(t, o)
	_, err = journal.Import(t.Context(), s, strings.NewReader(text), journal.ImportOptions{Key: ann.PublicKey()})
	if err != nil {
		require.Equal(t, fault.RunExists, fault.CodeOf(err), "%v", err)
	}
	require.True(t, verified(t, s, id).Proven)
	left, err := s.Leftovers(t.Context())
	require.NoError(t, err)
	require.Empty(t, left)
}

// endless gives a line that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// counted counts what was read.
type counted struct {
	in io.Reader
	n  int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += n
	return n, err
}

// An export is read no further than an entry can be long, whoever reads it.
func TestExportWithoutAnEnd(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	whole := `{"seq":1,"prev":"` + strings.Repeat("0", 64) + `","at":"`
	for _, begin := range []string{"", "{", `{"seq":1,"prev":"`, whole} {
		read := &counted{in: io.MultiReader(strings.NewReader(begin), endless{})}
		report, err := journal.VerifyExport(read, s.PublicKey())
		require.NoError(t, err)
		require.Equal(t, string(fault.JournalDamaged), report.Problems[0].Code, "%v", report.Problems)
		if begin != whole {
			require.Less(t, read.n, 1<<20, "what begins like no entry is read no further")
		}
		_, err = journal.Import(t.Context(), s, io.MultiReader(strings.NewReader(begin), endless{}), journal.ImportOptions{})
		require.Equal(t, fault.JournalDamaged, fault.CodeOf(err), "%v", err)
	}
	noRun(t, o)
}

// What a killed import or pruning leaves in the folder of the anchors goes with the other leftovers,
// and what cannot be an anchor keeps nothing else from being found.
func TestLeftoversAmongTheAnchors(t *testing.T) {
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	require.NoError(t, r.Close())
	const gone, odd = "01M8PNVF9DVF27VBXN7R8A3QXB", "01M8PNVF9DVF27VBXN7R8A3QXC"
	anchors := filepath.Dir(s.AnchorPath(gone))
	for _, name := range []string{"." + gone + ".123.tmp", "." + r.ID() + ".4567.tmp", ".other.tmp", "." + gone + ".x"} {
		require.NoError(t, os.WriteFile(filepath.Join(anchors, name), []byte("x"), 0o600))
	}
	require.NoError(t, os.Mkdir(s.AnchorPath(odd), 0o700))
	left, err := s.Leftovers(t.Context())
	require.NoError(t, err)
	require.Len(t, left, 3)
	require.Equal(t, gone, left[0].Run)
	require.Equal(t, int64(1), left[0].Bytes)
	require.Equal(t, odd, left[1].Run)
	require.Equal(t, fault.NotAJournal, fault.CodeOf(left[1].Err))
	require.Equal(t, r.ID(), left[2].Run)
	require.True(t, left[2].Rewritten)
	for _, id := range []string{gone, r.ID()} {
		_, err := s.RemoveLeftover(t.Context(), id, false)
		require.NoError(t, err)
	}
	left, err = s.Leftovers(t.Context())
	require.NoError(t, err)
	require.Len(t, left, 1)
	names, err := filepath.Glob(filepath.Join(anchors, ".*"))
	require.NoError(t, err)
	require.Len(t, names, 2, "only what is ours is removed: %v", names)
	require.True(t, verified(t, s, r.ID()).Proven)
}
