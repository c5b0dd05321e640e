package runners

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/redact"
)

// deniedShown is how many uses of tools that were denied a note has, deniedWords how much of each.
const (
	deniedShown = 3
	deniedWords = 80
)

// denied is a remark about the uses of tools that were denied, since nobody was there to ask.
func (s *claudeSaid) denied(environ []string) string {
	if s.result == nil || len(s.result.Denials) == 0 {
		return ""
	}
	var shown []string
	for _, d := range s.result.Denials[:min(deniedShown, len(s.result.Denials))] {
		var input struct {
			Command string `json:"command"`
			Path    string `json:"file_path"`
			URL     string `json:"url"`
		}
		_ = json.Unmarshal(d.Input, &input)
		use := strings.Join(strings.Fields(redact.Text(cmp.Or(input.Command, input.Path, input.URL), environ)), " ")
		if runes := []rune(use); len(runes) > deniedWords {
			use = string(runes[:deniedWords-1]) + "…"
		}
		shown = append(shown, strings.TrimSuffix(d.Tool+" ("+use+")", " ()"))
	}
	if more := len(s.result.Denials) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return "claude was not let: " + strings.Join(shown, ", ")
}
