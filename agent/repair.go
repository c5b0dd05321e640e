package agent

import (
	"fmt"
	"strings"
)

// repairPrompt asks again, with all that was wrong. An agent starts each attempt anew, so it
// gets the task and its last answer too.
func repairPrompt(asked string, wrong *AnswerError) string {
	var out strings.Builder
	out.WriteString(asked)
	out.WriteString("\n\nYour last answer to this could not be used:\n- ")
	out.WriteString(list(wrong.Problems, "\n- "))
	if wrong.Raw != "" {
		fmt.Fprintf(&out, "\n\nYour last answer was:\n%s", shorten(wrong.Raw, repairShown))
	}
	out.WriteString("\n\nAnswer with one JSON value that satisfies the schema, and nothing else.")
	return out.String()
}

// list joins problems, and counts those that are too many to show.
func list(problems []string, separator string) string {
	if more := len(problems) - violationsShown; more > 0 {
		return strings.Join(problems[:violationsShown], separator) + fmt.Sprintf("%s%d more", separator, more)
	}
	return strings.Join(problems, separator)
}
