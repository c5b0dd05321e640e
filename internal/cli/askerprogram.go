package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/checkpoint"
)

// askerProgram puts questions to a person through a program of the user's. The program carries
// them; it decides nothing. It gets the question on its standard input and is taken at its word
// only if it ends well and its standard output is one answer to this very asking (answerOf and
// checkpoint.Consult); everything else is no answer, and the gate stays open.
type askerProgram struct {
	program *process.Program
	// limit bounds one asking; 0 is no bound.
	limit     time.Duration
	workspace string
}

var _ checkpoint.Asker = (*askerProgram)(nil)

// Ask runs the program until it answers. When ctx ends, because the question was answered
// elsewhere, is over, or the run ends, the program is ended with its whole group, and what it
// said meanwhile is void.
func (p *askerProgram) Ask(ctx context.Context, asked checkpoint.Asked) (checkpoint.Answer, error) {
	input, err := questionOf(asked, p.workspace)
	if err != nil {
		return checkpoint.Answer{}, err
	}
	if p.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.limit, fmt.Errorf("the asker did not answer within %s", p.limit))
		defer cancel()
	}
	output, err := p.program.Run(ctx, asked.Run, "asker/"+asked.Gate.Gate, input)
	if ctx.Err() != nil {
		return checkpoint.Answer{}, context.Cause(ctx)
	}
	if err != nil {
		return checkpoint.Answer{}, fmt.Errorf("the asker %w", err)
	}
	return answerOf(output, asked.Gate)
}
