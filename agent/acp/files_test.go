//go:build unix

package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
)

// useFiles reads and writes the files that the prompt names, and answers with what came of each.
func useFiles(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error) {
	got := map[string]string{}
	for _, do := range strings.Split(prompt, "\n") {
		how, path, _ := strings.Cut(do, " ")
		var err error
		switch how {
		case "read":
			var read sdk.ReadTextFileResponse
			read, err = a.conn.ReadTextFile(ctx, sdk.ReadTextFileRequest{SessionId: a.session, Path: path})
			got[do] = "ok " + read.Content
		case "write":
			_, err = a.conn.WriteTextFile(ctx, sdk.WriteTextFileRequest{SessionId: a.session, Path: path, Content: "written"})
			got[do] = "ok"
		case "empty":
			_, err = a.conn.WriteTextFile(ctx, sdk.WriteTextFileRequest{SessionId: a.session, Path: path})
			got[do] = "ok"
		case "huge":
			_, err = a.conn.WriteTextFile(ctx, sdk.WriteTextFileRequest{SessionId: a.session, Path: path, Content: strings.Repeat("x", 7<<20)})
			got[do] = "ok"
		case "elsewhere":
			_, err = a.conn.ReadTextFile(ctx, sdk.ReadTextFileRequest{SessionId: "session-2", Path: path})
			got[do] = "ok"
		}
		if err != nil {
			got[do] = "no"
		}
	}
	return a.answers(ctx, got)
}

// writeOnce asks for leave to write a file, writes it twice, and answers with what came of each.
func writeOnce(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error) {
	path := strings.TrimPrefix(prompt, "write ")
	got := map[string]string{"leave": usePermission(ctx, a, `{"kind":"edit","content":[{"type":"diff","path":"`+path+`","newText":"first"}]}`)}
	for _, n := range []string{"first", "first", "second"} {
		_, err := a.conn.WriteTextFile(ctx, sdk.WriteTextFileRequest{SessionId: a.session, Path: path, Content: n})
		got[n] += map[bool]string{true: "ok", false: "no"}[err == nil]
	}
	return a.answers(ctx, got)
}

// tree makes a folder with things in it, and one beside it that is not the call's.
func tree(t *testing.T) (dir, scratch, other string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	dir, scratch, other = filepath.Join(top, "work"), filepath.Join(top, "scratch"), filepath.Join(top, "other")
	for _, d := range []string{filepath.Join(dir, ".git", "hooks"), scratch, other} {
		require.NoError(t, os.MkdirAll(d, 0o700))
	}
	for path, text := range map[string]string{"work/a.txt": "one\ntwo\nthree", "other/secret": "secret", "work/empty": "", "work/bad": "\xff\xfe", "scratch/s": "s"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, path), []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink(other, filepath.Join(dir, "out")))
	require.NoError(t, os.Symlink(filepath.Join(other, "secret"), filepath.Join(dir, "leak")))
	require.NoError(t, os.Symlink(filepath.Join(other, "none"), filepath.Join(dir, "dangling")))
	require.NoError(t, os.Symlink("a.txt", filepath.Join(dir, "alias")))
	cmd := exec.Command("git", "init", "-q")
	cmd.Dir = dir
	require.NoError(t, cmd.Run())
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	return dir, scratch, other
}

