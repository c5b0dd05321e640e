package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/scripttest"
	"github.com/seed-8d4a6081/assent/workflows"
)

// testCases reads the tests that were named, or all of the workspace, and compiles their scripts.
// A mistake in a file of tests ends it; a script that does not compile is what its tests report.
func (a *app) testCases(named []string, workspace string) ([]scripttest.Case, error) {
	var files []string
	for _, word := range named {
		found, err := a.testFiles(word, workspace)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(named) == 0 {
		folder := filepath.Join(workspace, filepath.FromSlash(workflows.Folder))
		found, err := scripttest.Below(folder)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, a.noTests("no test in "+workflows.Folder, filepath.Join(folder, "FILE.js"))
		}
		files = found
	}
	var cases []scripttest.Case
	seen := map[string]bool{}
	for _, path := range files {
		if seen[path] {
			continue
		}
		seen[path] = true
		more, err := a.casesOf(path, workspace)
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	return cases, nil
}

// casesOf are the tests of one file.
func (a *app) casesOf(path, workspace string) ([]scripttest.Case, error) {
	script, err := scripttest.ScriptOf(path)
	if err != nil {
		return nil, err
	}
	if _, err := scripttest.TestsOf(script); err != nil { // there is a second file
		return nil, err
	}
	f, err := scripttest.Load(path, script, a.typed(path))
	if err != nil {
		return nil, err
	}
	program, broken := a.compileFile(script, workspace)
	cases := make([]scripttest.Case, len(f.Tests))
	for i, t := range f.Tests {
		cases[i] = scripttest.Case{File: f, Test: t, Program: program, Broken: broken}
	}
	return cases, nil
}

// testFiles are the files of tests that a word names: a folder's, a script's, a saved workflow's, or
// the one that it is the path of.
func (a *app) testFiles(word, workspace string) ([]string, error) {
	path := a.path(word)
	info, err := os.Stat(path)
	folder := err == nil && info.IsDir()
	if !looksLikePath(word) && !strings.HasSuffix(word, scripttest.Ending) {
		w, err := a.saved(word, workspace)
		switch {
		case err == nil && w.Origin == workflows.BuiltIn:
			return nil, fault.New(fault.NoTests, word+" came with the program, and has no tests to be run here", "assent workflows "+word+" --copy   # makes it yours")
		case err == nil:
			path, folder = w.Path, false
		case !folder:
			return nil, err
		}
	}
	switch {
	case folder:
		found, err := scripttest.Below(path)
		if err == nil && len(found) == 0 {
			err = a.noTests("no test in "+a.typed(path), filepath.Join(path, "FILE.js"))
		}
		return found, err
	case strings.HasSuffix(path, scripttest.Ending):
		return []string{path}, nil
	}
	found, err := scripttest.TestsOf(path)
	if err != nil {
		return nil, err
	}
	if found == "" {
		if _, err := a.compileFile(path, workspace); err != nil {
			return nil, err // perhaps there is no such script
		}
		return nil, a.noTests("there are no tests of "+a.typed(path), path)
	}
	return []string{found}, nil
}

// noTests says how to write a first test.
func (a *app) noTests(what, script string) error {
	return fault.New(fault.NoTests, what, fmt.Sprintf("write the file %s, with what agents answer and what is to come of it:\n%s",
		a.typed(script+scripttest.Ending), scripttest.Sample))
}

// completeTests offers saved workflows, any number of them.
func (a *app) completeTests(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return a.completeWorkflows(cmd, nil, typed)
}
