//go:build unix

package cli_test

import (
	"os"
	osuser "os/user"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// examples is the folder of the example programs.
func example(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "scripts", "examples", name))
	require.NoError(t, err)
	return path
}

// box is a user whose questions go to the example's mailbox.
type box struct {
	*user
	folder string
}

func newBox(t *testing.T, from string, files ...string) *box {
	t.Helper()
	python(t)
	b := &box{user: newUser(t, files...)}
	b.folder = filepath.Join(filepath.Dir(b.dir), "box")
	require.NoError(t, os.Mkdir(b.folder, 0o755))
	b.configures(`[approval]
asker = ["` + example(t, "mailbox") + `", "--folder", "` + b.folder + `", "--from", "nobody-else", "--from", "` + from + `"]
`)
	return b
}

var lastWord = regexp.MustCompile(`(?m)this word: (\S+)$`)

// question is the one that lies in the box, as soon as it is there whole.
func (b *box) question() (name, text, word string) {
	b.t.Helper()
	eventually(b.t, "a question comes", func() bool {
		found, _ := filepath.Glob(b.folder + "/*.md")
		if len(found) == 0 {
			return false
		}
		read, err := os.ReadFile(found[0])
		match := lastWord.FindSubmatch(read)
		if err != nil || match == nil {
			return false
		}
		name, text, word = strings.TrimSuffix(found[0], ".md"), string(read), string(match[1])
		return true
	})
	return name, text, word
}

func (b *box) answers(name, text string) {
	b.t.Helper()
	require.NoError(b.t, os.WriteFile(name+".new", []byte(text), 0o644))
	require.NoError(b.t, os.Rename(name+".new", name+".answer"))
}

// says waits until the question says why an answer was not taken.
func (b *box) says(name, why string) {
	b.t.Helper()
	eventually(b.t, why, func() bool {
		text, err := os.ReadFile(name + ".md")
		return err == nil && strings.Contains(string(text), "\nNot taken: "+why)
	})
}

func me(t *testing.T) string {
	t.Helper()
	u, err := osuser.Current()
	require.NoError(t, err)
	return u.Username
}

// The example carries a question to a person and the answer back. It takes nothing but the word of
// this question from somebody who may answer.
func TestMailbox(t *testing.T) {
	t.Parallel()
	b := newBox(t, me(t), "hard.js", `export const meta = { name: "hard", description: "x" };
const a = await planApprove({ steps: ["write"], note: "</pre>\u001b[2J\u202e" }, { prompt: "# Sure?\nApproved already." });
const b = await checkpoint("Where to?", { kind: "input" });
const c = await checkpoint("Go?");
return [a.decision, b, c];
`)
	run := b.start("run", "hard.js")
	name, text, word := b.question()
	require.Contains(t, text, "\n    # Sure?\n    Approved already.\n", "other people's words are no Markdown")
	require.Contains(t, text, `\u001b[2J\u202e`)
	require.NotContains(t, text, "\x1b")
	require.Contains(t, text, "SHA-256 ")
	require.True(t, strings.HasSuffix(text, word+"\n"))

	b.answers(name, "approve\n")
	b.says(name, "the word is not that of this question")
	b.answers(name, "yes "+word+"\n")
	b.says(name, "'yes' is not an answer here")
	require.NoError(t, os.WriteFile(name+".new", []byte("approve "+word+"\n"), 0o666))
	require.NoError(t, os.Chmod(name+".new", 0o666))
	require.NoError(t, os.Rename(name+".new", name+".answer"))
	b.says(name, "the answer has to be a file that only its owner can write")
	require.NoError(t, os.WriteFile(name+".real", []byte("approve "+word+"\n"), 0o644))
	require.NoError(t, os.Remove(name+".answer"))
	require.NoError(t, os.Symlink(name+".real", name+".answer"))
	b.says(name, "[Errno")
	require.Equal(t, "pending", b.gate()["state"])
	require.NoError(t, os.Remove(name+".answer"))
	b.answers(name, "approve "+word+"\n")

	eventually(t, "the next question", func() bool { found, _ := filepath.Glob(b.folder + "/*-2.md"); return len(found) == 1 })
	name, text, other := b.question()
	require.NotEqual(t, word, other)
	require.Contains(t, text, "Where to?")
	b.answers(name, "answer "+word+"\nBerlin\n.\n")
	b.says(name, "the word is not that of this question")
	b.answers(name, "answer "+other+"\nBerlin,\nthen home\n")
	b.answers(name, "answer "+other+"\nBerlin,\nthen home\n.\n")

	eventually(t, "the last question", func() bool { found, _ := filepath.Glob(b.folder + "/*-3.md"); return len(found) == 1 })
	name, _, word = b.question()
	b.answers(name, "no "+word)
	run.ends(t, 0)
	require.JSONEq(t, `[true,"Berlin,\nthen home",false]`, run.out.String())
	left, err := filepath.Glob(b.folder + "/*.md")
	require.NoError(t, err)
	require.Empty(t, left, "answered questions are taken away")
	require.Contains(t, b.wants(0, "verify").out, "by "+me(t)+" (asker)")
}

// Whose account is not named has no answer, and a question that is answered elsewhere is taken away.
func TestMailboxOfOthers(t *testing.T) {
	t.Parallel()
	b := newBox(t, "somebody-else", "gate.js", gateScript, "answers.toml", answers)
	run := b.start("run", "gate.js", "--agent", "script:answers.toml")
	name, _, word := b.question()
	b.answers(name, "approve "+word+"\n")
	b.says(name, me(t)+" does not answer here")
	require.Equal(t, "pending", b.gate()["state"])
	b.wants(0, "reject")
	run.ends(t, 3)
	require.NoFileExists(t, name+".md")
	b.wants(0, "verify")
}

// The example that tells hands the desktop a title and a text, without markup of others.
func TestDesktop(t *testing.T) {
	t.Parallel()
	python(t)
	u := newUser(t, "ask.js", `export const meta = { name: "ask", description: "x" };
return await checkpoint("--icon=x <b>Go?</b>\u001b[2J", { default: false });
`)
	u.program("notify-send", "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.shown\"\n")
	folder := filepath.Join(filepath.Dir(u.dir), "config", "assent")
	u.env = append(u.env, "PATH="+folder+":"+os.Getenv("PATH"))
	u.configures("[notify]\ncommand = [\"" + example(t, "desktop") + "\"]\n")
	u.wants(4, "run", "ask.js", "--on-gate", "suspend")
	shown, err := os.ReadFile(folder + "/notify-send.shown")
	require.NoError(t, err)
	run := runID.FindString(u.wants(0, "ls").out)
	require.Equal(t, "--app-name=assent\n--\nask waits for you\n--icon=x &lt;b&gt;Go?&lt;/b&gt; [2J\nassent review "+run+" --resume\n", string(shown))
}
