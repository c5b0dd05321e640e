package cli

import (
	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/docs"
)

func newGuideCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "guide",
		Short: "Print how to write a workflow script",
		Long: "Prints the contract for whoever writes workflow scripts, people and models alike: all globals and\n" +
			"options, the rules of approval, the common shapes, and the mistakes. It is Markdown.",
		Example: "  assent guide\n  assent guide | my-agent 'Write a workflow that …'",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.emit(struct {
					Format int    `json:"format"`
					Guide  string `json:"guide"`
				}{jsonFormat, docs.Guide})
			}
			return a.print(docs.Guide)
		},
	}
}
