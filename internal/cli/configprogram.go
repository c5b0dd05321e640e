package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/seed-8d4a6081/assent/agent"
)

// screens are variables that agents do not get, and a program that shows something to its user
// needs.
var screens = []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"}

// find gives the program with the path that it is started by. Missing programs come up here, at
// the start of a run, not when the first question waits. What decides who answers and who is told
// has to be out of reach of the repository and of the agents that work in it: neither the
// configuration, nor the program, nor a file among its arguments may lie in the workspace.
func (p *userProgram) find(a *app, workspace string) (*agent.Program, error) {
	name := p.argv[0]
	if hasFolder(name) {
		name = from(p.dir(), name)
	}
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		if e, ok := errors.AsType[*exec.Error](err); ok {
			err = e.Err
		}
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		return nil, p.refuse(fmt.Sprintf("%q cannot be started: %v", name, err), "install it, or take it out of the configuration")
	}
	files := []string{p.file, path}
	for _, word := range p.argv[1:] {
		if file := from(p.dir(), word); isFile(file) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		if insideOf(workspace, file) {
			return nil, p.refuse(file+" lies in the workspace "+workspace+", where agents and whoever writes the repository can change it",
				"move it out of there; or run assent in a folder that does not hold your configuration")
		}
		if othersWrite(file) {
			return nil, p.refuse("others than you can write "+file, "chmod go-w "+quoteCommand([]string{file}))
		}
	}
	return &agent.Program{
		Argv: append([]string{path}, p.argv[1:]...), Dir: p.dir(), Env: a.Env, Keep: screens, MaxOutput: maxProgramOutput,
	}, nil
}

// maxProgramOutput holds the longest answer (checkpoint.MaxAnswer) with every byte escaped, and the
// fields around it.
const maxProgramOutput = 8 << 20

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// insideOf says that a file lies in a folder, by its own name or by where links lead.
func insideOf(folder, file string) bool {
	for _, f := range []string{folder, unlinked(folder)} {
		for _, at := range []string{file, unlinked(file)} {
			if rel, err := filepath.Rel(f, at); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// unlinked is a path without links; as it is if that cannot be found out.
func unlinked(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}

// othersWrite says that the group or everybody may write a file. Windows keeps that elsewhere.
func othersWrite(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && !info.IsDir() && info.Mode().Perm()&0o022 != 0
}
