package workflows

import (
	"embed"
	"io/fs"
)

//go:embed builtin
var builtin embed.FS

// BuiltinFolder is the folder of the built-in workflows in the file system of [Builtin].
const BuiltinFolder = "builtin"

// Builtin has the workflows that come with the program, as builtin/NAME.js. A program that is
// compiled from it is named so.
func Builtin() fs.FS { return builtin }
