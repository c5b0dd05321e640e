package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func newManCommand(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Write the manual pages",
		Long: "Writes the manual page of assent or of one of its commands to standard output, or with --dir all of\n" +
			"them into a folder, as assent.1, assent-run.1 and so on. They say what --help says, and are the same\n" +
			"whenever they are written.",
		Example: "  assent man run | man -l -\n  assent man --dir ~/.local/share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir != "" {
				return a.manPages(cmd.Root(), args, a.path(dir))
			}
			return a.manPage(cmd.Root(), args)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this folder, and make it if it is not there")
	return cmd
}

// manPage prints one page.
func (a *app) manPage(root *cobra.Command, args []string) error {
	found, rest, err := root.Find(args)
	if err != nil || len(rest) > 0 || !documented(found) && found != root {
		return unknownCommand(root, args[0])
	}
	page := manual(found)
	if a.json {
		return a.emit(struct {
			Format int    `json:"format"`
			Name   string `json:"name"`
			Text   string `json:"text"`
		}{jsonFormat, page.name(), page.text()})
	}
	if err := a.print(page.text()); err != nil {
		return err
	}
	if terminal(a.Out) != nil {
		a.next(a.named("") + "| man -l -   # shows it as a page")
	}
	return nil
}

// manPages writes all pages.
func (a *app) manPages(root *cobra.Command, args []string, dir string) error {
	if len(args) > 0 {
		return misused("--dir takes all pages, and no command", "assent man --dir DIR")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // manual pages are for everybody
		return notWritten(err)
	}
	wrote := []string{}
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd != root && !documented(cmd) {
			continue
		}
		page := manual(cmd)
		path := filepath.Join(dir, page.name())
		// By a new file that takes the name: a link that stands there leads nowhere.
		if err := durable.WriteFile(path, []byte(page.text()), 0o644); err != nil {
			return notWritten(err)
		}
		wrote = append(wrote, path)
	}
	if a.json {
		return a.emit(struct {
			Format int      `json:"format"`
			Wrote  []string `json:"wrote"`
		}{jsonFormat, wrote})
	}
	a.say(fmt.Sprintf("wrote %d pages into %s", len(wrote), dir))
	return nil
}

// notWritten is the refusal of a folder that takes no pages.
func notWritten(err error) error {
	return fault.Wrap(err, fault.Usage, "the pages cannot be written", "assent man --dir FOLDER   # one that you may write to; without --dir, one page goes to the screen")
}

// documented says that a command is one for people.
func documented(cmd *cobra.Command) bool { return cmd.IsAvailableCommand() && cmd.Name() != "help" }
