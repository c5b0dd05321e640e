package worktree

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// ownIdentity makes commits in the name of the program, where the user has given git no name.
var ownIdentity = []string{
	"GIT_AUTHOR_NAME=Assent", "GIT_AUTHOR_EMAIL=assent@localhost", "GIT_COMMITTER_NAME=Assent", "GIT_COMMITTER_EMAIL=assent@localhost",
}

// subjectLength caps a commit's first line, in runes.
const subjectLength = 72

// commitTree writes a commit, which no branch has yet.
func (t *Tree) commitTree(ctx context.Context, tree, what string, parents ...string) (string, error) {
	args := []string{"commit-tree", tree}
	var seen []string
	for _, p := range parents {
		if p != "" && !slices.Contains(seen, p) {
			seen = append(seen, p)
			args = append(args, "-p", p)
		}
	}
	c := git.Command{Step: "commit", Args: append(args, "-F", "-"), Input: t.message(what)}
	for _, name := range []string{"user.name", "user.email"} {
		out, err := t.do(ctx, t.repo, git.Command{Step: "config", Args: []string{"config", "--get", name}})
		if err != nil && git.Exit(err) < 0 {
			return "", err
		}
		if strings.TrimSpace(string(out)) == "" {
			c.Env = ownIdentity
		}
	}
	out, err := t.do(ctx, t.repo, c)
	return strings.TrimSpace(string(out)), err
}

// message names the call and the run, for people and, in trailers, for programs.
func (t *Tree) message(what string) string {
	subject := []rune(line(cmp.Or(t.rec.Label, t.rec.Key)) + ": " + what)
	if len(subject) > subjectLength {
		subject = append(subject[:subjectLength-1], '…')
	}
	return string(subject) + "\n\nCommitted by Assent after the call " + line(t.rec.Key) + " of run " + t.run + ".\n\n" +
		"Assent-Run: " + t.run + "\nAssent-Call: " + line(t.rec.Key) + "\n"
}

// line is a text of a script as one line, with nothing in it that a terminal obeys.
func line(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)), " ")
}
