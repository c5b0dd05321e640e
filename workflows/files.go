package workflows

import (
	"embed"
	"io/fs"
	"strings"
)

// File is a file to be written into a workspace.
type File struct {
	// Path is relative to the workspace, with slashes.
	Path string
	Text string
}

//go:embed start demo
var embedded embed.FS

// Start gives the files of a new workspace, in the order in which a person meets them.
func Start() []File {
	return files("start",
		"config.toml", ".assent/config.toml",
		"first.js", Folder+"/first.js",
		"first.js.test.toml", Folder+"/first.js.test.toml",
		"first.answers.toml", ".assent/first.answers.toml",
		"assent.d.ts", ".assent/assent.d.ts",
		"ignore", ".assent/.gitignore",
	)
}

// Demo gives the project of the demonstration: two programs, their checks, and the answers with which a
// delivery changes them.
func Demo() []File {
	return files("demo",
		"greet.sh", "greet.sh",
		"leave.sh", "leave.sh",
		"check.sh", "check.sh",
		"tests/greet.sh", "tests/greet.sh",
		"tests/leave.sh", "tests/leave.sh",
		"demo.answers.toml", ".assent/demo.answers.toml",
		"config.toml", ".assent/config.toml",
	)
}

// files reads pairs of an embedded name and the path it gets. Lines end in a newline alone,
// whatever the checkout that the program was built from did to them.
func files(folder string, pairs ...string) []File {
	var list []File
	for i := 0; i < len(pairs); i += 2 {
		text, err := fs.ReadFile(embedded, folder+"/"+pairs[i])
		if err != nil {
			panic(err) // embedded: cannot fail in a build that has tests
		}
		list = append(list, File{Path: pairs[i+1], Text: strings.ReplaceAll(string(text), "\r\n", "\n")})
	}
	return list
}
