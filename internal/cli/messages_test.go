package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

// hole stands in a text for what is only known when it runs.
const hole = "‹›"

// text is what a source file says, and where.
type sourceText struct{ place, text string }

// sourceFiles parses every file of the product that is no test.
func sourceFiles(t *testing.T) (*token.FileSet, map[string]*ast.File) {
	t.Helper()
	set, files := token.NewFileSet(), map[string]*ast.File{}
	root := filepath.Join("..", "..")
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files[path], err = parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		return err
	}))
	require.Greater(t, len(files), 200)
	return set, files
}

var verb = regexp.MustCompile(`%[-+# 0-9.*\[\]]*[a-zA-Z]`)

// flat puts the literals of an expression together: a sum, a call of Sprintf, a conversion by
// strings.TrimSpace. What is no literal is a hole.
func flat(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value) // the parser took it
			return text
		}
	case *ast.ParenExpr:
		return flat(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return flat(e.X) + flat(e.Y)
		}
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		switch {
		case !ok || len(e.Args) == 0:
		case f.Sel.Name == "Sprintf":
			return verb.ReplaceAllString(flat(e.Args[0]), hole)
		case f.Sel.Name == "TrimSpace":
			return flat(e.Args[0])
		}
	}
	return hole
}

// texts gives every text of a file, each sum of literals whole, and its arguments besides.
func texts(set *token.FileSet, file *ast.File) []sourceText {
	var list []sourceText
	var visit func(n ast.Node, part bool)
	visit = func(n ast.Node, part bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BinaryExpr:
				if m == n || m.Op != token.ADD {
					return true
				}
				if text := flat(m); !part && text != hole {
					list = append(list, sourceText{set.Position(m.Pos()).String(), text})
				}
				visit(m, true) // for what stands in calls inside of it
				return false
			case *ast.CallExpr:
				for _, arg := range m.Args {
					visit(&ast.ParenExpr{X: arg}, false)
				}
				visit(m.Fun, false)
				return false
			case *ast.BasicLit:
				if text := flat(m); !part && text != hole {
					list = append(list, sourceText{set.Position(m.Pos()).String(), text})
				}
			}
			return true
		})
	}
	visit(file, false)
	return list
}

var (
	mention = regexp.MustCompile(`(?:^|[^\w./-])assent ([a-z]+)([^\n;|>]*)`)
	flagOf  = regexp.MustCompile(`(?:^|[\s(])(--[a-z][a-z-]+)`)
)

// prose are words behind the name of the program that are no command.
var prose = []string{"itself", "ends", "alone", "in", "is", "or", "that"}

// Every command that a text names is there, and takes the flags that stand behind it.
func TestEveryCommandInAMessageIsThere(t *testing.T) {
	t.Parallel()
	root := cli.Root()
	root.InitDefaultHelpCmd()
	flags := map[string][]string{}
	for _, cmd := range root.Commands() {
		flags[cmd.Name()] = flagsOf(cmd)
	}
	set, files := sourceFiles(t)
	checked := map[string]bool{}
	for _, file := range files {
		for _, s := range texts(set, file) {
			for _, m := range mention.FindAllStringSubmatch(s.text, -1) {
				known, ok := flags[m[1]]
				if slices.Contains(prose, m[1]) {
					continue
				}
				require.True(t, ok, "%s: there is no command %q: %q", s.place, m[1], s.text)
				checked[m[1]] = true
				command, _, _ := strings.Cut(m[2], "assent ") // further ones have their own turn
				command, _, _ = strings.Cut(command, "   # ")
				for _, flag := range flagOf.FindAllStringSubmatch(unquoted(command), -1) {
					require.Contains(t, known, flag[1], "%s: assent %s has no flag %s: %q", s.place, m[1], flag[1], s.text)
				}
			}
		}
	}
	require.Greater(t, len(checked), 15, "messages that name commands were looked at")
}

// Every flag that a text names is there, of whichever command it is.
func TestEveryFlagInAMessageIsThere(t *testing.T) {
	t.Parallel()
	root := cli.Root()
	all := []string{}
	for _, cmd := range append(root.Commands(), root) {
		all = append(all, flagsOf(cmd)...)
	}
	others := []string{"--install", "--format", "--global", "--quit", "--git"} // of xcode-select and git
	set, files := sourceFiles(t)
	checked := 0
	for _, file := range files {
		for _, s := range texts(set, file) {
			if program, _, more := strings.Cut(s.text, " "); !more || program == "git" || program == "gh" || strings.HasPrefix(program, "#!/bin/sh\n") {
				continue
			}
			for _, flag := range flagOf.FindAllStringSubmatch(s.text, -1) {
				if !slices.Contains(others, flag[1]) {
					require.Contains(t, all, flag[1], "%s: %q", s.place, s.text)
					checked++
				}
			}
		}
	}
	require.Greater(t, checked, 80)
}

// What is refused is said in one form: in lower case, without a full stop, and what a command is
// for stands three spaces behind it, where it is cut off for a terminal that is narrow.
func TestEveryRefusalHasTheSameForm(t *testing.T) {
	t.Parallel()
	set, files := sourceFiles(t)
	checked := 0
	for path, file := range files {
		if strings.Contains(path, "fault") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			said := refusalOf(call)
			for i, e := range said {
				text, place := flat(e), set.Position(e.Pos()).String()
				if text == "" && i > 0 {
					continue // nothing to do next
				}
				checked++
				require.NotEmpty(t, strings.TrimSpace(text), place)
				require.Equal(t, strings.TrimSpace(text), text, place)
				first := []rune(text)
				require.False(t, unicode.IsUpper(first[0]) && unicode.IsLower(first[1]), "%s: a capital: %q", place, text)
				require.NotRegexp(t, `[.!]$`, text, place)
				require.NotRegexp(t, `(^|\S)( |  |    +)# `, text, place)
				if i == 0 {
					require.NotContains(t, text, "\n", place)
				}
			}
			return true
		})
	}
	require.Greater(t, checked, 400)
}

// refusalOf gives what a call refuses, and what is to be done next; nil if it refuses nothing.
func refusalOf(call *ast.CallExpr) []ast.Expr {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "fault" && (f.Sel.Name == "New" || f.Sel.Name == "Wrap") {
			return call.Args[len(call.Args)-2:]
		}
	case *ast.Ident:
		if f.Name == "misused" {
			return call.Args
		}
	}
	return nil
}

// unquoted leaves out what stands in quotes: it is the command of another program.
func unquoted(command string) string {
	return regexp.MustCompile(`'[^']*'`).ReplaceAllString(command, "''")
}

func flagsOf(cmd *cobra.Command) []string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	list := []string{}
	add := func(f *pflag.Flag) { list = append(list, "--"+f.Name) }
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return list
}

// The list of messages is made of this: a text is found wherever it stands.
func TestTextsAreFound(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.go")
	require.NoError(t, os.WriteFile(path, []byte(`package a
var x = f("assent ru "+id+"   # why", fmt.Sprintf("no %d: %s", n, "deep"), []hint{{"assent ls" + g("inner"), "w"}})
`), 0o600))
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	require.NoError(t, err)
	found := []string{}
	for _, s := range texts(set, file) {
		found = append(found, s.text)
	}
	require.Equal(t, []string{"assent ru ‹›   # why", "no %d: %s", "deep", "assent ls‹›", "inner", "w"}, found)
}
