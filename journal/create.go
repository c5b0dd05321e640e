package journal

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/oklog/ulid/v2"
	bolt "go.etcd.io/bbolt"
)

// Create begins a new run: its id is new, and this process owns it. Owner, Version, Seed and
// Run of r are filled in where they are empty. The run is there once run.started is durable: a
// file of its own gets its name only then.
func (s *Store) Create(ctx context.Context, r RunStarted) (_ Run, err error) {
	stamp, err := ulid.New(ulid.Timestamp(s.now()), s.o.Random)
	if err != nil {
		return nil, fmt.Errorf("making a run id: %w", err)
	}
	id := stamp.String()
	if r, err = s.fill(id, r); err != nil {
		return nil, err
	}
	state := newState(id)
	e, err := s.entry(state, Draft{Kind: KindRunStarted, Data: r})
	if err != nil {
		return nil, err
	}
	if err := state.apply(e, e.Hash()); err != nil {
		return nil, err
	}
	lease, err := s.takeLease(id)
	if err != nil {
		return nil, err
	}
	at := s.ownPlace(id)
	if s.o.Shared {
		at = s.sharedPlace(id)
	}
	h := s.handleAt(at)
	h.state, h.known, h.anchored = state, 1, time.Now()
	h.chain = &chain{run: id, key: s.PublicKey(), head: 1, prev: e.Prev, hash: state.HeadHash}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close())
			if there, unsure := s.present(context.WithoutCancel(ctx), id); unsure == nil && !there {
				err = errors.Join(err, s.removeRest(id, lease))
			}
			err = errors.Join(err, lease.release())
		}
	}()
	if h.lock, err = s.lockOfNew(ctx, at); err != nil {
		return nil, err
	}
	if err := s.at("create.anchor"); err != nil {
		return nil, err
	}
	if h.anchor, err = s.newAnchor(at, anchor{1, state.HeadHash}); err != nil {
		return nil, err
	}
	if err := h.begin(e); err != nil {
		return nil, err
	}
	state.Proven = true
	return &owned{h: h, lease: lease, attempt: 1}, nil
}

// lockOfNew opens the lock of a run that is about to be there.
func (s *Store) lockOfNew(ctx context.Context, at place) (*fileLock, error) {
	if at.shared {
		return s.makeShared(ctx)
	}
	return openLock(at.run, at.lock, os.O_CREATE|os.O_EXCL)
}

// begin makes the first entry durable.
func (h *handle) begin(first Entry) error {
	if h.place.shared {
		return h.addToShared(first)
	}
	txid, err := h.store.makeFile(h.id, first, head{1, h.chain.hash})
	if err != nil {
		return err
	}
	h.seen.Store(txid)
	return nil
}

func (s *Store) fill(id string, r RunStarted) (RunStarted, error) {
	r.Run = id
	if r.Owner == (Process{}) {
		r.Owner = thisProcess()
	}
	if r.Version == "" {
		r.Version = s.o.Version
	}
	if r.Args == nil {
		r.Args = json.RawMessage("null")
	}
	if r.Seed == "" {
		var seed [32]byte
		if _, err := io.ReadFull(s.o.Random, seed[:]); err != nil {
			return r, fmt.Errorf("making a seed: %w", err)
		}
		r.Seed = hex.EncodeToString(seed[:])
	}
	return r, nil
}

// makeFile writes the file of a new run and then gives it its name.
func (s *Store) makeFile(id string, first Entry, at head) (txid uint64, err error) {
	return s.newFile(id, func(tx *bolt.Tx) error {
		return errors.Join(s.initialize(tx, id), putStored(tx, first.Seq, [][]byte{first.Bytes()}, s.headRecord(id, at)))
	})
}

// initialize makes the two buckets of a run.
func (s *Store) initialize(in interface {
	CreateBucket(name []byte) (*bolt.Bucket, error)
}, id string,
) error {
	info, err := in.CreateBucket(bucketInfo)
	if err != nil {
		return err
	}
	if _, err := in.CreateBucket(bucketEntries); err != nil {
		return err
	}
	return errors.Join(info.Put(keyFormat, fmt.Append(nil, formatVersion)), info.Put(keyRun, []byte(id)))
}

func validID(id string) bool {
	stamp, err := ulid.ParseStrict(id)
	return err == nil && stamp.String() == id
}
