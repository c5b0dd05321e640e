package repository

import (
	"context"
	"slices"
)

// Addresses are the addresses of a remote that may say on which forge it lies: the one that git uses, and
// the one that is written down, which differ if the user's settings rewrite addresses. They may hold a
// password.
func (r *Repository) Addresses(ctx context.Context, remote string) ([]string, error) {
	used, err := r.ask(ctx, "remote", "get-url", "--", remote)
	if err != nil {
		return nil, err
	}
	written, err := r.maybe(ctx, "config", "--get", "remote."+remote+".url")
	if err != nil {
		return nil, err
	}
	return slices.Compact([]string{used, written}), nil
}

// Holds reports whether a commit is another one, or comes after it. One that is not here is held by none.
func (r *Repository) Holds(ctx context.Context, commit, other string) (bool, error) {
	here, err := r.Commit(ctx, other)
	if err != nil || here == "" {
		return false, err
	}
	return r.contains(ctx, commit, other)
}
