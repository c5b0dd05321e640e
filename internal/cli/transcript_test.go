//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

const talkScript = `export const meta = { name: "talk", description: "x" };
await agent("look\nat it", { label: "scout", readOnly: true });
return "done";
`

// talkAnswers say more than is shown, what a terminal would obey, and a secret.
const talkAnswers = `[[answer]]
label = "scout"
text = "one\u001b[2J\ntwo\nthree\nfour\nfive token=abcdefghij\nsix"
`

// talked is a user with such a run, and its transcript's file.
func talked(t *testing.T) (u *user, run, path string) {
	t.Helper()
	u = newUser(t, "talk.js", talkScript, "answers.toml", talkAnswers)
	run = runOf(u.object(0, "run", "talk.js", "--agent", "script:answers.toml", "--json"))
	return u, run, u.store("attachments", run, "agent-0-1.ndjson")
}

// What an agent said is shown with its call, shortened and escaped; all of it by itself.
func TestShowTranscript(t *testing.T) {
	t.Parallel()
	u, run, path := talked(t)
	before := u.hashes()
	short := u.wants(0, "show", run, "--call", "scout")
	require.Contains(t, short.out, "transcript:\n│    +0.0s  says    one‹ESC›[2J\n│                   two\n│                   three\n│                   four\n│                   … 2 more lines\n")
	require.Contains(t, short.out, "\ntranscript "+path+"\n")
	require.Contains(t, short.errors, "next: assent show "+shortID(run)+" --call '/agent#0' --transcript")
	whole := u.wants(0, "show", run, "--call", "/agent#0", "--transcript")
	require.Equal(t, `│    +0.0s  asked   look
│                   at it
│    +0.0s  says    one‹ESC›[2J
│                   two
│                   three
│                   four
│                   five token=[redacted]
│                   six
`, whole.out)

	o := u.object(0, "show", run, "--call", "scout", "--transcript", "--json")
	events := o["events"].([]any)
	require.Len(t, events, 2)
	require.Equal(t, "one\x1b[2J\ntwo\nthree\nfour\nfive token=[redacted]\nsix", events[1].(map[string]any)["text"])
	kept := o["transcript"].(map[string]any)
	require.Equal(t, "kept", kept["state"])
	require.Equal(t, path, kept["path"])
	require.Nil(t, u.object(0, "show", run, "--call", "scout", "--json")["events"])
	require.Equal(t, kept["sha256"], u.object(0, "show", run, "--json")["calls"].([]any)[0].(map[string]any)["transcript"].(map[string]any)["sha256"])
	require.Equal(t, before, u.hashes(), "looking changes nothing")
	require.Contains(t, u.wants(2, "show", run, "--transcript").errors, "--transcript is of a call")
}

// A transcript that is gone, or is another file now, is said; neither is damage. It goes with its run.
func TestTranscriptThatIsNotWhatItWas(t *testing.T) {
	t.Parallel()
	u, run, path := talked(t)
	require.NotContains(t, u.wants(0, "verify", run).out, "remark")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, "{\"type\":\"text\",\"text\":\"forged \\u001b[2J\"}\nno JSON\n"...), 0o600))
	require.Contains(t, u.wants(0, "show", run, "--call", "scout").out, "it is NOT what it was when the answer was recorded")
	forged := u.wants(0, "show", run, "--call", "scout", "--transcript")
	require.Contains(t, forged.errors, "NOT what it was")
	require.Contains(t, forged.out, "forged ‹ESC›[2J")
	require.Contains(t, forged.out, "a line that cannot be read")
	require.Contains(t, u.wants(0, "verify", run).out, "remark   entry 2: the attachment agent-0-1.ndjson is not what it was")
	require.Len(t, u.object(0, "verify", run, "--json")["remarks"], 1)

	require.NoError(t, os.Remove(path))
	require.Contains(t, u.wants(0, "show", run, "--call", "scout").out, "transcript agent-0-1.ndjson is gone; its sha256 was ")
	require.Contains(t, u.wants(0, "show", run, "--call", "scout", "--transcript").errors, "is gone: "+path)
	require.NotContains(t, u.wants(0, "verify", run).out, "remark")

	require.NoError(t, os.WriteFile(path, make([]byte, 1<<20), 0o600))
	gone := u.object(0, "prune", run, "--json")
	require.Greater(t, gone["bytes"], float64(1<<20))
	require.NoDirExists(t, filepath.Dir(path))
}

// Whoever watches sees what an agent does while it is at work, and so does show.
func TestWatchTellsWhatAgentsDo(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", slowScript, "answers.toml", stepAnswers)
	run := strings.TrimSpace(u.wants(0, "run", "slow.js", "--agent", "script:answers.toml", "--detach").out)
	lines, objects := u.watches(run), u.watches(run, "--json")
	screen := u.terminalOf(120, "watch", run)
	lines.sees(t, `"second" (agent /agent#1) uses command until test -e go`)
	objects.sees(t, `"type":"call.told"`)
	screen.sees("uses command until test -e go")
	require.Contains(t, u.wants(0, "show", run, "--call", "second").out, "uses    command until test -e go")
	at := u.object(0, "show", run, "--call", "second", "--transcript", "--json")
	require.Equal(t, "at work", at["transcript"].(map[string]any)["state"])
	require.Len(t, at["events"], 2)
	u.write("go", "")
	require.Equal(t, 4, objects.ends(t), objects.errors.String())
	require.Equal(t, 4, lines.ends(t), lines.errors.String())
	require.Equal(t, 4, screen.ends(), screen.shown())

	documented := examples(t)
	var all []string
	for _, o := range objects.lines(t) {
		all = append(all, o["type"].(string))
		if o["type"] != "call.told" {
			continue
		}
		found := map[string]bool{}
		keys(found, "", o)
		for name := range found {
			require.True(t, documented["watched"][name], "%s is not documented", name)
		}
		require.Equal(t, 0.0, o["seq"])
		require.Equal(t, "/agent#1", o["call"].(map[string]any)["key"])
		if o["told"].(map[string]any)["type"] == "tool" {
			require.Equal(t, map[string]any{"attempt": 1.0, "type": "tool", "tool": "command", "input": "until test -e go; do sleep 0.02; done"}, o["told"])
		}
	}
	require.Regexp(t, `call.started (call.told )+call.finished`, strings.Join(all, " "), "what it told comes before its answer")
}

