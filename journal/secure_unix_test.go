//go:build unix

package journal_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func TestS18_FilesOfARun(t *testing.T) {
	paths := map[string]func(*journal.Store, string) string{
		"db": (*journal.Store).DBPath, "lock": (*journal.Store).LockPath, "anchor": (*journal.Store).AnchorPath,
	}
	for file, path := range paths {
		for name, damage := range map[string]func(t *testing.T, path string){
			"symlink": func(t *testing.T, path string) {
				require.NoError(t, os.Rename(path, path+".moved"))
				require.NoError(t, os.Symlink(path+".moved", path))
			},
			"hard link": func(t *testing.T, path string) { require.NoError(t, os.Link(path, path+".other")) },
			"fifo": func(t *testing.T, path string) {
				removeFile(t, path)
				require.NoError(t, syscall.Mkfifo(path, 0o600))
			},
			"group may read": func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o640)) },
			"all may write":  func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o666)) },
			"another user": func(t *testing.T, path string) {
				if os.Geteuid() != 0 {
					t.Skip("only root gives files away")
				}
				require.NoError(t, os.Chown(path, 12345, 12345))
			},
		} {
			t.Run(file+"/"+name, func(t *testing.T) {
				o := newOptions(t)
				s := open(t, o)
				r := create(t, s)
				require.NoError(t, r.Close())
				damage(t, path(s, r.ID()))
				_, err := s.Visit(t.Context(), r.ID())
				require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
				_, err = s.Take(t.Context(), r.ID(), resume)
				require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
				_, err = journal.Verify(t.Context(), s, r.ID())
				require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
			})
		}
	}
}

func TestS18_Folders(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, o journal.Options){
		"group may write": func(t *testing.T, o journal.Options) {
			require.NoError(t, os.Mkdir(o.Dir, 0o700))
			require.NoError(t, os.Chmod(o.Dir, 0o770))
		},
		"runs are open": func(t *testing.T, o journal.Options) {
			require.NoError(t, os.MkdirAll(filepath.Join(o.Dir, "runs"), 0o755))
		},
		"symlink": func(t *testing.T, o journal.Options) {
			require.NoError(t, os.Symlink(t.TempDir(), o.Dir))
		},
		"file": func(t *testing.T, o journal.Options) { writeFile(t, o.Dir, nil) },
		"key is open": func(t *testing.T, o journal.Options) {
			open(t, o)
			require.NoError(t, os.Chmod(filepath.Join(o.KeyDir, "seal.key"), 0o644))
		},
		"anchors are a link": func(t *testing.T, o journal.Options) {
			require.NoError(t, os.Mkdir(o.KeyDir, 0o700))
			require.NoError(t, os.Symlink(t.TempDir(), filepath.Join(o.KeyDir, "anchors")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOptions(t)
			prepare(t, o)
			_, err := journal.Open(o)
			require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
		})
	}
	t.Run("key inside of the store", func(t *testing.T) {
		o := newOptions(t)
		o.KeyDir = filepath.Join(o.Dir, "runs", "..", "keys")
		_, err := journal.Open(o)
		require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err))
		require.NoDirExists(t, o.Dir)
	})
	t.Run("store inside of the key's folder", func(t *testing.T) {
		o := newOptions(t)
		o.Dir = filepath.Join(o.KeyDir, "anchors")
		_, err := journal.Open(o)
		require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err))
		require.NoDirExists(t, o.KeyDir)
	})
	t.Run("a name that begins like the store's", func(t *testing.T) {
		o := newOptions(t)
		o.KeyDir = o.Dir + "keys"
		open(t, o)
	})
	t.Run("key is damaged", func(t *testing.T) {
		o := newOptions(t)
		open(t, o)
		writeFile(t, filepath.Join(o.KeyDir, "seal.key"), []byte("assent-seal-key-1 AAAA\n"))
		_, err := journal.Open(o)
		require.Equal(t, fault.KeyUnusable, fault.CodeOf(err))
	})
}

func TestS18_WhatIsMade(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	o := newOptions(t)
	s := open(t, o)
	r := create(t, s)
	require.NoError(t, r.Close())
	for _, root := range []string{o.Dir, o.KeyDir} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := entry.Info()
			require.NoError(t, err)
			want := os.FileMode(0o600)
			if entry.IsDir() {
				want = 0o700
			}
			require.Equal(t, want, info.Mode().Perm(), path)
			return nil
		}))
	}
	verified(t, s, r.ID())
}

// Folders are what they are, whatever links lead to them.
func TestS18_FoldersApartBehindLinks(t *testing.T) {
	for name, c := range map[string]struct {
		link    func(base string) (from, to string)
		options func(base string) journal.Options
		there   bool // the folder that the link leads to is there already
		unsafe  bool
	}{
		"key in the store": {
			func(base string) (string, string) { return filepath.Join(base, "link"), filepath.Join(base, "store") },
			func(base string) journal.Options {
				return journal.Options{Dir: filepath.Join(base, "store"), KeyDir: filepath.Join(base, "link", "keys")}
			}, true, true,
		},
		"key in a store that is not there yet": {
			func(base string) (string, string) { return filepath.Join(base, "link"), filepath.Join(base, "store") },
			func(base string) journal.Options {
				return journal.Options{Dir: filepath.Join(base, "store"), KeyDir: filepath.Join(base, "link", "keys")}
			}, false, true,
		},
		"store behind the link": {
			func(base string) (string, string) { return filepath.Join(base, "link"), filepath.Join(base, "real") },
			func(base string) journal.Options {
				return journal.Options{Dir: filepath.Join(base, "link", "store"), KeyDir: filepath.Join(base, "real", "store", "deep", "keys")}
			}, true, true,
		},
		"store in the key's folder": {
			func(base string) (string, string) { return filepath.Join(base, "link"), filepath.Join(base, "keys") },
			func(base string) journal.Options {
				return journal.Options{Dir: filepath.Join(base, "link", "anchors"), KeyDir: filepath.Join(base, "keys")}
			}, true, true,
		},
		"side by side": {
			func(base string) (string, string) { return filepath.Join(base, "link"), filepath.Join(base, "real") },
			func(base string) journal.Options {
				return journal.Options{Dir: filepath.Join(base, "link", "store"), KeyDir: filepath.Join(base, "real", "keys")}
			}, true, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := t.TempDir()
			from, to := c.link(base)
			require.NoError(t, os.Symlink(to, from))
			if c.there {
				require.NoError(t, os.Mkdir(to, 0o700))
			}
			_, err := journal.Open(c.options(base))
			if !c.unsafe {
				require.NoError(t, err)
				return
			}
			require.Equal(t, fault.StoreUnsafe, fault.CodeOf(err), "%v", err)
			require.Empty(t, filesBelow(t, base), "no key was made")
		})
	}
}
