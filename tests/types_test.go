package tests_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// typed is a script as tests/types/check.cjs takes it. Ambient declares names that a fragment does not.
type typed struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Ambient string `json:"ambient,omitempty"`
}

// compiler finds node and the TypeScript compiler of tests/types/package.json: where ASSENT_TYPESCRIPT says, or
// where scripts/check types has put it. Without the variable, a test that finds none is skipped.
func compiler(t *testing.T) (node, folder string) {
	t.Helper()
	text, err := os.ReadFile("types/package.json")
	require.NoError(t, err)
	pin := regexp.MustCompile(`"typescript": "([0-9.]+)"`).FindSubmatch(text)
	require.NotNil(t, pin)
	folder = os.Getenv("ASSENT_TYPESCRIPT")
	given := folder != ""
	if !given {
		cache, err := os.UserCacheDir()
		if err != nil {
			t.Skip("there is no cache folder, and so no TypeScript compiler in it: " + err.Error())
		}
		folder = filepath.Join(cache, "assent-tools", "typescript@"+string(pin[1]), "node_modules", "typescript")
	}
	node, err = exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, "package.json"))
	}
	if err != nil && !given {
		t.Skipf("no TypeScript compiler (%v); scripts/check types installs it", err)
	}
	require.NoError(t, err)
	folder, err = filepath.Abs(folder)
	require.NoError(t, err)
	return node, folder
}

// mistakes holds scripts against the declarations, and gives what the compiler finds, a line each.
func mistakes(t *testing.T, libraries []string, scripts ...typed) []string {
	t.Helper()
	node, folder := compiler(t)
	declarations, err := os.ReadFile("../workflows/start/assent.d.ts")
	require.NoError(t, err)
	input, err := json.Marshal(map[string]any{
		"typescript": folder, "declarations": string(declarations), "libraries": libraries, "scripts": append([]typed{}, scripts...),
	})
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), node, "types/check.cjs")
	command.Stdin = bytes.NewReader(input)
	var trouble bytes.Buffer
	command.Stderr = &trouble
	output, err := command.Output()
	require.NoError(t, err, "%s", trouble.String())
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	require.Regexp(t, `^\d+ scripts, \d+ mistakes$`, lines[len(lines)-1])
	return lines[:len(lines)-1]
}

// An editor knows the libraries of ECMAScript and of browsers.
var editor = []string{"lib.esnext.d.ts", "lib.dom.d.ts"}

func isScript(name string) bool {
	return regexp.MustCompile(`\.m?[jt]s$`).MatchString(name) && !strings.HasSuffix(name, ".d.ts")
}

// shippedScripts are the workflows that the program brings along, and the examples.
func shippedScripts(t *testing.T) []typed {
	t.Helper()
	var scripts []typed
	for _, folder := range []string{"../workflows", "../scripts/examples"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "testdata" {
				return fs.SkipDir
			}
			if !isScript(entry.Name()) {
				return nil
			}
			text, err := os.ReadFile(path)
			scripts = append(scripts, typed{Name: filepath.ToSlash(strings.TrimPrefix(path, "../")), Text: string(text)})
			return err
		}))
	}
	return scripts
}

// TestTypesOfWorkflows holds the workflows that are shipped against the types that authors get.
func TestTypesOfWorkflows(t *testing.T) {
	t.Parallel()
	scripts := shippedScripts(t)
	require.Greater(t, len(scripts), 2)
	require.Empty(t, mistakes(t, editor, scripts...))
}

// fragmentNames are what the examples of the reference take as given.
const fragmentNames = `declare const planSchema: object; declare const first: string; declare const files: string[]; ` +
	`declare const issues: string[]; declare const approval: Approval; `

// TestTypesOfExamples holds the scripts in the documentation against them. A block without a header is the part of a
// script: names that it does not declare are given. In one that is marked wrong a mistake has to be found.
func TestTypesOfExamples(t *testing.T) {
	t.Parallel()
	pages := guided(t)
	reference, err := filepath.Glob("../docs/*/*.md")
	require.NoError(t, err)
	for _, page := range reference {
		if !strings.Contains(page, "/adr/") && !strings.Contains(page, "/tutorial/") && !strings.Contains(page, "/how-to/") {
			pages = append(pages, page)
		}
	}
	var scripts []typed
	whole := 0
	wrong := map[string]bool{}
	for _, page := range pages {
		for _, b := range blocksOf(t, page) {
			if b.lang != "js" && b.lang != "ts" {
				continue
			}
			s := typed{Name: fmt.Sprintf("%s (block of line %d).%s", b.page, b.line, b.lang), Text: strings.Repeat("\n", b.line) + b.text}
			if b.has("wrong") {
				wrong[s.Name] = true
			}
			if strings.Contains(b.text, "export const meta") {
				whole++
			} else {
				s.Ambient = fragmentNames
			}
			scripts = append(scripts, s)
		}
	}
	require.Greater(t, whole, 8)
	require.Greater(t, len(scripts)-whole, 4)
	for _, line := range mistakes(t, editor, scripts...) {
		name, _, _ := strings.Cut(line, ":")
		_, expected := wrong[name]
		require.True(t, expected, line)
		wrong[name] = false
	}
	for name, missed := range wrong {
		require.False(t, missed, "%s says that it is wrong, and the compiler finds nothing", name)
	}
}

// TestTypesStandAlone: the declarations need no library but ECMAScript's, and do not quarrel with a browser's.
func TestTypesStandAlone(t *testing.T) {
	t.Parallel()
	for _, libraries := range [][]string{{"lib.esnext.d.ts"}, editor} {
		require.Empty(t, mistakes(t, libraries))
	}
}

// TestTypesSayWhatComesOut: each line is right or wrong as the comment behind it says.
func TestTypesSayWhatComesOut(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("types/results.ts")
	require.NoError(t, err)
	want := map[string]string{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if _, code, ok := strings.Cut(strings.TrimSpace(line), "// wrong: "); ok {
			want[strings.TrimSpace(code)+" "+strconv.Itoa(number)] = line
		}
	}
	require.Greater(t, len(want), 10)
	form := regexp.MustCompile(`^results\.ts[^:]*:(\d+):\d+: (TS\d+)`)
	for _, line := range mistakes(t, editor, typed{Name: "results.ts", Text: string(text)}) {
		match := form.FindStringSubmatch(line)
		require.NotNil(t, match, line)
		require.Contains(t, want, match[2]+" "+match[1], "%s", line)
		delete(want, match[2]+" "+match[1])
	}
	require.Empty(t, want, "the compiler finds nothing wrong with these")
	require.Len(t, mistakes(t, editor, typed{Name: "header.js", Text: "export const meta = { name: \"x\", phases: [\"a\"] };\nreturn 1\n"}), 1)
}
