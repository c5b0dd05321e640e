package forge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Draft is a pull request that is to be.
type Draft struct {
	Branch, Base string
	Title, Body  string
	// Ready makes it one that is ready for review, and no draft.
	Ready bool
	// Labels have to be there. A reviewer may be a team, ORGANIZATION/TEAM.
	Labels, Reviewers []string
}

// Ensured is a pull request that is there.
type Ensured struct {
	Pull
	// Adopted says that it was there before, or that nobody heard of its creation.
	Adopted bool
	// Warnings are the reviewers who could not be asked, and why.
	Warnings []string
}

// Ensure gives the open pull request of the draft's branch: the one that is there, or a new one. A branch
// whose pull requests are all closed or merged gets no other one, since somebody decided about it:
// PULL_REQUEST_CLOSED.
//
// The body of an adopted one is left as it is; see SetBody.
func (f *Forge) Ensure(ctx context.Context, d Draft) (Ensured, error) {
	number, adopted, err := f.ensure(ctx, d)
	if err != nil {
		return Ensured{}, err
	}
	e := Ensured{Adopted: adopted}
	if e.Warnings, err = f.dress(ctx, number, d); err != nil {
		return Ensured{}, err
	}
	e.Pull, err = f.View(ctx, number)
	return e, err
}

func (f *Forge) ensure(ctx context.Context, d Draft) (number int, adopted bool, err error) {
	if number, err = f.Existing(ctx, d.Branch); err != nil || number > 0 {
		return number, true, err
	}
	if err := f.knows(ctx, d); err != nil {
		return 0, false, err
	}
	args := []string{"pr", "create", "-R", f.at.String(), "--head", d.Branch, "--base", d.Base, "--title", d.Title, "--body-file", "-"}
	if !d.Ready {
		args = append(args, "--draft")
	}
	out, failed := f.do(ctx, "create", []byte(d.Body), args...)
	if failed == nil {
		lines := strings.Fields(string(out))
		for i := len(lines) - 1; i >= 0; i-- {
			if number := f.NumberOf(lines[i]); number > 0 {
				return number, false, nil
			}
		}
	}
	// Whether it is there, only the forge can say: also of a creation that failed, or was ended.
	if number, err = f.Existing(ctx, d.Branch); number > 0 {
		return number, failed != nil, nil
	}
	switch {
	case failed != nil:
		return 0, false, failed
	case err != nil:
		return 0, false, err
	}
	return 0, false, f.fault(&StepError{Step: "create", Message: "gh said that it created a pull request, and the forge has none"})
}

// Existing is the number of the open pull request of a branch, 0 if the branch never had one.
func (f *Forge) Existing(ctx context.Context, branch string) (int, error) {
	all, err := f.Pulls(ctx, branch)
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if p.State == Open {
			return p.Number, nil
		}
	}
	if len(all) > 0 {
		p := all[0]
		return 0, fault.New(fault.PullRequestClosed, fmt.Sprintf("pull request %d of the branch %s is %s: %s", p.Number, branch, strings.ToLower(p.State), p.URL),
			fmt.Sprintf("gh pr reopen %d -R %s   # if it was closed by mistake; then assent resume %s", p.Number, f.at, f.run()))
	}
	return 0, nil
}

// knows asks for the labels that a draft names, before anything is created.
func (f *Forge) knows(ctx context.Context, d Draft) error {
	var missing, mend []string
	for _, label := range d.Labels {
		switch _, err := f.do(ctx, "labels", nil, "api", f.path("labels/%s", url.PathEscape(label))); {
		case KindOf(err) == KindNotFound:
			missing = append(missing, fmt.Sprintf("no label %q", label))
			mend = append(mend, fmt.Sprintf("gh label create %q -R %s", label, f.at))
		case err != nil:
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fault.New(fault.ForgeFailed, "the forge "+f.at.Host+" has "+strings.Join(missing, ", ")+"; no pull request was created",
		strings.Join(mend, " && ")+" && assent resume "+f.run())
}

// path is one of the API, below the repository.
func (f *Forge) path(form string, values ...any) string {
	return "repos/" + f.at.Owner + "/" + f.at.Name + "/" + fmt.Sprintf(form, values...)
}

// dress gives a pull request its labels and asks its reviewers; those that it has stay. A reviewer whom
// the forge does not know, or does not let review, keeps nobody else from being asked.
func (f *Forge) dress(ctx context.Context, number int, d Draft) (warnings []string, err error) {
	if len(d.Labels) > 0 {
		if err := f.send(ctx, "labels", "POST", f.path("issues/%d/labels", number), map[string]any{"labels": d.Labels}); err != nil {
			return nil, err
		}
	}
	for _, reviewer := range d.Reviewers {
		asked := map[string]any{"reviewers": []string{reviewer}}
		if _, team, is := strings.Cut(reviewer, "/"); is {
			asked = map[string]any{"team_reviewers": []string{team}}
		}
		err := f.send(ctx, "reviewer "+reviewer, "POST", f.path("pulls/%d/requested_reviewers", number), asked)
		failed, _ := errors.AsType[*StepError](err)
		switch {
		case err == nil:
		case failed != nil && slices.Contains([]Kind{KindOther, KindNotFound, KindForbidden}, failed.Kind) && failed.Err == nil:
			warnings = append(warnings, fmt.Sprintf("%q could not be asked for a review: %s", reviewer, failed.Message))
		default:
			return nil, err
		}
	}
	return warnings, nil
}

// SetBody writes the text of a pull request anew.
func (f *Forge) SetBody(ctx context.Context, number int, body string) error {
	return f.send(ctx, "update", "PATCH", f.path("pulls/%d", number), map[string]any{"body": body})
}

func (f *Forge) send(ctx context.Context, step, method, path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the step %s: %w", step, err)
	}
	_, err = f.do(ctx, step, text, "api", "-X", method, path, "--input", "-")
	return err
}
