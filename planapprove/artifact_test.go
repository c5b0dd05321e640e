package planapprove_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// noon is when all plans here are asked about.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// keep asks about a plan in run without anybody there, and leaves the question open.
func keep(t *testing.T, run journal.Run, key, plan string) (*journal.Gate, error) {
	t.Helper()
	q, err := planapprove.NewQuestion(json.RawMessage(plan), checkpoint.Question{})
	require.NoError(t, err)
	_, err = planapprove.Ask(context.Background(), run, key, q, checkpoint.AskOptions{
		OnGate: checkpoint.Suspend, Program: "p", Now: func() time.Time { return noon },
	})
	if !fault.Is(err, fault.GateWaiting) {
		return nil, err
	}
	return run.State().Gates[run.State().GateByKey[key]], nil
}

func kept(t *testing.T, run journal.Run, key, plan string) *journal.Gate {
	t.Helper()
	g, err := keep(t, run, key, plan)
	require.NoError(t, err)
	return g
}

func answerTo(run journal.Run, g *journal.Gate, decision string) error {
	_, err := planapprove.Respond(context.Background(), run, func() bool { return true }, time.Now, checkpoint.Response{
		Gate: g.Asked.Gate, Checksum: g.Asked.Checksum, Decision: json.RawMessage(decision), Who: journal.Who{User: "ann", Host: "here", Way: "command"},
	})
	return err
}

