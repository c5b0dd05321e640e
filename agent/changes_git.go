package agent

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	errTooMuch = errors.New("git printed more than is looked at")
	errGit     = errors.New("git failed")
)

// snapshot is a repository at one moment.
type snapshot struct {
	// head is the commit that is checked out, "" before the first; heads are the branches' commits.
	head  string
	heads map[string]string
	// files are those that git status lists: changed or untracked.
	files map[string]entry
}

// entry is a file that git status lists, and what the file system says of it.
type entry struct {
	// status is the letter of the working tree, or of the index where that says nothing; "?" is an
	// untracked file.
	status byte
	stat   fileStat
}

// fileStat tells, without reading, whether a file is the same.
type fileStat struct {
	there    bool
	mode     fs.FileMode
	size     int64
	modified time.Time
}

// look takes a snapshot.
func (w *Watched) look(ctx context.Context) (snapshot, error) {
	type printed struct {
		text []byte
		err  error
	}
	refs := make(chan printed, 1)
	go func() {
		text, err := w.run(ctx, "", "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/")
		refs <- printed{text, err}
	}()
	// The second look at a submodule is spared: its own configuration would hold there.
	status, err := w.run(ctx, "", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty")
	heads := <-refs
	if err = errors.Join(err, heads.err); err != nil {
		return snapshot{}, err
	}
	s := snapshot{heads: map[string]string{}, files: map[string]entry{}}
	for line := range strings.Lines(string(heads.text)) {
		if id, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " refs/heads/"); ok {
			s.heads[name] = id
		}
	}
	w.readStatus(&s, status)
	return s, nil
}

// readStatus reads what git status prints (porcelain format, version 2): records that end in NUL,
// and of which those of files have a fixed number of words before the path.
func (w *Watched) readStatus(s *snapshot, text []byte) {
	for record := range bytes.SplitSeq(text, []byte{0}) {
		kind, rest, _ := strings.Cut(string(record), " ")
		words, status := 0, byte('?')
		switch kind {
		case "#":
			if id, ok := strings.CutPrefix(rest, "branch.oid "); ok && id != "(initial)" {
				s.head = id
			}
			continue
		case "1":
			words = 7
		case "u":
			words = 9
		case "?":
		default:
			continue
		}
		if words > 0 && len(rest) > 1 {
			status = rest[1]
			if status == '.' {
				status = rest[0]
			}
		}
		path := rest
		for range words {
			_, path, _ = strings.Cut(path, " ")
		}
		if path != "" && !ownFolder(path) {
			s.files[path] = entry{status, w.stat(path)}
		}
	}
}

// ownFolder reports whether a path of a repository lies in a folder of Assent's own.
func ownFolder(path string) bool {
	return strings.HasPrefix(path, ".assent/") || strings.Contains(path, "/.assent/")
}

func (w *Watched) stat(path string) fileStat {
	info, err := os.Lstat(filepath.Join(w.top, filepath.FromSlash(path)))
	if err != nil {
		return fileStat{}
	}
	return fileStat{true, info.Mode(), info.Size(), info.ModTime()}
}

// run runs git with the fences of an agent: no terminal, no standard input but input, a process
// group of its own that is ended with it, and no lock, hook, monitor or signature checker of the
// repository's.
func (w *Watched) run(ctx context.Context, input string, args ...string) ([]byte, error) {
	attempt := rand.Text()
	j := job{
		argv: append([]string{
			w.git, "--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
			"-c", "log.showSignature=false", "-c", "i18n.logOutputEncoding=UTF-8", "-c", "core.quotePath=false",
		}, args...),
		dir: w.top, env: slices.Concat(w.env, []string{attemptMarker + "=" + attempt}), attempt: attempt,
		stdin: []byte(input), maxOutput: snapshotOutput, grace: hurriedTime,
	}
	out, err := j.run(ctx, w.step)
	switch {
	case err != nil:
		return nil, err
	case out.over:
		return nil, errTooMuch
	case out.late || out.held || out.state == nil || !out.state.Success():
		return nil, errGit
	}
	return out.stdout, nil
}

// gitEnv is an agent's environment without what would lead git to another repository than the one
// at top, or to write somewhere.
func gitEnv(environ []string, top string) []string {
	var env []string
	for _, variable := range FilterEnv(environ, nil) {
		switch name := strings.ToUpper(nameOf(variable)); {
		case strings.HasPrefix(name, "GIT_TRACE"):
		case name == "GIT_DIR", name == "GIT_WORK_TREE", name == "GIT_INDEX_FILE", name == "GIT_COMMON_DIR", name == "GIT_NAMESPACE",
			name == "GIT_PREFIX", name == "GIT_OBJECT_DIRECTORY", name == "GIT_ALTERNATE_OBJECT_DIRECTORIES", name == "GIT_SHALLOW_FILE",
			name == "GIT_GRAFT_FILE", name == "GIT_REPLACE_REF_BASE", name == "GIT_IMPLICIT_WORK_TREE", name == "GIT_LITERAL_PATHSPECS":
		default:
			env = append(env, variable)
		}
	}
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(top), "LC_ALL=C")
}
