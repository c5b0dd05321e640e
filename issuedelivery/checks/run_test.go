package checks_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

// project is a folder with files; names with a # are programs.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		mode := os.FileMode(0o600)
		if strings.HasSuffix(name, "#") {
			name, mode = strings.TrimSuffix(name, "#"), 0o700
		}
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), mode))
	}
	return dir
}

// run runs what is found in a folder.
func run(t *testing.T, dir string, change func(*checks.Options)) checks.Result {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of these tests are shell scripts")
	}
	found, setup := checks.Detect(os.DirFS(dir))
	o := checks.Options{Folder: dir, Checks: found, Setup: setup, Mark: "run/checks"}
	if change != nil {
		change(&o)
	}
	r, err := checks.Run(t.Context(), o)
	require.NoError(t, err)
	return r
}

// shell is a check of a kind that runs a shell script.
func shell(kind, source, script string) []checks.Check {
	return []checks.Check{{Name: "it", Command: []string{"sh", "-c", script}, Kind: kind, Source: source}}
}

func one(t *testing.T, kind, source, script string, change func(*checks.Options)) checks.Ran {
	t.Helper()
	r := run(t, t.TempDir(), func(o *checks.Options) {
		o.Checks, o.Setup = shell(kind, source, script), nil
		if change != nil {
			change(o)
		}
	})
	require.Len(t, r.Checks, 1)
	require.Equal(t, r.Checks[0].OK, r.OK)
	return r.Checks[0]
}

func needs(t *testing.T, program string, args ...string) {
	t.Helper()
	if err := exec.Command(program, args...).Run(); err != nil {
		t.Skipf("%s does not run here: %v", program, err)
	}
}

func pointer(n int) *int { return &n }

func TestNoneIsNoPass(t *testing.T) {
	r := run(t, t.TempDir(), nil)
	require.False(t, r.OK)
	require.Equal(t, checks.None, r.State)
	require.Contains(t, r.Summary, "[delivery.checks]")
	require.NotNil(t, r.Checks)
}

func TestGo(t *testing.T) {
	const module, code = "module example.com/x\n\ngo 1.21\n", "package x\n\nfunc Two() int { return 2 }\n"
	test := func(want string) string {
		return "package x\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tt.Log(\"loud\")\n\tt.Run(\"below\", func(t *testing.T) {})\n\tif n := Two(); n != " + want +
			" {\n\t\tt.Fatalf(\"Two is %d\", n)\n\t}\n}\n\nfunc TestSkipped(t *testing.T) { t.Skip() }\n"
	}
	good := run(t, project(t, map[string]string{"go.mod": module, "x.go": code, "x_test.go": test("2")}), nil)
	require.True(t, good.OK, good.Summary)
	require.Equal(t, checks.Passed, good.State)
	require.Equal(t, pointer(1), good.Checks[2].Tests)
	require.Equal(t, []string{"go", "test", "./..."}, good.Checks[2].Command)
	require.Regexp(t, `^ok  \texample\.com/x\t[\d.]+s\n$`, good.Checks[2].Stdout)
	require.Equal(t, "Checks passed.\ngo build is good. go vet is good. go test is good (1 test).", good.Summary)

	bad := run(t, project(t, map[string]string{"go.mod": module, "x.go": code, "x_test.go": test("3")}), nil)
	require.False(t, bad.OK)
	require.Equal(t, checks.Failed, bad.State)
	ran := bad.Checks[2]
	require.Equal(t, pointer(1), ran.ExitCode)
	require.Equal(t, pointer(1), ran.Tests)
	require.Regexp(t, `^    x_test\.go:6: loud\n    x_test\.go:9: Two is 2\n--- FAIL: TestTwo \(0\.00s\)\nFAIL\nFAIL\texample\.com/x\t[\d.]+s\n$`, ran.Stdout)
	require.NotContains(t, ran.Stdout, `"Action"`)
	require.Regexp(t, `^Checks failed: 1 of 3\.\ngo test failed with exit code 1\. It says: x_test\.go:6: loud; x_test\.go:9: Two is 2; --- FAIL: TestTwo \(0\.00s\)\.\ngo build is good\. go vet is good\.$`, bad.Summary)

	none := run(t, project(t, map[string]string{"go.mod": module, "x.go": code}), nil)
	require.False(t, none.OK)
	require.Equal(t, pointer(0), none.Checks[2].Tests)
	require.Contains(t, none.Summary, "go test ran no test, which shows nothing.")

	broken := run(t, project(t, map[string]string{"go.mod": module, "x.go": "package x\n\nfunc Two() int { return two }\n", "x_test.go": test("2")}), nil)
	require.False(t, broken.OK)
	require.Contains(t, broken.Checks[0].Summary, "x.go:3:25: undefined: two")
	require.Contains(t, broken.Checks[2].Stdout+broken.Checks[2].Stderr, "undefined: two")
}

