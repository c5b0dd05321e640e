package checks

import (
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Detect finds the checks of a project by the files that it has, and what has to be done before they can
// run in a fresh working tree. It runs nothing. Where the top has none, the folders right below it are
// looked at.
func Detect(fsys fs.FS) (checks, setup []Check) {
	if checks, setup = detectIn(fsys, "."); len(checks) > 0 {
		return checks, setup
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, nil
	}
	looked := 0
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || e.Name() == "vendor" || e.Name() == "testdata" {
			continue
		}
		if looked++; looked > folders {
			break
		}
		more, before := detectIn(fsys, e.Name())
		for _, list := range [][]Check{more, before} {
			for i := range list {
				list[i].Dir, list[i].Name = e.Name(), e.Name()+": "+list[i].Name
			}
		}
		checks, setup = append(checks, more...), append(setup, before...)
	}
	return checks, setup
}

// place is a folder that is looked at.
type place struct {
	fsys fs.FS
	dir  string
}

func detectIn(fsys fs.FS, dir string) (checks, setup []Check) {
	p := place{fsys, dir}
	checks = append(checks, p.golang()...)
	node, install := p.node()
	checks, setup = append(checks, node...), append(setup, install...)
	checks = append(checks, p.python()...)
	checks = append(checks, p.rust()...)
	checks = append(checks, p.java()...)
	checks = append(checks, p.makefile(slices.ContainsFunc(checks, func(c Check) bool { return c.Kind == Test }))...)
	if p.has(".pre-commit-config.yaml") {
		checks = append(checks, Check{Name: "pre-commit", Command: []string{"pre-commit", "run", "--all-files"}, Kind: Lint, Source: ".pre-commit-config.yaml"})
	}
	return checks, setup
}

func (p place) has(name string) bool {
	info, err := fs.Stat(p.fsys, path.Join(p.dir, name))
	return err == nil && !info.IsDir()
}

// first is the first of some files that is there, "" if none is.
func (p place) first(names ...string) string {
	for _, name := range names {
		if p.has(name) {
			return name
		}
	}
	return ""
}

// read gives a file, nil if it is not there or too large.
func (p place) read(name string) []byte {
	f, err := p.fsys.Open(path.Join(p.dir, name))
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, fileRead+1))
	if err != nil || len(text) > fileRead {
		return nil
	}
	return text
}

// golang always has a check that runs tests, so that a change which removes the last test is not good.
func (p place) golang() []Check {
	if !p.has("go.mod") {
		return nil
	}
	return []Check{
		{Name: "go build", Command: []string{"go", "build", "./..."}, Kind: Build, Source: "go.mod"},
		{Name: "go vet", Command: []string{"go", "vet", "./..."}, Kind: Lint, Source: "go.mod"},
		{Name: "go test", Command: []string{"go", "test", "./..."}, Kind: Test, Source: "go.mod"},
	}
}

// managers are the package managers of Node, by the file that each leaves, and how each installs exactly
// what stands in that file.
var managers = []struct {
	lock, program string
	install       []string
}{
	{"pnpm-lock.yaml", "pnpm", []string{"pnpm", "install", "--frozen-lockfile"}},
	{"yarn.lock", "yarn", []string{"yarn", "install", "--frozen-lockfile"}},
	{"bun.lockb", "bun", []string{"bun", "install", "--frozen-lockfile"}},
	{"bun.lock", "bun", []string{"bun", "install", "--frozen-lockfile"}},
	{"package-lock.json", "npm", []string{"npm", "ci"}},
	{"npm-shrinkwrap.json", "npm", []string{"npm", "ci"}},
}

// scripts are those of a package that are checks, the quick ones first.
var scripts = []struct{ name, kind string }{{"build", Build}, {"typecheck", Types}, {"type-check", Types}, {"lint", Lint}, {"test", Test}}

func (p place) node() (checks, setup []Check) {
	var pkg struct {
		Scripts              map[string]any `json:"scripts"`
		PackageManager       any            `json:"packageManager"`
		Dependencies         map[string]any `json:"dependencies"`
		DevDependencies      map[string]any `json:"devDependencies"`
		OptionalDependencies map[string]any `json:"optionalDependencies"`
	}
	if text := p.read("package.json"); text == nil || json.Unmarshal(text, &pkg) != nil {
		return nil, nil
	}
	named, _ := pkg.PackageManager.(string)
	manager, version, _ := strings.Cut(named, "@")
	if !slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, manager) {
		manager = "npm"
	}
	for _, m := range managers {
		if !p.has(m.lock) {
			continue
		}
		manager = m.program
		if len(pkg.Dependencies)+len(pkg.DevDependencies)+len(pkg.OptionalDependencies) > 0 {
			install := slices.Clone(m.install)
			// Yarn has called that --immutable since its second version, which has a file of settings of its own.
			if m.program == "yarn" && (p.has(".yarnrc.yml") || strings.HasPrefix(named, "yarn@") && !strings.HasPrefix(version, "1.")) {
				install[2] = "--immutable"
			}
			setup = []Check{{Name: strings.Join(install[:2], " "), Command: install, Kind: Other, Source: m.lock}}
		}
		break
	}
	for _, s := range scripts {
		text, _ := pkg.Scripts[s.name].(string)
		// What npm init writes is no test.
		if strings.TrimSpace(text) == "" || strings.Contains(text, "no test specified") {
			continue
		}
		if s.kind == Types && slices.ContainsFunc(checks, func(c Check) bool { return c.Kind == Types }) {
			continue // two names for the same thing
		}
		checks = append(checks, Check{Name: manager + " run " + s.name, Command: []string{manager, "run", s.name}, Kind: s.kind, Source: "package.json"})
	}
	if p.has("tsconfig.json") && !slices.ContainsFunc(checks, func(c Check) bool { return c.Kind == Types }) {
		checks = slices.Insert(checks, 0, Check{Name: "tsc", Command: []string{"npx", "--no-install", "tsc", "--noEmit"}, Kind: Types, Source: "tsconfig.json"})
	}
	return checks, setup
}

var makeTarget = regexp.MustCompile(`(?m)^(?:[\w.-]+ +)*(check|test)(?: +[\w.-]+)*\s*::?(?:[^=:]|$)`)

// makefile is the target check, or test where no language's own tests were found. Either has to run tests
// if nothing else does.
func (p place) makefile(tested bool) []Check {
	name := p.first("GNUmakefile", "makefile", "Makefile")
	targets := map[string]bool{}
	for _, m := range makeTarget.FindAllSubmatch(p.read(name), -1) {
		targets[string(m[1])] = true
	}
	kind := Test
	if tested {
		kind = Other
	}
	switch {
	case targets["check"]:
		return []Check{{Name: "make check", Command: []string{"make", "check"}, Kind: kind, Source: name}}
	case targets["test"] && !tested:
		return []Check{{Name: "make test", Command: []string{"make", "test"}, Kind: kind, Source: name}}
	}
	return nil
}
