package repository

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// leading are the beginnings of settings that decide where a remote lies, how one signs in there, and which
// programs git starts on the way.
var leading = []string{
	"remote.", "url.", "credential.", "http.", "https.", "ssh.", "protocol.", "include.", "includeif.", "core.sshcommand", "core.gitproxy", "core.askpass", "core.hookspath", "core.fsmonitor", "core.alternaterefscommand", "core.attributesfile",
	"filter.", "gpg.", "push.", "fetch.",
}

// hookRead caps how much of a hook is read.
const hookRead = 1 << 20

// Settings is a digest of what git is told about remotes and about programs that it starts: configuration,
// the user's own too, hooks, attributes and grafts. Whoever can write to these can change them, agents among
// them, and steps that speak to a remote would obey, with the user's own means of signing in.
func (r *Repository) Settings(ctx context.Context) (string, error) {
	sum := sha256.New()
	out, err := r.do(ctx, git.Command{Step: "config", Args: []string{"config", "--list", "--includes", "--show-scope", "-z"}})
	if err != nil {
		return "", err
	}
	var lines []string
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		scope, entry := fields[i], fields[i+1]
		if scope == "command" {
			continue // those of this very step
		}
		name, _, _ := strings.Cut(entry, "\n")
		if slices.ContainsFunc(leading, func(prefix string) bool { return strings.HasPrefix(strings.ToLower(name), prefix) }) {
			lines = append(lines, entry)
		}
	}
	fmt.Fprintf(sum, "%q\n", lines) // in their order, of which the last one holds
	// Not --git-path, which for hooks is where core.hooksPath says, and that is nowhere for us.
	common, err := r.ask(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"hooks", "info/attributes", "info/grafts", "objects/info/alternates"} {
		path := filepath.Join(common, filepath.FromSlash(name))
		if err := digest(sum, path); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// digest adds what a file, or each file of a folder, has; samples of hooks are none.
func digest(sum io.Writer, path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		entries = []fs.DirEntry{nil} // a file, or nothing
	}
	for _, e := range entries {
		file := path
		if e != nil {
			if strings.HasSuffix(e.Name(), ".sample") || e.IsDir() {
				continue
			}
			file = filepath.Join(path, e.Name())
		}
		text, err := regular.Read(file, hookRead)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if err == nil {
			fmt.Fprintf(sum, "%q %x\n", filepath.Base(file), sha256.Sum256(text))
		}
	}
	return nil
}
