package process

import (
	"strings"

	"github.com/seed-8d4a6081/assent/internal/redact"
)

// LastOf is the end of standard error as a message carries it: redacted, with the values of secret
// variables of env, before it is cut.
func LastOf(stderr []byte, env []string) string {
	text := strings.TrimSpace(redact.Text(strings.ToValidUTF8(string(stderr), "?"), env))
	if extra := len(text) - StderrShown; extra > 0 {
		text = "…" + strings.ToValidUTF8(text[extra:], "")
	}
	return text
}
