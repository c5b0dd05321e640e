package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

// BenchmarkRawFsync is the yardstick of scripts/bench: what the disk itself needs to append
// 4 KiB to a file and make them durable.
func BenchmarkRawFsync(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "file"))
	require.NoError(b, err)
	defer file.Close()
	page := make([]byte, 4096)
	for b.Loop() {
		if _, err := file.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := file.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "file")
	page := make([]byte, 4096)
	for b.Loop() {
		if err := durable.WriteFile(path, page, 0o600); err != nil {
			b.Fatal(err)
		}
	}
}
