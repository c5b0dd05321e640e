package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt trusts its file: a page number that points back up the tree makes it loop until
// memory is gone, and a free list that names a live page makes the next commit write over it.
// So a file is walked page by page, with plain reads, before bbolt gets to see it.

const (
	pageHeader  = 16
	elementSize = 16
	metaSize    = 64
	// bucketHeader stands before what a small bucket holds: its root page, if it has one, and a
	// counter.
	bucketHeader = 16

	branchPage   = 0x01
	leafPage     = 0x02
	metaPage     = 0x04
	freelistPage = 0x10
	bucketFlag   = 0x01

	boltMagic   = 0xED0CDAED
	boltVersion = 2
	maxDepth    = 32
)

// meta is one of the two pages that say where everything else is.
type meta struct {
	pageSize             uint32
	root, freelist, pgid uint64
	txid                 uint64
}

var (
	errNotBolt = errors.New("not a bbolt file")
	errOfTwo   = errors.New("it is in use, and something else uses it or calls it free")
)

// parseMeta reads a meta page's content behind its header.
func parseMeta(b []byte) (meta, error) {
	n := binary.NativeEndian
	if n.Uint32(b) != boltMagic || n.Uint32(b[4:]) != boltVersion {
		return meta{}, errNotBolt
	}
	h := fnv.New64a()
	h.Write(b[:metaSize-8])
	if h.Sum64() != n.Uint64(b[metaSize-8:]) {
		return meta{}, errors.New("a meta page is damaged")
	}
	return meta{
		pageSize: n.Uint32(b[8:]), root: n.Uint64(b[16:]), freelist: n.Uint64(b[32:]),
		pgid: n.Uint64(b[40:]), txid: n.Uint64(b[48:]),
	}, nil
}

// readMeta finds the newest valid meta page, as bbolt does.
func readMeta(r io.ReaderAt) (meta, error) {
	n := binary.NativeEndian
	var newest meta
	var first error
	looksLike := false
	// The second meta page stands one page in, whatever a page is on the machine that wrote it.
	places := []int64{0, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16}
	for len(places) > 0 {
		at := places[0]
		places = places[1:]
		var b [pageHeader + metaSize]byte
		if _, err := r.ReadAt(b[:], at); err != nil {
			break
		}
		m, err := parseMeta(b[pageHeader:])
		if err == nil && at == 0 {
			places = []int64{int64(m.pageSize)}
		}
		if err == nil && (at == 0 || at == int64(m.pageSize)) && m.txid >= newest.txid {
			newest = m
		}
		// One damaged word must not turn a journal into something that never was one.
		looksLike = looksLike || n.Uint32(b[pageHeader:]) == boltMagic || n.Uint64(b[:]) <= 1 && n.Uint16(b[8:]) == metaPage
		if first == nil {
			first = err
		}
	}
	switch {
	case newest.pageSize != 0:
		return newest, nil
	case looksLike && first != nil:
		return meta{}, errors.New("both meta pages are damaged")
	}
	return meta{}, errNotBolt
}

// newestTx is a hint, read without any lock, of the last commit's number; 0 if it cannot be
// told.
func newestTx(r io.ReaderAt) uint64 {
	m, err := readMeta(r)
	if err != nil {
		return 0
	}
	return m.txid
}

// walker checks the pages of a file.
type walker struct {
	r    io.ReaderAt
	size uint64 // of a page
	n    uint64 // of pages in use
	// seen says of each page whose it is: 0 is nobody's, mark is that of what is being walked.
	seen        []uint32
	mark, marks uint32
	// common says that what is inside of a run's bucket is passed over.
	common bool
	// bufs are the pages being looked at, one for each level of the tree.
	bufs [maxDepth + 1][]byte
}

// checkPages says what is wrong with a bbolt file, if anything is: only with its size, or,
// walking, with any page that is in use; with a run named, with those that lead to the run in the
// shared file, and its own.
func checkPages(file *os.File, a access) error {
	w, m, err := newWalker(file)
	if err != nil || !a.walk {
		return err
	}
	w.common = a.common
	if err := w.freelist(m.freelist); err != nil {
		return err
	}
	switch {
	case a.run != "":
		return w.run(m.root, a.run)
	case a.shared:
		_, err = w.outside(m.root, 0, 0)
	default:
		_, err = w.tree(m.root, 0)
	}
	return err
}

// newWalker checks the size of a file.
func newWalker(file *os.File) (*walker, meta, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, meta{}, err
	}
	m, err := readMeta(file)
	if err != nil {
		return nil, m, err
	}
	w := &walker{r: file, mark: 1, marks: 1, size: uint64(m.pageSize), n: m.pgid}
	length := info.Size()
	switch {
	case w.size < 1<<10 || w.size > 1<<16 || w.size&(w.size-1) != 0:
		return nil, m, fmt.Errorf("a page of %d bytes", w.size)
	case w.n > uint64(length)/w.size:
		return nil, m, fmt.Errorf("cut off: %d pages are in use, %d are there", w.n, uint64(length)/w.size)
	}
	return w, m, nil
}

