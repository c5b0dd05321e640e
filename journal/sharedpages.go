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
	bucket, at, err := w.find(below, []byte(id), depth+1)
	switch {
	case err != nil:
		return err
	case bucket == nil:
		w.seen = nil // find has been here
		return w.misnamed(below, id, depth+1)
	}
	return w.bucket(root, bytes.Clone(bucket), at)
}

// misnamed looks for a run that has another name than it says itself: then the name is damaged.
func (w *walker) misnamed(runs uint64, id string, depth int) error {
	return w.eachRun(runs, depth, func(name, bucket []byte) error {
		if len(bucket) < bucketHeader {
			return nil
		}
		root := binary.NativeEndian.Uint64(bucket)
		// What cannot be read is the other run's damage.
		if b, err := w.page(root, branchPage|leafPage, maxDepth); err == nil && bytes.Contains(b, []byte(id)) {
			return fmt.Errorf("its name is damaged: it stands there as %.40q", name)
		}
		return nil
	})
}

// eachRun calls f for what stands in the bucket of runs, below one of its pages.
func (w *walker) eachRun(id uint64, depth int, f func(name, bucket []byte) error) error {
	if depth > maxDepth {
		return errors.New("the tree is too deep")
	}
	b, err := w.page(id, branchPage|leafPage, depth)
	if err != nil {
		return err
	}
	_, err = w.each(id, b, func(e element) error {
		if e.branch {
			return w.eachRun(e.child, depth+1, f)
		}
		return f(e.key, e.value)
	})
	return err
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

// inside walks a run's bucket and passes over what is wrong with it, but for a page that is not its
// alone: if the free list names it, the next commit writes over it.
func (w *walker) inside(id uint64, value []byte, depth int) error {
	before := w.mark
	defer func() { w.mark = before }()
	w.marks++
	w.mark = w.marks
	if err := w.bucket(id, value, depth); errors.Is(err, errOfTwo) {
		return err
	}
	return nil
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
			if w.common {
				return nil
			}
			return w.inside(id, e.value, depth)
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
	if below := binary.NativeEndian.Uint64(runs); below != 0 {
		err = w.eachRun(below, depth+1, func(name, _ []byte) error {
			ids = append(ids, string(name))
			return nil
		})
	}
	return ids, err
}
