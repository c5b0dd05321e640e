package agenttype_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/agenttype"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// house is a workspace and a user's folder, with files in them.
type house struct {
	t               testing.TB
	workspace, user string
}

func newHouse(t testing.TB) house {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return house{t, filepath.Join(root, "work"), filepath.Join(root, "config")}
}

func (h house) put(path, text string) string {
	h.t.Helper()
	full := filepath.Join(filepath.Dir(h.workspace), filepath.FromSlash(path))
	require.NoError(h.t, os.MkdirAll(filepath.Dir(full), 0o700))
	require.NoError(h.t, os.WriteFile(full, []byte(text), 0o600))
	return full
}

func (h house) load() *agenttype.Library {
	return agenttype.Load(agenttype.Places(h.workspace, h.user))
}

func file(name, text string) string { return "---\nname: " + name + "\n---\n" + text + "\n" }

func TestPlacesWinInTheirOrder(t *testing.T) {
	h := newHouse(t)
	for _, place := range []string{"config/agents", "work/.pi/agents", "work/.claude/agents", "work/.assent/agents"} {
		h.put(place+"/any.md", file("Code-Scout", place))
		got, err := h.load().Lookup("code-scout")
		require.NoError(t, err)
		require.Equal(t, place, got.Instructions, "it hides what was there before")
	}
	entries, unread := h.load().List()
	require.Empty(t, unread)
	var origins, hidden []string
	for _, e := range entries {
		if strings.EqualFold(e.Name, "code-scout") {
			origins, hidden = append(origins, string(e.Origin)), append(hidden, e.HiddenBy)
		}
	}
	require.Equal(t, []string{"project", ".claude", ".pi", "user", "built-in"}, origins)
	winner := filepath.Join(h.workspace, ".assent", "agents", "any.md")
	require.Equal(t, []string{"", winner, winner, winner, winner}, hidden)
}

func TestSubfoldersAndWhatIsNoType(t *testing.T) {
	h := newHouse(t)
	h.put("work/.claude/agents/team/deep/a.md", file("a", ""))
	h.put("work/.claude/agents/README.md", "# What is here")
	h.put("work/.claude/agents/.draft.md", "x")
	h.put("work/.claude/agents/notes.txt", "x")
	h.put("work/.claude/agents/1/2/3/4/5/6/7/far.md", file("far", ""))
	entries, unread := h.load().List()
	require.Empty(t, unread)
	require.Equal(t, []string{"a", "code-scout", "issue-thinker", "issue-verifier", "specialized-worker"}, names(entries))
}

func names(entries []agenttype.Entry) (list []string) {
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

// A file that cannot be used takes its own name with it, and no other.
func TestABrokenFileHurtsNobodyElse(t *testing.T) {
	h := newHouse(t)
	broken := h.put("work/.assent/agents/code-scout.md", "no front matter")
	h.put("work/.assent/agents/good.md", file("good", "x"))
	h.put("work/.assent/agents/other.md", "---\nname: named\ntools: true\n---\n")
	l := h.load()
	_, err := l.Lookup("good")
	require.NoError(t, err)
	_, err = l.Lookup("code-scout")
	require.EqualError(t, err, "AGENT_TYPE_INVALID: "+broken+":1: there is no front matter", "the built-in one is not taken instead")
	_, err = l.Lookup("named")
	require.True(t, fault.Is(err, fault.AgentTypeInvalid), "it is known what the file would be called")
	_, err = l.Lookup("issue-thinker")
	require.NoError(t, err)
}

func TestOneNameTwiceInAPlace(t *testing.T) {
	h := newHouse(t)
	one, two := h.put("work/.assent/agents/a.md", file("twin", "")), h.put("work/.assent/agents/b/Twin.md", "---\n---\n")
	_, err := h.load().Lookup("twin")
	require.EqualError(t, err, `AGENT_TYPE_INVALID: several files have the name "twin": `+one+", "+two)
}

func TestUnknownNamesTheNearest(t *testing.T) {
	h := newHouse(t)
	h.put("work/.pi/agents/broken.md", "")
	_, err := h.load().Lookup("code-scuot")
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, fault.AgentTypeUnknown, e.Code)
	require.Equal(t, `there is no agent type "code-scuot"; there are code-scout, issue-thinker, issue-verifier, specialized-worker`, e.What)
	require.Equal(t, `did you mean "code-scout"?`, e.Next)
	_, err = h.load().Lookup("zzz")
	require.ErrorAs(t, err, &e)
	require.Equal(t, "assent agents   # lists them, and the files that cannot be used", e.Next)
}

