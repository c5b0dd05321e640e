package workflows_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/workflows"
)

// land is a workspace, a user's configuration and a home.
type land struct {
	t                       *testing.T
	workspace, config, home string
}

func newLand(t *testing.T) land {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	l := land{t, filepath.Join(root, "work"), filepath.Join(root, "config"), filepath.Join(root, "home")}
	require.NoError(t, os.Mkdir(l.workspace, 0o700))
	return l
}

func (l land) places() []workflows.Place { return workflows.Places(l.workspace, l.config, l.home) }

// put writes empty files, and gives the path of the last one.
func (l land) put(folder string, files ...string) (last string) {
	l.t.Helper()
	require.NoError(l.t, os.MkdirAll(folder, 0o700))
	for _, file := range files {
		last = filepath.Join(folder, file)
		require.NoError(l.t, os.WriteFile(last, nil, 0o600))
	}
	return last
}

func (l land) project() string { return filepath.Join(l.workspace, ".assent", "workflows") }

// ours leaves out what came with the program.
func ours(list []workflows.Workflow) (rest []workflows.Workflow) {
	for _, w := range list {
		if w.Origin != workflows.BuiltIn {
			rest = append(rest, w)
		}
	}
	return rest
}

// The places win in their order, and what they hide stays in the list.
func TestPlacesWinInOrder(t *testing.T) {
	l := newLand(t)
	inOrder := []struct {
		origin workflows.Origin
		folder string
	}{
		{workflows.Project, l.project()},
		{workflows.User, filepath.Join(l.config, "workflows")},
		{workflows.BuiltIn, ""},
		{workflows.Claude, filepath.Join(l.workspace, ".claude", "workflows")},
		{workflows.Pi, filepath.Join(l.workspace, ".pi", "workflows")},
		{workflows.Claude, filepath.Join(l.home, ".claude", "workflows")},
		{workflows.Pi, filepath.Join(l.home, ".pi", "workflows")},
	}
	for _, place := range inOrder {
		if place.folder != "" {
			l.put(place.folder, "deep-research.js", "only-"+filepath.Base(filepath.Dir(place.folder))+".js")
		}
	}
	for i, place := range inOrder {
		w, err := workflows.Find(l.places(), "deep-research")
		require.NoError(t, err)
		require.Equal(t, place.origin, w.Origin)
		if place.origin == workflows.BuiltIn {
			require.Equal(t, "builtin/deep-research.js", w.Path)
			break // it cannot be removed
		}
		require.Equal(t, filepath.Join(place.folder, "deep-research.js"), w.Path)
		list, unread := workflows.List(l.places())
		require.Empty(t, unread)
		var origins []workflows.Origin
		for _, other := range list {
			if other.Name == "deep-research" {
				origins = append(origins, other.Origin)
				if len(origins) == 1 {
					require.Empty(t, other.HiddenBy)
				} else {
					require.Equal(t, w.Path, other.HiddenBy)
				}
			}
		}
		require.Len(t, origins, len(inOrder)-i, "every file of the name is listed, the winner first")
		require.Equal(t, place.origin, origins[0])
		require.NoError(t, os.Remove(w.Path))
	}
	// What only a later place has is found there.
	for _, place := range inOrder[3:] {
		require.NoError(t, os.Rename(filepath.Join(place.folder, "deep-research.js"), filepath.Join(place.folder, "late.js")))
	}
	for _, place := range inOrder[3:] {
		w, err := workflows.Find(l.places(), "late")
		require.NoError(t, err)
		require.Equal(t, filepath.Join(place.folder, "late.js"), w.Path)
		require.NoError(t, os.Remove(w.Path))
	}
}

// A home that is the workspace has its folders once.
func TestOneFolderIsOnePlace(t *testing.T) {
	l := newLand(t)
	l.home = l.workspace
	l.put(filepath.Join(l.workspace, ".claude", "workflows"), "x.js")
	list, unread := workflows.List(l.places())
	require.Empty(t, unread)
	require.Len(t, ours(list), 1)
	require.Empty(t, ours(list)[0].HiddenBy)
}

func TestNames(t *testing.T) {
	for _, name := range []string{"a", "fix-bug", "v1.2", "A_b", "9", strings.Repeat("x", 64), "console", "com", "lpt10x", "a.d"} {
		require.Empty(t, workflows.CheckName(name), name)
	}
	for name, why := range map[string]string{
		"": "empty", ".x": "begins with", "-x": "begins with", "x.": "ends with", strings.Repeat("x", 65): "64 characters",
		"a b": "letters", "a/b": "letters", `a\b`: "letters", "ä": "letters", "a\xff": "letters", "a\nb": "letters", "$(id)": "letters", "a:b": "letters",
		"con": "device", "NUL": "device", "Com1": "device", "lpt9.old": "device", "aux.b": "device", "x.js": "a path", "x.mts": "a path",
	} {
		require.Contains(t, workflows.CheckName(name), why, "%q", name)
	}
}

