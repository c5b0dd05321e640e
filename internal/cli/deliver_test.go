//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
	"github.com/seed-8d4a6081/assent/workflows"
)

// What cannot be meant is said before there is a run, with what to type instead.
func TestDeliverRefusesWhatCannotBeMeant(t *testing.T) {
	t.Parallel()
	u := newUser(t, "list.json", "[1]", "none.json", "{}", "broken.json", "{", "other.json", `{"format":1,"result":[1]}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "deliver needs a task, an issue or a plan\nnext: assent deliver 'WHAT IS TO BE DONE'   # or --issue NUMBER, or --plan FILE\n"},
		{[]string{" "}, "the task is empty"},
		{[]string{"x", "--no-pr", "--dry-run"}, "--no-pr and --dry-run are two ends"},
		{[]string{"x", "--prototype", "--dry-run"}, "--dry-run and --prototype are two ends"},
		{[]string{"--issue", "0"}, "--issue 0: issues count from 1"},
		{[]string{"--issue", "x"}, `--issue takes a whole number such as 4, not "x"`},
		{[]string{"x", "--max-steps", "41"}, "--max-steps is a number from 1 to 40, not 41"},
		{[]string{"x", "--max-steps", "0"}, "--max-steps is a number from 1 to 40, not 0"},
		{[]string{"x", "--base", "-f"}, `--base "-f" is no branch`},
		{[]string{"x", "--no-pr", "--label", "a"}, "--label is of a pull request, and --no-pr makes none"},
		{[]string{"x", "--prototype", "--ready"}, "--ready is of a pull request, and --prototype makes none"},
		{[]string{"--plan", "gone.json"}, "there is no file "},
		{[]string{"--plan", "list.json"}, "list.json is no plan: it begins with [, and a plan is an object"},
		{[]string{"--plan", "none.json"}, "none.json is no plan: it has no steps"},
		{[]string{"--plan", "broken.json"}, "broken.json is no plan: "},
		{[]string{"--plan", "other.json"}, "other.json is no plan: its result is none of a dry run"},
		{[]string{"--plan", "-", "--detach"}, "ARGS_INVALID: standard input is no plan: "},
		{[]string{"--finish", ""}, "--finish needs a run"},
		{[]string{"--finish", "01JD", "x"}, "--finish goes on with a run, whose task stands"},
		{[]string{"--finish", "01JD", "--no-pr"}, "--finish goes on with a run as it began, and --no-pr would begin another one"},
	} {
		require.Contains(t, u.wants(2, append([]string{"deliver"}, c.args...)...).errors, c.want, c.args)
	}
	require.Contains(t, u.wants(0, "ls", "--json").out, `"runs":[]`)
}

// The flags become the script's arguments; where they say nothing the configuration does, for the script
// by its own name too.
func TestDeliverGivesTheScriptItsArguments(t *testing.T) {
	t.Parallel()
	const plan = `{"summary":"s","steps":[]}`
	u := newUser(t, "plan.json", plan, "dry.json", `{"success":true,"dryRun":true,"plan":`+plan+`}`, "whole.json", `{"format":1,"result":{"dryRun":true,"plan":`+plan+`}}`)
	args := func(command ...string) any {
		u.assent(append(command, "--agent", "true")...)
		return u.object(0, "show", "--json")["args"]
	}
	require.Equal(t, map[string]any{
		"task": "Fix the login", "issues": []any{7.0, 9.0}, "lane": "pull-request", "allowNoChecks": true, "base": "next", "maxSteps": 4.0, "maxRevisions": 3.0,
		"reviewers": []any{"ada", "b/c"}, "labels": []any{"x"}, "ready": true,
	}, args("deliver", "Fix the", "--issue", "7", "login", "--issue", "9,7", "--allow-no-checks", "--base", "next", "--max-steps", "4",
		"--reviewer", "ada", "--reviewer", "b/c", "--label", "x", "--ready"))
	for _, file := range []string{"plan.json", "dry.json", "whole.json"} {
		require.Equal(t, map[string]any{
			"plan": map[string]any{"summary": "s", "steps": []any{}}, "lane": "dry-run", "allowNoChecks": false, "maxRevisions": 3.0, "ready": false,
		}, args("deliver", "--plan", file, "--dry-run"), file)
	}
	require.Equal(t, true, u.object(0, "show", "--json")["settings"].(map[string]any)["readOnly"], "a dry run can do nothing")
	u.config("[delivery]\nreviewers = ['grace']\nlabels = []\nready = true\nmax-steps = 6\n")
	u.configures("[delivery]\nreviewers = ['ada']\nlabels = ['mine']\nready = false\nmax-steps = 5\n")
	configured := map[string]any{
		"task": "x", "lane": "no-pr", "allowNoChecks": false, "maxRevisions": 3.0, "reviewers": []any{"grace"}, "ready": true, "maxSteps": 5.0,
	}
	require.Equal(t, configured, args("deliver", "x", "--no-pr"))
	require.Equal(t, configured, args("run", "issue-delivery", "--task", "x", "--arg", "lane=no-pr"))
	configured["reviewers"], configured["lane"] = []any{"me"}, "pull-request"
	require.Equal(t, configured, args("deliver", "x", "--reviewer", "me"))
}

// A repository's workflow of the pipeline's name is not taken in its place.
func TestDeliverTakesItsOwnWorkflow(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.put(filepath.Join(u.dir, ".assent", "workflows"), "issue-delivery.js", "export const meta = { name: 'issue-delivery', description: 'x' };\nreturn 'mine';\n")
	e := u.assent("deliver", "x", "--agent", "true")
	require.Contains(t, e.errors, "deliver takes the workflow that comes with assent, and not .assent/workflows/issue-delivery.js; that one starts with assent run issue-delivery\n")
	require.NotContains(t, e.out, "mine")
	require.Contains(t, u.wants(0, "run", "issue-delivery").out, "mine")
}

// What a file says of deliveries is checked when it is read.
func TestDeliveryConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for text, want := range map[string]string{
		"base = '-x'":                    `delivery.base: "-x" begins with -`,
		"remote = '--upload-pack=x'":     "delivery.remote: ",
		"max-steps = 0":                  "delivery.max-steps: 0 is not between 1 and 40",
		"check-timeout = 'soon'":         `delivery.check-timeout: "soon" is not a length of time`,
		"env = ['ASSENT_HOME']":          "delivery.env lets ASSENT_HOME through",
		"env = ['GITHUB_TOKEN']":         `[delivery] env: "GITHUB_TOKEN" may lead to a secret of yours`,
		"env = ['GO*']":                  `[delivery] env: "GO*" stands for many variables`,
		"checks.test = []":               `[delivery.checks] "test" names no program`,
		"setup.tools = ['']":             `[delivery.setup] "tools" names no program`,
		"reviewer = ['ada']":             "did you mean reviewers? delivery has base, remote, ",
		"checks.test = 'go test ./...'":  "delivery.checks.test takes a list of texts: a program and its arguments",
		"labels = 'x'\nready = 'please'": "delivery.labels takes a list of labels",
	} {
		u.config("[delivery]\n" + text + "\n")
		require.Contains(t, u.wants(2, "agents").errors, want, text)
	}
	u.config("")
	u.configures("[delivery]\nenv = ['GO*', 'GITHUB_TOKEN']\n")
	u.wants(0, "agents")
}

// delivering is a user in the project of the demonstration, whose agent has its answers.
func delivering(t *testing.T) *user {
	t.Helper()
	u := newUser(t)
	require.NoError(t, os.Remove(filepath.Join(u.dir, ".git")))
	for _, file := range workflows.Demo() {
		u.put(filepath.Join(u.dir, filepath.Dir(file.Path)), filepath.Base(file.Path), file.Text)
	}
	return u
}

func (u *user) git(args ...string) string {
	u.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = u.dir, u.env
	out, err := cmd.CombinedOutput()
	require.NoError(u.t, err, string(out))
	return string(out)
}

// What is missing is said in one line, with a command for each thing, and the one that then goes on does.
func TestDeliverSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	u := delivering(t)
	none := u.wants(3, "deliver", "Greet the world", "--no-pr")
	require.Regexp(t, `(?m)^assent: stopped by not-ready: \S+ is in no git repository$`, none.errors)
	require.NotContains(t, none.errors, "failed:", "it is said once")
	u.git("init", "--quiet", "--initial-branch", "main")
	u.git("add", ".")
	u.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--message", "first")
	missing := u.wants(3, "deliver", "Greet the world")
	require.Contains(t, missing.errors, "assent: stopped by not-ready: git has no user.name, under which commits are made; git has no user.email, under which commits are made; there is no remote\n")
	require.Contains(t, missing.errors, "next: git config --global user.name \"YOUR NAME\"\nnext: git config --global user.email YOU@EXAMPLE.ORG\nnext: git remote add origin URL   # or --no-pr, which needs none\n")
	require.Regexp(t, `(?m)^next: assent resume \w{6}   # after mending it\n\z`, missing.errors)
	require.NotContains(t, missing.out, "at builtin")

	u.git("config", "user.name", "Ada")
	u.git("config", "user.email", "ada@example.org")
	run := runID.FindString(none.errors)
	require.Contains(t, u.wants(4, "resume", run, "--on-gate", "suspend").errors, "waits: \"Approve this execution plan for: \\\"Greet the world\\\"?")
}

// A dry run shows the plan and does nothing, and nobody's answer makes it fail; what it prints is a plan.
func TestDeliverDryRun(t *testing.T) {
	t.Parallel()
	u := delivering(t)
	u.git("init", "--quiet", "--initial-branch", "main")
	u.git("config", "user.name", "Ada")
	u.git("config", "user.email", "ada@example.org")
	u.git("add", ".")
	u.git("commit", "--quiet", "--message", "first")
	dry := u.wants(0, "deliver", "Greet the world", "--dry-run")
	require.Equal(t, "not seen", parsed(t, dry.out)["answer"])
	require.Contains(t, dry.errors, "assent: dry run: nothing was done; what was answered to the plan: not seen\nnext: assent show ")
	require.Contains(t, dry.errors, " --result > plan.json   # keeps the plan, for assent deliver --plan plan.json\nnext: assent deliver 'Greet the world'   # plans again, and does it\n")
	require.Equal(t, "refs/heads/main\n", u.git("for-each-ref", "--format=%(refname)"))
	require.Empty(t, u.git("status", "--porcelain", "--ignored"))

	u.put(filepath.Dir(u.dir), "plan.json", u.wants(0, "show", "--result").out)
	again := u.wants(4, "deliver", "--plan", "../plan.json", "--no-pr", "--on-gate", "suspend")
	require.Contains(t, again.errors, "Approve this execution plan for: \\\"Greet the world\\\"?")
	require.NotContains(t, again.errors, "thinker", "the plan is there")
}

// The steps that a refusal names stand in parentheses behind what they mend; other parentheses stay.
func TestStepsOfARefusal(t *testing.T) {
	t.Parallel()
	for message, want := range map[string][]string{
		"plain":                                 {"plain"},
		"no branch (git branch x)":              {"no branch", "git branch x|"},
		"a (git a # why); b (set [x] to (y))":   {"a; b", "git a|why", "|set [x] to (y)"},
		"it said (exit status 1) (git fetch o)": {"it said (exit status 1)", "git fetch o|"},
		"two (git a\nunset b)":                  {"two", "git a|", "|unset b"},
		"(git a)":                               {"(git a)"},
		"open (git a":                           {"open (git a"},
		"close) (git a)":                        {"close)", "git a|"},
	} {
		what, steps := cli.WithSteps(message)
		require.Equal(t, want, append([]string{what}, steps...), message)
	}
}
