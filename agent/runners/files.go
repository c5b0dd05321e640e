package runners

import (
	"os"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// longestFile is more than any file of settings has: what stands at its name in a repository may be a
// device without an end.
const longestFile = 16 << 20

// settingsFile reads a file of a repository or of the user's that an agent's program reads too.
func settingsFile(path string) ([]byte, error) { return regular.Read(path, longestFile) }

// isFile says whether a path leads to a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isThere says whether a path leads to anything.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
