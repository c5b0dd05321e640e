package cli

import (
	"reflect"
	"strings"

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

// ConfigKey is a key of the configuration as the reference has it.
type ConfigKey struct {
	Path, Takes, Example, Without, About string
	Yours                                bool
}

// ConfigKeys are the keys that the reference has.
func ConfigKeys() []ConfigKey {
	var keys []ConfigKey
	for _, k := range configKeys {
		keys = append(keys, ConfigKey{k.path, k.takes, k.example, k.without, k.about, k.yours})
	}
	return keys
}

// ConfigPaths are the keys that a file is read for, by their fields.
func ConfigPaths() []string {
	var paths []string
	var walk func(at string, t reflect.Type)
	walk = func(at string, t reflect.Type) {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				walk(strings.TrimPrefix(at+"."+t.Field(i).Tag.Get("toml"), "."), t.Field(i).Type)
			}
		case reflect.Map:
			walk(at+"."+anyName, t.Elem())
		default:
			paths = append(paths, at)
		}
	}
	walk("", reflect.TypeFor[configFile]())
	return paths
}

// Legible is legible.
func Legible(text string) string { return legible(text) }

// WithSteps takes the steps out of a refusal, each with its reason behind it.
func WithSteps(message string) (what string, steps []string) {
	what, list := withSteps(message)
	for _, h := range list {
		steps = append(steps, h.command+"|"+h.why)
	}
	return what, steps
}
