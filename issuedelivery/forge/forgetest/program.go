package forgetest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// script is a gh of a few steps. It keeps its one pull request in a folder, and reads the head of that in
// a bare repository. What a test wants to happen once, before or after a step, it finds there too.
const script = `#!/bin/sh
folder='FOLDER'
printf '%s\n' "$*" >>"$folder/calls"
once() {
	if [ -f "$folder/$1" ]; then
		mv "$folder/$1" "$folder/$1.done"
		. "$folder/$1.done"
	fi
}
pull() {
	head=$(git --git-dir="$(cat "$folder/git")" rev-parse --verify -q "refs/heads/$(cat "$folder/branch")")
	printf '{"number":1,"url":"https://forge.example/acme/rocket/pull/1","state":"%s","isDraft":true,' "$(cat "$folder/state")"
	printf '"headRefName":"%s","headRefOid":"%s","baseRefName":"%s",' "$(cat "$folder/branch")" "$head" "$(cat "$folder/base")"
	printf '"isCrossRepository":false,"headRepositoryOwner":{"login":"acme"},"mergeable":"MERGEABLE","statusCheckRollup":%s,"body":""}' "$(cat "$folder/reports")"
}
step="$1-$2"
case $step in pr-*) shift 2 ;; *) set -- ;; esac
once "before-$step"
case $step in
repo-view) echo '{"nameWithOwner":"acme/rocket","viewerPermission":"WRITE","isArchived":false}' ;;
pr-list)
	if [ -f "$folder/branch" ]; then printf '[%s]' "$(pull)"; else echo '[]'; fi ;;
pr-view) pull ;;
pr-create)
	cat >"$folder/body"
	while [ $# -gt 0 ]; do
		case $1 in
		--head) printf %s "$2" >"$folder/branch" ;;
		--base) printf %s "$2" >"$folder/base" ;;
		esac
		shift
	done
	echo OPEN >"$folder/state"
	echo created >>"$folder/creates"
	once "after-$step"
	echo https://forge.example/acme/rocket/pull/1 ;;
*)
	echo "gh: this program has no step $step" >&2
	exit 1 ;;
esac
`

// Program is a small program called gh, which knows the repository acme/rocket.
type Program struct {
	t      testing.TB
	folder string
}

// NewProgram makes one, which reads the heads of branches in the bare repository git.
func NewProgram(t testing.TB, git string) *Program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	p := &Program{t: t, folder: t.TempDir()}
	p.write("gh", strings.ReplaceAll(script, "FOLDER", p.folder))
	p.write("git", git)
	p.Reports("[]")
	return p
}

func (p *Program) write(name, text string) {
	p.t.Helper()
	mode := os.FileMode(0o600)
	if name == "gh" {
		mode = 0o700
	}
	if err := os.WriteFile(filepath.Join(p.folder, name), []byte(text), mode); err != nil {
		p.t.Fatal(err)
	}
}

// Path is a value of PATH that finds it before the programs of path.
func (p *Program) Path(path string) string {
	// A folder of its own: beside the program lie files that are called like other programs.
	bin := filepath.Join(p.folder, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(p.folder, "gh"), filepath.Join(bin, "gh")); err != nil && !os.IsExist(err) {
		p.t.Fatal(err)
	}
	return bin + string(os.PathListSeparator) + path
}

// Before is shell that runs once, before a step such as "pr-view" does its work; it may exit.
func (p *Program) Before(step, shell string) { p.write("before-"+step, shell) }

// AfterCreate is shell that runs once, when a pull request was created and nobody was told.
func (p *Program) AfterCreate(shell string) { p.write("after-pr-create", shell) }

// Reports are what checks reported of its pull request, as gh prints them.
func (p *Program) Reports(list string) { p.write("reports", list) }

// Calls are the arguments that it was called with, each call's as one line.
func (p *Program) Calls() []string { return p.lines("calls") }

// Creates counts the pull requests that it created.
func (p *Program) Creates() int { return len(p.lines("creates")) }

func (p *Program) lines(name string) []string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.folder, name))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return slices.Collect(func(yield func(string) bool) {
		for line := range bytes.Lines(text) {
			if !yield(strings.TrimSuffix(string(line), "\n")) {
				return
			}
		}
	})
}

// RealGH is the folder of the real gh: the one that is named, which has to be there, or the one on the
// PATH, without which the test is skipped.
func RealGH(t testing.TB, named string) string {
	t.Helper()
	if named != "" {
		if _, err := os.Stat(named); err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(named)
	}
	path, err := exec.LookPath("gh")
	if err != nil {
		t.Skip("there is no gh")
	}
	return filepath.Dir(path)
}
