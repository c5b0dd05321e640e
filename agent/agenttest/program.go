package agenttest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Speaker is how a program is spoken to and speaks.
type Speaker struct {
	// Hear reads what the runner handed over, from the arguments and from standard input, as far as it is
	// there before the program begins to work.
	Hear func(p *Program) (Heard, error)
	// Say says a behaviour: its events, and unless it is to wait, what the work came to.
	Say func(p *Program, b Behaviour) error
	// Conversation says that standard input stays open while the program works.
	Conversation bool
}

// Program is the fake's side of its pipes, in a process of its own.
type Program struct {
	// Args are the program's arguments.
	Args []string
	In   *bufio.Reader
	Out  io.Writer

	cut bool
}

// Line prints a value as a line of JSON.
func (p *Program) Line(value any) error {
	line, err := encoded(value)
	if err == nil {
		_, err = p.Out.Write(line)
	}
	return err
}

// Last prints the line that the answer stands in; of a behaviour that is cut, its first half.
func (p *Program) Last(value any) error {
	line, err := encoded(value)
	if err != nil {
		return err
	}
	if p.cut {
		line = line[:len(line)/2]
	}
	_, err = p.Out.Write(line)
	return err
}

func encoded(value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return out.Bytes(), err
}

// The first arguments by which the test's binary is known as a fake, and as one's grandchild.
const (
	asFake   = "agenttest:fake"
	asLinger = "agenttest:linger"
)

const (
	// lingers is how long what never ends takes: longer than any test.
	lingers = 10 * time.Minute
	// deafened is the exit code of a fake that could not hear.
	deafened = 97
)

// Main is the first thing in a TestMain: in a process that is a fake it behaves as that, and does not
// return. It returns at once in all others.
func Main(speakers map[string]Speaker) {
	switch {
	case len(os.Args) == 2 && os.Args[1] == asLinger:
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP)
		time.Sleep(lingers)
		os.Exit(0)
	case len(os.Args) >= 4 && os.Args[1] == asFake:
		code, err := behave(speakers[os.Args[2]], os.Args[3], os.Args[4:])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
}

// behave is the whole life of a fake whose behaviour stands in folder.
func behave(s Speaker, folder string, args []string) (code int, err error) {
	text, err := os.ReadFile(filepath.Join(folder, behaviourFile)) //nolint:gosec // the folder is the test's own
	if err != nil {
		return deafened, err
	}
	var b Behaviour
	if err := json.Unmarshal(text, &b); err != nil {
		return deafened, err
	}
	if b.Deaf {
		signal.Ignore(syscall.SIGTERM)
	}
	p := &Program{Args: args, In: bufio.NewReader(os.Stdin), Out: os.Stdout, cut: b.Cut}
	heard, err := listen(s, p, folder)
	if err != nil {
		return deafened, err
	}
	if b.Echo {
		b.Text = heard.Prompt
	}
	if b.Grandchild != "" {
		if err := leaveBehind(b.Grandchild, folder); err != nil {
			return deafened, err
		}
	}
	if err := speak(s, p, b); err != nil {
		return 1, err // whoever listened is gone
	}
	if b.Wait {
		if err := write(folder, atWorkFile, []byte(strconv.Itoa(os.Getpid())+"\n")); err != nil {
			return deafened, err
		}
		time.Sleep(lingers)
	}
	_, err = io.WriteString(os.Stderr, b.Stderr)
	return b.Exit, err
}

func speak(s Speaker, p *Program, b Behaviour) error {
	switch {
	case b.Garbage != nil:
		_, err := p.Out.Write(b.Garbage)
		return err
	case b.Flood > 0:
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for left := b.Flood; left > 0; left -= int64(len(chunk)) {
			if _, err := p.Out.Write(chunk[:min(left, int64(len(chunk)))]); err != nil {
				return err
			}
		}
		return nil
	}
	return s.Say(p, b)
}

// listen hears, and leaves the report for the test.
func listen(s Speaker, p *Program, folder string) (Heard, error) {
	r := Report{Pid: os.Getpid(), Args: p.Args, Env: os.Environ(), At: time.Now()}
	var err error
	if r.Cwd, err = os.Getwd(); err == nil {
		r.Heard, err = s.Hear(p)
	}
	if err == nil && !s.Conversation {
		var rest []byte
		rest, err = io.ReadAll(p.In)
		r.Rest = string(rest)
	}
	if err != nil {
		r.Problem = err.Error()
	}
	if terminal, open := os.OpenFile("/dev/tty", os.O_RDWR, 0); open == nil {
		r.Terminal = true
		_ = terminal.Close()
	}
	text, failed := json.Marshal(r)
	if failed == nil {
		failed = write(folder, reportPrefix+strconv.Itoa(r.Pid), text)
	}
	if err == nil {
		err = failed
	}
	return r.Heard, err
}

// leaveBehind starts what outlives the fake.
func leaveBehind(where, folder string) error {
	cmd := exec.Command(os.Args[0], asLinger) //nolint:gosec // it is this very program
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if where == InSession {
		cmd.SysProcAttr = ownSession()
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	return write(folder, grandchildFile, []byte(strconv.Itoa(cmd.Process.Pid)+"\n"))
}

// write puts a file there whole or not at all: a test may be reading.
func write(folder, name string, text []byte) error {
	temp := filepath.Join(folder, "."+name)
	if err := os.WriteFile(temp, text, 0o600); err != nil { //nolint:gosec // the folder is the test's own
		return err
	}
	return os.Rename(temp, filepath.Join(folder, name)) //nolint:gosec // the folder is the test's own
}
