package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// The pages of the shared file: those of the bucket of runs concern all of them, those below a
// run's bucket only that run.

// run checks what is read of one run in the shared file. A run that is not there is no damage.
func (w *walker) run(root uint64, id string) error {
	runs, depth, err := w.find(root, bucketRuns, 0)
	if err != nil || len(runs) < bucketHeader {
		return err
	}
	// The bucket of all runs stands in a page of its own as soon as there is one: what holds
	// buckets is never small enough for its parent's.
	below := binary.NativeEndian.Uint64(runs)
	if below == 0 {
		return nil
	}
	bucket, depth, err := w.find(below, []byte(id), depth+1)
	if err != nil || bucket == nil {
		return err
	}
	return w.bucket(root, bytes.Clone(bucket), depth)
}

// find looks for a bucket below a page, and checks the pages on the way to it. It returns the
// bucket's header, nil if it is not there, and the depth at which it stands.
func (w *walker) find(id uint64, name []byte, depth int) ([]byte, int, error) {
	if depth > maxDepth {
		return nil, depth, errors.New("the tree is too deep")
	}
	b, err := w.page(id, branchPage|leafPage, depth)
	if err != nil {
		return nil, depth, err
	}
	var found element
	_, err = w.each(id, b, func(e element) error {
		if c := bytes.Compare(e.key, name); c == 0 || c < 0 && e.branch {
			found = e
		}
		return nil
	})
	switch {
	case err != nil || found.key == nil:
		return nil, depth, err
	case found.branch:
		return w.find(found.child, name, depth+1)
	case found.flags&bucketFlag == 0:
		return nil, depth, fmt.Errorf("page %d has a value in a bucket's place", id)
	}
	return found.value, depth, nil
}

// outside is tree for the shared file, but for what is wrong inside of a run's bucket. A commit
// writes to no page that is in use, so the other runs are not hurt by it. level is that of
// buckets: 0 at the root, 1 in the bucket of runs.
func (w *walker) outside(id uint64, depth, level int) ([]byte, error) {
	if depth > maxDepth {
		return nil, errors.New("the tree is too deep")
	}
	b, err := w.page(id, branchPage|leafPage, depth)
	if err != nil {
		return nil, err
	}
	return w.each(id, b, func(e element) error {
		switch {
		case e.branch:
			below, err := w.outside(e.child, depth+1, level)
			if err == nil && !bytes.Equal(below, e.key) {
				err = fmt.Errorf("page %d is damaged", id)
			}
			return err
		case e.flags&bucketFlag == 0:
			return fmt.Errorf("page %d is damaged", id)
		case level == 1:
			_ = w.bucket(id, e.value, depth)
			return nil
		case bytes.Equal(e.key, bucketRuns) && len(e.value) >= bucketHeader:
			if root := binary.NativeEndian.Uint64(e.value); root != 0 {
				_, err := w.outside(root, depth+1, 1)
				return err
			}
		}
		return w.bucket(id, e.value, depth)
	})
}

var errForeign = errors.New("there is no bucket of runs")

// readRuns lists the keys of the bucket of all runs by plain reads.
func readRuns(file *os.File) ([]string, error) {
	w, m, err := newWalker(file)
	if err != nil {
		return nil, err
	}
	runs, depth, err := w.find(m.root, bucketRuns, 0)
	if err == nil && runs == nil {
		err = errForeign
	}
	if err != nil || len(runs) < bucketHeader {
		return nil, err
	}
	var ids []string
	var list func(id uint64, depth int) error
	list = func(id uint64, depth int) error {
		if depth > maxDepth {
			return errors.New("the tree is too deep")
		}
		b, err := w.page(id, branchPage|leafPage, depth)
		if err != nil {
			return err
		}
		_, err = w.each(id, b, func(e element) error {
			if e.branch {
				return list(e.child, depth+1)
			}
			ids = append(ids, string(e.key))
			return nil
		})
		return err
	}
	if below := binary.NativeEndian.Uint64(runs); below != 0 {
		err = list(below, depth+1)
	}
	return ids, err
}
