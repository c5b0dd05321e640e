package agent

import (
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// fits refuses a prompt that alone does not fit into maxContextTokens, before anybody is paid to read
// it. What an agent adds to it, such as its own instructions, is not known here.
func (c Call) fits(prompt string) error {
	limit := c.Options.MaxContextTokens
	tokens := (len(prompt) + bytesPerToken - 1) / bytesPerToken
	if limit == 0 || tokens <= limit {
		return nil
	}
	return fault.New(fault.ContextTooLarge,
		fmt.Sprintf("the prompt alone has about %d tokens (%d bytes), and maxContextTokens is %d", tokens, len(prompt), limit),
		"shorten the prompt, or raise maxContextTokens")
}

// contextWarning says that the input which an agent reported for one attempt comes near
// maxContextTokens, or beyond; "" if it does not, or if the script gave no such limit.
func (c Call) contextWarning(input int64, hundredths int) string {
	limit := int64(c.Options.MaxContextTokens)
	if hundredths == 0 {
		hundredths = DefaultContextWarning
	}
	switch {
	case limit == 0 || input*100 < limit*int64(hundredths):
		return ""
	case input > limit:
		return fmt.Sprintf("the agent reported %d tokens of input, more than maxContextTokens (%d)", input, limit)
	}
	return fmt.Sprintf("the agent reported %d tokens of input, %d %% of maxContextTokens (%d)", input, input*100/limit, limit)
}
