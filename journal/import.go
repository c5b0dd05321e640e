package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	bolt "go.etcd.io/bbolt"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// ImportOptions say how an export is taken in.
type ImportOptions struct {
	// Key is the public key whose seals are trusted; nil is the store's own.
	Key ed25519.PublicKey
	// Workspace is where the run belongs from here on; "" leaves it where it was.
	Workspace string
	// Program, if it is set, says what is wrong with a program of the run; see [Report.Judge].
	Program func(Program) error
}

// Imported is what an import did.
type Imported struct {
	ID string
	// Restored says that the run is back as it was; if not, a run.imported was written.
	Restored bool
}

// Import takes an export into the store. All of it is checked first, as [VerifyExport] does, and
// nothing is written if anything is wrong, or if the run is there already: RUN_EXISTS. The
// entries stay as they are, to the byte.
//
// If this user's own anchor says that the export is the newest state of the run, the run is back
// as it was. If the anchor is ahead of the export, that is JOURNAL_ROLLED_BACK, if it
// contradicts, JOURNAL_FORGED. In all other cases a sealed run.imported follows: the run's
// approvals have lapsed.
func Import(ctx context.Context, s *Store, r io.Reader, o ImportOptions) (done Imported, err error) {
	if o.Key == nil {
		o.Key = s.PublicKey()
	}
	if len(o.Key) != ed25519.PublicKeySize {
		return done, errors.New("journal: ImportOptions.Key is no Ed25519 public key")
	}
	raw, err := readExport(r)
	if err != nil {
		return done, err
	}
	report, state := verifyExport(raw, o.Key)
	if o.Program != nil {
		report.Judge(o.Program)
	}
	if err := report.Refusal(); err != nil {
		return done, err
	}
	in := &importing{s: s, id: state.ID, raw: raw, state: state, key: o.Key, workspace: cmp.Or(o.Workspace, state.Workspace)}
	if err := in.absent(ctx); err != nil {
		return done, err
	}
	lease, err := s.takeLease(in.id)
	if err != nil {
		return done, err
	}
	err = in.run(ctx)
	if err != nil && !exists(s.dbPath(in.id)) {
		return done, errors.Join(err, in.undo(), remove(s.lockPath(in.id)), lease.drop(s.leasePath(in.id)))
	}
	return Imported{ID: in.id, Restored: in.restored}, errors.Join(err, lease.release())
}

// importing is one import, under the run's lease.
type importing struct {
	s         *Store
	id        string
	raw       *rawEntries
	state     *State
	key       ed25519.PublicKey
	workspace string
	// restored says that nothing had to be added to the export.
	restored bool
	// before is the anchor's file before the import, nil if there was none; moved says that it
	// has been written to.
	before []byte
	moved  bool
}

// Refusal is the first problem as the error with which an import refuses; nil if there is none.
func (r *Report) Refusal() error {
	if len(r.Problems) == 0 {
		return nil
	}
	first := r.Problems[0]
	what := first.String()
	if more := len(r.Problems) - 1; more > 0 {
		what += fmt.Sprintf(" (and %d more)", more)
	}
	return fault.New(fault.Code(first.Code), "nothing was imported: "+what,
		"assent verify --file FILE --key HEX   # lists all that is wrong; the key is the one that assent verify prints where the run is")
}

func (in *importing) absent(ctx context.Context) error {
	there, err := in.s.present(ctx, in.id)
	if err != nil {
		return err
	}
	if there {
		return fault.New(fault.RunExists, "run "+in.id+" is in this store already", "assent show "+in.id)
	}
	return nil
}

func (in *importing) run(ctx context.Context) error {
	if err := in.absent(ctx); err != nil { // again, now that nobody else can import or create it
		return err
	}
	lock, err := openLock(in.id, in.s.lockPath(in.id), os.O_CREATE)
	if err != nil {
		return err
	}
	if err := lock.close(); err != nil {
		return err
	}
	now, err := in.anchored()
	if err != nil {
		return err
	}
	c := contents{entries: in.raw.entries, head: in.raw.head}
	var last *origin
	if found := origins(in.raw.entries); len(found) > 0 {
		last = &found[len(found)-1]
	}
	in.restored = now == anchor(in.raw.head) && in.key.Equal(in.s.PublicKey())
	if !in.restored {
		if last, err = in.imported(&c); err != nil {
			return err
		}
	}
	if last != nil {
		c.imported = in.s.importRecord(in.id, *last)
	}
	if _, err := in.s.writeNew(in.id, 0, func(db *bolt.DB) error {
		return db.Update(func(tx *bolt.Tx) error { return in.s.fillFile(tx, in.id, c) })
	}); err != nil {
		return err
	}
	// The anchor comes before the name: a journal that has no anchor proves nothing.
	if now != anchor(c.head) {
		if err := in.anchor(anchor(c.head)); err != nil {
			return err
		}
	}
	return in.s.nameNew(in.id, "rewrite")
}

