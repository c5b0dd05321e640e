package vm_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

var update = flag.Bool("update", false, "write docs/reference/language.md anew")

// construct is one row of the language's table: what ECMAScript or TypeScript has, and what becomes of it here.
type construct struct {
	edition, status, name string
	code                  string // an expression, or the body that is refused
	want                  string // the JSON of its value in another engine, or what the refusal starts with
	typescript            bool
}

// constructs reads testdata/language: each file is an edition, and each row three lines:
//
//	works: name          or lowered, or refused
//	  code               \n in a refused body is a line's end; --- file starts another file
//	  what comes of it
func constructs(t *testing.T) []construct {
	t.Helper()
	files, err := filepath.Glob("testdata/language/*.txt")
	require.NoError(t, err)
	var all []construct
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		edition := strings.TrimPrefix(lines[0], "# ")
		lines = lines[1:]
		require.Zero(t, len(lines)%3, file)
		for i := 0; i < len(lines); i += 3 {
			status, name, found := strings.Cut(lines[i], ": ")
			require.True(t, found, lines[i])
			require.Contains(t, []string{"works", "lowered", "refused"}, status)
			all = append(all, construct{edition, status, name, strings.TrimPrefix(lines[i+1], "  "), strings.TrimPrefix(lines[i+2], "  "), edition == "TypeScript"})
		}
	}
	return all
}

// refusal gives what a body is refused with, when it is loaded or when it gets there.
func (c construct) refusal() string {
	name := "main.js"
	if c.typescript {
		name = "main.ts"
	}
	files := fstest.MapFS{}
	body := strings.ReplaceAll(c.code, `\n`, "\n")
	for i, part := range strings.Split(body, "\n--- ") {
		if i == 0 {
			files[name] = &fstest.MapFile{Data: []byte(header + part + "\n")}
			continue
		}
		path, text, _ := strings.Cut(part, "\n")
		files[path] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	p, err := vm.Compile(files, name)
	if err != nil {
		return err.Error()
	}
	turn, err := vm.New(p, vm.Config{Seed: "seed"}).Start(context.Background(), nil, vm.At{Now: noon})
	if err != nil {
		return err.Error()
	}
	if turn.Err == nil {
		return fmt.Sprintf("it is not refused, and gives %s", turn.Result)
	}
	return turn.Err.Error()
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range constructs(t) {
		t.Run(c.edition+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			if c.status == "refused" {
				require.True(t, strings.HasPrefix(c.refusal(), c.want), "%s\ngot %s", c.code, c.refusal())
				return
			}
			name := "main.js"
			if c.typescript {
				name = "main.ts"
			}
			text := header + "return JSON.stringify(await (" + c.code + "\n)) ?? \"null\""
			p, err := vm.Compile(fstest.MapFS{name: {Data: []byte(text)}}, name)
			require.NoError(t, err, c.code)
			var got string
			unquote(t, start(t, vm.New(p, vm.Config{Seed: "seed"}), nil).result(), &got)
			require.Equal(t, c.want, got, c.code)
		})
	}
}

const languagePage = "../docs/reference/language.md"

// The page is made of the rows that the test above runs.
func TestLanguagePage(t *testing.T) {
	t.Parallel()
	intro, err := os.ReadFile("testdata/language/intro.md")
	require.NoError(t, err)
	outro, err := os.ReadFile("testdata/language/differences.md")
	require.NoError(t, err)
	var page strings.Builder
	page.Write(intro)
	cell := func(s string) string { return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(s) }
	edition := ""
	rows := constructs(t)
	for _, c := range rows {
		if c.edition != edition {
			edition = c.edition
			page.WriteString("\n## " + edition + "\n\n| construct | here |\n|---|---|\n")
		}
		here := c.status
		if c.status == "refused" {
			here = "**refused**: " + cell(shortened(c.want))
		}
		page.WriteString("| " + cell(c.name) + " | " + here + " |\n")
	}
	page.WriteString("\n")
	page.Write(outro)
	if *update {
		require.NoError(t, os.WriteFile(languagePage, []byte(page.String()), 0o644))
	}
	have, err := os.ReadFile(languagePage)
	require.NoError(t, err)
	require.Equal(t, page.String(), string(have), "go test ./vm -run TestLanguagePage -update writes it anew")
	require.True(t, slices.ContainsFunc(rows, func(c construct) bool { return c.status == "lowered" }))
}

// shortened gives the code and the advice of a refusal, without its place in a test.
func shortened(refusal string) string {
	_, text, found := strings.Cut(refusal, ": ")
	if !found {
		return refusal
	}
	code, message, _ := strings.Cut(text, ": ")
	return "`" + code + "` " + message
}
