package scripttest

import (
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/seed-8d4a6081/assent/journal"
)

// stage is all that one run has: a folder with a store, a key, a home and a workspace.
type stage struct {
	root, workspace string
	store           *journal.Store
	// before are the files of the workspace when the run begins.
	before tree
}

// newStage makes the stage of a test in a folder that is not there yet.
func newStage(root string, t *Test) (*stage, error) {
	s := &stage{root: root, workspace: filepath.Join(root, "workspace")}
	for _, dir := range []string{root, s.workspace, filepath.Join(root, "home")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of a test: %w", err)
		}
	}
	if t.workspace != "" {
		if err := copyTree(t.workspace, s.workspace); err != nil {
			return nil, err
		}
	}
	if err := lay(s.workspace, t.table.Files); err != nil {
		return nil, err
	}
	var err error
	if s.before, err = treeOf(s.workspace); err != nil {
		return nil, err
	}
	s.store, err = journal.Open(journal.Options{
		Dir: filepath.Join(root, "store"), KeyDir: filepath.Join(root, "keys"), Version: "test", Random: newDice(),
	})
	return s, err
}

// lay writes files into a folder.
func lay(folder string, files map[string]string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open the workspace of a test: %w", err)
	}
	defer root.Close()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		name := filepath.FromSlash(path)
		err := root.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = root.WriteFile(name, []byte(files[path]), 0o644)
		}
		if err != nil {
			return fmt.Errorf("write the test's file %s: %w", path, err)
		}
	}
	return nil
}

// dice fall the same in every run of a test where they feed the seed of random() and uuid(). A run's
// id is another one each time: what belongs to a run in this machine is found by it. Nothing is kept
// safe by them: whatever is sealed with such a key is simulated, and its store goes away.
type dice struct {
	mu   sync.Mutex
	from *mathrand.ChaCha8
}

// seedSize is that of the seed of a run, and of a key; an id takes less.
const seedSize = 32

var _ io.Reader = (*dice)(nil)

func newDice() *dice {
	return &dice{from: mathrand.NewChaCha8([seedSize]byte([]byte("the dice of every test of a run.")))}
}

// Read gives the next bytes.
func (d *dice) Read(p []byte) (int, error) {
	if len(p) != seedSize {
		return rand.Read(p)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.from.Read(p)
}
