package issuedelivery

import "io/fs"

// TitleOf, SlugOf, BranchOf, TemplateOf and HasWorkflows are those of begin and of finalizing.
var (
	ForCommit    = forCommit
	TitleOf      = titleOf
	SlugOf       = slugOf
	BranchOf     = branchOf
	TemplateOf   = templateOf
	HasWorkflows = hasWorkflows
)

// NotesOf are notesOf, each as path, text and whether it was cut.
func NotesOf(tree fs.FS) (all []any) {
	for _, n := range notesOf(tree) {
		all = append(all, n.Path, n.Text, n.Cut)
	}
	return all
}