func TestNode(t *testing.T) {
	needs(t, "npm", "--version")
	const test = "require('node:test')('adds', () => { if (1 + 1 !== %s) throw new Error('wrong') })\n"
	manifest := func(script string) string { return `{"name":"x","scripts":{"test":` + script + `}}` }
	good := run(t, project(t, map[string]string{"package.json": manifest(`"node --test"`), "x.test.js": strings.ReplaceAll(test, "%s", "2")}), nil)
	require.True(t, good.OK, good.Summary)
	require.Equal(t, pointer(1), good.Checks[0].Tests)

	bad := run(t, project(t, map[string]string{"package.json": manifest(`"node --test"`), "x.test.js": strings.ReplaceAll(test, "%s", "3")}), nil)
	require.False(t, bad.OK)
	require.Contains(t, bad.Summary, "npm run test failed with exit code 1.")

	empty := run(t, project(t, map[string]string{"package.json": manifest(`"node --test"`), "x.test.js": "console.log('ok')\n"}), nil)
	require.False(t, empty.OK)
	require.Equal(t, pointer(0), empty.Checks[0].Tests, "node takes a file for a test")

	for _, script := range []string{`"true"`, `"echo ok"`, `"exit 0"`, `"echo all 5 tests are good"`} {
		hollow := run(t, project(t, map[string]string{"package.json": manifest(script)}), nil)
		require.False(t, hollow.OK, script)
		require.Nil(t, hollow.Checks[0].Tests)
		require.Equal(t, pointer(0), hollow.Checks[0].ExitCode)
		require.Contains(t, hollow.Summary, "no test was seen to run")
	}
}

func TestPython(t *testing.T) {
	needs(t, "python3", "--version")
	const test = "import unittest\nfrom x import two\nclass T(unittest.TestCase):\n    def test_two(self): self.assertEqual(two(), %s)\n"
	at := func(want string) map[string]string {
		return map[string]string{"src/x.py": "def two(): return 2\n", "tests/test_x.py": strings.ReplaceAll(test, "%s", want)}
	}
	good := run(t, project(t, at("2")), nil)
	require.True(t, good.OK, good.Summary+good.Checks[0].Stderr)
	require.Equal(t, pointer(1), good.Checks[0].Tests)
	bad := run(t, project(t, at("3")), nil)
	require.False(t, bad.OK)
	require.Contains(t, bad.Summary, "AssertionError: 2 != 3")
	none := run(t, project(t, map[string]string{"tests/test_x.py": "import unittest\n"}), nil)
	require.False(t, none.OK)
	require.Contains(t, none.Summary, "unittest ran no test, which shows nothing.")
}

// stand puts programs on a PATH, and nothing else but the shell's own.
func stand(t *testing.T, programs map[string]string) func(*checks.Options) {
	t.Helper()
	files := map[string]string{}
	for name, script := range programs {
		files[name+"#"] = "#!/bin/sh\n" + script
	}
	dir := project(t, files)
	return func(o *checks.Options) { o.Environ = []string{"PATH=" + dir + ":/usr/bin:/bin", "HOME=" + dir} }
}

func TestRust(t *testing.T) {
	dir := project(t, map[string]string{"Cargo.toml": "[package]\n"})
	good := run(t, dir, stand(t, map[string]string{"cargo": `[ $1 = check ] || { echo "running 2 tests"; echo "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"; }; echo "    Finished" >&2`}))
	require.True(t, good.OK, good.Summary)
	require.Equal(t, pointer(2), good.Checks[1].Tests)
	require.Nil(t, good.Checks[0].Tests)
	bad := run(t, dir, stand(t, map[string]string{"cargo": "echo 'error[E0425]: cannot find value `two` in this scope' >&2; echo ' --> src/lib.rs:3:5' >&2; exit 101"}))
	require.Contains(t, bad.Summary, "cargo check failed with exit code 101. It says: error[E0425]: cannot find value `two` in this scope")
	none := run(t, dir, stand(t, map[string]string{"cargo": `[ $1 = check ] || { echo "running 0 tests"; echo "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"; }`}))
	require.False(t, none.OK)
	require.Contains(t, none.Summary, "cargo test ran no test")
}

func TestJava(t *testing.T) {
	dir := project(t, map[string]string{"pom.xml": "<project/>", "mvnw#": "#!/bin/sh\necho '[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1'\n"})
	good := run(t, dir, nil)
	require.True(t, good.OK, good.Summary)
	require.Equal(t, pointer(3), good.Checks[0].Tests)
	quiet := run(t, project(t, map[string]string{"pom.xml": "<project/>"}), stand(t, map[string]string{"mvn": "echo '[INFO] No tests to run.'"}))
	require.False(t, quiet.OK)
	require.Contains(t, quiet.Summary, "maven test: no test was seen to run")
}