// at is the file of a gate's copy.
func at(run journal.Run, g *journal.Gate) string {
	return filepath.Join(run.State().Workspace, filepath.FromSlash(g.Asked.Artifact.Path))
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// Of a document the copy is its Markdown, to the byte.
func TestArtifactOfADocument(t *testing.T) {
	run := newRun(t)
	markdown := "# Tabelle \u00e9\r\n\n<!-- hidden -->\n\x00\u202e\tend, without a newline"
	plan, err := json.Marshal(map[string]string{"title": "../../Release 1.4: Größe/größer!", "markdown": markdown})
	require.NoError(t, err)
	g := kept(t, run, "a", string(plan))
	sum := sha256.Sum256([]byte(markdown))
	require.Equal(t, &journal.Artifact{
		Path:   ".assent/plans/release-1-4-gr-e-gr-er-20260301t120000z-" + g.Asked.Checksum[:8] + ".md",
		SHA256: hex.EncodeToString(sum[:]), Size: int64(len(markdown)),
	}, g.Asked.Artifact)
	require.Equal(t, markdown, content(t, at(run, g)))
	info, err := os.Lstat(at(run, g))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	require.Equal(t, "*\n", content(t, filepath.Join(filepath.Dir(at(run, g)), ".gitignore")))
	require.NoError(t, answerTo(run, g, "true"))
	require.Equal(t, journal.Approved, run.State().Gates[g.Asked.Gate].State)
}

// A plan that was asked about anew keeps its copy; another one at the same second gets its own.
func TestArtifactNames(t *testing.T) {
	run := newRun(t)
	first := kept(t, run, "a", `{"title":"T","markdown":"x"}`)
	again := kept(t, run, "b", `{"title":"T","markdown":"x"}`)
	require.NotEqual(t, first.Asked.Gate, again.Asked.Gate)
	require.Equal(t, first.Asked.Artifact, again.Asked.Artifact)

	require.NoError(t, os.WriteFile(at(run, first), []byte("y"), 0o600))
	third := kept(t, run, "c", `{"title":"T","markdown":"x"}`)
	require.Equal(t, strings.TrimSuffix(first.Asked.Artifact.Path, ".md")+"-2.md", third.Asked.Artifact.Path)
	require.Equal(t, "y", content(t, at(run, first)), "nothing is written over")
	require.Equal(t, "x", content(t, at(run, third)))
	require.NoError(t, answerTo(run, third, "true"))

	nameless := kept(t, run, "d", `{"title":"?!","steps":[]}`)
	require.Contains(t, nameless.Asked.Artifact.Path, "/plan-20260301t120000z-")
	long := kept(t, run, "e", `{"title":"`+strings.Repeat("long ", 20)+`"}`)
	require.Contains(t, long.Asked.Artifact.Path, "/"+strings.TrimSuffix(strings.Repeat("long-", 8), "-")+"-2026")
	untitled := kept(t, run, "f", `[1]`)
	require.Contains(t, untitled.Asked.Artifact.Path, "/test-2026", "the name of the run")
}

// An approval is taken only while the copy is what was written; a no always is.
func TestS08_ArtifactThatWasEdited(t *testing.T) {
	run := newRun(t)
	g := kept(t, run, "a", `{"title":"T","markdown":"drop nothing"}`)
	path := at(run, g)
	for name, edit := range map[string]func() error{
		"same length": func() error { return os.WriteFile(path, []byte("drop all now"), 0o600) },
		"longer":      func() error { return os.WriteFile(path, []byte("drop nothing."), 0o600) },
		"empty":       func() error { return os.WriteFile(path, nil, 0o600) },
		"a folder":    func() error { return os.Mkdir(path, 0o700) },
		"a huge file": func() error { _ = os.WriteFile(path, nil, 0o600); return os.Truncate(path, 1<<40) },
		"a hard link": func() error {
			_ = os.WriteFile(path+"x", []byte("drop all now"), 0o600)
			return os.Link(path+"x", path)
		},
		"a link": func() error {
			_ = os.WriteFile(path+"y", []byte("drop nothing"), 0o600)
			return os.Symlink(path+"y", path)
		},
		"a link to one": func() error { return os.Symlink("/dev/zero", path) },
	} {
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, edit(), name)
		err := answerTo(run, g, "true")
		require.True(t, fault.Is(err, fault.PlanArtifactMismatch), "%s: %v", name, err)
		require.ErrorContains(t, err, g.Asked.Artifact.Path, name)
		asked := planapprove.Present(run.State(), g, 1, 1)
		require.Contains(t, asked.Copy, "PLAN_ARTIFACT_HASH_MISMATCH", "%s: it is not written over", name)
		require.Equal(t, journal.Pending, run.State().Gates[g.Asked.Gate].State, name)
	}
	require.NoError(t, os.RemoveAll(path))
	err := answerTo(run, g, "true")
	require.True(t, fault.Is(err, fault.PlanArtifactMismatch), "%v", err)
	require.ErrorContains(t, err, "is gone")

	require.Empty(t, planapprove.Present(run.State(), g, 1, 1).Copy, "it was written again")
	require.Equal(t, "drop nothing", content(t, path))
	require.NoError(t, os.RemoveAll(filepath.Dir(path)))
	require.Empty(t, planapprove.Present(run.State(), g, 1, 1).Copy, "with the folder")
	require.NoError(t, answerTo(run, g, "true"))

	other := kept(t, run, "b", `{"title":"T","markdown":"other"}`)
	require.NoError(t, os.WriteFile(at(run, other), nil, 0o600))
	require.NoError(t, answerTo(run, other, "false"))
	require.Equal(t, journal.Rejected, run.State().Gates[other.Asked.Gate].State)
}

// An asker that comes back with a yes meets the same comparison; the gate waits for whoever mends
// the copy.
func TestArtifactEditedWhileTheQuestionIsOpen(t *testing.T) {
	run := newRun(t)
	q, err := planapprove.NewQuestion(json.RawMessage(`{"title":"T","markdown":"x"}`), checkpoint.Question{})
	require.NoError(t, err)
	path := ""
	asker := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		path = filepath.Join(run.State().Workspace, filepath.FromSlash(q.Gate.Artifact.Path))
		err := os.WriteFile(path, []byte("y"), 0o600)
		return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann"}}, err
	})
	_, err = planapprove.Ask(context.Background(), run, "a", q, checkpoint.AskOptions{Asker: asker, Program: "p"})
	require.True(t, fault.Is(err, fault.PlanArtifactMismatch), "%v", err)
	g := run.State().Gates[run.State().GateOrder[0]]
	require.Equal(t, journal.Pending, g.State)
	require.True(t, g.Suspended)
	require.NoError(t, os.Remove(path))
	require.Empty(t, planapprove.Present(run.State(), g, 1, 1).Copy)
	require.NoError(t, answerTo(run, g, "true"))
}

