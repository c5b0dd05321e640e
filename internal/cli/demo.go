package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
)

func newDemoCommand(a *app) *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole way from a task to a branch, without a model",
		Long: "Makes a small git repository in a temporary folder and delivers a task in it: scout, plan,\n" +
			"approval, two workers in trees of their own, checks, verifiers, a branch, which is merged. A\n" +
			"scripted agent stands in for a model. In a terminal you are asked; elsewhere the demo shows what\n" +
			"happens while nobody answers.",
		Example: "  assent demo\n  assent demo --keep",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the folder, and say where it is")
	return cmd
}

// demoTask is what is delivered.
const demoTask = "Greet the world when nobody is named"

// demo sets the scene, plays it, and clears it away.
func (a *app) demo(ctx context.Context, keep bool) (err error) {
	// Ctrl-C reaches the commands that the demo types too; the demo itself has to outlive it, to
	// clear away.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer func() {
		if _, left := errors.AsType[exitCode](err); err != nil && !left && ctx.Err() != nil {
			a.say("interrupted; the demo clears away")
			err = exitCode(exitAtOnce)
		}
	}()
	d, err := newDemo(ctx, a)
	if d != nil {
		defer func() { err = errors.Join(err, d.leave(keep, err, ctx.Err() != nil)) }()
	}
	if err != nil {
		return err
	}
	if err := d.begin(ctx); err != nil {
		return err
	}
	if a.interactive(driveFlags{}) {
		err = d.withPerson(context.WithoutCancel(ctx), keep) // there, Ctrl-C leaves the run only
	} else {
		err = d.withoutPerson(ctx)
	}
	if err != nil {
		return err
	}
	if !a.json {
		return ends(d.code)
	}
	object := struct {
		Format  int    `json:"format"`
		Run     string `json:"run"`
		Outcome string `json:"outcome"`
		Branch  string `json:"branch,omitempty"`
		Commit  string `json:"commit,omitempty"`
		Folder  string `json:"folder,omitempty"`
	}{jsonFormat, d.run, d.outcome, d.branch, d.commit, ""}
	if keep {
		object.Folder = d.root
	}
	return errors.Join(a.emit(object), ends(d.code))
}

// begin shows the scene.
func (d *demo) begin(ctx context.Context) error {
	d.line("assent demo: from a task to a branch, with a scripted agent in place of a model.")
	d.heading("A small project in a git repository, in which something is to be done.")
	d.line("   " + d.project)
	return d.shell(ctx, "git", "ls-files")
}

// withoutPerson shows what holds while nobody answers, and the way to the commit all the same.
func (d *demo) withoutPerson(ctx context.Context) error {
	d.heading("Nobody is here to answer. The plan is declined, and no worker starts.")
	if err := d.assent(ctx, exitStopped, "deliver", demoTask, "--no-pr", "--headless", "--simulated"); err != nil {
		return err
	}
	if err := d.untouched(ctx); err != nil {
		return err
	}

	d.heading("The same run, resumed so that the question waits instead. Finished calls are not made again.")
	if err := d.assent(ctx, exitWaiting, "resume", "--on-gate", "suspend"); err != nil {
		return err
	}
	asked, err := d.waiting()
	if err != nil {
		return err
	}
	d.run = asked.run
	if err := d.untouched(ctx); err != nil {
		return err
	}

	d.heading("A person would now read the plan with assent review, and answer there or with a command.")
	if err := d.assent(ctx, exitOK, "show", asked.run, "--raw"); err != nil {
		return err
	}
	d.line("   The demo approves it itself. That is recorded as simulated, and only a run made by demo accepts it.")
	if err := d.assent(ctx, exitOK, "approve", asked.run, "--gate", asked.gate, "--checksum", asked.checksum, "--simulated"); err != nil {
		return err
	}
	if err := d.simulated(asked); err != nil {
		return err
	}

	d.heading("Resumed once more. Two workers edit files at the same time, each in a tree of its own; what they did is checked and verified.")
	if err := d.assent(ctx, exitOK, "resume", asked.run); err != nil {
		return err
	}
	return d.end(ctx)
}

// elsewhere says how the commands that the run prints are typed in another terminal: the demo has
// a store of its own, and this program need not be on the PATH.
func (d *demo) elsewhere() {
	d.line("   The commands that it names are of this demo alone. In another terminal they work after:")
	d.line("      cd " + quoteCommand([]string{d.project}))
	d.line("      export " + quoteCommand(d.storeEnv()) + " PATH=" + quoteCommand([]string{filepath.Dir(d.Executable)}) + `:"$PATH"`)
}

// withPerson lets the person decide.
func (d *demo) withPerson(ctx context.Context, keep bool) error {
	d.heading("It looks, plans, and asks you. Nothing is changed before you have typed approve.")
	d.line("   The agent's answers are prepared: a change that you ask for is noted in the plan, and not carried out.")
	d.elsewhere()
	command := []string{"deliver", demoTask, "--no-pr"}
	if !keep {
		command = append(command, "--hintless") // what it would name goes away with the folder
	}
	code, err := d.attended(ctx, command...)
	if err != nil {
		return err
	}
	if err := d.findRun(); err != nil {
		return err
	}
	switch code {
	case exitOK:
		return d.end(ctx)
	case exitStopped, exitWaiting:
		if err := d.untouched(ctx); err != nil {
			return err
		}
	case exitInterrupted: // perhaps in the midst of the work
		d.code = exitAtOnce
	default:
		return fmt.Errorf("assent deliver ended with exit code %d", code)
	}
	if code == exitStopped {
		d.outcome = "declined"
		d.heading("You did not approve, so no worker started, and the project is as it was.")
		d.line("   Try assent demo again and approve, or ask for changes.")
		return nil
	}
	d.outcome = "waiting"
	if !keep {
		d.heading("You gave no answer, and the demo's folder goes away now.")
		d.line("   assent demo          # shows it again")
		d.line("   assent demo --keep   # keeps the folder, so that the question can wait for you")
		return nil
	}
	d.heading("The run waits, as long as it has to: for you, in this terminal or another one.")
	d.line("   cd " + d.project)
	d.line("   export " + quoteCommand(d.storeEnv()) + " PATH=" + quoteCommand([]string{filepath.Dir(d.Executable)}) + `:"$PATH"`)
	d.line("   assent review " + d.run + " --resume")
	return nil
}

// end shows what came of it, and what to try next.
func (d *demo) end(ctx context.Context) error {
	d.heading("The result is a branch, with one commit a step. The project is as it was until you merge it.")
	if err := d.untouched(ctx); err != nil {
		return err
	}
	if err := d.merged(ctx); err != nil {
		return err
	}
	d.heading("The commits, and the proof.")
	if err := d.committed(ctx); err != nil {
		return err
	}
	if err := d.assent(ctx, exitOK, "verify", d.run); err != nil {
		return err
	}
	d.outcome = "committed"
	d.line("")
	d.line("Try next, in a folder of your own:")
	d.line("   assent deliver 'A task' --no-pr   the same, with an agent of yours and a task of yours")
	d.line("   assent init                       a first workflow of your own, with scripted answers")
	if _, err := exec.LookPath("assent"); err != nil {
		d.line("assent is not on your PATH yet; in a clone of it: go install ./cmd/assent")
	}
	return nil
}
