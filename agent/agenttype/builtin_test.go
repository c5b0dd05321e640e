package agenttype_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/agenttype"
)

// The roles of the pipeline: only the worker may write, and those who judge are the big ones.
func TestBuiltInTypes(t *testing.T) {
	l := agenttype.Load([]agenttype.Place{{Origin: agenttype.BuiltIn}})
	tiers := map[string]string{"code-scout": "small", "issue-thinker": "big", "specialized-worker": "medium", "issue-verifier": "big"}
	entries, unread := l.List()
	require.Empty(t, unread)
	require.Len(t, entries, len(tiers))
	for _, e := range entries {
		got, err := l.Lookup(e.Name)
		require.NoError(t, err)
		require.Equal(t, tiers[got.Name], got.Tier, got.Name)
		require.Equal(t, got.Name != "specialized-worker", got.ReadOnly, got.Name)
		require.Empty(t, got.Warnings)
		require.Empty(t, got.Model, "a model is for the configuration to name")
		require.NotEmpty(t, got.Description)
		require.Equal(t, agenttype.BuiltInSource, got.Source)
		require.Contains(t, got.Instructions, "## What you get")
		require.Contains(t, got.Instructions, "## What you give back")
		text, err := fs.ReadFile(agenttype.Builtin(), "builtin/"+got.Name+".md")
		require.NoError(t, err)
		sum := sha256.Sum256([]byte(strings.ReplaceAll(string(text), "\r\n", "\n")))
		require.Equal(t, hex.EncodeToString(sum[:]), got.SHA256)
	}
}