func TestS19_FilesStayInside(t *testing.T) {
	dir, scratch, other := tree(t)
	do := func(adjust func(*agent.Request), lines ...string) map[string]string {
		return attempt(t, made("turn", "files"), func(r *agent.Request) {
			r.Cwd, r.Scratch, r.Prompt = dir, scratch, strings.Join(lines, "\n")
			adjust(r)
		}).object(t)
	}
	require.Equal(t, map[string]string{
		"read " + dir + "/a.txt": "ok one\ntwo\nthree", "read a.txt": "ok one\ntwo\nthree", "read " + dir + "/alias": "ok one\ntwo\nthree", "read empty": "ok ",
		"read " + scratch + "/s": "ok s", "read " + other + "/secret": "no", "read leak": "no", "read out/secret": "no", "read ../other/secret": "no", "read /etc/hostname": "no",
		"read none": "no", "read .": "no", "read pipe": "no", "read bad": "no", "read /dev/zero": "no", "elsewhere a.txt": "no",
	}, do(func(r *agent.Request) { r.ReadOnly = true },
		"read "+dir+"/a.txt", "read a.txt", "read "+dir+"/alias", "read empty", "read "+scratch+"/s", "read "+other+"/secret", "read leak", "read out/secret",
		"read ../other/secret", "read /etc/hostname", "read none", "read .", "read pipe", "read bad", "read /dev/zero", "elsewhere a.txt"))

	require.Equal(t, map[string]string{
		"write new": "no", "write a.txt": "no", "empty a.txt": "no", "write " + scratch + "/plan": "ok", "write " + scratch + "/deep/er": "ok", "write " + other + "/x": "no",
	}, do(func(r *agent.Request) { r.ReadOnly, r.PermissionMode, r.Isolated = true, "auto", true },
		"write new", "write a.txt", "empty a.txt", "write "+scratch+"/plan", "write "+scratch+"/deep/er", "write "+other+"/x"))
	require.NoFileExists(t, filepath.Join(dir, "new"))
	require.FileExists(t, filepath.Join(scratch, "deep", "er"))

	for _, mode := range []string{"auto", "accept-edits"} {
		require.Equal(t, map[string]string{
			"write new/deep": "ok", "empty zero": "ok", "write alias": "ok", "write out/x": "no", "write leak": "no", "write dangling": "no", "write ../other/x": "no",
			"write " + other + "/x": "no", "write .git/hooks/pre-commit": "no", "write .assent/config.toml": "no", "write .assent/agents/x.md": "no", "write ~/x": "no", "write  a.txt": "no", "write pipe": "no", "write .": "no", "huge big": "no",
		}, do(func(r *agent.Request) { r.PermissionMode = mode },
			"write new/deep", "empty zero", "write alias", "write out/x", "write leak", "write dangling", "write ../other/x", "write "+other+"/x", "write .git/hooks/pre-commit", "write .assent/config.toml", "write .assent/agents/x.md", "write ~/x", "write  a.txt", "write pipe", "write .", "huge big"))
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "written", string(text), "through a link that stays inside")
	info, err := os.Stat(filepath.Join(dir, "zero"))
	require.NoError(t, err)
	require.Zero(t, info.Size())
	for _, name := range []string{"other/x", "other/none", "work/big", "work/.git/hooks/pre-commit"} {
		require.NoFileExists(t, filepath.Join(filepath.Dir(dir), name))
	}
	text, err = os.ReadFile(filepath.Join(other, "secret"))
	require.NoError(t, err)
	require.Equal(t, "secret", string(text))
}

func TestLinesOfAFile(t *testing.T) {
	n := func(n int) *int { return &n }
	for _, row := range []struct {
		from, limit *int
		want        string
	}{
		{nil, nil, "a\nb\nc"},
		{n(1), nil, "a\nb\nc"},
		{n(2), nil, "b\nc"},
		{n(2), n(1), "b\n"},
		{n(3), n(5), "c"},
		{n(4), nil, ""},
		{n(1 << 40), n(1), ""},
		{nil, n(0), ""},
		{n(-5), n(-5), ""},
		{n(0), n(2), "a\nb\n"},
	} {
		require.Equal(t, row.want, acp.Lines("a\nb\nc", row.from, row.limit))
	}
}