// What does not compare the copy cannot record an approval.
func TestApprovalNeedsTheComparison(t *testing.T) {
	run := newRun(t)
	g := kept(t, run, "a", `{"title":"T","markdown":"x"}`)
	_, err := checkpoint.Respond(context.Background(), run, func() bool { return true }, time.Now, checkpoint.Response{
		Gate: g.Asked.Gate, Checksum: g.Asked.Checksum, Decision: json.RawMessage("true"), Who: journal.Who{User: "ann"},
	})
	require.ErrorContains(t, err, "planapprove.Respond")
	require.Equal(t, journal.Pending, run.State().Gates[g.Asked.Gate].State)
}

// Without a place for the copy the plan is not asked about, and nothing is written elsewhere.
func TestArtifactNeedsRealFolders(t *testing.T) {
	elsewhere := t.TempDir()
	for name, stands := range map[string]func(workspace string) error{
		".assent is a link": func(w string) error { return os.Symlink(elsewhere, filepath.Join(w, ".assent")) },
		".assent links inside": func(w string) error {
			_ = os.Mkdir(filepath.Join(w, "real"), 0o700)
			return os.Symlink("real", filepath.Join(w, ".assent"))
		},
		".assent leads nowhere": func(w string) error { return os.Symlink("absent", filepath.Join(w, ".assent")) },
		".assent is a file":     func(w string) error { return os.WriteFile(filepath.Join(w, ".assent"), nil, 0o600) },
		"plans is a link": func(w string) error {
			_ = os.Mkdir(filepath.Join(w, ".assent"), 0o700)
			return os.Symlink(elsewhere, filepath.Join(w, ".assent", "plans"))
		},
		"plans is a file": func(w string) error {
			_ = os.Mkdir(filepath.Join(w, ".assent"), 0o700)
			return os.WriteFile(filepath.Join(w, ".assent", "plans"), nil, 0o600)
		},
		"there is no workspace": os.RemoveAll,
	} {
		run := newRun(t)
		workspace := filepath.Join(t.TempDir(), "w")
		require.NoError(t, os.Mkdir(workspace, 0o700))
		run.State().Workspace = workspace
		require.NoError(t, stands(workspace), name)
		_, err := keep(t, run, "a", `{"title":"T","markdown":"x"}`)
		require.True(t, fault.Is(err, fault.PlanArtifactUnwritable), "%s: %v", name, err)
		require.Empty(t, run.State().GateOrder, name)
	}
	entries, err := os.ReadDir(elsewhere)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A run without a workspace has no copies.
func TestNoWorkspaceNoArtifact(t *testing.T) {
	run := newRun(t)
	dir := run.State().Workspace
	run.State().Workspace = ""
	g := kept(t, run, "a", `{"title":"T","markdown":"x"}`)
	require.Nil(t, g.Asked.Artifact)
	require.NoError(t, answerTo(run, g, "true"))
	require.NoFileExists(t, filepath.Join(dir, ".assent"))
}

// A journal cannot make us read or write elsewhere.
func TestArtifactPathIsNotFollowed(t *testing.T) {
	run := newRun(t)
	g := *kept(t, run, "a", `{"title":"T","markdown":"x"}`)
	require.NoError(t, os.Remove(at(run, &g)))
	for _, path := range []string{
		"../x-20260301t120000z-00000000.md", ".assent/plans/../x-20260301t120000z-00000000.md", "/etc/passwd", "", ".assent/plans/x.md",
		".assent/plans/sub/x-20260301t120000z-00000000.md", `.assent/plans/..\x-20260301t120000z-00000000.md`, ".assent/config.toml",
	} {
		forged := *g.Asked.Artifact
		forged.Path = path
		g.Asked.Artifact = &forged
		require.Contains(t, planapprove.Present(run.State(), &g, 1, 1).Copy, "no path of a copy", path)
		require.NoFileExists(t, filepath.Join(run.State().Workspace, "x-20260301t120000z-00000000.md"))
	}
}
