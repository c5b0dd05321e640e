package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// A detached run is the same command line once more, with --report-to before it, in a process
// of its own session. Its output goes to a log beside the journals. Through the
// open file that --report-to names it tells its parent the run's id as soon as the run is in
// the journal; the parent then leaves.

// detach starts the command again in the background. run is its id if it is known already.
func (a *app) detach(run string) error {
	f, err := a.folders()
	if err != nil {
		return err
	}
	log, err := openLog(filepath.Join(f.store, "logs"), run)
	if err != nil {
		return err
	}
	defer log.Close()
	read, write, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("starting in the background: %w", err)
	}
	defer read.Close()
	child := exec.Command(a.Executable) //nolint:noctx // it outlives this process by design
	child.Dir, child.Env, child.Stdout, child.Stderr = a.Dir, a.inheriting(), log, log
	number, err := inherit(child, write)
	if err != nil {
		return errors.Join(err, write.Close())
	}
	child.Args = append([]string{a.Executable, "--" + reportFlag + "=" + strconv.FormatUint(number, 10)}, a.Args...)
	if err := child.Start(); err != nil {
		return errors.Join(fmt.Errorf("starting in the background: %w", err), write.Close())
	}
	pid := child.Process.Pid
	if err := write.Close(); err != nil {
		return fmt.Errorf("starting in the background: %w", err)
	}
	line, _ := bufio.NewReader(read).ReadString('\n')
	id := strings.TrimSpace(line)
	if id == "" {
		return a.notStarted(child, log)
	}
	if err := child.Process.Release(); err != nil {
		return fmt.Errorf("starting in the background: %w", err)
	}
	return a.detached(id, pid, nameLog(log, id))
}

// detached says that a run goes on in the background.
func (a *app) detached(id string, pid int, log string) error {
	hints := []hint{{"assent watch " + id, "shows it as it goes"}, {"assent show " + id, "how it stands"}, {"assent review " + id, "when it waits for you"}}
	if a.json {
		return a.emit(struct {
			Format int      `json:"format"`
			Run    string   `json:"run"`
			PID    int      `json:"pid"`
			Log    string   `json:"log"`
			Next   []string `json:"next"`
		}{jsonFormat, id, pid, log, commands(hints)})
	}
	if err := a.print(id + "\n"); err != nil {
		return err
	}
	a.say(fmt.Sprintf("run %s goes on in the background (process %d); its log is %s", id, pid, log))
	a.hints(hints)
	return nil
}

// notStarted hands on what the child said before it had a run.
func (a *app) notStarted(child *exec.Cmd, log *os.File) error {
	err := child.Wait()
	said, _ := os.ReadFile(log.Name()) // what cannot be read is not shown
	_ = os.Remove(log.Name())
	fmt.Fprint(a.Err, string(said)) // it is ours, and escaped
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		return exitCode(exit.ExitCode())
	}
	return fault.New(fault.RunInterrupted, "the process in the background ended before the run began", "say the same without --detach to see why")
}

// logOf is the log of a run that went into the background, "" if it never did.
func (a *app) logOf(run string) string {
	f, err := a.folders()
	if err != nil {
		return ""
	}
	path := filepath.Join(f.store, "logs", run+".log")
	if _, err := os.Lstat(path); err != nil {
		return ""
	}
	return path
}

// nameLog gives a log the run's name, where the system lets an open file be renamed.
func nameLog(log *os.File, id string) string {
	named := filepath.Join(filepath.Dir(log.Name()), id+".log")
	if err := os.Rename(log.Name(), named); err != nil {
		return log.Name()
	}
	return named
}

// tellID tells the parent of a detached run its id, once.
func (s *session) tellID(id string) {
	if s.flags.report == 0 || s.toldID.Swap(true) {
		return
	}
	parent := os.NewFile(uintptr(s.flags.report), "report")
	if parent == nil {
		return
	}
	_, _ = parent.WriteString(id + "\n") // a parent that is gone needs no answer
	_ = parent.Close()
}

// closeReport ends the parent's waiting when there never was a run.
func (s *session) closeReport() {
	if s.flags.report > 0 && !s.toldID.Swap(true) {
		if parent := os.NewFile(uintptr(s.flags.report), "report"); parent != nil {
			_ = parent.Close()
		}
	}
}