// imported adds run.imported to the contents.
func (in *importing) imported(c *contents) (*origin, error) {
	e, err := in.s.anyEntry(in.state, Draft{Kind: KindRunImported, Data: RunImported{
		Key: hex.EncodeToString(in.key), Workspace: in.workspace, Version: in.s.o.Version, Owner: thisProcess(),
	}})
	if err != nil {
		return nil, err
	}
	if err := in.state.apply(e, e.Hash()); err != nil {
		return nil, err
	}
	c.entries = append(c.entries[:len(c.entries):len(c.entries)], e.Bytes())
	c.head = head{e.Seq, e.Hash()}
	return &origin{upTo: e.Seq - 1, key: in.key, hash: e.Prev}, nil
}

// anchored is what this user's anchor says of the run, which the export has to contain.
func (in *importing) anchored() (anchor, error) {
	now, err := in.readAnchor()
	if err != nil {
		return anchor{}, err
	}
	if now.seq == in.raw.head.seq+1 && in.interrupted(now) {
		if err := errors.Join(remove(in.s.anchorPath(in.id)), durable.SyncDir(in.s.anchorsDir())); err != nil {
			return anchor{}, err
		}
		in.before = nil
		return anchor{}, nil
	}
	switch {
	case now.seq > in.raw.head.seq:
		return now, fault.New(fault.JournalRollback,
			fmt.Sprintf("run %s: the export ends at entry %d, but entry %d had been written here", in.id, in.raw.head.seq, now.seq),
			"import a newer export; this one could take back a decision")
	case now.seq == 0:
		return now, nil
	}
	if stored := in.raw.entries[now.seq-1]; hashOfStored(stored) != now.hash {
		return now, forged(in.id, fmt.Sprintf("entry %d of the export is not the one that was written here", now.seq))
	}
	return now, nil
}

// hashOfStored is the hash of an entry that has proved to be one.
func hashOfStored(stored []byte) string {
	e, err := parseEntry(stored)
	if err != nil {
		return ""
	}
	return hashOf(e.Prev, stored)
}

func (in *importing) readAnchor() (anchor, error) {
	f, err := in.s.anchors(in.id)
	if err != nil {
		return anchor{}, err
	}
	pair, err := f.read()
	if f.file != nil {
		in.before = f.text
	}
	return pair.newest(), errors.Join(err, f.close())
}

// interrupted says that the anchor is the work of an import of these entries that did not come to
// its end.
func (in *importing) interrupted(now anchor) bool {
	entries := in.s.unnamed(in.id, now)
	if len(entries) != len(in.raw.entries)+1 {
		return false
	}
	for i, stored := range in.raw.entries {
		if !bytes.Equal(entries[i], stored) {
			return false
		}
	}
	return true
}

// unnamed gives the journal that an import was about to give its name, if that explains the
// anchor: it holds, and its last entry is the run.imported that the anchor is of. Else it is nil.
func (s *Store) unnamed(id string, now anchor) [][]byte {
	raw, err := s.readNew(id)
	if err != nil {
		return nil
	}
	raw.anchor = now
	state, _, err := raw.fold(id, s.PublicKey(), nil, strict)
	if err != nil || state.ImportedSeq != now.seq || raw.head != head(now) {
		return nil
	}
	return raw.entries
}

// readNew reads RUN.new. It is for whoever has the run's lease.
func (s *Store) readNew(id string) (*rawEntries, error) {
	db, err := openDatabase(id, s.newPath(id), readAll)
	if err != nil {
		return nil, err
	}
	raw := &rawEntries{}
	err = guard(id, func() error {
		return db.db.View(func(tx *bolt.Tx) error { return raw.read(tx, s, id, 0) })
	})
	return raw, db.end(err)
}

// anchor makes the run's anchor anew.
func (in *importing) anchor(a anchor) error {
	if err := in.s.at("import.anchor"); err != nil {
		return err
	}
	in.moved = true
	if err := durable.WriteFile(in.s.anchorPath(in.id), in.s.anchorText(in.id, a), 0o600); err != nil {
		return err
	}
	return in.s.at("import.anchored")
}

// undo leaves the anchor as it was, and nothing else. The file goes last: while it is there, what
// the anchor says can be explained.
func (in *importing) undo() error {
	path := in.s.anchorPath(in.id)
	switch {
	case !in.moved:
	case in.before == nil:
		if err := errors.Join(remove(path), durable.SyncDir(in.s.anchorsDir())); err != nil {
			return err
		}
	default:
		if err := durable.WriteFile(path, in.before, 0o600); err != nil {
			return err
		}
	}
	return remove(in.s.newPath(in.id))
}

// remove removes a file that may not be there.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