// One set of types: what changes after the first look is not seen.
func TestFilesAreReadOnceAndLate(t *testing.T) {
	h := newHouse(t)
	l := h.load()
	path := h.put("work/.assent/agents/a.md", file("a", "before"))
	got, err := l.Lookup("a")
	require.NoError(t, err)
	require.Equal(t, "before", got.Instructions)
	require.NoError(t, os.Remove(path))
	again, err := l.Lookup("a")
	require.NoError(t, err)
	require.Equal(t, got, again)
}

func TestTheLibraryIsNobodysToChange(t *testing.T) {
	h := newHouse(t)
	h.put("work/.assent/agents/a.md", "---\ntools: [x]\n---\n")
	l := h.load()
	got, err := l.Lookup("a")
	require.NoError(t, err)
	got.Tools[0] = "changed"
	again, err := l.Lookup("a")
	require.NoError(t, err)
	require.Equal(t, []string{"x"}, again.Tools)
}

func TestLinksStayInTheWorkspace(t *testing.T) {
	h := newHouse(t)
	inside := h.put("work/shared/a.md", file("a", "shared"))
	outside := h.put("secret/b.md", file("b", "secret"))
	folder := filepath.Join(h.workspace, ".assent", "agents")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for name, target := range map[string]string{"a.md": inside, "b.md": outside, "c.md": filepath.Dir(inside), "gone.md": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Skip("no links here")
		}
	}
	l := h.load()
	got, err := l.Lookup("a")
	require.NoError(t, err)
	require.Equal(t, "shared", got.Instructions)
	_, err = l.Lookup("b")
	require.EqualError(t, err, "AGENT_TYPE_INVALID: "+filepath.Join(folder, "b.md")+": the file is a link that leaves "+h.workspace)
	for _, name := range []string{"c", "gone"} {
		_, err = l.Lookup(name)
		require.True(t, fault.Is(err, fault.AgentTypeInvalid), name)
	}
}

// The folder of another program may be a link to ours; its files are then there once.
func TestOneFolderUnderTwoNames(t *testing.T) {
	h := newHouse(t)
	h.put("work/.assent/agents/a.md", file("a", ""))
	if err := os.Symlink(".assent", filepath.Join(h.workspace, ".claude")); err != nil {
		t.Skip("no links here")
	}
	entries, unread := h.load().List()
	require.Empty(t, unread)
	require.Len(t, slices.DeleteFunc(names(entries), func(n string) bool { return n != "a" }), 1)
}

// A folder that leads out of the workspace, or cannot be read, is not passed over for a later one.
func TestAPlaceThatCannotBeReadIsNotPassedOver(t *testing.T) {
	h := newHouse(t)
	h.put("elsewhere/a.md", file("a", ""))
	h.put("work/.assent/agents/mine.md", file("mine", ""))
	require.NoError(t, os.Mkdir(filepath.Join(h.workspace, ".claude"), 0o700))
	if err := os.Symlink(filepath.Join(filepath.Dir(h.workspace), "elsewhere"), filepath.Join(h.workspace, ".claude", "agents")); err != nil {
		t.Skip("no links here")
	}
	l := h.load()
	_, err := l.Lookup("mine")
	require.NoError(t, err, "it wins over whatever is there")
	for _, name := range []string{"a", "code-scout", "none"} {
		_, err = l.Lookup(name)
		require.True(t, fault.Is(err, fault.AgentTypeInvalid), name)
		require.ErrorContains(t, err, filepath.Join(h.workspace, ".claude", "agents"))
	}
	_, unread := l.List()
	require.Len(t, unread, 1)
}

func TestAFolderHasAnEnd(t *testing.T) {
	h := newHouse(t)
	for i := range 501 {
		h.put("config/agents/"+strings.Repeat("a", i/26+1)+string(rune('a'+i%26))+".md", "---\n---\n")
	}
	_, err := h.load().Lookup("code-scout")
	require.ErrorContains(t, err, "the folder has more than 500 files")
}
