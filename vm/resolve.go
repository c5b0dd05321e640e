package vm

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// loaders are the files that a script can consist of.
var loaders = map[string]api.Loader{
	".js": api.LoaderJS, ".mjs": api.LoaderJS, ".ts": api.LoaderTS, ".mts": api.LoaderTS,
}

const scriptFiles = ".js, .mjs, .ts and .mts"

func isTypeScript(name string) bool { return loaders[path.Ext(name)] == api.LoaderTS }

// checkName refuses an entry file's name that no program could be read by.
func checkName(name string) *Error {
	wrong := func(what string) *Error { return &Error{Code: codeSourceName, Message: what, File: name} }
	switch {
	case strings.Contains(name, `\`):
		return wrong(`a script's path is written with /, on every system`)
	case !fs.ValidPath(name) || name == ".":
		return wrong("a script's path is relative to its file system, without . or .. or a slash at its ends")
	case loaders[path.Ext(name)] == api.LoaderNone:
		return wrong("a script is a " + strings.Replace(scriptFiles, " and ", " or ", 1) + " file")
	}
	return nil
}

// refused is why an import does not resolve.
type refused struct{ code, what string }

func refusedf(code, format string, args ...any) *refused {
	return &refused{code, fmt.Sprintf(format, args...)}
}

// resolve finds the file that an import names, as the importing file's folder sees it.
func resolve(r *reader, importer, spec string) (string, *refused) {
	if strings.Contains(spec, `\`) {
		return "", refusedf(codeImport, "write import %q with /, which works on every system", spec)
	}
	if spec != "." && spec != ".." && !strings.HasPrefix(spec, "./") && !strings.HasPrefix(spec, "../") {
		return "", refusedf(codeImport,
			"import %q is refused: only local files can be imported, by a path that starts with ./ or ../; packages and URLs could do what no journal records", spec)
	}
	base := path.Join(path.Dir(importer), spec)
	if base == ".." || strings.HasPrefix(base, "../") {
		return "", refusedf(codeImport, "import %q leaves the folder that the script was loaded from", spec)
	}
	tried := candidates(base, strings.HasSuffix(spec, "/") || path.Base(spec) == "." || path.Base(spec) == "..")
	for _, name := range tried {
		if !r.exists(name) {
			continue
		}
		if real := r.spelled(name); real != name {
			return "", refusedf(codeImportLost, "import %q finds %s only where upper and lower case are the same; spell it as the file is named", spec, real)
		}
		return name, nil
	}
	if r.exists(base) {
		return "", refusedf(codeImport, "import %q is refused: only %s files, and .json data, can be imported", spec, scriptFiles)
	}
	return "", refusedf(codeImportLost, "import %q finds no file; tried %s", spec, strings.Join(tried, ", "))
}

// candidates are the paths that an import can mean, in the order in which they are tried.
func candidates(base string, folder bool) []string {
	var names []string
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	switch {
	case folder:
	case ext == ".js":
		// TypeScript's habit: the import names the file that a compiler would write.
		return []string{base, stem + ".ts"}
	case ext == ".mjs":
		return []string{base, stem + ".mts"}
	case ext == ".json" || loaders[ext] != api.LoaderNone:
		return []string{base}
	default:
		for _, e := range []string{".ts", ".mts", ".js", ".mjs"} {
			names = append(names, base+e)
		}
	}
	for _, e := range []string{".ts", ".mts", ".js", ".mjs"} {
		names = append(names, path.Join(base, "index"+e))
	}
	return names
}
