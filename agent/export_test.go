package agent

var (
	Glob         = glob
	SplitCommand = splitCommand
)
