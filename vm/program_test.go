package vm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/vm"
)

const plainMeta = "export const meta = { name: 'n', description: 'd' }\n"

// folder makes files out of "--- name" lines and what follows them; the first one is the entry.
func folder(text string) (fstest.MapFS, string) {
	files := fstest.MapFS{}
	entry := ""
	for _, part := range strings.Split("\n"+text, "\n--- ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		if entry == "" {
			entry = name
		}
		files[name] = &fstest.MapFile{Data: []byte(body)}
	}
	return files, entry
}

const twoFiles = "--- w/main.js\n" + plainMeta + "import { x } from '../lib/x.js'\nimport y from './y.json'\nreturn x + y\n" +
	"--- lib/x.ts\nexport const x: number = 1\n" +
	"--- w/y.json\n2\n--- w/unused.js\nexport const z = 1\n"

func TestSources(t *testing.T) {
	defer goleak.VerifyNone(t) // the bundler's goroutines end with it
	files, entry := folder(twoFiles)
	p, err := vm.Compile(files, entry)
	require.NoError(t, err)
	require.Equal(t, "w/main.js", p.Name())
	var paths []string
	for _, s := range p.Sources() {
		paths = append(paths, s.Path)
		require.Equal(t, string(files[s.Path].Data), s.Text)
	}
	require.Equal(t, []string{"w/main.js", "lib/x.ts", "w/y.json"}, paths, "the entry first, the others by path")

	again, err := vm.FromSources(p.Name(), p.Sources())
	require.NoError(t, err)
	require.Equal(t, p.Hash(), again.Hash())
	require.Equal(t, p.Sources(), again.Sources())
	require.Equal(t, p.Meta(), again.Meta())

	_, err = vm.FromSources(p.Name(), p.Sources()[:2])
	require.ErrorContains(t, err, `w/main.js:3:15: IMPORT_NOT_FOUND: import "./y.json" finds no file; tried w/y.json`)
	_, err = vm.FromSources(p.Name(), append(p.Sources(), p.Sources()[0]))
	require.ErrorContains(t, err, "SOURCE_NAME_INVALID")
}

// The digest is put together here from the words of Hash's documentation.
func TestHashIsWhatIsDocumented(t *testing.T) {
	t.Parallel()
	files, entry := folder(twoFiles)
	p, err := vm.Compile(files, entry)
	require.NoError(t, err)
	number := func(n byte) string { return "\x00\x00\x00\x00\x00\x00\x00" + string([]byte{n}) }
	main := string(files["w/main.js"].Data)
	require.Len(t, main, 121)
	text := "assent/program/1\n" + number(1) + number(9) + "w/main.js" + number(3) +
		number(8) + "lib/x.ts" + number(26) + "export const x: number = 1" +
		number(9) + "w/main.js" + number(121) + main +
		number(8) + "w/y.json" + number(1) + "2"
	sum := sha256.Sum256([]byte(text))
	require.Equal(t, hex.EncodeToString(sum[:]), p.Hash())
}

func TestHashChangesWithEveryByte(t *testing.T) {
	t.Parallel()
	files, entry := folder(twoFiles)
	p, err := vm.Compile(files, entry)
	require.NoError(t, err)
	seen := map[string]string{p.Hash(): "unchanged"}
	for _, name := range []string{"w/main.js", "lib/x.ts", "w/y.json"} {
		changed, _ := folder(twoFiles)
		changed[name].Data = append(changed[name].Data, ' ')
		other, err := vm.Compile(changed, entry)
		require.NoError(t, err)
		require.NotContains(t, seen, other.Hash())
		seen[other.Hash()] = name
	}
	files["w/unused.js"].Data = []byte("other")
	same, err := vm.Compile(files, entry)
	require.NoError(t, err)
	require.Equal(t, p.Hash(), same.Hash(), "a file that is not imported is no part of it")

	renamed := fstest.MapFS{"main.js": files["w/main.js"], "a.js": {Data: []byte(plainMeta)}, "b.js": {Data: []byte(plainMeta)}}
	a, err := vm.Compile(renamed, "a.js")
	require.NoError(t, err)
	b, err := vm.Compile(renamed, "b.js")
	require.NoError(t, err)
	require.NotEqual(t, a.Hash(), b.Hash(), "the entry's name is part of it")
}

