package issuedelivery_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// checked is as much of an answer of stageCheck as these tests look at.
type checked struct {
	OK                                 bool
	State, Commit, TargetFile, Summary string
	Checks                             []struct {
		Name, Summary, Stdout string
		OK                    bool
		Tests                 *int
	}
}

// shellSite is a site with checks that are shell scripts.
func shellSite(t *testing.T, checks map[string]string) *site {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the checks of these tests are shell scripts")
	}
	s := diskSite(t)
	s.host.Config.Checks = map[string][]string{}
	for name, script := range checks {
		s.host.Config.Checks[name] = []string{"sh", "-c", script}
	}
	return s
}

func TestStageCheckOfACommit(t *testing.T) {
	s := shellSite(t, map[string]string{"engine": "cat engine.go && ! git symbolic-ref -q HEAD && git rev-parse HEAD && ls"})
	s.host.Config.Setup = map[string][]string{"install": {"sh", "-c", "echo > installed"}}
	s.write("untracked", "x\n")
	s.write("go.mod", "an edit\n")
	before := s.files()
	r := value[checked](t, s.script(`return stageCheck({ commit: args.commit, targetFile: "engine.go", label: "look", under: ok })`, map[string]string{"commit": s.change}))
	require.True(t, r.OK, r.Summary)
	require.Equal(t, "passed", r.State)
	require.Equal(t, s.change, r.Commit)
	require.Equal(t, "engine.go", r.TargetFile)
	require.Equal(t, "package rocket\n"+s.change+"\nAGENTS.md\nengine.go\ngo.mod\ninstalled\n", r.Checks[0].Stdout)

	require.Equal(t, before, s.files(), "the user's tree is as it was")
	require.Equal(t, 1, strings.Count(s.git("worktree", "list"), "\n")+1, "the tree is not registered any more")
	left, err := filepath.Glob(filepath.Join(s.work, "*", "checks", "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// Whatever an attempt that was cut off left in the place is gone before the next.
func TestStageCheckAfterACrash(t *testing.T) {
	s := shellSite(t, map[string]string{"clean": "test ! -e left && test -e engine.go"})
	r := value[[]checked](t, s.script(`
const once = () => stageCheck({ commit: args.commit, under: ok });
const first = await once();
return [first, await stageCheck({ commit: args.commit, checks: [{ name: "litter", command: ["sh", "-c", "echo > left; chmod 0 left; mkdir -p a/b; echo > a/b/c; chmod 0500 a/b"] }], under: ok }), await once()];`,
		map[string]string{"commit": s.change}))
	for _, one := range r {
		require.True(t, one.OK, one.Summary)
	}
}

func TestStageCheckOfTheWorkspace(t *testing.T) {
	s := shellSite(t, map[string]string{"mod": "cat go.mod", "other": "pwd"})
	s.host.Config.Setup = map[string][]string{"install": {"sh", "-c", "echo > installed"}}
	s.write("go.mod", "an edit\n")
	r := value[checked](t, s.script(`return stageCheck({ checks: ["mod"] })`, nil))
	require.True(t, r.OK)
	require.Len(t, r.Checks, 1)
	require.Equal(t, "an edit\n", r.Checks[0].Stdout)
	require.NoFileExists(t, filepath.Join(s.dir, "installed"), "a workspace is not set up")
}

func TestStageCheckFindsChecks(t *testing.T) {
	s := diskSite(t)
	s.host.Environ = os.Environ()
	s.write("Makefile", "check:\n\techo fine\n")
	r := value[checked](t, s.script(`return stageCheck({ commit: args.commit, checks: ["go build"], under: ok })`, map[string]string{"commit": s.change}))
	require.True(t, r.OK, r.Summary)
	none := value[checked](t, s.script(`return stageCheck({ checks: [] })`, nil))
	require.False(t, none.OK)
	require.Equal(t, "none", none.State)
}

// Who judges a commit that takes the tests away has to know.
func TestStageCheckSaysWhatIsLost(t *testing.T) {
	s := shellSite(t, nil)
	s.write("Cargo.toml", "[package]\n")
	r := value[checked](t, s.script(`return stageCheck({ commit: args.commit, under: ok, timeoutMs: 60000 })`, map[string]string{"commit": s.change}))
	require.Contains(t, r.Summary, "\nThe check cargo test of the workspace is not in this commit.")
}

func TestStageCheckRefuses(t *testing.T) {
	s := shellSite(t, map[string]string{"mod": "true"})
	for call, want := range map[string]string{
		`stageCheck({ commit: "HEAD", under: ok })`:                            "OPTION_INVALID",
		`stageCheck({ commit: args.commit })`:                                  "OPTION_INVALID",
		`stageCheck({ checks: ["mood"] })`:                                     "OPTION_INVALID",
		`stageCheck({ checks: "mod" })`:                                        "OPTION_INVALID",
		`stageCheck({ timeoutMs: -1 })`:                                        "OPTION_INVALID",
		`stageCheck({ maxOutput: 1e9 })`:                                       "OPTION_INVALID",
		`stageCheck({ comit: "x" })`:                                           "OPTION_UNKNOWN",
		`stageCheck({ commit: "` + strings.Repeat("0", 40) + `", under: ok })`: "DELIVERY_FAILED",
	} {
		code := value[string](t, s.script(`try { await `+call+` } catch (e) { return e.code ?? String(e) } return "no error"`, map[string]string{"commit": s.change}))
		require.Regexp(t, want, code, call)
	}
}

func TestCalculations(t *testing.T) {
	do := map[string]func([]json.RawMessage) (json.RawMessage, error){}
	for _, c := range issuedelivery.Calculations() {
		do[c.Name] = c.Do
	}
	call := func(name, arg string) string {
		out, err := do[name]([]json.RawMessage{json.RawMessage(arg)})
		require.NoError(t, err)
		return string(out)
	}
	// What stageCheck gave, with all that is in it; then a round of what other scripts pass.
	feedback := call("renderStageCheckFeedback", `{"ok":false,"state":"failed","commit":"c","summary":"Checks failed: 1 of 1.","checks":[{"name":"t","command":["t"],"kind":"test","source":"x","ok":false,"exitCode":1,"timedOut":false,"tests":null,"summary":"t failed with exit code 1.","stdout":"","stderr":"error: <b>\n"}],"more":1}`)
	require.JSONEq(t, `"Checks failed: 1 of 1.\n\nt failed with exit code 1.\n$ t\nerror: <b>"`, feedback)
	delta := call("compactFeedback", fmt.Sprintf(`{"rounds":[{"index":1,"verdict":"fail","feedback":%s,"localChecks":{}}],"previousDelta":null,"maxTokens":512,"auditLogId":"a"}`, feedback))
	require.JSONEq(t, `{"rootCauses":[{"text":"t failed with exit code 1.","count":1,"rounds":[1]},{"text":"error: <b>","count":1,"rounds":[1]}],"rounds":1,"omitted":0,"maxTokens":512,"auditLogId":"a"}`, delta)
	require.JSONEq(t, `"What was wrong in 1 attempt, the newest first:\n- t failed with exit code 1. (attempt 1)\n- error: <b> (attempt 1)"`, call("renderCorrectionDelta", delta))
	for name, arg := range map[string]string{"compactFeedback": `{"maxTokens":0}`, "renderCorrectionDelta": `null`, "renderStageCheckFeedback": `"x"`} {
		_, err := do[name]([]json.RawMessage{json.RawMessage(arg)})
		require.ErrorContains(t, err, "OPTION_INVALID", name)
	}
	_, err := do["compactFeedback"](nil)
	require.ErrorContains(t, err, "OPTION_INVALID")
}
