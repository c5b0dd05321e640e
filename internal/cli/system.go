package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// System is the process as the command line sees it.
type System struct {
	// Args are the arguments without the program's name.
	Args []string
	// Env is the environment, as os.Environ gives it.
	Env []string
	// Dir is the current folder.
	Dir string
	// In, Out and Err are the standard streams. Where they are files that are terminals, a
	// person can be asked.
	In       io.Reader
	Out, Err io.Writer
	// Executable is the program itself, for what it starts anew.
	Executable string
	// Exit ends the process at once.
	Exit func(code int)
	// Now is the clock.
	Now func() time.Time
	// NotifyLimit is how long the user's command may take to tell of one question; 0 is 10 s.
	NotifyLimit time.Duration
}

// Process is the real thing.
func Process() System {
	keepInherited()
	dir, _ := os.Getwd() // an empty one is refused where it is needed
	executable, err := os.Executable()
	if err != nil {
		executable = os.Args[0]
	}
	return System{
		Args: os.Args[1:], Env: os.Environ(), Dir: dir, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Executable: executable, Exit: os.Exit, Now: time.Now,
	}
}

// Run executes the command that s.Args name and gives the exit code.
func Run(s System) int {
	a := newApp(s)
	root := a.root()
	if wantsJSON(s.Args) {
		root.Version = versionJSON() // cobra prints it for --version, before any flag counts
	}
	root.SetArgs(s.Args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		err = a.late
	}
	var code exitCode
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case !a.began:
		err = usage(err)
		a.json = a.json || wantsJSON(s.Args)
	}
	a.fail(err)
	return codeFor(err)
}

// wantsJSON says that --json is among the arguments, where they are not all understood or a
// mistake ends their reading before it: the error is then an object all the same.
func wantsJSON(args []string) bool {
	for _, word := range args {
		switch word {
		case "--":
			return false
		case "--json", "--json=true":
			return true
		}
	}
	return false
}

// env is the value of a variable; "" if it is not set. The last one counts.
func (s *System) env(name string) string {
	for i := len(s.Env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(s.Env[i], "="); ok && key == name {
			return value
		}
	}
	return ""
}

// terminal gives a stream as a terminal, or nil.
func terminal(stream any) *os.File {
	if file, ok := stream.(*os.File); ok && term.IsTerminal(file) {
		return file
	}
	return nil
}

// dumb says that the terminal cannot move its cursor.
func (s *System) dumb() bool { return s.env("TERM") == "dumb" }

// color says whether standard error takes colours (https://no-color.org).
func (s *System) color() bool {
	return terminal(s.Err) != nil && s.env("NO_COLOR") == "" && !s.dumb()
}

// width is how wide text may be on stream.
func width(stream any) int {
	file := terminal(stream)
	if file == nil {
		return plainWidth
	}
	columns, _ := term.Size(file)
	return columns
}

// plainWidth is the width of text that goes to no terminal.
const plainWidth = 100