// usePermission asks for leave for the use of a tool, and gives the kind of the option that was chosen.
func usePermission(ctx context.Context, a *fake, call string) string {
	var p sdk.RequestPermissionRequest
	if err := json.Unmarshal([]byte(`{"toolCall":`+call+`,"options":[]}`), &p); err != nil {
		return err.Error()
	}
	p.SessionId = a.session
	if p.ToolCall.ToolCallId == "" {
		p.ToolCall.ToolCallId = "unknown"
	}
	for _, kind := range []sdk.PermissionOptionKind{"allow_always", "reject_always", "allow_once", "reject_once"} {
		p.Options = append(p.Options, sdk.PermissionOption{Kind: kind, Name: string(kind), OptionId: sdk.PermissionOptionId(kind)})
	}
	resp, err := a.conn.RequestPermission(ctx, p)
	switch {
	case err != nil:
		return "error"
	case resp.Outcome.Selected != nil:
		return string(resp.Outcome.Selected.OptionId)
	}
	return "cancelled"
}

// usePermissions asks for each line of the prompt. A line that begins with + is told as a use of a tool
// before, with the id "known".
func usePermissions(ctx context.Context, a *fake, prompt string) (sdk.PromptResponse, error) {
	got := map[string]string{}
	for _, line := range strings.Split(prompt, "\n") {
		if told, ok := strings.CutPrefix(line, "+"); ok {
			var u sdk.SessionUpdate
			if err := json.Unmarshal([]byte(told), &u); err != nil {
				return sdk.PromptResponse{}, err
			}
			a.tells(ctx, u)
			continue
		}
		got[line] = usePermission(ctx, a, line)
	}
	return a.answers(ctx, got)
}

