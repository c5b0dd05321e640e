// Package workflows knows where saved workflow scripts are, and holds the scripts that come
// with the program.
//
// A saved workflow is a file in the folder .assent/workflows of a workspace. Its name is that
// of the file without the extension. If several files differ only in that, the first of .ts,
// .mts, .js, .mjs counts. [Find] gives the path of one, [List] all of them.
//
// [Start] is what "assent init" writes: a first workflow with scripted answers, a
// configuration, and the types of the globals for the editor. [Demo] is the project of
// "assent demo". Both are plain files below this folder, embedded.
package workflows
