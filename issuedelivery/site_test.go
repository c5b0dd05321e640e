package issuedelivery_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// site is a repository with a remote, and the functions of the host that deliver to it.
type site struct {
	*world
	host issuedelivery.Host
	// bare is the remote, which lies on a forge by its address; change is a commit on top of the first.
	bare, change string
	// acts are what a script can have done to the site, by the function act.
	acts map[string]func()
}

// newSite is a site whose remote has an address on a forge, and is reached on disk.
func newSite(t *testing.T, address string, environ []string) *site {
	t.Helper()
	s := &site{world: newWorld(t), acts: map[string]func(){}}
	s.git("config", "user.name", "ann")
	s.git("config", "user.email", "ann@example.com")
	s.write("AGENTS.md", "Be brief.\n")
	s.write("go.mod", "module example.com/rocket\n\ngo 1.26\n")
	s.write(".github/PULL_REQUEST_TEMPLATE.md", "## Why?\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "second")
	s.commit = s.git("rev-parse", "HEAD")
	s.bare = filepath.Join(t.TempDir(), "rocket.git")
	s.git("clone", "-q", "--bare", s.dir, s.bare)
	s.git("remote", "add", "origin", address)
	s.git("config", "url."+s.bare+".insteadOf", address)
	s.git("fetch", "-q", "origin")
	s.change = s.commitOf("engine.go", "package rocket\n", s.commit)
	s.host = issuedelivery.Host{Store: s.store, Workspace: s.dir, Work: s.work, Environ: environ}
	return s
}

// programSite is a site on a small program's forge: quick.
func programSite(t *testing.T) (*site, *forgetest.Program) {
	t.Helper()
	s := newSite(t, "https://forge.example/acme/rocket", nil)
	p := forgetest.NewProgram(t, s.bare)
	s.host.Environ = []string{"PATH=" + p.Path(os.Getenv("PATH")), "HOME=" + t.TempDir()}
	return s, p
}

// realSite is one on the stand-in for a forge's API, reached by the real gh.
func realSite(t *testing.T) (*site, *forgetest.Forge) {
	t.Helper()
	gh := forgetest.RealGH(t, os.Getenv("ASSENT_REAL_GH"))
	api := forgetest.New(t)
	s := newSite(t, api.URL(), append(api.Environ(), "PATH="+gh+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir()))
	api.Change(func(r *forgetest.Repository) {
		r.Git = s.bare
		r.Issues = []*forgetest.Issue{{Number: 3, Title: "Engines fail", Body: "They stop.", State: "OPEN"}, {Number: 4, Title: "Old", State: "CLOSED"}}
	})
	return s, api
}

func (s *site) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o600))
}

// commitOf is a commit with one file more, made beside the working tree.
func (s *site) commitOf(name, text, parent string) string {
	s.t.Helper()
	index := filepath.Join(s.t.TempDir(), "index")
	git := func(input string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env, cmd.Stdin = s.dir, append(os.Environ(), "GIT_INDEX_FILE="+index), strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		require.NoError(s.t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("", "read-tree", parent)
	git("", "update-index", "--add", "--cacheinfo", "100644,"+git(text, "hash-object", "-w", "--stdin")+","+name)
	return git("", "commit-tree", git("", "write-tree"), "-p", parent, "-m", "work of an agent")
}

// act is a function of scripts that does something to the site.
type act struct{ s *site }

func (act) Name() string { return "act" }

func (act) Parse(args []json.RawMessage) (engine.Request, error) {
	return engine.Request{Identity: args[0], ReadOnly: true, Value: args[0]}, nil
}

func (a act) Answer(_ context.Context, req engine.Request, _ *journal.Step) (json.RawMessage, error) {
	var name string
	if err := json.Unmarshal(req.Value.(json.RawMessage), &name); err != nil {
		return nil, err
	}
	a.s.acts[name]()
	return json.RawMessage("null"), nil
}

func (s *site) engine(args any) engine.Options {
	text, err := json.Marshal(args)
	require.NoError(s.t, err)
	return engine.Options{
		Store: s.store, Workspace: s.dir, Work: s.work, Environ: s.host.Environ, Primitives: append(s.host.Functions(), act{s}), Asker: answers{"true", "true"}, Args: text,
	}
}

// run does a script.
func (s *site) run(ctx context.Context, body string, args any) *engine.Result {
	s.t.Helper()
	program, err := vm.Compile(fstest.MapFS{"test.js": {Data: []byte("export const meta = { name: 'n', description: 'd' };\n" + body)}}, "test.js")
	require.NoError(s.t, err)
	r, err := engine.Run(ctx, program, s.engine(args))
	require.NoError(s.t, err)
	return r
}

// resume goes on with a run.
func (s *site) resume(run string, args any) *engine.Result {
	s.t.Helper()
	r, err := engine.Resume(s.t.Context(), run, nil, s.engine(args))
	require.NoError(s.t, err)
	return r
}

// value is what a run that completed gave.
func value[T any](t *testing.T, r *engine.Result) T {
	t.Helper()
	require.Equal(t, "completed", r.State, "%v", r.Err)
	var v T
	require.NoError(t, json.Unmarshal(r.Value, &v), "%s", r.Value)
	return v
}

// everything are all files below a folder, with what is in them.
func everything(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	return all
}
