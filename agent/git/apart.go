package git

import (
	"context"
	"os"

	"github.com/seed-8d4a6081/assent/agent/process"
)

// Apart runs git in a folder that is in no repository, so that no repository's configuration holds
// there, nor the user's own, and gives what it printed, at most limit bytes, if its exit code is one
// of codes.
func (r *Repo) Apart(ctx context.Context, folder string, limit int64, codes []int, args ...string) ([]byte, error) {
	j := process.New(folder, r.mark, nil, nil)
	j.Argv = append([]string{r.git, "--no-pager", "-c", "core.quotePath=true"}, args...)
	j.Env = append(environment(j.Env, folder), append(looking, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1")...)
	j.MaxOutput, j.Grace = limit, grace
	out, err := j.Run(ctx, r.step)
	switch {
	case err != nil:
		return nil, err
	case out.Over:
		return nil, ErrTooMuch
	case out.Late || out.Held || out.State == nil || !out.State.Exited():
		return nil, ErrFailed
	}
	for _, code := range codes {
		if out.State.ExitCode() == code {
			return out.Stdout, nil
		}
	}
	return nil, ErrFailed
}
