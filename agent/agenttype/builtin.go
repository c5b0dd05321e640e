package agenttype

import (
	"embed"
	"io/fs"
)

//go:embed builtin
var builtin embed.FS

// builtinFolder is the folder of the built-in types in builtin.
const builtinFolder = "builtin"

// Builtin has the types that come with the program, each as a file of its name below builtin.
func Builtin() fs.FS { return builtin }
