package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/scripttest"
)

// testFlags are the flags of assent test.
type testFlags struct {
	run      string
	verbose  bool
	keep     bool
	parallel int
}

func newTestCommand(a *app) *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test [FILE|NAME|FOLDER...]",
		Short: "Test workflows against prepared answers, without a model",
		Long: "Runs workflows with the answers that stand beside them in FILE" + scripttest.Ending + ", such as\n" +
			"review.js" + scripttest.Ending + ", and says what differs from what is expected there. No model, no network and\n" +
			"no person is needed. Each run has a store, a key and a workspace of its own, which are removed\n" +
			"afterwards: nothing of yours is touched, and nothing is approved.\n\n" +
			"Without arguments it runs all tests in .assent/workflows. Exit code 1 if one of them fails.",
		Example: "  assent test\n  assent test first\n  assent test review.js --run 'declined|approved' --verbose",
		RunE:    func(cmd *cobra.Command, named []string) error { return a.test(cmd.Context(), named, f) },
	}
	cmd.Flags().StringVar(&f.run, "run", "", "run only tests whose names match this regular expression")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "show the script's lines, its calls and its gates")
	cmd.Flags().BoolVar(&f.keep, "keep", false, "keep the folders of the runs, and say where they are")
	cmd.Flags().IntVar(&f.parallel, "parallel", 0, "how many tests run at once; 0 is one for each core")
	return cmd
}

// test finds the tests that were named, runs them, and clears away.
func (a *app) test(ctx context.Context, named []string, f testFlags) (err error) {
	if f.parallel < 0 {
		return misused(fmt.Sprintf("--parallel is %d", f.parallel), "leave it out, or give a number from 1")
	}
	wanted, err := regexp.Compile(f.run)
	if err != nil {
		return misused("--run is no regular expression: "+err.Error(), "assent test --run NAME")
	}
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	cases, err := a.testCases(named, workspace)
	if err != nil {
		return err
	}
	if cases = chosenCases(cases, wanted); len(cases) == 0 {
		return fault.New(fault.NoTests, fmt.Sprintf("no test has a name that matches %q", f.run), "assent test --verbose   # names them all")
	}
	base, err := a.pretended(engine.Options{Workflows: library{a, workspace}}, workspace)
	if err != nil {
		return err
	}
	a.stamp(&base.Settings)
	root, err := os.MkdirTemp("", "assent-test-")
	if err != nil {
		return fmt.Errorf("make a folder for the tests: %w", err)
	}
	root = resolved(root) // the store refuses links on its way
	if !f.keep {
		defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := &testReport{app: a, workspace: workspace, verbose: f.verbose}
	err = scripttest.Run(ctx, cases, scripttest.Options{
		Base: base, Equip: a.inTest,
		Exit: exitOfTest, Env: a.testEnv, Root: root, Keep: f.keep, Parallel: f.parallel,
	}, r.add)
	if ctx.Err() != nil {
		if f.keep {
			a.say("interrupted; kept: " + root)
		} else {
			a.say("interrupted; what the tests made is cleared away")
		}
		return exitCode(exitAtOnce)
	}
	if err != nil {
		return err
	}
	if f.keep {
		a.say("kept: " + root)
	}
	return r.end()
}

// chosenCases are those with such names.
func chosenCases(cases []scripttest.Case, name *regexp.Regexp) []scripttest.Case {
	var chosen []scripttest.Case
	for _, c := range cases {
		if name.MatchString(c.Test.Name) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// exitOfTest is the exit code that assent run would have had.
func exitOfTest(r *engine.Result, refused error) int {
	if refused != nil {
		return codeFor(refused)
	}
	return codeOfResult(r)
}

// testEnv is the environment of commands that answers run: the caller's, with a home in the test's
// own folder.
func (a *app) testEnv(root string) []string {
	d := &demo{app: a, root: root}
	return append(d.environment(), "USERPROFILE="+filepath.Join(root, "home"))
}
