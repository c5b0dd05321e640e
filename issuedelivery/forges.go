package issuedelivery

import (
	"context"
	"errors"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// environ is the environment of the user.
func (h *Host) environ() []string {
	if h.Environ == nil {
		return process.Environ()
	}
	return h.Environ
}

// addressOf is where a remote lies on a forge; ok is false if it lies on none.
func addressOf(ctx context.Context, r *repository.Repository, remote string) (at forge.Address, ok bool, err error) {
	all, err := r.Addresses(ctx, remote)
	if err != nil {
		return at, false, err
	}
	for _, address := range all {
		if at, ok = forge.Parse(address); ok {
			return at, true, nil
		}
	}
	return at, false, nil
}

// The commands that mend a missing gh, and a remote that is on no forge.
const (
	installGh = "apt-get install gh   # or as https://cli.github.com says"
	noForge   = "assent deliver --no-pr …   # stops at the integrated branch, and needs neither a remote nor gh"
)

// forgeOf is the forge that a remote lies on.
func (h *Host) forgeOf(ctx context.Context, c call, r *repository.Repository, remote string) (*forge.Forge, error) {
	at, ok, err := addressOf(ctx, r, remote)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New(fault.DeliveryNotReady, "the remote "+remote+" lies on no forge, and a pull request needs one", noForge)
	}
	f, err := forge.New(ctx, at, forge.Options{Folder: r.Top, Mark: c.Mark, Step: c.Step, Environ: h.environ()})
	if errors.Is(err, forge.ErrNoProgram) {
		return nil, fault.New(fault.DeliveryNotReady, "gh, which reaches the forge, is not on the PATH", installGh)
	}
	return f, err
}
