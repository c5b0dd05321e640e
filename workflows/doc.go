// Package workflows knows where saved workflow scripts are, and holds the scripts that come
// with the program.
//
// A saved workflow is a script in one of a few folders, its [Place]s. Its name is that of the
// file without the ending .js, .mjs, .ts or .mts; what meta.name says is shown and decides
// nothing. The places are asked in this order, and the first that has the name wins:
//
//	project   .assent/workflows of the workspace
//	user      assent/workflows in the user's configuration folder
//	built-in  the scripts that come with the program, [Builtin]
//	.claude   .claude/workflows of the workspace
//	.pi       .pi/workflows of the workspace
//	.claude   .claude/workflows of the user's home
//	.pi       .pi/workflows of the user's home
//
// A name is safe on every system: see [CheckName]. Upper and lower case are the same. A file
// whose name cannot be used, or stands for two files, is an error of that name: it is never
// passed over for another file of a later place.
//
// [Start] is what "assent init" writes: a first workflow with scripted answers, a
// configuration, and the types of the globals for the editor. [Demo] is the project of
// "assent demo". Both are plain files below this folder, embedded.
package workflows
