package journal_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// What stands in the file counts only as the word of the process that has the lease.
func TestWorkOfOthersIsNone(t *testing.T) {
	o := newOptions(t)
	s, dir := open(t, o), t.TempDir()
	r := create(t, s)
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	defer v.Close()
	path := filepath.Join(o.Dir, "locks", r.ID()+".work")
	require.NoError(t, r.TellWork([]journal.Work{{Key: "/agent#0", Name: "agent", Label: strings.Repeat("é", 1000), Since: time.Unix(0, 0).UTC()}}))
	told := v.Work()
	require.Len(t, told, 1)
	require.Equal(t, strings.Repeat("é", 239)+"…", told[0].Label)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	genuine, err := os.ReadFile(path)
	require.NoError(t, err)

	var file map[string]any
	require.NoError(t, json.Unmarshal(genuine, &file))
	file["pid"] = 1
	foreign, err := json.Marshal(file)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"another process": string(foreign), "garbage": "{", "nothing": "", "too much": string(genuine) + strings.Repeat(" ", 1<<20),
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.Empty(t, v.Work(), name)
	}
	elsewhere := filepath.Join(dir, "elsewhere")
	require.NoError(t, os.WriteFile(elsewhere, genuine, 0o600))
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink(elsewhere, path))
	require.Empty(t, v.Work(), "a link")
	require.NoError(t, r.TellWork([]journal.Work{{Key: "/agent#1", Name: "agent"}}))
	require.Equal(t, "/agent#1", v.Work()[0].Key)
	left, err := os.ReadFile(elsewhere)
	require.NoError(t, err)
	require.Equal(t, genuine, left, "nothing is written through a link")

	many := make([]journal.Work, 1000)
	require.NoError(t, r.TellWork(many))
	require.Len(t, v.Work(), 256)
	require.NoError(t, r.Close())
	require.Empty(t, v.Work(), "nobody owns the run")
	again, err := s.Take(t.Context(), r.ID(), resume)
	require.NoError(t, err)
	require.NoError(t, again.TellWork(nil))
	require.NoFileExists(t, path)
	require.NoError(t, again.Close())
	verified(t, s, r.ID())
	require.NoError(t, s.Prune(t.Context(), r.ID()))
}
