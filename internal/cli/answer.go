package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func newAnswerCommand(a *app) *cobra.Command {
	var f answerFlags
	cmd := &cobra.Command{
		Use:   "answer [RUN] VALUE",
		Short: "Answer a question that waits",
		Long: "Records your answer to a checkpoint: yes or no, a text, or one of the choices to the letter. A plan\n" +
			"is answered with approve and reject.",
		Example: "  assent answer 01JD yes\n  assent answer 01JD --gate 5zk3qa-2 'release 1.4'",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return misused("answer needs a value: yes or no, a text, or one of the choices", "assent answer RUN VALUE")
			case len(args) > 2:
				return misused(fmt.Sprintf("answer takes one value, and %q is another", args[2]),
					quoteCommand([]string{"assent", "answer", args[0], strings.Join(args[1:], " ")})+"   # if the value has several words")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			run, value := "", args[len(args)-1]
			if len(args) == 2 {
				run = args[0]
			}
			return a.respond(cmd.Context(), run, "answer", f, func(id string, g *journal.Gate) (json.RawMessage, error) {
				return givenAnswer(id, g, value)
			})
		},
	}
	f.register(cmd)
	return cmd
}

// givenAnswer makes an answer to g of what was typed, to the letter.
func givenAnswer(run string, g *journal.Gate, value string) (json.RawMessage, error) {
	refuse := func(want string) (json.RawMessage, error) {
		return nil, fault.New(fault.AnswerInvalid, fmt.Sprintf("gate %s takes %s, not %q", g.Asked.Gate, want, short(value)), strings.TrimSpace(answerCommand(run, g)+"   # "+answerWhy(g)))
	}
	switch checkpoint.Kind(g.Asked.Kind) {
	case checkpoint.KindPlan:
		return nil, otherKind(run, g, "asks about a plan")
	case checkpoint.KindConfirm:
		switch value {
		case "yes":
			return json.RawMessage("true"), nil
		case "no":
			return json.RawMessage("false"), nil
		}
		return refuse("yes or no")
	case checkpoint.KindSelect:
		if !slices.Contains(g.Asked.Choices, value) {
			return refuse("one of " + strings.Join(g.Asked.Choices, ", "))
		}
	case checkpoint.KindInput:
	}
	return jsonText(value), nil
}
