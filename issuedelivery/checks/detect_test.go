package checks_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

// tree is a file system of texts by name.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// lines are checks as kind: command, with the folder if there is one.
func lines(list []checks.Check) []string {
	var out []string
	for _, c := range list {
		line := c.Kind + ": " + strings.Join(c.Command, " ")
		if c.Dir != "" {
			line += " in " + c.Dir
		}
		out = append(out, line)
	}
	return out
}

func TestDetect(t *testing.T) {
	const goModule, cargo = "module example.com/x\n", "[package]\nname = \"x\"\n"
	golang := []string{"build: go build ./...", "lint: go vet ./...", "test: go test ./..."}
	for name, c := range map[string]struct {
		files       map[string]string
		want, setup []string
	}{
		"nothing":  {map[string]string{"README.md": "x"}, nil, nil},
		"go":       {map[string]string{"go.mod": goModule}, golang, nil},
		"npm test": {map[string]string{"package.json": `{"scripts":{"test":"jest","lint":"eslint .","build":"tsc -b","start":"node ."}}`}, []string{"build: npm run build", "lint: npm run lint", "test: npm run test"}, nil},
		"what npm init writes": {
			map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`}, nil, nil,
		},
		"npm with a lock": {
			map[string]string{"package.json": `{"scripts":{"test":"jest"},"devDependencies":{"jest":"1"}}`, "package-lock.json": "{}"},
			[]string{"test: npm run test"},
			[]string{"other: npm ci"},
		},
		"a lock and nothing to install": {map[string]string{"package.json": `{"scripts":{"test":"node --test"}}`, "package-lock.json": "{}"}, []string{"test: npm run test"}, nil},
		"pnpm": {
			map[string]string{"package.json": `{"scripts":{"test":"vitest"},"dependencies":{"a":"1"}}`, "pnpm-lock.yaml": "x"},
			[]string{"test: pnpm run test"},
			[]string{"other: pnpm install --frozen-lockfile"},
		},
		"yarn 1": {
			map[string]string{"package.json": `{"scripts":{"test":"jest"},"dependencies":{"a":"1"}}`, "yarn.lock": "x"},
			[]string{"test: yarn run test"},
			[]string{"other: yarn install --frozen-lockfile"},
		},
		"yarn 4": {
			map[string]string{"package.json": `{"packageManager":"yarn@4.1.0","scripts":{"test":"jest"},"dependencies":{"a":"1"}}`, "yarn.lock": "x"},
			[]string{"test: yarn run test"},
			[]string{"other: yarn install --immutable"},
		},
		"bun": {
			map[string]string{"package.json": `{"scripts":{"test":"bun test"},"dependencies":{"a":"1"}}`, "bun.lockb": "x"},
			[]string{"test: bun run test"},
			[]string{"other: bun install --frozen-lockfile"},
		},
		"typescript":                     {map[string]string{"package.json": `{"scripts":{"test":"vitest run"}}`, "tsconfig.json": "{}"}, []string{"types: npx --no-install tsc --noEmit", "test: npm run test"}, nil},
		"typescript with its own script": {map[string]string{"package.json": `{"scripts":{"typecheck":"tsc"}}`, "tsconfig.json": "{}"}, []string{"types: npm run typecheck"}, nil},
		"odd package":                    {map[string]string{"package.json": `{"scripts":{"test":7,"lint":""}}`}, nil, nil},
		"broken package":                 {map[string]string{"package.json": `{"scripts":`}, nil, nil},
		"pytest, configured":             {map[string]string{"pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\nline-length = 88\n[tool.mypy]\n"}, []string{"lint: ruff check .", "types: mypy .", "test: python3 -m pytest"}, nil},
		"pytest, by its tests":           {map[string]string{"tests/test_a.py": "def test_a():\n    assert True\n"}, []string{"test: python3 -m pytest"}, nil},
		"unittest": {
			map[string]string{"setup.py": "x", "test_a.py": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"},
			[]string{"test: python3 -m unittest discover"},
			nil,
		},
		"unittest in a folder":  {map[string]string{"tests/test_a.py": "import unittest\n"}, []string{"test: python3 -m unittest discover -s tests"}, nil},
		"unittest in a package": {map[string]string{"tests/test_a.py": "import unittest\n", "tests/__init__.py": ""}, []string{"test: python3 -m unittest discover -s tests -t ."}, nil},
		"python without tests":  {map[string]string{"pyproject.toml": "[project]\nname = \"x\"\n", "x.py": ""}, nil, nil},
		"rust":                  {map[string]string{"Cargo.toml": cargo}, []string{"build: cargo check --all-targets", "test: cargo test"}, nil},
		"maven":                 {map[string]string{"pom.xml": "<project/>"}, []string{"test: mvn --batch-mode test"}, nil},
		"maven's own":           {map[string]string{"pom.xml": "<project/>", "mvnw": "x"}, []string{"test: ./mvnw --batch-mode test"}, nil},
		"gradle":                {map[string]string{"build.gradle.kts": "x", "gradlew": "x"}, []string{"test: ./gradlew --console=plain --info --no-build-cache cleanTest test"}, nil},
		"make test":             {map[string]string{"Makefile": "all:\n\ttrue\ntest: all\n\t./run\n"}, []string{"test: make test"}, nil},
		"make check":            {map[string]string{"Makefile": ".PHONY: test check\ntest check:\n\t./run\n"}, []string{"test: make check"}, nil},
		"make test beside go":   {map[string]string{"Makefile": "test:\n\tgo test ./...\n", "go.mod": goModule}, golang, nil},
		"make check beside go":  {map[string]string{"Makefile": "check:\n\tgo test ./...\n", "go.mod": goModule}, append(golang[:3:3], "other: make check"), nil},
		"no target":             {map[string]string{"Makefile": "test := 1\ncheck ::= 2\n\ttest: x\n#test:\n"}, nil, nil},
		"pre-commit":            {map[string]string{".pre-commit-config.yaml": "repos: []"}, []string{"lint: pre-commit run --all-files"}, nil},
		"two languages":         {map[string]string{"go.mod": goModule, "Cargo.toml": cargo}, append(golang[:3:3], "build: cargo check --all-targets", "test: cargo test"), nil},
		"one folder down": {
			map[string]string{
				"api/go.mod": goModule, "web/package.json": `{"scripts":{"test":"jest"},"dependencies":{"a":"1"}}`, "web/package-lock.json": "{}",
				"node_modules/a/package.json": `{"scripts":{"test":"jest"}}`, ".x/go.mod": goModule, "deep/er/go.mod": goModule,
			},
			[]string{"build: go build ./... in api", "lint: go vet ./... in api", "test: go test ./... in api", "test: npm run test in web"},
			[]string{"other: npm ci in web"},
		},
		"the top is enough": {map[string]string{"Makefile": "check:\n", "api/go.mod": goModule}, []string{"test: make check"}, nil},
		"an odd folder":     {map[string]string{"a[b]/test_x.py": "import unittest\n"}, []string{"test: python3 -m unittest discover in a[b]"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			found, setup := checks.Detect(tree(c.files))
			require.Equal(t, c.want, lines(found))
			require.Equal(t, c.setup, lines(setup))
			names := map[string]bool{}
			for _, one := range found {
				require.NotEmpty(t, one.Source)
				require.False(t, names[one.Name], "two checks named %s", one.Name)
				names[one.Name] = true
			}
		})
	}
}

func TestDetectReadsNoGiant(t *testing.T) {
	found, _ := checks.Detect(tree(map[string]string{"package.json": `{"scripts":{"test":"jest"},"x":"` + strings.Repeat("x", 2<<20) + `"}`}))
	require.Empty(t, found)
}

func TestNamed(t *testing.T) {
	require.Equal(t, []string{"other: make all", "format: prettier -c .", "types: tsc", "test: go test ./...", "test: ./run.sh", "lint: x"}, lines(checks.Named(map[string][]string{
		"all": {"make", "all"}, "format": {"prettier", "-c", "."}, "mypy": {"tsc"}, "quick": {"go", "test", "./..."}, "tests": {"./run.sh"}, "vet": {"x"},
	})))
	require.Equal(t, []string{"test: node --test", "test: python3 -m pytest", "other: ./latest"}, lines(checks.Named(map[string][]string{
		"a": {"node", "--test"}, "b": {"python3", "-m", "pytest"}, "c": {"./latest"},
	})))
}