func TestProgramThatIsNotThere(t *testing.T) {
	r := run(t, project(t, map[string]string{"Cargo.toml": "", "pom.xml": "", "mvnw": "not executable"}), func(o *checks.Options) { o.Environ = []string{"PATH=/nowhere:."} })
	require.Equal(t, "Checks failed: 3 of 3.\ncargo check did not run: cargo is not installed, or not on the PATH.\ncargo test did not run: cargo is not installed, or not on the PATH.\n"+
		"maven test did not run: ./mvnw is no program that can be run.", r.Summary)
	require.Nil(t, r.Checks[0].ExitCode)
}

func TestWhoNamedAHollowTest(t *testing.T) {
	named := one(t, checks.Test, checks.Configured, "echo fine", nil)
	require.True(t, named.OK)
	require.Equal(t, "it is good, but no test was seen to run.", named.Summary)
	require.False(t, one(t, checks.Test, "Makefile", "echo fine", nil).OK)
	// What a runner says of itself counts whoever named it.
	none := one(t, checks.Test, checks.Configured, "echo 'Ran 0 tests in 0.000s'", nil)
	require.False(t, none.OK)
	require.Equal(t, pointer(0), none.Tests)
	require.False(t, one(t, checks.Test, checks.Configured, "echo '===== no tests ran in 0.01s ====='; exit 5", nil).OK)
	// And other checks need not run any.
	require.True(t, one(t, checks.Lint, "x", "echo 'Ran 0 tests in 0.000s'", nil).OK)
}

func TestTimeLimit(t *testing.T) {
	r := one(t, checks.Other, checks.Configured, "echo begun; sleep 300 & wait", func(o *checks.Options) { o.Timeout = 200 * time.Millisecond })
	require.False(t, r.OK)
	require.True(t, r.TimedOut)
	require.Equal(t, "begun\n", r.Stdout)
	require.Equal(t, "it did not end in 200ms, and was ended.", r.Summary)
}

func TestStandardInputIsEmpty(t *testing.T) {
	r := one(t, checks.Other, checks.Configured, "cat; read line || echo end", nil)
	require.True(t, r.OK)
	require.Equal(t, "end\n", r.Stdout)
}

func TestWhatIsLeftBehindIsEnded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what left its group is found on Linux alone")
	}
	dir := t.TempDir()
	r := run(t, dir, func(o *checks.Options) {
		o.Checks = shell(checks.Other, checks.Configured, "sleep 300 & echo $! > pid; echo done")
	})
	require.True(t, r.OK)
	require.Equal(t, "done\n", r.Checks[0].Stdout)
	require.Contains(t, r.Checks[0].Summary, "left something behind")
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	state, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(pid)), "stat"))
	require.True(t, errors.Is(err, os.ErrNotExist) || strings.Contains(string(state), ") Z "), "it goes on: %s", state)
}

func TestFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("prints 200 MB")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := one(t, checks.Other, checks.Configured, "echo the beginning; yes \"a line$(printf '%01000d' 0)\" | head -c 200000000; echo; echo the end; echo trouble >&2; exit 3", func(o *checks.Options) { o.Output = 8 << 10 })
	runtime.ReadMemStats(&after)
	require.False(t, r.OK)
	require.True(t, strings.HasPrefix(r.Stdout, "the beginning\na line"))
	require.True(t, strings.HasSuffix(r.Stdout, "\nthe end\n"))
	require.Regexp(t, `\n… \(\d{9} bytes left out\) …\n`, r.Stdout)
	require.LessOrEqual(t, len(r.Stdout), 8<<10+64)
	require.Equal(t, "trouble\n", r.Stderr)
	require.Less(t, int64(after.HeapSys)-int64(before.HeapSys), int64(64<<20), "memory is bounded")
}

func TestLineWithoutEnd(t *testing.T) {
	r := one(t, checks.Other, checks.Configured, "head -c 20000000 /dev/zero | tr '\\0' x", nil)
	require.False(t, r.OK)
	require.Equal(t, "it printed a line of more than 8 MiB, and was ended.", r.Summary)
}

func TestSetup(t *testing.T) {
	before := func(script string) func(*checks.Options) {
		return func(o *checks.Options) {
			o.Setup = []checks.Check{{Name: "install", Command: []string{"sh", "-c", script}, Kind: checks.Test}}
			o.Checks = shell(checks.Other, checks.Configured, "cat made")
		}
	}
	good := run(t, t.TempDir(), before("echo 1 > made"))
	require.True(t, good.OK)
	require.Len(t, good.Checks, 1)
	bad := run(t, t.TempDir(), before("echo no network >&2; exit 1"))
	require.False(t, bad.OK)
	require.Equal(t, "Checks failed: 1 of 2.\ninstall failed with exit code 1. It says: no network.\n1 check did not run.", bad.Summary)
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("nobody waits")
	cancel(why)
	_, err := checks.Run(ctx, checks.Options{Folder: t.TempDir(), Checks: shell(checks.Other, "", "true")})
	require.ErrorIs(t, err, why)
}
