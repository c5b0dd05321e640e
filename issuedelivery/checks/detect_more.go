package checks

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"strings"
)

// python has no setup: which of the many ways installs what a project needs is not told by its files.
func (p place) python() (checks []Check) {
	saying := func(words ...string) string {
		for _, name := range []string{"pyproject.toml", "setup.cfg", "tox.ini", "requirements-dev.txt", "requirements.txt"} {
			text := p.read(name)
			for _, word := range words {
				if bytes.Contains(text, []byte(word)) {
					return name
				}
			}
		}
		return ""
	}
	add := func(source, kind string, command ...string) {
		name := command[0]
		if name == interpreter() {
			name = command[2]
		}
		checks = append(checks, Check{Name: name, Command: command, Kind: kind, Source: source})
	}
	if source := or(p.first("ruff.toml", ".ruff.toml"), saying("[tool.ruff")); source != "" {
		add(source, Lint, "ruff", "check", ".")
	}
	if source := or(p.first("mypy.ini", ".mypy.ini"), saying("[tool.mypy", "[mypy]")); source != "" {
		add(source, Types, "mypy", ".")
	}
	folder, file, pytest := p.pythonTests()
	switch source := or(p.first("pytest.ini", "conftest.py"), saying("pytest")); {
	case source != "":
		add(source, Test, interpreter(), "-m", "pytest")
	case pytest:
		add(file, Test, interpreter(), "-m", "pytest")
	case file != "":
		command := []string{interpreter(), "-m", "unittest", "discover"}
		if folder != "." {
			command = append(command, "-s", folder)
		}
		if folder != "." && p.has(path.Join(folder, "__init__.py")) {
			command = append(command, "-t", ".")
		}
		add(file, Test, command...)
	}
	return checks
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// interpreter is Python by the name that it surely has.
func interpreter() string {
	if runtime.GOOS == "windows" {
		return "python"
	}
	return "python3"
}

// forPytest finds a file of tests that unittest sees nothing in.
var forPytest = regexp.MustCompile(`(?m)^(?:import pytest|from pytest |(?:async )?def test_)`)

// pythonTests is the folder that has tests, one file of them, "" if there is none, and whether they are
// for pytest.
func (p place) pythonTests() (folder, file string, pytest bool) {
	for _, in := range []string{".", "tests", "test"} {
		found, _ := fs.Glob(p.fsys, path.Join(quoted(p.dir), in, "test_*.py"))
		for i, name := range found {
			name = strings.TrimPrefix(name, p.dir+"/")
			if file == "" {
				folder, file = in, name
			}
			if i == testFiles {
				break
			}
			if forPytest.Match(p.read(name)) {
				return in, name, true
			}
		}
	}
	return folder, file, false
}

// quoted is a name as a pattern that means just it.
func quoted(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

func (p place) rust() []Check {
	if !p.has("Cargo.toml") {
		return nil
	}
	return []Check{
		{Name: "cargo check", Command: []string{"cargo", "check", "--all-targets"}, Kind: Build, Source: "Cargo.toml"},
		{Name: "cargo test", Command: []string{"cargo", "test"}, Kind: Test, Source: "Cargo.toml"},
	}
}

// java prefers the program that comes with the project.
func (p place) java() []Check {
	program := func(own, other string) string {
		if p.has(own) {
			return "./" + own
		}
		return other
	}
	if p.has("pom.xml") {
		// Not --quiet: then it does not tell which tests ran.
		return []Check{{Name: "maven test", Command: []string{program("mvnw", "mvn"), "--batch-mode", "test"}, Kind: Test, Source: "pom.xml"}}
	}
	if source := p.first("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"); source != "" {
		// It tells of single tests with --info alone, and of none if it takes an earlier run for this one.
		command := []string{program("gradlew", "gradle"), "--console=plain", "--info", "--no-build-cache", "cleanTest", "test"}
		return []Check{{Name: "gradle test", Command: command, Kind: Test, Source: source}}
	}
	return nil
}
