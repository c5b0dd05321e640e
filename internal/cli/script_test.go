package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Beside testscript's own commands there are
//
//	code N PROGRAM ARGS…   the program has to end with exactly this exit code
//	grab NAME REGEXP       the first group of the match in stdout or stderr becomes a variable;
//	                       if it is the id of a run, NAME_SHORT is its short id
//	corrupt GLOB           three bytes of the file are overwritten in each of its two meta pages
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, home(e.WorkDir)...)
			// The scripts lie in $WORK, which is a workspace of its own.
			return os.Mkdir(filepath.Join(e.WorkDir, ".git"), 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code, "grab": grab, "corrupt": corrupt},
	})
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N PROGRAM ARGS…")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

func grab(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: grab NAME REGEXP")
	}
	match := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout") + ts.ReadFile("stderr"))
	if len(match) != 2 {
		ts.Fatalf("no match of %s", args[1])
	}
	ts.Setenv(args[0], match[1])
	if runID.FindString(match[1]) == match[1] {
		ts.Setenv(args[0]+"_SHORT", shortID(match[1]))
	}
}

func corrupt(ts *testscript.TestScript, _ bool, args []string) {
	paths, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(paths) != 1 {
		ts.Fatalf("%d files match %s", len(paths), args[0])
	}
	data, err := os.ReadFile(paths[0])
	ts.Check(err)
	for _, at := range []int{20, 4096 + 20} {
		copy(data[at:], "xyz")
	}
	ts.Check(os.WriteFile(paths[0], data, 0o600))
}
