package tests_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// house is the project's own plan: a room is a folder with a package in it, and has a row.
var house = plan{
	module: "github.com/seed-8d4a6081/assent",
	rooms: map[string][]string{
		"cmd/assent": {"internal/cli"},
		"internal/cli": {
			"engine", "vm", "vm/lint", "issuedelivery", "workflows", "agent", "agent/process", "agent/runners", "agent/acp", "agent/agenttype", "agent/worktree", "planapprove", "checkpoint", "journal", "internal/scripttest",
			"internal/term", "internal/markdown", "internal/regular", "internal/durable", "internal/options", "internal/canonical", "internal/redact", "internal/fault", "docs",
		},
		"engine":              {"vm", "journal", "checkpoint", "planapprove", "agent", "agent/process", "agent/agenttype", "agent/watch", "agent/worktree", "internal/regular", "internal/options", "internal/canonical", "internal/redact", "internal/fault"},
		"internal/scripttest": {"engine", "vm", "workflows", "agent", "checkpoint", "journal", "internal/regular", "internal/options", "internal/canonical", "internal/glob", "internal/fault"},
		"issuedelivery": {
			"issuedelivery/plan", "issuedelivery/checks", "issuedelivery/repository", "issuedelivery/forge", "engine", "vm", "agent", "agent/agenttype", "agent/git", "agent/process", "agent/worktree", "checkpoint", "planapprove", "journal", "workflows",
			"internal/term", "internal/markdown", "internal/options", "internal/canonical", "internal/durable", "internal/regular", "internal/redact", "internal/fault",
		},
		"issuedelivery/plan":            {"internal/canonical", "internal/options", "internal/fault"},
		"issuedelivery/checks":          {"agent/process", "internal/regular", "internal/options", "internal/redact", "internal/glob", "internal/fault"},
		"issuedelivery/repository":      {"agent/git", "agent/process", "internal/regular", "internal/canonical", "internal/durable", "internal/redact", "internal/glob", "internal/fault"},
		"issuedelivery/forge":           {"agent/process", "internal/canonical", "internal/fault"},
		"issuedelivery/forge/forgetest": nil,
		"planapprove":                   {"checkpoint", "journal", "internal/options", "internal/canonical", "internal/durable", "internal/regular", "internal/markdown", "internal/fault"},
		"checkpoint":                    {"journal", "internal/options", "internal/canonical", "internal/fault"},
		"agent":                         {"agent/process", "journal", "internal/regular", "internal/options", "internal/canonical", "internal/glob", "internal/redact", "internal/fault"},
		"agent/process":                 {"internal/glob", "internal/redact", "internal/fault"},
		"agent/agenttype":               {"internal/regular", "internal/options", "internal/fault"},
		"agent/acp":                     {"agent", "agent/git", "agent/process", "agent/runners", "journal", "internal/regular", "internal/redact", "internal/fault"},
		"agent/agenttest":               {"agent", "agent/process", "journal", "internal/glob", "internal/fault"},
		"agent/git":                     {"agent/process", "internal/fault"},
		"agent/watch":                   {"agent/git", "agent/process", "journal", "internal/regular", "internal/canonical", "internal/redact", "internal/fault"},
		"agent/worktree":                {"agent/git", "agent/process", "journal", "internal/regular", "internal/canonical", "internal/durable", "internal/fault"},
		"agent/runners":                 {"agent", "agent/process", "journal", "internal/regular", "internal/redact", "internal/fault"},
		"journal":                       {"internal/canonical", "internal/durable", "internal/fault"},
		"journal/journaltest":           {"journal", "internal/fault"},
		"workflows":                     {"internal/regular", "internal/options", "internal/fault"},
		"internal/options":              {"internal/fault"},
		"vm":                            nil,
		"vm/lint":                       {"vm"},
		"internal/term":                 nil,
		"internal/canonical":            nil,
		"internal/markdown":             nil,
		"internal/durable":              nil,
		"internal/regular":              nil,
		"internal/fault":                nil,
		"internal/redact":               nil,
		"internal/modeltest":            nil,
		"internal/glob":                 nil,
		"docs":                          nil,
		"tests":                         nil,
	},
	libraries: map[string][]string{
		"github.com/dop251/goja":      {"vm", "vm/lint"},
		"github.com/evanw/esbuild":    {"vm"},
		"github.com/go-sourcemap":     {"vm"},
		"go.etcd.io/bbolt":            {"journal"},
		"github.com/gowebpki/jcs":     {"internal/canonical"},
		"go.yaml.in/yaml":             {"agent/agenttype"},
		"github.com/spf13/cobra":      {"internal/cli"},
		"github.com/adrg/xdg":         {"internal/cli"}, // reads the environment
		"github.com/coder/acp-go-sdk": {"agent/acp"},
		"github.com/lmittmann/tint":   {"internal/cli"},
	},
	// The process's own things are the command line's; every other room is handed what it needs.
	process: map[string][]string{
		"os": {
			"Args", "Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Unsetenv", "Clearenv",
			"Exit", "Stdin", "Stdout", "Stderr",
		},
		"syscall": {"Getenv", "Environ", "Exit", "Stdin", "Stdout", "Stderr"},
		"fmt":     {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
		"log":     {"*"},
		"flag":    {"*"},
	},
	processRooms: []string{"internal/cli", "cmd/assent"},
	// The fences of an agent are made of the environment: what it gets unless the embedder says
	// otherwise, and the mark by which a process below an agent is known.
	processToo: map[string][]string{
		"agent/process": {"os.Environ", "os.LookupEnv"},
		// A fake program is the test's own binary, started again.
		"agent/agenttest": {"os.Args", "os.Environ", "os.Exit", "os.Stdin", "os.Stdout", "os.Stderr"},
	},
	// A machine without I/O: its answers come from outside, so do time and chance.
	barred: map[string]map[string][]string{
		"vm": {
			"os": {"*"}, "os/exec": {"*"}, "net": {"*"}, "net/http": {"*"}, "syscall": {"*"}, "log/slog": {"*"},
			"crypto/rand": {"*"}, "math/rand": {"*"}, "math/rand/v2": {"*"},
			"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
		},
		"vm/lint": {"os": {"*"}, "os/exec": {"*"}, "net": {"*"}, "net/http": {"*"}, "syscall": {"*"}, "log/slog": {"*"}, "time": {"*"}},
	},
	maxLines:   400,
	emptyNames: []string{"util", "utils", "common", "helper", "helpers", "manager", "managers", "misc"},
}

func TestArchitecture(t *testing.T) {
	violations, err := house.check("..")
	require.NoError(t, err)
	require.Empty(t, violations, strings.Join(violations, "\n"))
}

// The plan has no cycle: a room can be understood before those that use it.
func TestArchitectureHasNoCycle(t *testing.T) {
	require.Empty(t, house.cycle())
	looped := plan{rooms: map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": nil, "d": {"a"}}}
	require.Equal(t, "a -> b -> d -> a", looped.cycle())
}

// The checker finds every fault that was built into a small module, and no other.
func TestArchitectureCheckerFindsFaults(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "house.txtar"))
	require.NoError(t, err)
	dir := t.TempDir()
	for _, file := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, file.Data, 0o600))
	}
	small := plan{
		module: "example.com/house",
		rooms: map[string][]string{
			"cmd/tool": {"hall", "cellar"},
			"hall":     {"cellar"},
			"attic":    nil,
			"cellar":   nil,
			"helpers":  nil,
			"tests":    nil,
		},
		libraries:    map[string][]string{"example.org/engine": {"cellar"}},
		process:      map[string][]string{"os": {"Args", "Stdout"}, "log": {"*"}},
		processRooms: []string{"cmd/tool"},
		barred:       map[string]map[string][]string{"cellar": {"time": {"Now"}}},
		maxLines:     12,
		emptyNames:   []string{"helpers"},
	}
	got, err := small.check(dir)
	require.NoError(t, err)
	require.Equal(t, []string{
		"attic/attic.go: attic may not import hall",
		"attic/attic.go:7: os.Args belongs to cmd/tool",
		"attic/attic_windows.go: attic may not import cellar",
		"attic/attic_windows.go:6: os.Stdout belongs to cmd/tool",
		"attic/more.go:8: log.Println belongs to cmd/tool",
		"attic: 2 files have a package comment (attic.go, more.go); one should",
		"cellar/cellar.go: all of os, imported into the file's own names, belongs to cmd/tool",
		"cellar/cellar.go:10: time.Now is barred from cellar",
		"cellar/long.go: 13 lines, at most 12",
		"hall/c.go: imports C; the project builds without cgo",
		"hall/hall.go: example.org/engine/v2 belongs to cellar",
		"hall/hall_test.go: example.org/engine/v2 belongs to cellar",
		"hall: the package comment of hall.go does not begin with \"Package hall\"",
		"helpers: no file has a package comment",
		"helpers: the name helpers says nothing about what is in it",
		"stable: has no row in the plan of the house",
	}, got)
}
