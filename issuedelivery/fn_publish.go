package issuedelivery

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// publishOptions are those of delivery.publish.
type publishOptions struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Base   struct {
		Branch string `json:"branch"`
		Remote string `json:"remote"`
		// Settings is the digest that delivery.begin gave.
		Settings string `json:"settings"`
	} `json:"base"`
	Title  string `json:"title"`
	Issues []int  `json:"issues"`
	// Report is what reviewers are told, Template what the repository wants to be asked.
	Report    report   `json:"report"`
	Template  string   `json:"template"`
	Labels    []string `json:"labels"`
	Reviewers []string `json:"reviewers"`
	Ready     bool     `json:"ready"`
}

// published is what came of it.
type published struct {
	PR       pullRequest `json:"pr"`
	Adopted  bool        `json:"adopted"`
	Pushed   bool        `json:"pushed"`
	Warnings []string    `json:"warnings"`
}

// pullRequest is a pull request as scripts see it.
type pullRequest struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	State  string `json:"state"`
	Draft  bool   `json:"draft"`
	Head   string `json:"head"`
	Base   string `json:"base"`
}

// publish pushes the branch of the result and has one pull request of it.
func (h *Host) publish() engine.Primitive {
	return function[publishOptions]{
		name: "delivery.publish", effect: always[publishOptions](repeatable),
		label: func(in publishOptions) string { return "publish " + in.Branch },
		check: func(in publishOptions) error {
			for name, value := range map[string]string{"branch": in.Branch, "base.branch": in.Base.Branch, "base.remote": in.Base.Remote, "title": in.Title} {
				if strings.TrimSpace(value) == "" {
					return fault.New(fault.OptionInvalid, fmt.Sprintf("delivery.publish: the option %q is missing", name), "docs/reference/globals.md has its options")
				}
			}
			if !repository.IsID(in.Commit) {
				return fault.New(fault.OptionInvalid, fmt.Sprintf("delivery.publish: the option \"commit\" is %.80q, and it takes the whole id of a commit", in.Commit), "")
			}
			return nil
		},
		do: h.doPublish,
	}
}

// doPublish can be done again after any cut: the branch is pushed to where it is, and the pull request that
// is there is found before one is created.
func (h *Host) doPublish(ctx context.Context, c call, in publishOptions) (any, error) {
	r, err := repository.Open(h.Workspace, c.Mark, c.Step)
	if err != nil {
		return nil, err
	}
	if at, err := r.Commit(ctx, "refs/heads/"+in.Branch); err != nil || at != in.Commit {
		if err == nil {
			err = fault.New(fault.BranchForeign, fmt.Sprintf("the branch %s is at %s, not at %s, which was approved to be published", in.Branch, orNone(shortCommit(at)), shortCommit(in.Commit)),
				"assent deliver --finish "+c.Run+"   # if it was repaired by hand")
		}
		return nil, err
	}
	if err := heedSettings(ctx, c, r, in.Base.Settings); err != nil {
		return nil, err
	}
	f, err := h.forgeOf(ctx, c, r, in.Base.Remote)
	if err != nil {
		return nil, err
	}
	if _, err := f.Existing(ctx, in.Branch); err != nil { // somebody decided about it: then nothing is pushed either
		return nil, err
	}
	p, err := h.proofOf(ctx, c)
	if err != nil {
		return nil, err
	}
	pushed, err := r.Push(ctx, in.Base.Remote, in.Branch, in.Commit)
	if err != nil {
		return nil, err
	}
	in.Report.Template = in.Template
	text := body(in.Report, in.Issues, p, h.environ())
	e, err := f.Ensure(ctx, forge.Draft{
		Branch: in.Branch, Base: in.Base.Branch, Title: cutText(oneLine(in.Title), forge.MaxTitle-2), Body: text, Ready: in.Ready, Labels: in.Labels, Reviewers: in.Reviewers,
	})
	if err != nil {
		return nil, err
	}
	// What people wrote into it stays. What a run wrote, and nobody changed, tells of the latest state.
	if e.Adopted && e.Body != text && untouched(e.Body) {
		if err := f.SetBody(ctx, e.Number, text); err != nil {
			return nil, err
		}
	}
	return published{PR: asPullRequest(e.Pull), Adopted: e.Adopted, Pushed: pushed, Warnings: append([]string{}, e.Warnings...)}, nil
}

func asPullRequest(p forge.Pull) pullRequest {
	return pullRequest{Number: p.Number, URL: p.URL, State: strings.ToLower(p.State), Draft: p.Draft, Head: p.Head, Base: p.Base}
}

// proofOf is what can be said of the approval that a call acts under.
func (h *Host) proofOf(ctx context.Context, c call) (proof, error) {
	visit, err := h.Store.Visit(ctx, c.Run)
	if err != nil {
		return proof{}, err
	}
	st := visit.State()
	visit.Close() // a visit that only read has nothing to lose
	p := proof{run: c.Run, gate: c.Approval.Gate, checksum: c.Approval.Checksum, by: c.Approval.ApprovedBy, at: c.Approval.ApprovedAt}
	if g := st.Gates[c.Approval.Gate]; g != nil && g.Answer != nil {
		p.way = g.Answer.Who.Way
	}
	return p, nil
}