func TestHashDoesNotDependOnWhereTheFilesLie(t *testing.T) {
	t.Parallel()
	files, entry := folder(twoFiles)
	p, err := vm.Compile(files, entry)
	require.NoError(t, err)
	for range 2 {
		dir := t.TempDir()
		for name, file := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, file.Data, 0o600))
		}
		onDisk, err := vm.Compile(os.DirFS(dir), entry)
		require.NoError(t, err)
		require.Equal(t, p.Hash(), onDisk.Hash())
	}
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a package":             {"import fs from 'fs'\n", `main.js:2:16: IMPORT_REFUSED: import "fs" is refused: only local files`},
		"a node: URL":           {"import 'node:fs'\n", `main.js:2:8: IMPORT_REFUSED`},
		"an http URL":           {"import x from 'https://example.com/x.js'\n", `main.js:2:15: IMPORT_REFUSED`},
		"an absolute path":      {"import x from '/etc/passwd'\n", `main.js:2:15: IMPORT_REFUSED`},
		"a Windows drive":       {"import x from 'C:/x.js'\n", `main.js:2:15: IMPORT_REFUSED`},
		"a Windows path":        {"import x from '.\\\\x.js'\n", `main.js:2:15: IMPORT_REFUSED: write import ".\\x.js" with /`},
		"above the root":        {"import x from '../x.js'\n", `main.js:2:15: IMPORT_REFUSED: import "../x.js" leaves the folder`},
		"above and back":        {"import x from './a/../../main.js'\n", `main.js:2:15: IMPORT_REFUSED`},
		"a missing file":        {"import x from './sub/x'\n", `main.js:2:15: IMPORT_NOT_FOUND: import "./sub/x" finds no file; tried sub/x.ts, sub/x.mts, sub/x.js, sub/x.mjs, sub/x/index.ts, sub/x/index.mts, sub/x/index.js, sub/x/index.mjs`},
		"a missing file, later": {"import y from './y.js'\n--- y.js\n\nimport x from './x.mjs'\nexport default 1", `y.js:2:15: IMPORT_NOT_FOUND: import "./x.mjs" finds no file; tried x.mjs, x.mts`},
		"another kind of file":  {"import x from './p.md'\n--- p.md\nhello", `main.js:2:15: IMPORT_REFUSED: import "./p.md" is refused: only .js, .mjs, .ts and .mts files, and .json`},
		"another case":          {"import x from './X.js'\n--- x.js\n", `main.js:2:15: IMPORT_NOT_FOUND`},
		"the workflow itself":   {"import x from './x.js'\n--- x.js\nimport { meta } from './main.js'\n", `x.js:1:22: IMPORT_REFUSED: the workflow's own file`},
		"a missing export":      {"import { x } from './x.js'\nreturn x\n--- x.js\nexport {}\n", `main.js:2:10: SCRIPT_SYNTAX: No matching export in "x.js" for import "x"`},
		"broken JSON":           {"import x from './x.json'\nreturn x\n--- x.json\n{ a }\n", `x.json:1:3: SCRIPT_SYNTAX`},
		"a late import":         {"let a = 1\nimport x from './x.js'\n--- x.js\n", `main.js:3:8: SCRIPT_SYNTAX: move this import up`},
		"an export":             {"let a = 1\n  export { a }\n", `main.js:3:3: SCRIPT_SYNTAX: only meta can be exported`},
		"export default":        {"export default 1\n", `main.js:2:1: SCRIPT_SYNTAX: only meta can be exported`},
		"import()":              {"await import('./x.js')\n--- x.js\n", `main.js:2:14: SCRIPT_UNSUPPORTED: import() is not supported`},
		"import(expression)":    {"await import(args.file)\n", `main.js:2:7: SCRIPT_UNSUPPORTED: import() is not supported`},
		"import.meta":           {"return import.meta.url\n", `main.js:2:8: SCRIPT_UNSUPPORTED: import.meta is not supported`},
		"require":               {"return require('fs')\n", `main.js:2:16: SCRIPT_UNSUPPORTED: require is not supported`},
		"require as a value":    {"let a = 'require __require'\nreturn require\n", `main.js:3:8: SCRIPT_UNSUPPORTED: require is not supported`},
		"what require has":      {"let __require\nreturn typeof require.resolve\n", `main.js:3:15: SCRIPT_UNSUPPORTED: require is not supported`},
		"require if there is":   {"if (typeof require === 'function') require('fs')\n", `main.js:2:44: SCRIPT_UNSUPPORTED: require is not supported`},
		"require if there is 2": {"let f; if (typeof require === 'function') f = require\n", `main.js:2:47: SCRIPT_UNSUPPORTED: require is not supported`},
		"require passed on":     {"/* é */ f(1, require)\n", `main.js:2:14: SCRIPT_UNSUPPORTED: require is not supported`},
		"require as a property": {"const o = { require }\n", `main.js:2:13: SCRIPT_UNSUPPORTED: require is not supported`},
		"require of a variable": {"const f = 1; require(f)\n", `main.js:2:14: SCRIPT_UNSUPPORTED: require is not supported`},
		"no exports":            {"import { x } from './x.js'\nreturn x\n--- x.js\nconst x = 1\n", `main.js:2:10: SCRIPT_SYNTAX: Import "x" is undefined: the file "x.js" has no exports`},
		"no default":            {"import x from './x.js'\nreturn x\n--- x.js\nexport const x = 1\n", `main.js:2:8: SCRIPT_SYNTAX: No matching export in "x.js" for import "default"`},
		"not in a namespace":    {"import * as x from './x.js'\nreturn x.y\n--- x.js\nexport const x = 1\n", `main.js:3:10: SCRIPT_SYNTAX: Import "y" is undefined`},
		"property escapes":      {"return /x\\p{Emoji}/u\n", `main.js:2:8: SCRIPT_UNSUPPORTED: \p{Emoji} in a regular expression: not supported here`},
		"script extensions":     {"const a = 1\n  f(/\\p{scx=Grek}/u)\n", `main.js:3:5: SCRIPT_UNSUPPORTED: \p{scx=Grek} in a regular expression: script extensions`},
		"a later script":        {"import { x } from './x.js'\nreturn x\n--- x.js\n\nexport const x = /\\p{sc=Garay}/v\n", `x.js:2:18: SCRIPT_UNSUPPORTED: \p{sc=Garay} in a regular expression: not supported here: Unicode 15.0.0`},
		"no such property":      {"class A { x = [{ y: `${/😀\\p{Nope}/u}` }] }\n", `main.js:2:24: SCRIPT_SYNTAX: Invalid regular expression /😀\p{Nope}/: Invalid property name`},
		"a bad escape":          {"return /\\-/u\n", `main.js:2:8: SCRIPT_SYNTAX: Invalid regular expression /\-/: Invalid escape`},
		"a name twice":          {"return /(?<a>.)(?<a>.)/\n", `main.js:2:8: SCRIPT_SYNTAX: Invalid regular expression /(?<a>.)(?<a>.)/: Duplicate capture group name`},
		"flag u with v":         {"return /a/uv\n", `main.js:2:8: SCRIPT_SYNTAX: Invalid flags`},
		"await in an import":    {"import x from './x.js'\nreturn x\n--- x.js\nexport default await 1\n", `x.js:1:16: SCRIPT_UNSUPPORTED: an imported file cannot use await outside`},
		"return in an import":   {"import x from './x.js'\nreturn x\n--- x.js\nexport default 1; return\n", `x.js:1:19: SCRIPT_SYNTAX: an imported file cannot return`},
		"a syntax error":        {"const é = 'é'; const x = ;\n", `main.js:2:26: SCRIPT_SYNTAX: Unexpected ";"`},
		"a text without end":    {"return 'x\n", `main.js:2:`},
		"declared twice":        {"let x = 1\nlet x = 2\n", `main.js:3:5: SCRIPT_SYNTAX: The symbol "x" has already been declared`},
		"an import shadowed":    {"import { x } from './x.js'\n/* é */ const x = 1\n--- x.js\nexport const x = 1\n", `main.js:3:15: SCRIPT_SYNTAX: The symbol "x" has already been declared: an import has this name`},
		"... by a function":     {"import x, * as y from './x.js'\nif (x) { let y, x }\n  function y() {}\n--- x.js\nexport default 1\n", `main.js:4:12: SCRIPT_SYNTAX: The symbol "y"`},
		"... by a pattern":      {"import { a as b, c as d } from './x.js'\nlet a, c\nvar [e, { f: d }] = []\n--- x.js\nexport const a = 1, c = 1\n", `main.js:4:14: SCRIPT_SYNTAX: The symbol "d"`},
		"with":                  {"with (a) {}\n", `main.js:2:1: SCRIPT_SYNTAX`},
		"octal":                 {"return 010\n", `main.js:2:8: SCRIPT_SYNTAX`},
		"an HTML comment":       {"let a\n--> x\n", `main.js:3:1: SCRIPT_SYNTAX: an HTML comment`},
		"a closing brace":       {"}\nevil()\n{\n", `main.js:2:1: SCRIPT_SYNTAX: nothing is open`},
	} {
		t.Run(name, func(t *testing.T) {
			files, entry := folder("--- main.js\n" + plainMeta + c.text)
			_, err := vm.Compile(files, entry)
			require.ErrorContains(t, err, c.want)
			var coded *vm.Error
			require.ErrorAs(t, err, &coded)
			require.Contains(t, c.want, coded.File, "in its own field too")
		})
	}
	files, entry := folder("--- main.ts\n" + plainMeta + "namespace A { export const x = 1 }\nimport X = require('x')")
	_, err := vm.Compile(files, entry)
	require.ErrorContains(t, err, "main.ts:2:11: SCRIPT_SYNTAX: a namespace can stand in an imported file only")
}