// page reads one page with all that overflows from it, and marks it as used.
func (w *walker) page(id uint64, flags uint16, level int) ([]byte, error) {
	if id < 2 || id >= w.n {
		return nil, fmt.Errorf("page %d is outside of the file", id)
	}
	var head [pageHeader]byte
	if _, err := w.r.ReadAt(head[:], int64(id*w.size)); err != nil {
		return nil, err
	}
	n := binary.NativeEndian
	more := uint64(n.Uint32(head[12:]))
	if w.seen == nil {
		w.seen = make([]uint32, w.n)
	}
	if n.Uint64(head[:]) != id || n.Uint16(head[8:])&flags == 0 || n.Uint16(head[8:])&^flags != 0 || id+more >= w.n {
		return nil, fmt.Errorf("page %d is damaged", id)
	}
	for i := id; i <= id+more; i++ {
		switch w.seen[i] {
		case 0:
			w.seen[i] = w.mark
		case w.mark:
			return nil, fmt.Errorf("page %d is used twice", i)
		default:
			return nil, fmt.Errorf("page %d: %w", i, errOfTwo)
		}
	}
	if size := (more + 1) * w.size; uint64(cap(w.bufs[level])) < size {
		w.bufs[level] = make([]byte, size)
	}
	b := w.bufs[level][:(more+1)*w.size]
	_, err := w.r.ReadAt(b, int64(id*w.size))
	return b, err
}

func (w *walker) freelist(id uint64) error {
	b, err := w.page(id, freelistPage, 0)
	if err != nil {
		return err
	}
	n := binary.NativeEndian
	ids, count := b[pageHeader:], uint64(n.Uint16(b[10:]))
	if count == 0xFFFF {
		count, ids = n.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids))/8 {
		return errors.New("the free list is damaged")
	}
	for i := range count {
		free := n.Uint64(ids[i*8:])
		if free < 2 || free >= w.n || w.seen[free] != 0 {
			return errors.New("the free list names a page that is not free")
		}
		w.seen[free] = w.mark
	}
	return nil
}

// tree checks the pages from id down and returns the first key below it.
func (w *walker) tree(id uint64, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, errors.New("the tree is too deep")
	}
	b, err := w.page(id, branchPage|leafPage, depth)
	if err != nil {
		return nil, err
	}
	return w.elements(id, b, depth)
}

// element is what a page says of one key.
type element struct {
	branch bool
	flags  uint32
	// child is the page below, of a branch; value is a leaf's.
	child      uint64
	key, value []byte
}

// elements checks what stands in a page, or in a bucket that is small enough to stand in its
// parent's, and all that is below it.
func (w *walker) elements(id uint64, b []byte, depth int) ([]byte, error) {
	return w.each(id, b, func(e element) error {
		switch {
		case e.branch:
			// Who deletes a first key also corrects the branches above: so a branch's key is
			// the first one below it.
			below, err := w.tree(e.child, depth+1)
			if err == nil && !bytes.Equal(below, e.key) {
				err = fmt.Errorf("page %d is damaged", id)
			}
			return err
		case e.flags&bucketFlag != 0:
			return w.bucket(id, e.value, depth)
		case e.flags != 0:
			return fmt.Errorf("page %d is damaged", id)
		}
		return nil
	})
}

// each calls f for what stands in a page, and returns the first key.
func (w *walker) each(id uint64, b []byte, f func(e element) error) ([]byte, error) {
	n := binary.NativeEndian
	fail := func() ([]byte, error) { return nil, fmt.Errorf("page %d is damaged", id) }
	if len(b) < pageHeader {
		return fail()
	}
	branch, count := n.Uint16(b[8:]) == branchPage, int(n.Uint16(b[10:]))
	if pageHeader+count*elementSize > len(b) || branch && count == 0 {
		return fail()
	}
	var first, before []byte
	for i := range count {
		at := pageHeader + i*elementSize
		text := b[at : at+elementSize]
		e := element{branch: branch}
		var pos, keySize, valueSize uint64
		if branch {
			pos, keySize, e.child = uint64(n.Uint32(text)), uint64(n.Uint32(text[4:])), n.Uint64(text[8:])
		} else {
			e.flags, pos = n.Uint32(text), uint64(n.Uint32(text[4:]))
			keySize, valueSize = uint64(n.Uint32(text[8:])), uint64(n.Uint32(text[12:]))
		}
		keyAt := uint64(at) + pos
		if keyAt+keySize+valueSize > uint64(len(b)) || keySize == 0 {
			return fail()
		}
		e.key, e.value = b[keyAt:keyAt+keySize], b[keyAt+keySize:keyAt+keySize+valueSize]
		if i == 0 {
			first = e.key
		} else if bytes.Compare(before, e.key) >= 0 {
			return fail()
		}
		before = e.key
		if err := f(e); err != nil {
			return nil, err
		}
	}
	return first, nil
}

func (w *walker) bucket(id uint64, value []byte, depth int) error {
	if len(value) < bucketHeader {
		return fmt.Errorf("page %d has a damaged bucket", id)
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		_, err := w.tree(root, depth+1)
		return err
	}
	inline := value[bucketHeader:]
	if len(inline) < pageHeader || binary.NativeEndian.Uint16(inline[8:]) != leafPage {
		return fmt.Errorf("page %d has a damaged bucket", id)
	}
	_, err := w.elements(id, inline, depth+1)
	return err
}
