package tests_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// codeLiteral is a code as it stands in source.
var codeLiteral = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)

// Wherever a text of the source becomes a code, in whatever package, it is one that the page
// explains.
func TestEveryCodeInTheSourceIsExplained(t *testing.T) {
	explained := map[string]bool{}
	for _, file := range codeFiles {
		for _, block := range codeBlocks(t, file) {
			for _, c := range block.codes {
				explained[c.value] = true
			}
		}
	}
	found := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, code := range codesIn(tree) {
			found++
			require.True(t, explained[code], "%s: %s is explained nowhere", path, code)
		}
		return nil
	}))
	require.Greater(t, found, 80)
}

// The search finds a code in each of the places where one can stand.
func TestCodesAreFoundWhereTheyStand(t *testing.T) {
	const source = `package p
const one fault.Code = "ONE"
const codeTwo = "TWO"
const other = "OTHER_TEXT"
var _ = fault.New("THREE", "what", "NEXT_TEXT")
var _ = fault.Wrap(err, "FOUR", "what", "")
var _ = fault.Code("FIVE")
var _ = problem{Code: "SIX", What: "WHAT_TEXT"}
var _ = fault.Is(err, "SEVEN")
func (mistake) ErrorCode() string { if x { return "EIGHT" }; return "NINE" }
func (m *machine) code() string { m.refuse("TEN", "x"); return "NO_CODE" }
func f() fault.Code { return "ELEVEN" }
func g() { e.Code = "TWELVE"; if e.Code == "THIRTEEN" { return } }
`
	tree, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "ELEVEN", "TWELVE", "THIRTEEN"}, codesIn(tree))
}

// codesIn are the texts of a file that are used as codes.
func codesIn(tree *ast.File) []string {
	var codes []string
	add := func(e ast.Expr) {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if value, err := strconv.Unquote(literal.Value); err == nil && codeLiteral.MatchString(value) {
				codes = append(codes, value)
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, value := range n.Values {
				if isCode(n.Type) || i < len(n.Names) && strings.HasPrefix(n.Names[i].Name, "code") {
					add(value)
				}
			}
		case *ast.CallExpr:
			if at, ok := codeArgumentOf(n); ok && at < len(n.Args) {
				add(n.Args[at])
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && strings.EqualFold(key.Name, "code") {
				add(n.Value)
			}
		case *ast.FuncDecl:
			if gives := n.Type.Results; n.Body != nil && gives != nil && (n.Name.Name == "ErrorCode" || isCode(gives.List[0].Type)) {
				ast.Inspect(n.Body, func(inner ast.Node) bool {
					if r, ok := inner.(*ast.ReturnStmt); ok && len(r.Results) > 0 {
						add(r.Results[0])
					}
					return true
				})
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					if namesCode(n.Lhs[i]) {
						add(n.Rhs[i])
					}
				}
			}
		case *ast.BinaryExpr:
			if namesCode(n.X) {
				add(n.Y)
			}
		}
		return true
	})
	return codes
}

// isCode says that a type is Code, of whatever package.
func isCode(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "Code"
	case *ast.SelectorExpr:
		return e.Sel.Name == "Code"
	}
	return false
}

// namesCode says that an expression is a field or variable for a code.
func namesCode(e ast.Expr) bool {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return strings.EqualFold(s.Sel.Name, "code")
	}
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "code"
}

// codeArgumentOf gives which argument of a call is a code.
func codeArgumentOf(call *ast.CallExpr) (at int, ok bool) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0, false
	}
	if of, isName := f.X.(*ast.Ident); !isName || of.Name != "fault" {
		return 0, false
	}
	switch f.Sel.Name {
	case "New", "Code":
		return 0, true
	case "Wrap", "Is":
		return 1, true
	}
	return 0, false
}
