package journal

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// The key file is one line: the prefix and the 32 bytes of the Ed25519 seed in base64.
const (
	keyName   = "seal.key"
	keyPrefix = "assent-seal-key-1 "
	// keyPatience is how many milliseconds a key that is being made may take.
	keyPatience = 100
)

// loadKey reads the sealing key, or makes one for a store that nothing was sealed in. Of
// several processes that make it at once, one wins, and the others read its key.
func (s *Store) loadKey() (ed25519.PrivateKey, error) {
	path := filepath.Join(s.o.KeyDir, keyName)
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	used, err := s.used()
	if err != nil {
		return nil, err
	}
	if used {
		// The key comes before the first run: so it is there now, if it was being made.
		if key, err = readKey(path); errors.Is(err, fs.ErrNotExist) {
			return nil, fault.New(fault.KeyUnusable, path+" is missing, but there are runs that were sealed with it",
				fmt.Sprintf("if the key is elsewhere, such as with the program that made the runs, set ASSENT_KEYS to its folder; if not, restore it from a copy; if it is lost, no approval that was given before counts any more: move %s and %s away to begin anew",
					s.runsDir(), s.anchorsDir()))
		}
		return key, err
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(s.o.Random, seed); err != nil {
		return nil, fmt.Errorf("making the sealing key: %w", err)
	}
	line := keyPrefix + base64.StdEncoding.EncodeToString(seed) + "\n"
	if err := durable.CreateFile(path, []byte(line), 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("making the sealing key: %w", err)
	}
	return readKey(path)
}

// used says that there are runs, or anchors of runs.
func (s *Store) used() (bool, error) {
	ids, err := s.ids(context.Background()) // it is Open that asks, which has no other
	if err != nil || len(ids) > 0 {
		return true, err
	}
	anchors, err := os.ReadDir(s.anchorsDir())
	if err != nil {
		return true, fmt.Errorf("listing anchors: %w", err)
	}
	return slices.ContainsFunc(anchors, func(a fs.DirEntry) bool { return validID(a.Name()) }), nil
}

// readKey reads the sealing key. A key that another process is just making has a second name
// for a moment, since it is published by a link: that is waited out, and a name that stays is
// refused.
func readKey(path string) (ed25519.PrivateKey, error) {
	for range keyPatience {
		key, err := readKeyOnce(path)
		if !fault.Is(err, fault.StoreUnsafe) {
			return key, err
		}
		time.Sleep(time.Millisecond)
	}
	return readKeyOnce(path)
}

func readKeyOnce(path string) (ed25519.PrivateKey, error) {
	file, err := openSafe(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1<<10))
	if err != nil {
		return nil, fmt.Errorf("reading the sealing key: %w", err)
	}
	encoded, ok := strings.CutPrefix(strings.TrimSuffix(string(text), "\n"), keyPrefix)
	seed, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if !ok || err != nil || len(seed) != ed25519.SeedSize {
		return nil, fault.New(fault.KeyUnusable, path+" is not a sealing key",
			"restore it from a copy; without it, no approval that was given before counts")
	}
	return ed25519.NewKeyFromSeed(seed), nil
}
