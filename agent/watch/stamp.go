package watch

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git names its objects by it; nothing is trusted for it
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// stamp is what the file system says of a file: enough to tell, without reading, that nobody wrote to
// it. A time of change cannot be set by whoever writes, as the other times can; where the system has
// none, it is 0.
type stamp struct {
	fileStat
	changed int64
	inode   uint64
}

// held is a file at one moment.
type held struct {
	stamp
	// sum is what it holds: a hash, or where a link leads; "" if it was not read.
	sum string
	// data is its content, if that was kept.
	data []byte
	kept bool
	// blob is the object of git's that it was the same as, "" if that is not known.
	blob string
}

func stampOf(path string) stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}
	}
	s := stamp{fileStat: fileStat{true, info.Mode(), info.Size(), info.ModTime()}}
	s.changed, s.inode = systemStamp(info)
	return s
}

// room is what one look may still read and keep.
type room struct{ read, keep int64 }

// fill reads a file as far as there is room.
func (h *held) fill(ctx context.Context, path string, r *room) {
	switch {
	case !h.there:
		return
	case h.mode&fs.ModeSymlink != 0:
		if target, err := os.Readlink(path); err == nil {
			h.sum, h.data, h.kept = "link "+target, []byte(target), true
		}
		return
	case !h.mode.IsRegular() || h.size > r.read:
		return
	}
	r.read -= max(h.size, contentLeast)
	if h.size > min(contentSize, r.keep) {
		h.sum, _ = hashed(ctx, path, sha256.New())
		return
	}
	data, err := regular.Read(path, contentSize)
	if err != nil {
		return
	}
	r.keep -= int64(len(data))
	sum := sha256.Sum256(data)
	h.sum, h.data, h.kept = hex.EncodeToString(sum[:]), data, true
}

// hashed is the hash of a file's content.
func hashed(ctx context.Context, path string, h hash.Hash) (string, error) {
	file, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	part := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := file.Read(part)
		h.Write(part[:n])
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// isBlob reports whether a file holds what an object of git's does, or did before its line ends were
// made those of this system.
func isBlob(ctx context.Context, path string, s stamp, blob string) bool {
	start := func(size int64) hash.Hash {
		h := sha256.New()
		if len(blob) == 2*sha1.Size {
			h = sha1.New() //nolint:gosec // as above
		}
		fmt.Fprintf(h, "blob %d\x00", size)
		return h
	}
	if s.mode&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		h := start(int64(len(target)))
		_, _ = io.WriteString(h, target) // a hash takes everything
		return err == nil && hex.EncodeToString(h.Sum(nil)) == blob
	}
	if !s.mode.IsRegular() || s.size > hashSize {
		return false
	}
	if sum, err := hashed(ctx, path, start(s.size)); err != nil || sum == blob {
		return err == nil
	}
	data, err := regular.Read(path, contentSize)
	if err != nil || !bytes.Contains(data, []byte("\r\n")) {
		return false
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	h := start(int64(len(data)))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)) == blob
}

// became says how a file differs from what it was; "" if it does not.
func (h held) became(ctx context.Context, path string, now stamp) string {
	switch {
	case !h.there && !now.there:
		return ""
	case !h.there:
		return "added"
	case !now.there:
		return "removed"
	case h.mode.Type() != now.mode.Type():
		return "changed"
	}
	same := h.untouched(now) || h.holds(ctx, path, now)
	switch {
	case !same:
		return "changed"
	case h.mode != now.mode && now.mode&fs.ModeSymlink == 0:
		return "mode"
	}
	return ""
}

// untouched reports whether nobody can have written to the file, as far as its stamp tells.
func (h held) untouched(now stamp) bool {
	return h.stamp == now && (h.changed != 0 || h.sum == "")
}

// holds reports whether a file has the content that it had. If that is not known, it has not.
func (h held) holds(ctx context.Context, path string, now stamp) bool {
	switch {
	case h.sum != "" && now.mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return err == nil && h.sum == "link "+target
	case h.sum != "":
		if now.size != h.size || now.size > hashSize {
			return false
		}
		sum, err := hashed(ctx, path, sha256.New())
		return err == nil && sum == h.sum
	case h.blob != "":
		return isBlob(ctx, path, now, h.blob)
	}
	return now.mode.IsDir()
}