// Inside blocks and functions, a name can be used again; and a type is no value.
func TestImportsCanBeShadowedInside(t *testing.T) {
	t.Parallel()
	files, entry := folder("--- main.ts\nimport { x, type T } from './x'\n" + plainMeta + "import type { U } from './x'\nimport V from './x'\n" +
		"const f = (x: number) => { let V = x; { const x = V; return x } }\ntype V = 1; const T = 1, U = 2\nreturn [f(1), T, U, x]" +
		"\n--- x.ts\nexport const x = 1; export type T = 1; export type U = 2; export default class {}\n")
	_, err := vm.Compile(files, entry)
	require.NoError(t, err)
	_, err = vm.Compile(fstest.MapFS{
		"main.js": {Data: []byte("import { x } from './x.js'\n" + plainMeta + "let y = 1\nclass x {}\n")}, "x.js": {Data: []byte("export const x = 1")},
	}, "main.js")
	require.ErrorContains(t, err, `main.js:4:7: SCRIPT_SYNTAX: The symbol "x" has already been declared: an import has this name`)
}

func TestNames(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a.js": {Data: []byte(plainMeta)}, "d.js": {Mode: fs.ModeDir}, "x.txt": {Data: []byte(plainMeta)}, "p.js": {Mode: fs.ModeNamedPipe}}
	for name, want := range map[string]string{
		"./a.js":  "SOURCE_NAME_INVALID",
		"/a.js":   "SOURCE_NAME_INVALID",
		"../a.js": "SOURCE_NAME_INVALID",
		".":       "SOURCE_NAME_INVALID",
		"":        "SOURCE_NAME_INVALID",
		`b\a.js`:  "SOURCE_NAME_INVALID: a script's path is written with /",
		"x.txt":   "SOURCE_NAME_INVALID: a script is a .js, .mjs, .ts or .mts file",
		"b.js":    "SOURCE_UNREADABLE: cannot read it: open b.js: file does not exist",
		"d.js":    "SOURCE_UNREADABLE: cannot read it: it is not a file",
		"p.js":    "SOURCE_UNREADABLE: cannot read it: it is not a file",
	} {
		_, err := vm.Compile(files, name)
		require.ErrorContains(t, err, want, name)
	}
	_, err := vm.Compile(files, "b.js")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// sameCase is a file system that does not tell upper from lower case, as on many laptops.
type sameCase struct{ fstest.MapFS }

func (s sameCase) Open(name string) (fs.File, error) { return s.MapFS.Open(strings.ToLower(name)) }
func (s sameCase) Stat(name string) (fs.FileInfo, error) {
	return s.MapFS.Stat(strings.ToLower(name))
}

func TestImportIsSpelledAsTheFileIs(t *testing.T) {
	t.Parallel()
	files, entry := folder("--- main.js\n" + plainMeta + "import x from './Lib.js'\nreturn x\n--- lib.js\nexport default 1")
	_, err := vm.Compile(sameCase{files}, entry)
	require.ErrorContains(t, err, `main.js:2:15: IMPORT_NOT_FOUND: import "./Lib.js" finds lib.js only where upper and lower case are the same`)
}

// Types are removed before anything is read, as TypeScript does it.
func TestTypesAreNoPartOfAProgram(t *testing.T) {
	t.Parallel()
	files, entry := folder("--- main.ts\n" + plainMeta + "import type { A } from './nowhere'\nimport { type B } from './nowhere'\nimport { C } from './nowhere'\nlet c: A | B | C\nreturn 1")
	p, err := vm.Compile(files, entry)
	require.NoError(t, err)
	require.Len(t, p.Sources(), 1)
}

func TestSourceText(t *testing.T) {
	t.Parallel()
	_, err := compileText("a.js", plainMeta+"// é\n let a = '\xff'")
	require.ErrorContains(t, err, "a.js:3:11: SOURCE_NOT_UTF8: byte 0xFF")

	fill := func(n int) string { return plainMeta + "//" + strings.Repeat("x", n-len(plainMeta)-2) }
	p, err := compileText("a.js", fill(vm.MaxSource))
	require.NoError(t, err)
	require.Len(t, p.Sources()[0].Text, 512*1024)
	_, err = compileText("a.js", fill(vm.MaxSource+1))
	require.ErrorContains(t, err, "a.js: SOURCE_TOO_LARGE")

	files, entry := folder("--- main.js\n" + plainMeta + "import './a.js'; import './b.js'\n")
	files["a.js"] = &fstest.MapFile{Data: []byte(fill(300 << 10))}
	files["b.js"] = &fstest.MapFile{Data: []byte(fill(300 << 10))}
	_, err = vm.Compile(files, entry)
	require.ErrorContains(t, err, "SOURCE_TOO_LARGE", "the limit is for all files together")

	bom := "\uFEFF#!/usr/bin/env assent\n" + plainMeta
	p, err = compileText("a.js", bom)
	require.NoError(t, err)
	require.Equal(t, bom, p.Sources()[0].Text, "to the byte")

	_, err = compileText("a.js", "```js\n"+plainMeta+"```")
	require.ErrorContains(t, err, "META_INVALID", "a fence is never taken off in silence")
}

func TestStripFence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"```js\ncode\n```":                 "code\n",
		"\n ```\na\nb\n```\n\n":            "a\nb\n",
		"````ts\n`x`\n````":                "`x`\n",
		"~~~typescript\r\na\r\n~~~\r\n":    "a\r\n",
		"code":                             "code",
		"```js\ncode":                      "```js\ncode",
		"```js\na\n```\ntext\n```\nb\n```": "```js\na\n```\ntext\n```\nb\n```",
		"text\n```js\ncode\n```":           "text\n```js\ncode\n```",
		"```code```":                       "```code```",
		"":                                 "",
		"```":                              "```",
	} {
		require.Equal(t, want, vm.StripFence(text), "%q", text)
	}
}
