package tests_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// errorsPage is the reference of all codes.
const errorsPage = "../docs/reference/errors.md"

var errorEntry = regexp.MustCompile("(?m)^### `([A-Z0-9_]+)`$")

var codeShape = regexp.MustCompile("^[A-Z][A-Z0-9_]+$")

// Every code has an entry in the reference, once, and every entry is of a code.
func TestEveryErrorCodeIsDocumented(t *testing.T) {
	page, err := os.ReadFile(errorsPage)
	require.NoError(t, err)
	var documented []string
	for _, match := range errorEntry.FindAllStringSubmatch(string(page), -1) {
		require.NotContains(t, documented, match[1], "two entries")
		documented = append(documented, match[1])
	}
	codes := append(faultCodes(t), machineCodes(t)...)
	slices.Sort(codes)
	codes = slices.Compact(codes)
	slices.Sort(documented)
	require.Equal(t, codes, documented)
}

// Every entry says what it means, when it comes up and what to do.
func TestEveryErrorEntryIsWhole(t *testing.T) {
	text, err := os.ReadFile(errorsPage)
	require.NoError(t, err)
	page := string(text)
	at := errorEntry.FindAllStringSubmatchIndex(page, -1)
	for i, match := range at {
		end := len(page)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		body, _, _ := strings.Cut(page[match[1]:end], "\n## ")
		code := page[match[2]:match[3]]
		for _, part := range []string{"- **Means:** ", "- **When:** ", "- **Do:** "} {
			require.Equal(t, 1, strings.Count(body, "\n"+part), "%s: %s", code, part)
		}
	}
}

// faultCodes are the values of all constants of type Code in internal/fault.
func faultCodes(t *testing.T) []string {
	t.Helper()
	codes := constants(t, "../internal/fault", func(_ string, typ ast.Expr) bool {
		name, ok := typ.(*ast.Ident)
		return ok && name.Name == "Code"
	})
	require.Contains(t, codes, "PLAN_NOT_JSON")
	return codes
}

// machineCodes are the values of the code… constants of vm, which imports nothing of ours and so
// has codes of its own.
func machineCodes(t *testing.T) []string {
	t.Helper()
	codes := constants(t, "../vm", func(name string, _ ast.Expr) bool {
		return strings.HasPrefix(strings.ToLower(name), "code")
	})
	// codeName, say, is the name of some code.
	codes = slices.DeleteFunc(codes, func(value string) bool { return !codeShape.MatchString(value) })
	require.Contains(t, codes, "SCRIPT_DEADLOCK")
	return codes
}

// constants returns the values of the string constants of a package that want accepts.
func constants(t *testing.T, dir string, want func(name string, typ ast.Expr) bool) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var values []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, name := range spec.Names {
				if i >= len(spec.Values) || !want(name.Name, spec.Type) {
					continue
				}
				literal, ok := spec.Values[i].(*ast.BasicLit)
				require.True(t, ok && literal.Kind == token.STRING, "%s: %s is no text", file, name.Name)
				value, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				values = append(values, value)
			}
			return true
		})
	}
	return values
}
