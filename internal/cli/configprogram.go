package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// find gives the program with the path that it is started by. Missing programs come up here, at
// the start of a run, not when the first question waits. What decides who answers and who is told
// has to be out of reach of the repository and of the agents that work in it: neither the
// configuration, nor the program, its interpreter, or a file among its arguments may lie in the
// workspace, or be reached through it; and none may be open to others.
func (p *userProgram) find(a *app, workspace string) (*process.Program, error) {
	env, folders := programEnv(a.Env, workspace)
	path, err := p.locate(a, workspace, folders)
	if err != nil {
		return nil, err
	}
	files := []string{p.file, path}
	for _, word := range p.argv[1:] {
		if file := from(p.dir(), word); isThere(file) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		if err := p.check(workspace, file); err != nil {
			return nil, err
		}
	}
	if err := p.checkInterpreters(workspace, path, folders); err != nil {
		return nil, err
	}
	return &process.Program{
		Argv: append([]string{path}, p.argv[1:]...), Dir: p.dir(), Env: env, Keep: given, MaxOutput: maxProgramOutput,
	}, nil
}

// locate gives the path of the program: beside the configuration, or by the folders of PATH that the
// program itself gets.
func (p *userProgram) locate(a *app, workspace string, folders []string) (string, error) {
	name := p.argv[0]
	if hasFolder(name) {
		path, err := exec.LookPath(from(p.dir(), name))
		if err != nil {
			return "", p.cannotStart(from(p.dir(), name), err)
		}
		return filepath.Abs(path)
	}
	path, err := lookIn(folders, name)
	if err == nil {
		return path, nil
	}
	// Where PATH has it after all, that is what is wrong.
	if left, e := lookIn(filepath.SplitList(a.env("PATH")), name); e == nil {
		if e := p.check(workspace, left); e != nil {
			return "", e
		}
	}
	return "", p.cannotStart(name, err)
}

func (p *userProgram) cannotStart(name string, err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return p.refuse(fmt.Sprintf("%q cannot be started: %v", name, err), "install it, or take it out of the configuration")
}

// lookIn finds a program as a shell does, in folders that have their whole path.
func lookIn(folders []string, name string) (string, error) {
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

// check refuses a file that others than the user decide about.
func (p *userProgram) check(workspace, file string) error {
	if passes(workspace, file) {
		return p.refuse(file+" lies in the workspace "+workspace+", where agents and whoever writes the repository can change it",
			"move it out of there; or run assent in a folder that does not hold your configuration")
	}
	for _, at := range append([]string{file}, wayTo(file)...) {
		if othersWrite(at) {
			return p.refuse("others than you can write "+at, "chmod go-w "+quoteCommand([]string{at}))
		}
	}
	return nil
}

const (
	// maxInterpreters is how many scripts may run one another.
	maxInterpreters = 5
	// maxFirstLine is how much of a first line systems read.
	maxFirstLine = 256
)

// checkInterpreters refuses a program whose first line names an interpreter that may not be one: by
// its path, or by env, in the folders of PATH that the program gets.
func (p *userProgram) checkInterpreters(workspace, path string, folders []string) error {
	for range maxInterpreters {
		words, err := interpreterOf(path)
		if err != nil || len(words) == 0 {
			return err
		}
		interpreter := words[0]
		if !filepath.IsAbs(interpreter) {
			return p.refuse(path+" names its interpreter by no whole path: "+interpreter, "write its first line with one, such as #!/bin/sh")
		}
		if err := p.check(workspace, interpreter); err != nil {
			return err
		}
		if filepath.Base(interpreter) == "env" {
			name, ok := startedByEnv(words[1:])
			if !ok {
				return p.refuse("which interpreter "+path+" starts cannot be told from its first line", "write it as #!/usr/bin/env NAME, or with the interpreter's path")
			}
			if !hasFolder(name) {
				if interpreter, err = lookIn(folders, name); err != nil {
					return p.cannotStart(name, err)
				}
			} else if interpreter = name; !filepath.IsAbs(name) {
				return p.refuse(path+" names its interpreter by no whole path: "+name, "write its first line with one, such as #!/bin/sh")
			}
			if err := p.check(workspace, interpreter); err != nil {
				return err
			}
		}
		path = interpreter
	}
	return p.refuse(path+" is run by a script that is run by a script, and so on", "name the interpreter in the configuration")
}

// interpreterOf are the words of a script's #! line, none if the file has no such line.
func interpreterOf(path string) ([]string, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, nil // what may be executed and not read starts no interpreter of ours
	}
	defer file.Close()
	head := make([]byte, maxFirstLine)
	n, _ := file.Read(head) // an empty file has no first line
	line, found := strings.CutPrefix(string(head[:n]), "#!")
	if !found {
		return nil, nil
	}
	line, _, _ = strings.Cut(line, "\n")
	return strings.Fields(line), nil
}

// startedByEnv is the program that env starts, if it is plain which one that is.
func startedByEnv(words []string) (string, bool) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		if rest, ok := strings.CutPrefix(word, "--split-string="); ok {
			word = rest
		} else if rest, ok := strings.CutPrefix(word, "-S"); ok && rest != "" {
			word = rest
		}
		switch {
		case word == "-S", word == "--split-string", word == "-", word == "-i", word == "--ignore-environment", word == "-v", word == "--debug":
		case word == "-u", word == "--unset":
			i++
		case strings.HasPrefix(word, "PATH="), strings.HasPrefix(word, "-"), strings.ContainsAny(word, "'\"\\$"):
			return "", false
		case strings.Contains(word, "="):
		default:
			return word, true
		}
	}
	return "", false
}

// maxProgramOutput holds the longest answer (checkpoint.MaxAnswer) with every byte escaped, and the
// fields around it.
const maxProgramOutput = 8 << 20

// isThere is for folders too: there are programs that run what stands in one.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
