package tests_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// errorsPage is the reference of all codes. It is generated from the comments of their constants:
//
//	go test ./tests -run TestErrorsPage -update
const errorsPage = "../docs/reference/errors.md"

// codeFiles hold the codes that are explained, in the order of the page.
var codeFiles = []string{
	"../internal/fault/codes_gates.go", "../internal/fault/codes_runs.go", "../internal/fault/codes_journal.go", "../internal/fault/codes_agents.go", "../internal/fault/codes_delivery.go",
	"../internal/fault/codes_options.go", "../internal/fault/codes_cli.go", "../vm/compile_errors.go", "../vm/errors.go",
}

var update = flag.Bool("update", false, "write what is generated")

const errorsHead = `# Error codes

Every refusal has a code, says what was wrong with which value, and, where there is something to do, what. The code is a contract: it is never renamed and
never gets a second meaning. It stands in what the command line prints, as ` + "`code` in `--json`, as `.code` on what a script catches, and as `Code`" + ` in Go:

` + "```go" + `
if e, ok := errors.AsType[*engine.Error](err); ok && e.Code == "RUN_BUSY" { … }
` + "```" + `

An exit code says what a whole command came to; the codes on this page say why. ` + "`assent explain CODE`" + ` prints an entry.
`

// The page is what the constants say.
func TestErrorsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(errorsHead)
	seen := map[string]string{}
	for _, file := range codeFiles {
		for _, block := range codeBlocks(t, file) {
			b.WriteString("\n## " + block.title + "\n")
			if block.about != "" {
				b.WriteString("\n" + block.about + "\n")
			}
			for _, c := range block.codes {
				require.Empty(t, seen[c.value], "%s is said in %s and in %s", c.value, seen[c.value], file)
				seen[c.value] = file
				b.WriteString("\n### `" + c.value + "`\n\n- **Means:** " + c.means + "\n- **When:** " + c.when + "\n- **Do:** " + c.do + "\n")
			}
		}
	}
	for _, c := range allCodes(t) {
		require.NotEmpty(t, seen[c], "%s is explained nowhere", c)
	}
	if *update {
		require.NoError(t, os.WriteFile(errorsPage, []byte(b.String()), 0o600))
	}
	page, err := os.ReadFile(errorsPage)
	require.NoError(t, err)
	if b.String() != string(page) { // the whole page in a message would say less
		require.Fail(t, "the page is not what the constants say", "go test ./tests -run TestErrorsPage -update")
	}
}

// codeBlock is one block of constants, a section of the page.
type codeBlock struct {
	title, about string
	codes        []codeEntry
}

type codeEntry struct{ value, means, when, do string }

var codeShape = regexp.MustCompile("^[A-Z][A-Z0-9_]+$")

// codeBlocks reads the blocks of constants of a file whose codes are explained.
func codeBlocks(t *testing.T, place string) []codeBlock {
	t.Helper()
	var blocks []codeBlock
	eachConst(t, place, func(decl *ast.GenDecl) {
		doc := paragraphs(decl.Doc.Text())
		block := codeBlock{}
		if len(doc) > 0 {
			block.title = strings.TrimSuffix(doc[0], ".")
			block.about = strings.Join(doc[1:], "\n\n")
		}
		eachCode(t, decl, func(value string, spec *ast.ValueSpec) {
			text := paragraphs(spec.Doc.Text())
			if len(text) == 0 {
				return // it is explained where it belongs
			}
			require.Len(t, text, 3, "%s (%s): what it means, When:, Do:", value, place)
			when, ok := strings.CutPrefix(text[1], "When: ")
			require.True(t, ok, "%s: the second paragraph begins with When:", value)
			do, ok := strings.CutPrefix(text[2], "Do: ")
			require.True(t, ok, "%s: the third paragraph begins with Do:", value)
			block.codes = append(block.codes, codeEntry{value, text[0], when, do})
		})
		if len(block.codes) > 0 {
			blocks = append(blocks, block)
		}
	})
	return blocks
}

// allCodes are the values of all constants that are codes, explained or not.
func allCodes(t *testing.T) []string {
	t.Helper()
	var values []string
	for _, dir := range []string{"../internal/fault", "../vm"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			eachConst(t, file, func(decl *ast.GenDecl) {
				eachCode(t, decl, func(value string, _ *ast.ValueSpec) { values = append(values, value) })
			})
		}
	}
	require.Contains(t, values, "PLAN_NOT_JSON")
	require.Contains(t, values, "SCRIPT_DEADLOCK")
	return values
}

func eachConst(t *testing.T, file string, visit func(decl *ast.GenDecl)) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, d := range tree.Decls {
		if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == token.CONST {
			visit(decl)
		}
	}
}

// eachCode visits the constants of a block that are of type Code, or are named code….
func eachCode(t *testing.T, decl *ast.GenDecl, visit func(value string, spec *ast.ValueSpec)) {
	t.Helper()
	for _, s := range decl.Specs {
		spec := s.(*ast.ValueSpec)
		typ, _ := spec.Type.(*ast.Ident)
		for i, name := range spec.Names {
			if !(typ != nil && typ.Name == "Code" || strings.HasPrefix(name.Name, "code")) || i >= len(spec.Values) {
				continue
			}
			literal, ok := spec.Values[i].(*ast.BasicLit)
			require.True(t, ok && literal.Kind == token.STRING, "%s is no text", name.Name)
			value, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			if codeShape.MatchString(value) { // codeName, say, is the name of some code
				visit(value, spec)
			}
		}
	}
}

// paragraphs are the paragraphs of a comment, each as one line.
func paragraphs(text string) []string {
	var list []string
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if line := strings.Join(strings.Fields(part), " "); line != "" {
			list = append(list, line)
		}
	}
	return list
}