func TestS19_PermissionRequests(t *testing.T) {
	dir, scratch, other := tree(t)
	ask := func(adjust func(*agent.Request), lines ...string) *called {
		return attempt(t, made("turn", "permissions"), func(r *agent.Request) {
			r.Cwd, r.Scratch, r.Prompt = dir, scratch, strings.Join(lines, "\n")
			adjust(r)
		})
	}
	reading := map[string]string{
		`{"kind":"read","locations":[{"path":"a.txt"}]}`:                                                                         "allow_once",
		`{"kind":"read","locations":[{"path":"leak"}]}`:                                                                          "reject_once",
		`{"kind":"read","rawInput":{"file_path":"` + other + `/secret"}}`:                                                        "reject_once",
		`{"kind":"read","rawInput":{"command":"cat a.txt"}}`:                                                                     "allow_once",
		`{"kind":"read","rawInput":{"command":"rm a.txt"}}`:                                                                      "reject_once",
		`{"kind":"execute","rawInput":{"command":"git status"}}`:                                                                 "allow_once",
		`{"kind":"execute","rawInput":{"command":["bash","-lc","git status | head"]}}`:                                           "allow_once",
		`{"kind":"execute","rawInput":{"command":["bash","-lc","git commit"]}}`:                                                  "reject_once",
		`{"kind":"execute","rawInput":{"command":"git status","cwd":"` + scratch + `"}}`:                                         "reject_once",
		`{"kind":"execute","rawInput":{"command":7}}`:                                                                            "reject_once",
		`{"kind":"execute","title":"ls"}`:                                                                                        "reject_once",
		`{"title":"Read a.txt","rawInput":{"path":"a.txt"}}`:                                                                     "reject_once",
		`{"kind":"edit","locations":[{"path":"a.txt"}],"title":"Read a.txt"}`:                                                    "reject_once",
		`{"kind":"edit","locations":[{"path":"` + scratch + `/plan"}]}`:                                                          "allow_once",
		`{"kind":"edit","content":[{"type":"diff","path":"a.txt","newText":"x"}],"locations":[{"path":"` + scratch + `/plan"}]}`: "reject_once",
		`{"kind":"sneaky"}`:      "reject_once",
		`{"kind":"fetch"}`:       "reject_once",
		`{"kind":"switch_mode"}`: "reject_once",
		// The id joins what was said before; an agent that contradicts itself is believed in nothing.
		`{"toolCallId":"known"}`:                  "allow_once",
		`{"toolCallId":"known","kind":"think"}`:   "reject_once",
		`{"toolCallId":"changed","kind":"read"}`:  "reject_once",
		`{"toolCallId":"never","title":"search"}`: "reject_once",
	}
	lines := []string{
		`+{"sessionUpdate":"tool_call","toolCallId":"known","title":"x","kind":"search"}`,
		`+{"sessionUpdate":"tool_call","toolCallId":"changed","title":"x","kind":"edit","locations":[{"path":"a.txt"}]}`,
	}
	for line := range reading {
		lines = append(lines, line)
	}
	c := ask(func(r *agent.Request) {
		r.ReadOnly, r.PermissionMode, r.Isolated = true, "auto", true
		r.Ask = func(context.Context, agent.Permission) (bool, error) { t.Error("nobody is asked"); return true, nil }
	}, lines...)
	require.Equal(t, reading, c.object(t))
	require.Len(t, c.told(agent.EventPermission), len(reading))

	edit, command, link := `{"kind":"edit","title":"the edit","locations":[{"path":"a.txt"}]}`, `{"kind":"execute","rawInput":{"command":"make"}}`, `{"kind":"edit","locations":[{"path":"out/x"}]}`
	asking := func(may bool, err error) func(*agent.Request) {
		return func(r *agent.Request) {
			r.PermissionMode = "ask"
			r.Ask = func(_ context.Context, p agent.Permission) (bool, error) {
				if p.Tool == "edit" {
					require.Equal(t, "the edit", p.Title)
					require.Equal(t, "a.txt", p.Input)
				}
				return may, err
			}
		}
	}
	require.Equal(t, map[string]string{edit: "allow_once", command: "allow_once"}, ask(asking(true, nil), edit, command).object(t))
	require.Equal(t, map[string]string{edit: "reject_once", command: "reject_once"}, ask(asking(false, nil), edit, command).object(t))
	c = ask(asking(true, errors.New("the run has no person")), edit)
	require.Equal(t, "reject_once", c.object(t)[edit])
	require.Equal(t, []agent.Event{{Type: agent.EventPermission, Tool: "edit", Input: "a.txt", Failed: true, Text: "nobody could be asked: the run has no person"}}, c.told(agent.EventPermission))
	require.Equal(t, map[string]string{edit: "reject_once", command: "reject_once"}, ask(func(r *agent.Request) { r.PermissionMode = "ask" }, edit, command).object(t))
	require.Equal(t, map[string]string{edit: "allow_once", command: "reject_once", link: "reject_once"},
		ask(func(r *agent.Request) { r.PermissionMode = "accept-edits" }, edit, command, link).object(t))
	require.Equal(t, map[string]string{edit: "allow_once", command: "reject_once", link: "reject_once"}, ask(func(r *agent.Request) { r.Isolated = true }, edit, command, link).object(t))
	require.Equal(t, map[string]string{edit: "allow_once", command: "allow_once", link: "allow_once"}, ask(func(r *agent.Request) { r.PermissionMode = "auto" }, edit, command, link).object(t))
}

// A person who let an agent edit a file is not asked again when it then has it written, but for the
// next time.
func TestLeaveForAnEditIsForItsWriting(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	dir := t.TempDir()
	c := attempt(t, made("turn", "mode-written"), func(r *agent.Request) {
		r.Cwd, r.Prompt, r.PermissionMode = dir, "write "+filepath.Join(dir, "x"), "ask"
		r.Ask = func(_ context.Context, p agent.Permission) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, p.Input)
			return len(asked) == 1, nil
		}
	})
	require.Equal(t, map[string]string{"leave": "allow_once", "first": "okno", "second": "no"}, c.object(t))
	path := filepath.Join(dir, "x")
	require.Equal(t, []string{
		path + ", all of it, from line 1:\n+first\n  (no end of line)",
		path + ", as it is",
		path + ", from line 1:\n-first\n  (no end of line)\n+second\n  (no end of line)",
	}, asked)
	text, err := os.ReadFile(filepath.Join(dir, "x"))
	require.NoError(t, err)
	require.Equal(t, "first", string(text))
}
