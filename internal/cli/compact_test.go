package cli_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// Runs that share a file are compacted once, together; and not while one of them is at work.
func TestCompactOfASharedFile(t *testing.T) {
	t.Parallel()
	u := newUser(t, "plain.js", shortScript)
	own := runOf(u.object(0, "run", "plain.js", "--json"))
	keys := filepath.Join(filepath.Dir(u.store()), "home", ".local", "share", "assent", "keys")
	store, err := journal.Open(journal.Options{Dir: u.store(), KeyDir: keys, Shared: true})
	require.NoError(t, err)
	var ids []string
	var runs []journal.Run
	for range 3 {
		r, err := store.Create(t.Context(), journal.RunStarted{Title: "shared", Workspace: u.dir, Args: json.RawMessage("null")})
		require.NoError(t, err)
		ids, runs = append(ids, r.ID()), append(runs, r)
	}
	require.NoError(t, runs[0].Close())
	require.NoError(t, runs[1].Close())
	said := u.wants(0, "compact", "--json")
	require.Contains(t, said.errors, "RUN_BUSY: run "+ids[2])
	require.Equal(t, []string{own}, runsIn(u.object(0, "compact", "--json")))
	require.Contains(t, u.wants(6, "compact", ids[0]).errors, ids[2])

	require.NoError(t, runs[2].Close())
	rows := runsIn(u.object(0, "compact", "--json"))
	require.Len(t, rows, 2, "once for all three")
	require.Contains(t, rows, own)
	for _, id := range ids {
		u.wants(0, "verify", id)
	}
}
