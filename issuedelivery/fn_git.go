package issuedelivery

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// open gives the repository of the workspace to a call.
func (h *Host) open(c call) (*repository.Repository, error) {
	r, err := repository.Open(h.Workspace, c.Mark, c.Step)
	if err != nil {
		return nil, fault.Wrap(err, fault.DeliveryNotReady, h.Workspace+" is in no git repository", "git init   # and a first commit")
	}
	return r, nil
}

// inRepository is what a function does in the repository of the workspace. A failure of git gets a code.
func inRepository[T any](
	h *Host, do func(ctx context.Context, c call, r *repository.Repository, in T) (any, error),
) func(ctx context.Context, c call, in T) (any, error) {
	return func(ctx context.Context, c call, in T) (any, error) {
		r, err := h.open(c)
		if err != nil {
			return nil, err
		}
		out, err := do(ctx, c, r, in)
		return out, gitFailed(err, c)
	}
}

// ids refuses what is not the whole id of a commit.
func ids(name string, given ...string) error {
	for _, id := range given {
		if !repository.IsID(id) {
			return fault.New(fault.OptionInvalid, fmt.Sprintf("%s takes whole ids of commits, and %.80q is none", name, id), "")
		}
	}
	return nil
}

// instant reads a time as now() gives it.
func instant(name, text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fault.New(fault.OptionInvalid, fmt.Sprintf("%s: the option \"at\" is %.80q, and it takes a time as now() gives it", name, text), "")
	}
	return at, nil
}

type stackOptions struct {
	Onto  string     `json:"onto"`
	Steps []stepPart `json:"steps"`
	At    string     `json:"at"`
}

type stepPart struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Base   string `json:"base"`
	Commit string `json:"commit"`
}

func (h *Host) stack() engine.Primitive {
	const name = "delivery.stack"
	return function[stackOptions]{
		name: name, effect: always[stackOptions](repeatable),
		label: func(in stackOptions) string { return fmt.Sprintf("put %s together", counted(len(in.Steps), "step")) },
		check: func(in stackOptions) error {
			list := []string{in.Onto}
			for _, s := range in.Steps {
				list = append(list, s.Base, s.Commit)
			}
			if err := ids(name, list...); err != nil {
				return err
			}
			_, err := instant(name, in.At)
			return err
		},
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in stackOptions) (any, error) {
			at, err := instant(name, in.At)
			if err != nil {
				return nil, err
			}
			var parts []repository.Part
			for _, s := range in.Steps {
				parts = append(parts, repository.Part(s))
			}
			s, err := r.Stack(ctx, in.Onto, parts, at)
			if err != nil {
				return nil, err
			}
			return struct {
				Commit   string               `json:"commit"`
				Applied  []string             `json:"applied"`
				Commits  map[string]string    `json:"commits"`
				Conflict *repository.Conflict `json:"conflict"`
			}{s.Commit, s.Applied, s.Commits, s.Conflict}, nil
		}),
	}
}

type sealOptions struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Body   string `json:"body"`
	Base   string `json:"base"`
	Commit string `json:"commit"`
	At     string `json:"at"`
}

func (h *Host) seal() engine.Primitive {
	const name = "delivery.seal"
	return function[sealOptions]{
		name: name, effect: always[sealOptions](repeatable),
		label: func(in sealOptions) string { return "commit " + in.ID },
		check: func(in sealOptions) error {
			if err := ids(name, in.Base, in.Commit); err != nil {
				return err
			}
			if oneLine(in.ID) == "" || oneLine(in.Title) == "" {
				return fault.New(fault.OptionInvalid, name+" needs the options \"id\" and \"title\"", "")
			}
			_, err := instant(name, in.At)
			return err
		},
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in sealOptions) (any, error) {
			at, err := instant(name, in.At)
			if err != nil {
				return nil, err
			}
			m := repository.Message{Title: forCommit(redact.Text(in.Title, h.environ())), Body: forCommit(redact.Text(in.Body, h.environ())), Trailers: []string{
				"Assent-Run: " + c.Run, "Assent-Step: " + oneLine(in.ID), "Assent-Plan: sha256:" + c.Approval.Checksum, "Approved-by: " + oneLine(c.Approval.ApprovedBy),
			}}
			commit, files, err := r.Seal(ctx, in.Base, in.Commit, m, at)
			if err != nil {
				return nil, err
			}
			return struct {
				Commit string              `json:"commit"`
				Files  []repository.Change `json:"files"`
			}{commit, files}, nil
		}),
	}
}

type conformOptions struct {
	Files  []string `json:"files"`
	Base   string   `json:"base"`
	Commit string   `json:"commit"`
}

func (h *Host) conform() engine.Primitive {
	const name = "delivery.conform"
	return function[conformOptions]{
		name: name, effect: always[conformOptions](reads),
		label: func(conformOptions) string { return "hold the changed files against the plan" },
		check: func(in conformOptions) error { return ids(name, in.Base, in.Commit) },
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in conformOptions) (any, error) {
			found, err := r.Conform(ctx, in.Files, in.Base, in.Commit)
			return found, err
		}),
	}
}

type compareOptions struct {
	Base   string `json:"base"`
	Commit string `json:"commit"`
	Limit  int    `json:"limit"`
}

// patchShown caps the patch that a verifier is handed: it has the files too.
const patchShown = 96 << 10

