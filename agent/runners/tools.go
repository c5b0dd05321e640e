package runners

import "strings"

// toolKind is what a tool does, as far as a program's fences tell tools apart.
type toolKind int

// The kinds of tools.
const (
	unknownTool toolKind = iota
	readTool             // looks at files
	editTool             // changes files
	runTool              // runs commands
	webTool              // looks at the web
	inertTool            // does nothing by itself: lists of what to do, agents below this one
)

// toolKinds are the tools that scripts and agent types name, by the names that they have in the
// programs people know them from, in lower case.
var toolKinds = map[string]toolKind{
	"read": readTool, "grep": readTool, "glob": readTool, "find": readTool, "ls": readTool, "notebookread": readTool, "view_image": readTool,
	"edit": editTool, "multiedit": editTool, "write": editTool, "notebookedit": editTool, "apply_patch": editTool,
	"bash": runTool, "bashoutput": runTool, "killshell": runTool, "shell": runTool, "exec_command": runTool,
	"webfetch": webTool, "websearch": webTool, "web_search": webTool,
	"task": inertTool, "agent": inertTool, "todowrite": inertTool, "todoread": inertTool, "skill": inertTool,
}

// kindOf is the kind of a tool; part says that the name allows or denies some uses of it only, as
// "Bash(git log:*)" does.
func kindOf(tool string) (kind toolKind, part bool) {
	name, _, part := strings.Cut(tool, "(")
	return toolKinds[strings.ToLower(strings.TrimSpace(name))], part
}
