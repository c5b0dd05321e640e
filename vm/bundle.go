package vm

import (
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// namespace keeps our files apart from the real file system, which the bundler never sees.
const namespace = "assent"

// bundler turns the entry file and what it imports into one script.
type bundler struct {
	mu     sync.Mutex // the bundler's callbacks come from many goroutines; holds reader and texts
	reader *reader
	entry  string
	layout layout
}

// lowered is what the engine under the machine cannot do, and the bundler can take out of a text; or what it would
// do wrong, and the bundler finds. All else is left as the author wrote it.
var lowered = map[string]bool{
	"async-generator":                  false,
	"decorators":                       false,
	"for-await":                        false,
	"import-meta":                      false,
	"top-level-await":                  false,
	"unicode-escapes":                  false,
	"using":                            false,
	"arbitrary-module-namespace-names": true,
}

// bundle gives the script's code, and a source map to the arranged files.
func (b *bundler) bundle() (code string, sourceMap []byte, wrong []*Error) {
	result := api.Build(api.BuildOptions{
		// An entry point with a name would be looked for in the real working directory.
		Stdin:     &api.StdinOptions{Contents: b.layout.text, Sourcefile: b.entry, Loader: loaderOf(b.entry)},
		Bundle:    true,
		Format:    api.FormatESModule,
		Platform:  api.PlatformNeutral, // no process.env, no "browser" field
		Target:    api.ESNext,
		Supported: lowered,
		// Indentation would make a deep text grow with the square of its depth.
		MinifyWhitespace: true,
		// Names that the bundler changes stay visible in stacks, class names and .name.
		KeepNames:      true,
		Charset:        api.CharsetUTF8,
		LegalComments:  api.LegalCommentsNone,
		Sourcemap:      api.SourceMapExternal,
		SourcesContent: api.SourcesContentExclude,
		TsconfigRaw:    "{}", // or it would look for a file
		Banner:         map[string]string{"js": wrapHead},
		Footer:         map[string]string{"js": wrapTail},
		Outfile:        "bundle.js",
		LogLevel:       api.LogLevelSilent,
		LogOverride: map[string]api.LogLevel{
			"empty-import-meta":          api.LogLevelError,
			"unsupported-dynamic-import": api.LogLevelError,
			"import-is-undefined":        api.LogLevelError,
		},
		Plugins: []api.Plugin{{Name: namespace, Setup: func(build api.PluginBuild) {
			build.OnResolve(api.OnResolveOptions{Filter: ".*"}, b.resolve)
			build.OnLoad(api.OnLoadOptions{Filter: ".*"}, b.load)
		}}},
	})
	for _, m := range result.Errors {
		wrong = append(wrong, b.explain(m))
	}
	if wrong != nil {
		return "", nil, wrong
	}
	for _, file := range result.OutputFiles {
		if strings.HasSuffix(file.Path, ".map") {
			sourceMap = file.Contents
		} else {
			code = string(file.Contents)
		}
	}
	return code, sourceMap, nil
}

func failed(code, what string) []api.Message {
	return []api.Message{{Text: what, Detail: &refused{code, what}}}
}

func (b *bundler) resolve(args api.OnResolveArgs) (api.OnResolveResult, error) {
	refuse := func(code, what string) (api.OnResolveResult, error) {
		return api.OnResolveResult{Errors: failed(code, what)}, nil
	}
	switch args.Kind {
	case api.ResolveJSImportStatement:
	case api.ResolveJSDynamicImport:
		return refuse(codeUnsupported, "import() is not supported: what runs has to be known before the run; use an import declaration")
	default:
		return refuse(codeUnsupported, "require is not supported; use an import declaration")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	importer := args.Importer
	if args.Namespace != namespace {
		importer = b.entry
	}
	name, wrong := resolve(b.reader, importer, args.Path)
	if wrong != nil {
		return refuse(wrong.code, wrong.what)
	}
	if name == b.entry {
		return refuse(codeImport, "the workflow's own file cannot be imported; move what both need into a third file")
	}
	return api.OnResolveResult{Path: name, Namespace: namespace}, nil
}

func (b *bundler) load(args api.OnLoadArgs) (api.OnLoadResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, wrong := b.reader.read(args.Path)
	if wrong == nil {
		var bad *mistake
		if text, bad = clean(text); bad != nil {
			wrong = bad.in(args.Path, b.reader.texts[args.Path])
		}
	}
	if wrong != nil {
		return api.OnLoadResult{Errors: []api.Message{{Text: wrong.Message, Detail: wrong}}}, nil
	}
	return api.OnLoadResult{Contents: &text, Loader: loaderOf(args.Path)}, nil
}

func loaderOf(name string) api.Loader {
	if strings.HasSuffix(name, ".json") {
		return api.LoaderJSON
	}
	if isTypeScript(name) {
		return api.LoaderTS
	}
	return api.LoaderJS
}

// explain turns the bundler's message into ours.
func (b *bundler) explain(m api.Message) *Error {
	if wrong, ok := m.Detail.(*Error); ok {
		return wrong
	}
	e := &Error{Code: codeSyntax, Message: m.Text, File: b.entry}
	if at := m.Location; at != nil {
		e.File = strings.TrimPrefix(at.File, namespace+":")
		e.Line = at.Line
		e.Column = 1 + units(at.LineText[:min(at.Column, len(at.LineText))])
		if e.File == b.entry {
			e.Line = b.layout.line(at.Line)
		}
	}
	if wrong, ok := m.Detail.(*refused); ok {
		e.Code, e.Message = wrong.code, wrong.what
		return e
	}
	e.Code, e.Message = reword(m, e.File == b.entry)
	e.Message = strings.TrimSuffix(strings.ReplaceAll(e.Message, `"`+namespace+`:`, `"`), ":")
	return e
}

// reword says in the words of our language what the bundler says in its own.
func reword(m api.Message, entry bool) (code, what string) {
	before := ""
	if m.Location != nil {
		before = strings.TrimRight(m.Location.LineText[:min(m.Location.Column, len(m.Location.LineText))], " \t")
	}
	const target = " in the configured target environment"
	switch {
	case strings.Contains(m.Text, "op-level await"):
		return codeUnsupported, "an imported file cannot use await outside of functions; export an async function, and await it in the workflow"
	case strings.Contains(m.Text, "op-level return"):
		return codeSyntax, "an imported file cannot return; only the workflow file can"
	case m.ID == "empty-import-meta":
		return codeUnsupported, "import.meta is not supported: a script does not know where it lies"
	case m.ID == "import-is-undefined":
		return codeSyntax, strings.Replace(m.Text, "will always be undefined because", "is undefined:", 1)
	case m.ID == "unsupported-dynamic-import":
		return codeUnsupported, "import() is not supported: what runs has to be known before the run; use an import declaration"
	case entry && strings.HasPrefix(m.Text, `Unexpected "export"`):
		return codeSyntax, "only meta can be exported from a workflow file; remove the word export, or move this into a file of its own and import it"
	case entry && strings.HasPrefix(m.Text, "Unexpected ") && endsInWord(before, "import"):
		return codeSyntax, "move this import up, to directly after meta: imports stand before everything else"
	case entry && strings.HasPrefix(m.Text, `Expected ";" but found`) && endsInWord(before, "namespace", "module", "global"):
		return codeSyntax, "a namespace can stand in an imported file only; move it into one"
	case strings.Contains(m.Text, target):
		head, _, _ := strings.Cut(m.Text, target)
		for _, verb := range []string{" is not available", " are not available"} {
			head = strings.TrimSuffix(head, verb)
		}
		return codeUnsupported, head + ": not supported here"
	}
	return codeSyntax, m.Text
}

// endsInWord says whether the text ends in one of the words.
func endsInWord(text string, words ...string) bool {
	for _, word := range words {
		if head, found := strings.CutSuffix(text, word); found && (head == "" || !wordByte(head[len(head)-1]) && !digit(head[len(head)-1])) {
			return true
		}
	}
	return false
}
