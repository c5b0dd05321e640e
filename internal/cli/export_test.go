package cli

import (
	"github.com/spf13/cobra"
)

// Root is the tree of commands.
func Root() *cobra.Command { return newApp(System{}).root() }

// ExitCodes are all exit codes.
func ExitCodes() []int {
	return []int{
		exitOK, exitFailed, exitUsage, exitStopped, exitWaiting, exitInterrupted, exitBusy, exitDamaged, exitCallsFailed, exitAtOnce,
	}
}

// SafeJSON is safeJSON.
func SafeJSON(text string) string { return safeJSON(text) }

// Folders are the store, the keys, and the user's configuration.
func Folders(s System) (store, keys, config string, err error) {
	f, err := s.folders()
	return f.store, f.keys, f.config, err
}

// Place is the place of a problem.
func Place(file string, line, column int) string {
	return problem{File: file, Line: line, Column: column}.place()
}

// QuoteCommand is quoteCommand.
func QuoteCommand(argv []string) string { return quoteCommand(argv) }

// Named is the hint that repeats a command line, with a run in it.
func Named(args []string, run string) string { return newApp(System{Args: args}).named(run) }

// MarkdownFence is a fence of a report.
func MarkdownFence(text string) string {
	var m markdownText
	m.fence("text", text)
	return m.b.String()
}

// MarkdownCode is a span of code of a report.
func MarkdownCode(text string) string { return code(text) }

// ShortIn is shortIn.
func ShortIn(ids []string, id string) string { return shortIn(ids, id) }
