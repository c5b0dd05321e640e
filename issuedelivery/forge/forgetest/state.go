package forgetest

import (
	"os/exec"
	"strings"
)

// Repository is what the forge knows.
type Repository struct {
	// Owner and Name are its name; Owner is a user.
	Owner, Name string
	// Git is the folder of the bare repository whose branches are the heads of pull requests; without one,
	// Pull.Head stands as it is.
	Git string
	// Permission is that of whoever asks: ADMIN, MAINTAIN, WRITE, TRIAGE or READ.
	Permission string
	Archived   bool
	// Default is its default branch.
	Default string
	// Labels and Users are those that there are; Users can review.
	Labels, Users []string
	Issues        []*Issue
	Pulls         []*Pull
	// Creates counts the pull requests that were created through the API.
	Creates int
}

// Issue is an issue. State is OPEN or CLOSED.
type Issue struct {
	Number      int
	Title, Body string
	State       string
	Labels      []string
	// Comments are never to be read.
	Comments []string
}

// Pull is a pull request. State is OPEN, CLOSED or MERGED.
type Pull struct {
	Number            int
	Title, Body       string
	State             string
	Draft             bool
	Branch, Base      string
	Head              string
	HeadOwner         string // another one than the repository's is a fork's
	Mergeable         string // MERGEABLE, CONFLICTING or UNKNOWN
	Checks            []Check
	Labels, Reviewers []string
}

// Check is what was reported of a commit: a check run, or with Context a status in the older form.
type Check struct {
	Name, Status, Conclusion string
	Context, State           string
}

// head is the commit of a pull request.
func (r *Repository) head(p *Pull) string {
	if r.Git == "" || p.HeadOwner != r.Owner {
		return p.Head
	}
	out, err := exec.Command("git", "--git-dir="+r.Git, "rev-parse", "--verify", "-q", "refs/heads/"+p.Branch).Output()
	if err != nil {
		return p.Head // the branch was deleted
	}
	p.Head = strings.TrimSpace(string(out))
	return p.Head
}

// numbered is the pull request of a number.
func (r *Repository) numbered(number int) *Pull {
	for _, p := range r.Pulls {
		if p.Number == number {
			return p
		}
	}
	return nil
}

// next is the next number of an issue or a pull request.
func (r *Repository) next() int {
	highest := 0
	for _, i := range r.Issues {
		highest = max(highest, i.Number)
	}
	for _, p := range r.Pulls {
		highest = max(highest, p.Number)
	}
	return highest + 1
}
