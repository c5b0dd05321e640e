package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

// The outputs are those of the runners' own documentation and of trials; the numbers are counted by hand.
func TestCount(t *testing.T) {
	for output, want := range map[string]int{
		// node --test
		"TAP version 13\n# Subtest: a\nok 1 - a\n# Subtest: b\n    # Subtest: c\n    ok 1 - c\n    1..1\nok 2 - b\n# Subtest: d\nok 3 - d # SKIP\n1..3\n# tests 4\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 1\n": 3,
		"✔ a (0.96ms)\n▶ b\n  ✔ c (0.12ms)\n✔ b (0.36ms)\n﹣ d (0.09ms) # SKIP\nℹ tests 4\nℹ suites 0\nℹ pass 3\nℹ fail 0\nℹ skipped 1\n":                                                                                         3,
		"ℹ tests 2\nℹ pass 1\nℹ fail 1\n":                                   2,
		"TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n": 0,
		// node takes a file without a test for one
		"TAP version 13\n# Subtest: /w/x.test.js\nok 1 - /w/x.test.js\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n": 0,
		"✔ /w/x.test.mjs (79.53188ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\n":                                       0,
		// TAP of others
		"TAP version 14\n1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP no network\n": 2,
		"1..0 # SKIP all\n":      0,
		"# tests 5\n# pass  5\n": 5,
		// jest, vitest, mocha, ava, playwright, bun, deno
		"Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total\n": 4,
		"\x1b[1mTests:       \x1b[22m\x1b[1m\x1b[32m5 passed\x1b[39m\x1b[22m, 5 total\n":                  5,
		"Tests:       2 skipped, 2 total\n":     0,
		"No tests found, exiting with code 1\n": 0,
		" Test Files  1 passed (1)\n      Tests  4 passed | 1 failed | 2 skipped (7)\n   Duration  300ms\n": 5,
		"      Tests  no tests\n":                        0,
		"No test files found, exiting with code 1\n":     0,
		"  5 passing (10ms)\n  1 pending\n  2 failing\n": 7,
		"  0 passing (1ms)\n":                            0,
		"  3 tests passed\n":                             3,
		"  5 passed (3.2s)\n  1 flaky\n":                 6,
		" 5 pass\n 0 fail\n 9 expect() calls\nRan 5 tests across 1 files. [12.00ms]\n": 5,
		"ok | 3 passed (2 steps) | 1 failed (10ms)\n":                                  4,
		// pytest, unittest
		"tests/test_a.py ....   [100%]\n\n============ 4 passed, 1 skipped in 0.12s ============\n": 4,
		"2 failed, 3 passed, 1 warning in 61.00s (0:01:01)\n":                                       5,
		"1 xfailed, 1 xpassed in 0.01s\n":                                                           2,
		"========= no tests ran in 0.01s =========\n":                                               0,
		"3 skipped in 0.02s\n":                                                                      0,
		"2 errors in 0.10s\n":                                                                       0,
		"----\nRan 3 tests in 0.000s\n\nOK\n":                                                       3,
		"Ran 3 tests in 0.000s\n\nFAILED (failures=1, skipped=1)\n":                                 2,
		"Ran 2 tests in 0.000s\n\nOK (skipped=2)\n":                                                 0,
		"Ran 0 tests in 0.000s\n\nNO TESTS RAN\n":                                                   0,
		// cargo
		"running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests x\n\nrunning 1 test\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n": 3,
		"running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n": 0,
		"     Summary [   0.1s] 7 tests run: 7 passed, 0 skipped\n":                                       7,
		// maven: a line for each class, and one for each module
		"[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s - in A\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s -- in B\n[INFO] Results:\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] \n": 4,
		"[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\r\n[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0\r\n":                                                                                                                                          6,
		// gradle --info
		"> Task :test\nFooTest > a() PASSED\nFooTest > b() FAILED\n    java.lang.AssertionError\nFooTest > c() SKIPPED\n": 2,
		// go test -v; and packages that have none
		"=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    --- PASS: TestB/x (0.00s)\n--- FAIL: TestB (0.00s)\n--- SKIP: TestC (0.00s)\nok  \texample.com/x\t0.01s\n": 2,
		"?   \texample.com/x\t[no test files]\n":          0,
		"ok  \texample.com/x\t0.002s [no tests to run]\n": 0,
		// rspec, minitest, phpunit, junit, dotnet, ctest, prove
		"5 examples, 1 failure, 2 pending\n":                    3,
		"4 runs, 9 assertions, 0 failures, 0 errors, 1 skips\n": 3,
		"OK (6 tests, 9 assertions)\n":                          6,
		"Tests: 6, Assertions: 9, Failures: 1, Skipped: 2.\n":   4,
		"OK (3 tests)\n": 3,
		"Passed!  - Failed:     0, Passed:     8, Skipped:     1, Total:     9, Duration: 9 ms\n": 8,
		"100% tests passed, 0 tests failed out of 12\n":                                           12,
		"All tests successful.\nFiles=2, Tests=9,  0 wallclock secs\n":                            9,
		// several in one output
		"Tests:       5 passed, 5 total\n  3 passing (1ms)\n": 8,
	} {
		n, some := checks.Count(output)
		require.NotNil(t, n, output)
		require.Equal(t, want, *n, output)
		require.Equal(t, want > 0, some, output)
	}
}

func TestCountIsNotTold(t *testing.T) {
	for _, output := range []string{"", "ok\n", "all good\n", "5\n", "passed\n", "build: 5 passed the gate\n", "done in 5s\n", "ok, let us see\n", "I ran 5 tests\n", "the tests: 5 passed\n"} {
		n, some := checks.Count(output)
		require.Nil(t, n, output)
		require.False(t, some, output)
	}
	n, some := checks.Count("?   \ta\t[no test files]\nok  \tb\t(cached)\n")
	require.Nil(t, n)
	require.True(t, some, "a package with tests is good, and nobody said how many")
}

func FuzzTests(f *testing.F) {
	for _, seed := range []string{
		"Tests:       1 failed, 2 skipped, 3 passed, 6 total\n", "Tests run: 99999999999999999999, Failures: 0, Errors: 0, Skipped: 0\n", "1..3\nok 1\nnot ok 2 # SKIP\n",
		"# tests 1\n# pass 1\n✔ /a.js (1ms)\n", "ok  \ta\t0.1s [no tests to run]\n", "\x1b[31mRan 3 tests in 1s\x1b[0m\nOK (skipped=4)\n", "=== 1 passed in 1s",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, output string) {
		n, some := checks.Count(output)
		if n != nil {
			require.GreaterOrEqual(t, *n, 0)
			require.LessOrEqual(t, *n, 1<<31)
			require.Equal(t, *n > 0, some)
		}
	})
}
