package repository

import (
	"context"
	"strings"
	"time"
)

// Part is what one step changed: from Base to Commit.
type Part struct{ ID, Title, Base, Commit string }

// Stacked is what came of putting parts onto a commit.
type Stacked struct {
	Commit string
	// Commits are the parts as they are now, by their ids; one that changed nothing is where it stands.
	Commits map[string]string
	Applied []string
	// Conflict is set if a part does not fit: Commit is then where the parts before it led to.
	Conflict *Conflict
}

// Conflict is a part that does not fit onto a commit.
type Conflict struct {
	Step string `json:"step"`
	// Files are in conflict. Commit has them with markers, on top of Tip.
	Files  []string `json:"files"`
	Commit string   `json:"commit"`
	Tip    string   `json:"tip"`
}

// Stack puts parts onto a commit, each as one commit, as a cherry-pick would. One that already stands on
// the tip is taken as it is.
func (r *Repository) Stack(ctx context.Context, onto string, parts []Part, at time.Time) (Stacked, error) {
	s := Stacked{Commit: onto, Applied: []string{}, Commits: map[string]string{}}
	if err := r.known(ctx, onto); err != nil {
		return s, err
	}
	for _, p := range parts {
		if err := r.known(ctx, p.Base, p.Commit); err != nil {
			return s, err
		}
		next, conflict, err := r.pick(ctx, s.Commit, p, at)
		if err != nil {
			return s, err
		}
		if conflict != nil {
			s.Conflict = conflict
			return s, nil
		}
		s.Commit, s.Applied = next, append(s.Applied, p.ID)
		s.Commits[p.ID] = next
	}
	return s, nil
}

// pick puts one part onto a commit.
func (r *Repository) pick(ctx context.Context, tip string, p Part, at time.Time) (string, *Conflict, error) {
	if p.Base == p.Commit {
		return tip, nil, nil
	}
	if p.Base == tip {
		if single, err := r.ask(ctx, "rev-list", "--parents", "-1", p.Commit); err != nil {
			return "", nil, err
		} else if single == p.Commit+" "+tip {
			return p.Commit, nil, r.keep(ctx, p.Commit)
		}
	}
	message, err := r.messageOf(ctx, p)
	if err != nil {
		return "", nil, err
	}
	var trees [3]string
	for i, commit := range []string{p.Base, tip, p.Commit} {
		if trees[i], err = r.tree(ctx, commit); err != nil {
			return "", nil, err
		}
	}
	tree, files, err := r.merge(ctx, trees[0], trees[1], trees[2])
	switch {
	case err != nil:
		return "", nil, err
	case files == nil && tree == trees[1]:
		return tip, nil, nil // all of it is there already
	case files == nil:
		commit, err := r.commitTree(ctx, tree, message, at, tip)
		return commit, nil, err
	}
	marked, err := r.commitTree(ctx, tree, "In conflict: "+message, at, tip)
	return "", &Conflict{Step: p.ID, Files: files, Commit: marked, Tip: tip}, err
}

// messageOf is what the commit of a part says, where that is one commit; else its title.
func (r *Repository) messageOf(ctx context.Context, p Part) (string, error) {
	list, err := r.Beyond(ctx, p.Base, p.Commit)
	if err != nil {
		return "", err
	}
	if len(list) != 1 {
		return Message{Title: p.Title}.String(), nil
	}
	text, err := r.ask(ctx, "log", "-1", "--no-show-signature", "--format=%B", p.Commit)
	if err == nil && strings.TrimSpace(text) == "" {
		return Message{Title: p.Title}.String(), nil
	}
	return text + "\n", err
}

// unique are texts without their repetitions and without empty ones.
func unique(list []string) []string {
	seen := map[string]bool{"": true}
	kept := []string{}
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}

// Seal makes one commit of all that lies between two, as the child of the first.
func (r *Repository) Seal(ctx context.Context, base, commit string, m Message, at time.Time) (string, []Change, error) {
	if err := r.known(ctx, base, commit); err != nil {
		return "", nil, err
	}
	files, err := r.Changes(ctx, base, commit)
	if err != nil {
		return "", nil, err
	}
	tree, err := r.tree(ctx, commit)
	if err != nil {
		return "", nil, err
	}
	before, err := r.tree(ctx, base)
	if err != nil || tree == before {
		return base, []Change{}, err
	}
	sealed, err := r.commitTree(ctx, tree, m.String(), at, base)
	return sealed, files, err
}
