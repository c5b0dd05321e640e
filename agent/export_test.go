package agent

var SplitCommand = splitCommand
