package forge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Access is what the forge says of the repository to whoever is signed in.
type Access struct {
	Name     string `json:"nameWithOwner"`
	Archived bool   `json:"isArchived"`
	// Permission is ADMIN, MAINTAIN, WRITE, TRIAGE, READ, or "" if the forge does not say.
	Permission string `json:"viewerPermission"`
}

// Writes reports whether branches can be pushed there, as far as the forge says.
func (a Access) Writes() bool {
	return !a.Archived && !slices.Contains([]string{"READ", "TRIAGE"}, a.Permission)
}

// Access asks for the repository. It is the proof of a sign-in: `gh auth status` calls a token that lacks
// a scope, or a network that is down, a missing one, and a token of a workflow cannot be asked about at
// all.
func (f *Forge) Access(ctx context.Context) (Access, error) {
	var a Access
	err := f.get(ctx, "repository", &a, "repo", "view", f.at.String(), "--json", "nameWithOwner,isArchived,viewerPermission")
	return a, err
}

// Issue is the text of an issue as it was read. Its comments are no part of it.
type Issue struct {
	Number int      `json:"number"`
	Title  string   `json:"title"`
	Body   string   `json:"body"`
	URL    string   `json:"url"`
	State  string   `json:"state"`
	Labels []string `json:"labels"`
	// SHA256 is over the RFC 8785 form of {"number","title","body"}.
	SHA256 string `json:"sha256"`
}

// Issue reads an issue.
func (f *Forge) Issue(ctx context.Context, number int) (Issue, error) {
	var read struct {
		Issue
		Labels []struct {
			Name string `json:"name"`
		} `json:"labels"`
	}
	step := fmt.Sprintf("issue %d", number)
	if err := f.get(ctx, step, &read, "issue", "view", strconv.Itoa(number), "-R", f.at.String(), "--json", "number,title,body,url,state,labels"); err != nil {
		return Issue{}, err
	}
	issue := read.Issue
	if issue.Number != number || strings.Contains(issue.URL, fmt.Sprintf("/pull/%d", number)) {
		return Issue{}, fault.New(fault.ForgeFailed, fmt.Sprintf("number %d of %s is a pull request, not an issue", number, f.at), "gh issue list -R "+f.at.String()+"   # the issues that there are")
	}
	issue.Labels = []string{}
	for _, label := range read.Labels {
		issue.Labels = append(issue.Labels, label.Name)
	}
	canon, err := canonical.Of(map[string]any{"number": issue.Number, "title": issue.Title, "body": issue.Body})
	if err != nil {
		return Issue{}, fmt.Errorf("issue %d: %w", number, err)
	}
	issue.SHA256 = canonical.Sum(canon)
	return issue, nil
}
