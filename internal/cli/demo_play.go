package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// assent types a command of this program, shows what it prints, and holds its exit code against
// the one that it should have.
func (d *demo) assent(ctx context.Context, want int, args ...string) error {
	d.typed(append([]string{"assent"}, args...)...)
	cmd := exec.CommandContext(ctx, d.Executable, args...)
	cmd.Dir, cmd.Env = d.project, d.env
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	code, err := exitOf(cmd.Run())
	d.quoted(cutResult(output.String(), args[0] == "show"))
	if err != nil {
		return fmt.Errorf("assent %s: %w", args[0], err)
	}
	d.line(fmt.Sprintf("   exit code %d: %s", code, meaning(code)))
	if code != want {
		return fmt.Errorf("assent %s ended with exit code %d instead of %d", args[0], code, want)
	}
	return nil
}

// mostOfResult is how much of a result the demo shows; the lines behind it say the same.
const mostOfResult = 160

// cutResult is what a command printed, with a long result cut; whole is what has to be seen to its end.
func cutResult(output string, whole bool) string {
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		if !whole && strings.HasPrefix(line, "{") && len(line) > mostOfResult {
			lines[i] = term.Truncate(line, mostOfResult) + " (cut here)"
		}
	}
	return strings.Join(lines, "\n")
}

// attended is assent at the person's own terminal, with whatever exit code.
func (d *demo) attended(ctx context.Context, args ...string) (int, error) {
	d.typed(append([]string{"assent"}, args...)...)
	cmd := exec.CommandContext(ctx, d.Executable, args...)
	cmd.Dir, cmd.Env = d.project, d.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = d.In, d.talk, d.Err
	code, err := exitOf(cmd.Run())
	if err != nil {
		return 0, fmt.Errorf("assent %s: %w", args[0], err)
	}
	d.line(fmt.Sprintf("   exit code %d: %s", code, meaning(code)))
	return code, nil
}

// exitOf takes the exit code out of what a command ended with.
func exitOf(err error) (int, error) {
	if e, ok := errors.AsType[*exec.ExitError](err); ok && e.ExitCode() >= 0 {
		return e.ExitCode(), nil
	}
	return 0, err
}

// meaning is what an exit code says of a run.
func meaning(code int) string {
	switch code {
	case exitOK:
		return "done"
	case exitStopped:
		return "stopped, nothing was approved"
	case exitWaiting:
		return "a person has to answer"
	case exitInterrupted:
		return "interrupted"
	default:
		return "failed"
	}
}

// shell types another command and shows what it prints.
func (d *demo) shell(ctx context.Context, program string, args ...string) error {
	d.typed(append([]string{program}, args...)...)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = d.project, d.env
	output, err := cmd.CombinedOutput()
	d.quoted(string(output))
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	return nil
}

// untouched makes sure that the project is as it was.
func (d *demo) untouched(ctx context.Context) error {
	head, err := d.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	changed, err := d.git(ctx, "status", "--porcelain")
	if err != nil {
		return err
	}
	if head != d.first || changed != "" {
		return fmt.Errorf("nothing was approved, and the project has changed: %s %s", head, changed)
	}
	d.line("   git status: nothing changed")
	return nil
}

// merged merges the branch of the result, as a person would.
func (d *demo) merged(ctx context.Context) error {
	err := d.look(func(st *journal.State) error {
		if r := d.deliveryOf(st); r != nil && r.Success && plainBranch(r.Branch) {
			d.branch = r.Branch
			return nil
		}
		return fmt.Errorf("run %s names no branch of a result", st.ID)
	})
	if err != nil {
		return err
	}
	return d.shell(ctx, "git", "merge", d.branch)
}

// committed makes sure that there is one new commit a step, of the files that the plan names, that nothing
// is left over, and that the checks pass; and shows the commits.
func (d *demo) committed(ctx context.Context) (err error) {
	if d.commit, err = d.git(ctx, "rev-parse", "HEAD"); err != nil {
		return err
	}
	if err := d.shell(ctx, "git", "log", "-2", "--stat", "--format=%s%n%n%(trailers:only,unfold)"); err != nil {
		return err
	}
	for _, fact := range []struct {
		args []string
		want string
	}{
		{[]string{"rev-list", "--count", "HEAD"}, "3"},
		{[]string{"rev-parse", "HEAD~2"}, d.first},
		{[]string{"diff", "--name-only", "HEAD~2", "HEAD~1"}, "greet.sh\ntests/greet.sh"},
		{[]string{"diff", "--name-only", "HEAD~1"}, "leave.sh\ntests/leave.sh"},
		{[]string{"status", "--porcelain"}, ""},
	} {
		got, err := d.git(ctx, fact.args...)
		if err != nil {
			return err
		}
		if got != fact.want {
			return fmt.Errorf("git %s says %q instead of %q", strings.Join(fact.args, " "), got, fact.want)
		}
	}
	return d.shell(ctx, "sh", "check.sh")
}

// question is a gate of the demo's run that waits.
type question struct{ run, gate, checksum string }

// waiting gives the one gate that waits.
func (d *demo) waiting() (q question, err error) {
	err = d.look(func(st *journal.State) error {
		gates := st.Pending()
		if len(gates) != 1 {
			return fmt.Errorf("%d questions wait instead of one", len(gates))
		}
		q = question{st.ID, gates[0].Asked.Gate, gates[0].Asked.Checksum}
		return nil
	})
	return q, err
}

// simulated makes sure that the question was answered by the demo, and that the journal says so.
func (d *demo) simulated(q question) error {
	return d.look(func(st *journal.State) error {
		g := st.Gates[q.gate]
		if g.State != journal.Approved || g.Answer.Who.Way != "simulated" {
			return fmt.Errorf("gate %s is %s, and its answer is not recorded as simulated", q.gate, g.State)
		}
		return nil
	})
}

// findRun finds the id of the one run.
func (d *demo) findRun() error {
	return d.look(func(st *journal.State) error {
		d.run = st.ID
		return nil
	})
}

// look reads the one run of the demo.
func (d *demo) look(fn func(*journal.State) error) error {
	inside := newApp(d.System)
	inside.Env = d.env
	inside.Dir = d.project
	store, err := inside.store()
	if err != nil {
		return err
	}
	ctx := context.Background()
	runs, err := store.List(ctx)
	if err != nil {
		return err
	}
	if len(runs) != 1 {
		return fmt.Errorf("there are %d runs instead of one in %s", len(runs), filepath.Join(d.root, "store"))
	}
	visit, err := store.Visit(ctx, runs[0].ID)
	if err != nil {
		return err
	}
	return errors.Join(fn(visit.State()), visit.Close())
}
