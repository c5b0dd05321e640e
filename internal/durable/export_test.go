package durable

import (
	"errors"
	"os"
)

// ErrInjected is what a step fails with that Broken breaks.
var ErrInjected = errors.New("injected")

// Broken runs WriteFile or CreateFile with one step that fails, before it did its work or
// after ("failed but persisted"). It returns the steps that were begun, in order.
func Broken(step string, persisted, create bool, path string, data []byte) (steps []string, err error) {
	try := func(name string, work func() error) error {
		steps = append(steps, name)
		if name != step {
			return work()
		}
		if persisted {
			if err := work(); err != nil {
				return err
			}
		}
		return ErrInjected
	}
	d := disk{
		sync: func(f *os.File) error { return try("sync", f.Sync) },
		replace: func(from, to string) error {
			return try("move", func() error { return rename(from, to) })
		},
		create: func(from, to string) error {
			return try("move", func() error { return renameNew(from, to) })
		},
		syncDir: func(dir string) error { return try("syncDir", func() error { return SyncDir(dir) }) },
	}
	move := d.replace
	if create {
		move = d.create
	}
	err = d.write(path, data, 0o600, move)
	return steps, err
}