// What cannot be used by its name is listed with the reason, and is never passed over for a file
// of a later place.
func TestWhatCannotBeUsedIsListed(t *testing.T) {
	l := newLand(t)
	dir := l.put(l.project(), "twice.js", "twice.mts", "CON.js", "two words.js", "fine.js", "notes.md", "types.d.ts", ".js")
	dir = filepath.Dir(dir)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.js"), 0o700))
	l.put(filepath.Join(l.config, "workflows"), "twice.js", "folder.js", "TWICE.ts")
	reasons := map[string]string{}
	list, unread := workflows.List(l.places())
	require.Empty(t, unread)
	for _, w := range ours(list) {
		if w.Origin != workflows.Project {
			require.NotEmpty(t, w.HiddenBy, w.Path)
			continue
		}
		if w.Err == nil {
			require.Equal(t, "fine", w.Name)
			continue
		}
		require.True(t, fault.Is(w.Err, fault.WorkflowInvalid), "%v", w.Err)
		reasons[filepath.Base(w.Path)] = w.Err.Error()
	}
	require.Len(t, reasons, 6)
	for file, reason := range map[string]string{
		"twice.js":     `several files for the name "twice": twice.js, twice.mts`,
		"twice.mts":    `several files for the name "twice": twice.js, twice.mts`,
		"CON.js":       "Windows",
		"two words.js": `"two words" is no name of a workflow`,
		"folder.js":    "not a script but a folder",
		".js":          "not empty",
	} {
		require.Contains(t, reasons[file], reason, file)
	}
	for _, name := range []string{"twice", "Twice", "folder"} {
		_, err := workflows.Find(l.places(), name)
		require.True(t, fault.Is(err, fault.WorkflowInvalid), "%s: %v", name, err)
	}
	w, err := workflows.Find(l.places(), "FINE")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "fine.js"), w.Path, "upper and lower case are one name")
}

func TestFindNamesTheNearest(t *testing.T) {
	l := newLand(t)
	l.put(l.project(), "release.js", "first.js")
	for name, next := range map[string]string{
		"frist":    "did you mean first?",
		"first.js": "did you mean first?",
		"realease": "did you mean release?",
		"zzzzzzzz": "assent workflows   # lists them; a script elsewhere is run by its path, such as ./deliver.js",
		"":         "assent workflows   # lists them; a script elsewhere is run by its path, such as ./deliver.js",
		"../first": "did you mean first?",
	} {
		_, err := workflows.Find(l.places(), name)
		e, ok := err.(*fault.Error) //nolint:errorlint // the refusal itself is looked at
		require.True(t, ok, name)
		require.Equal(t, fault.WorkflowUnknown, e.Code)
		require.Contains(t, e.What, "first, issue-delivery, multi-perspective, plan-then-do, release", name)
		require.Equal(t, next, e.Next, name)
	}
	for i := range 1000 {
		l.put(l.project(), fmt.Sprintf("many-%d.js", i))
	}
	_, err := workflows.Find(l.places(), "zzzzzzzz")
	require.ErrorContains(t, err, ", and 989 more", "1,000, 2 and 7 built-in ones, of which 20 are named")
}

// A folder that cannot be read is not an empty one.
func TestFindWhereTheFolderIsAFile(t *testing.T) {
	l := newLand(t)
	l.put(filepath.Join(l.workspace, ".assent"), "workflows")
	_, err := workflows.Find(l.places(), "deep-research")
	require.Error(t, err)
	require.False(t, fault.Is(err, fault.WorkflowUnknown), "%v", err)
	list, unread := workflows.List(l.places())
	require.Len(t, unread, 1)
	require.NotEmpty(t, list, "the others are there")
}

// Every built-in workflow goes by its name.
func TestBuiltinNames(t *testing.T) {
	var names []string
	require.NoError(t, fs.WalkDir(workflows.Builtin(), workflows.BuiltinFolder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return err
	}))
	require.Contains(t, names, "deep-research.js")
	l := newLand(t)
	for _, file := range names {
		w, err := workflows.Find(l.places(), strings.TrimSuffix(file, ".js"))
		require.NoError(t, err, "the folder has scripts alone")
		require.Equal(t, "builtin/"+file, w.Path)
	}
}