func (h *Host) compare() engine.Primitive {
	const name = "delivery.compare"
	return function[compareOptions]{
		name: name, effect: always[compareOptions](reads),
		label: func(compareOptions) string { return "compare" },
		check: func(in compareOptions) error {
			if in.Limit < 0 || in.Limit > 4<<20 {
				return fault.New(fault.OptionInvalid, fmt.Sprintf("%s: the option \"limit\" is %d, and it takes bytes up to 4 MiB", name, in.Limit), "")
			}
			return ids(name, in.Base, in.Commit)
		},
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in compareOptions) (any, error) {
			limit := in.Limit
			if limit == 0 {
				limit = patchShown
			}
			patch, cut, files, err := r.Compare(ctx, in.Base, in.Commit, limit)
			if err != nil {
				return nil, err
			}
			return struct {
				Patch string                `json:"patch"`
				Cut   bool                  `json:"cut"`
				Files []repository.Compared `json:"files"`
			}{redact.Text(patch, h.environ()), cut, files}, nil
		}),
	}
}

// baseOptions name the branch that work goes to.
type baseOptions struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Remote string `json:"remote"`
	URL    string `json:"url"`
	// Settings is the digest that delivery.begin gave.
	Settings string `json:"settings"`
}

// heedSettings refuses to go on where the repository's settings are not what they were when the delivery
// began: an agent can write to them, and they lead git with the user's own means of signing in.
func heedSettings(ctx context.Context, c call, r *repository.Repository, before string) error {
	if before == "" {
		return nil
	}
	now, err := r.Settings(ctx)
	if err != nil {
		return err
	}
	if now != before {
		return fault.New(fault.SettingsChanged, "remotes, sign-in, hooks or the like are set otherwise in "+r.Top+" than when the delivery began, and git would obey",
			"git config --local --list --show-origin   # and see .git/hooks; put it back as it was, then assent resume "+c.Run)
	}
	return nil
}

type movedOptions struct {
	Base  baseOptions `json:"base"`
	Files []string    `json:"files"`
}

func (h *Host) movedBase() engine.Primitive {
	const name = "delivery.movedBase"
	return function[movedOptions]{
		name: name, effect: always[movedOptions](repeatable),
		label: func(in movedOptions) string { return "look whether " + in.Base.Branch + " has moved" },
		check: func(in movedOptions) error { return ids(name, in.Base.Commit) },
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in movedOptions) (any, error) {
			if in.Base.Remote != "" {
				if err := heedSettings(ctx, c, r, in.Base.Settings); err != nil {
					return nil, err
				}
			}
			moved, err := r.MovedBase(ctx, in.Base.Remote, in.Base.Branch, in.Base.Commit, in.Files)
			return moved, err
		}),
	}
}

type branchOptions struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
}

func (h *Host) branch() engine.Primitive {
	const name = "delivery.branch"
	return function[branchOptions]{
		name: name, effect: always[branchOptions](repeatable),
		label: func(in branchOptions) string { return "branch " + in.Branch },
		check: func(in branchOptions) error { return ids(name, in.Commit) },
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in branchOptions) (any, error) {
			was, err := r.SetBranch(ctx, in.Branch, in.Commit)
			if err != nil {
				return nil, err
			}
			return struct {
				Branch string `json:"branch"`
				Commit string `json:"commit"`
				Was    string `json:"was,omitempty"`
			}{in.Branch, in.Commit, was}, nil
		}),
	}
}

type repairOptions struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	// Settings is the digest that delivery.begin gave.
	Settings string `json:"settings"`
}

func (h *Host) repair() engine.Primitive {
	const name = "delivery.repair"
	return function[repairOptions]{
		name: name, effect: always[repairOptions](repeatable),
		label: func(repairOptions) string { return "a working tree for a person" },
		check: func(in repairOptions) error { return ids(name, in.Commit) },
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in repairOptions) (any, error) {
			if err := heedSettings(ctx, c, r, in.Settings); err != nil { // a person is about to commit there
				return nil, err
			}
			folder := h.repairFolder(c.Run)
			if err := r.Repair(ctx, in.Branch, in.Commit, folder); err != nil {
				return nil, err
			}
			return struct {
				Path   string `json:"path"`
				Branch string `json:"branch"`
			}{folder, in.Branch}, nil
		}),
	}
}

// repairFolder is the working tree of a run for a person.
func (h *Host) repairFolder(run string) string { return filepath.Join(h.folder(run), "repair") }

type repairedOptions struct {
	Base   baseOptions `json:"base"`
	Branch string      `json:"branch"`
}

func (h *Host) repaired() engine.Primitive {
	return function[repairedOptions]{
		name: "delivery.repaired", effect: always[repairedOptions](reads),
		label: func(repairedOptions) string { return "look at the repair" },
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in repairedOptions) (any, error) {
			commit, dirty, err := r.Repaired(ctx, in.Branch)
			if err != nil {
				return nil, err
			}
			left, err := r.Unfinished(ctx, in.Branch, h.repairFolder(c.Run))
			if err != nil {
				return nil, err
			}
			dirty = append(dirty, left...)
			return struct {
				Commit string   `json:"commit"`
				Clean  bool     `json:"clean"`
				Dirty  []string `json:"dirty"`
			}{commit, len(dirty) == 0, dirty}, nil
		}),
	}
}

// gitFailed gives a failure of git a code, and what to do.
func gitFailed(err error, c call) error {
	if err == nil || fault.CodeOf(err) != "" {
		return err
	}
	return fault.Wrap(err, fault.DeliveryFailed, "git could not do what the delivery needs", "assent resume "+c.Run+"   # tries it again")
}

// counted is a number of things.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