// So does whoever runs it in a terminal.
func TestRunShowsWhatAgentsDo(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", slowScript, "answers.toml", stepAnswers)
	s := u.terminalOf(120, "run", "slow.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--headless")
	s.sees("uses command until test -e go")
	u.write("go", "")
	require.Equal(t, 4, s.ends(), s.shown())
}

// What a call left, and what it stood for outside of the script, is shown with the commands that go on
// from there.
func TestShowWhatACallLeft(t *testing.T) {
	t.Parallel()
	u := newUser(t, "plain.js", shortScript)
	u.wants(0, "run", "plain.js")
	store, err := journal.Open(journal.Options{Dir: u.store(), KeyDir: filepath.Join(filepath.Dir(u.store()), "home", ".local", "share", "assent", "keys")})
	require.NoError(t, err)
	r, err := store.Create(t.Context(), journal.RunStarted{Title: "left", Workspace: u.dir, Settings: journal.Settings{Tiers: journal.Tiers{Small: journal.Tier{Model: "haiku"}}}})
	require.NoError(t, err)
	const base, commit = "b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0", "89e6c98d92887913cadf06b2adb97f26cde4849b"
	w, err := r.Attach("agent-1-1.patch")
	require.NoError(t, err)
	_, err = w.Write([]byte("one\ntwo\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	call := func(key string, f journal.CallFinished, outside string) journal.Draft {
		f.Call = &journal.Call{Name: "agent", Args: []json.RawMessage{json.RawMessage(`"do"`)}, After: 1, ReadOnly: f.Patch != nil, Isolated: f.Worktree != nil}
		if outside != "" {
			f.Call.Outside = json.RawMessage(outside)
		}
		f.Value = json.RawMessage(`"done"`)
		return journal.Draft{Kind: journal.KindCallFinished, Key: key, Data: f}
	}
	_, err = journal.Append(t.Context(), r,
		call("/agent#0", journal.CallFinished{Worktree: &journal.Worktree{
			Path: "/work/tree\x1b", Branch: "assent/2ea19a/agent-0", Base: base, Commit: commit, More: 3,
			Files: []journal.FileChange{{Path: "a b.txt", Kind: "added"}, {Path: "c\x1b.txt", Kind: "removed"}},
		}}, `{"tier":{"name":"small","agent":"cloud","model":"haiku"},"agentType":{"name":"scout","sha256":"`+planSum+`"},"new\u001b":7}`),
		call("/agent#1", journal.CallFinished{Patch: &journal.Attachment{
			Name: "agent-1-1.patch", Size: 8, SHA256: "c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8",
		}}, ""),
		call("/agent#2", journal.CallFinished{Worktree: &journal.Worktree{Path: "/w", Branch: "assent/2ea19a/agent-2", Base: base, Commit: base}}, ""),
	)
	require.NoError(t, err)
	require.NoError(t, r.Close())

	left := u.wants(0, "show", r.ID(), "--call", "/agent#0")
	for _, line := range []string{
		"agentType  scout, sha256 " + planSum[:12] + "…", "tier       small, agent cloud, model haiku", "new‹ESC›   7",
		"worktree   /work/tree‹ESC›", "branch     assent/2ea19a/agent-0", "commit     " + commit, "base       " + base,
		"files      added a b.txt", "           removed c‹ESC›.txt", "           and 3 more",
	} {
		require.Contains(t, left.out, line)
	}
	require.Contains(t, left.errors, "next: git diff "+base+"..assent/2ea19a/agent-0   # shows its work")
	patch := u.wants(0, "show", r.ID(), "--call", "/agent#1")
	path := u.store("attachments", r.ID(), "agent-1-1.patch")
	require.Contains(t, patch.out, "patch      "+path)
	require.Contains(t, patch.errors, "next: less "+path+"   # its first lines tell what is to be undone by hand")
	none := u.wants(0, "show", r.ID(), "--call", "/agent#2")
	require.Contains(t, none.out, "nothing was changed")
	require.NotContains(t, none.errors, "git diff")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NotContains(t, u.wants(0, "show", r.ID(), "--call", "/agent#1").errors, "git apply", "a patch that is another now is not recommended")

	documented := examples(t)
	for example, o := range map[string]map[string]any{
		"show": u.object(0, "show", r.ID(), "--json"), "call": u.object(0, "show", r.ID(), "--call", "/agent#1", "--json"),
	} {
		found := map[string]bool{}
		keys(found, "", o)
		for name := range found {
			if !strings.Contains(name, ".outside.") { // its parts may be others
				require.True(t, documented[example][name], "%s: %s is not documented", example, name)
			}
		}
	}
	require.Equal(t, "haiku", u.object(0, "show", r.ID(), "--json")["settings"].(map[string]any)["tiers"].(map[string]any)["small"].(map[string]any)["model"])
	u.wants(0, "verify", r.ID())
}
