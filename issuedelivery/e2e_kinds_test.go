package issuedelivery_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// Repositories of five kinds are delivered to with the checks that are found in them, and a step whose
// tests are red is done again.
func TestWholeKindsOfRepositories(t *testing.T) {
	t.Parallel()
	cargo := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(cargo, "cargo"), []byte(`#!/bin/sh
case "$1" in
check) exit 0 ;;
esac
grep -q 'a + b' src/lib.rs && { echo "test result: ok. 1 passed; 0 failed; 0 ignored"; exit 0; }
echo "test result: FAILED. 0 passed; 1 failed; 0 ignored"
exit 101
`), 0o755))
	for name, c := range map[string]struct {
		program string // that has to be there
		files   []string
		file    string
		bad     string
		good    string
		check   string
	}{
		"Go": {
			"go",
			[]string{"go.mod", "module example.com/sum\n\ngo 1.26\n", "sum_test.go", "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(2, 3) != 5 {\n\t\tt.Fatal(\"no sum\")\n\t}\n}\n"},
			"sum.go", "package sum\n\nfunc Sum(a, b int) int { return a - b }\n", "package sum\n\nfunc Sum(a, b int) int { return a + b }\n", "go test",
		},
		"TypeScript": {
			"npm",
			[]string{"package.json", `{"type": "module", "scripts": {"test": "node --test"}}`, "sum.test.js", "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum(2, 3), 5));\n"},
			"sum.js", "export const sum = (a, b) => a - b;\n", "export const sum = (a, b) => a + b;\n", "npm run test",
		},
		"Python": {
			"python3",
			[]string{"test_sum.py", "import unittest\nfrom sums import add\n\n\nclass Sums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n"},
			"sums.py", "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n", "unittest",
		},
		"Rust": {
			"sh",
			[]string{"Cargo.toml", "[package]\nname = \"sum\"\nversion = \"0.1.0\"\n"},
			"src/lib.rs", "pub fn sum(a: i32, b: i32) -> i32 { a - b }\n", "pub fn sum(a: i32, b: i32) -> i32 { a + b }\n", "cargo test",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.program); err != nil {
				t.Skip(c.program + " is not there")
			}
			e := newWhole(t, c.files...)
			e.config = issuedelivery.Config{}
			a := part("a")
			a["files"] = []string{c.file}
			e.says(instead(planOf(a), times(1, writes("worker a", c.file, c.bad)), writes("worker a, attempt 2", c.file, c.good))...)
			o := e.options("Build the shop", nil)
			o.Engine.Environ = append(os.Environ(), "PATH="+cargo+string(os.PathListSeparator)+os.Getenv("PATH"))
			got := e.to(o, says("true"))
			require.True(t, got.Success, "%+v", got)
			require.Len(t, e.requests("worker"), 2)
			require.Equal(t, []bool{false, true, true}, []bool{got.Checks[0].OK, got.Checks[1].OK, got.Checks[2].OK})
			var found []string
			for _, check := range got.Stages.Preflight.Commands {
				found = append(found, check.Name)
			}
			require.Contains(t, found, c.check)
			require.Equal(t, c.file, e.git("diff", "--name-only", e.commit, got.Branch), "checks leave nothing behind")
		})
	}
}
