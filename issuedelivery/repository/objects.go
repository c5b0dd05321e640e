package repository

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// ownIdentity makes commits in the name of the program, where the user has given git no name.
var ownIdentity = []string{
	"GIT_AUTHOR_NAME=Assent", "GIT_AUTHOR_EMAIL=assent@localhost", "GIT_COMMITTER_NAME=Assent", "GIT_COMMITTER_EMAIL=assent@localhost",
}

// commitTree makes a commit of a tree at a time, in the user's name, and keeps it.
func (r *Repository) commitTree(ctx context.Context, tree, message string, at time.Time, parents ...string) (string, error) {
	args := []string{"commit-tree", tree}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	date := at.UTC().Format("2006-01-02T15:04:05") + "+0000"
	c := git.Command{Step: "commit", Args: append(args, "-F", "-"), Input: message, Env: []string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}}
	if name, email, err := r.Identity(ctx); err != nil {
		return "", err
	} else if name == "" || email == "" {
		c.Env = append(c.Env, ownIdentity...)
	}
	id, err := r.do(ctx, c)
	if err != nil {
		return "", err
	}
	return id, r.keep(ctx, id)
}

// Message is what a commit says.
type Message struct {
	Title, Body string
	// Trailers stand at its end, one a line, as "Name: value".
	Trailers []string
}

// subjectLength caps a commit's first line, in runes.
const subjectLength = 72

// String is the message as git keeps it. Nothing in the title or the body can pass for one of the trailers:
// the body's own lines that look like a trailer of the program's are quoted.
func (m Message) String() string {
	subject := []rune(strings.Join(strings.Fields(plain(m.Title)), " "))
	if len(subject) > subjectLength {
		subject = append(subject[:subjectLength-1], '…')
	}
	var b strings.Builder
	b.WriteString(string(subject) + "\n")
	if body := strings.TrimSpace(plain(m.Body)); body != "" {
		b.WriteString("\n")
		for line := range strings.SplitSeq(body, "\n") {
			line = strings.TrimRight(line, " \t")
			if name, _, ok := strings.Cut(line, ":"); ok && isOurs(name) {
				line = "> " + line
			}
			b.WriteString(line + "\n")
		}
	}
	if len(m.Trailers) > 0 {
		b.WriteString("\n" + strings.Join(m.Trailers, "\n") + "\n")
	}
	return b.String()
}

// ends are what some programs end a line at, besides what git does.
var ends = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// plain is a text whose lines all end as git's do, without what git refuses in a message, and what does not
// show in one.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		const joiner, nonJoiner = '\u200D', '\u200C' // which scripts and emoji need
		if r != '\n' && r != '\t' && r != joiner && r != nonJoiner && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, ends.Replace(strings.ToValidUTF8(text, "\uFFFD")))
}

// isOurs reports whether a trailer's name is one that only the program writes.
func isOurs(name string) bool {
	name = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	return strings.HasPrefix(name, "assent-") || name == "approved-by"
}

// Made reports of each tree whether a commit that the run made has it.
func (r *Repository) Made(ctx context.Context) (trees map[string]bool, err error) {
	out, err := r.ask(ctx, "for-each-ref", "--format=%(tree)", r.ref("made/"))
	trees = map[string]bool{}
	for _, tree := range strings.Fields(out) {
		trees[tree] = true
	}
	return trees, err
}

// Release lets go of what the run made and keeps no branch of: git's collector may have it.
func (r *Repository) Release(ctx context.Context) error {
	out, err := r.ask(ctx, "for-each-ref", "--format=delete %(refname) %(objectname)", r.ref("made/"), r.ref("base"))
	if err != nil || out == "" {
		return err
	}
	_, err = r.do(ctx, git.Command{Step: "update-ref", Args: []string{"update-ref", "--stdin"}, Input: out + "\n"})
	return err
}

// Tree is the id of the tree of a commit.
func (r *Repository) Tree(ctx context.Context, commit string) (string, error) {
	return r.tree(ctx, commit)
}

// Trailers are those of a commit with a name, in their order.
func (r *Repository) Trailers(ctx context.Context, commit, name string) ([]string, error) {
	// What a trailer looks like is git's to say, and not the user's settings'.
	out, err := r.do(ctx, git.Command{Step: "log", Args: []string{
		"-c", "trailer.separators=:", "-c", "core.commentChar=#", "log", "-1", "--no-show-signature", "--format=%(trailers:key=" + name + ",valueonly,unfold)", commit, "--",
	}})
	if err != nil {
		return nil, err
	}
	var values []string
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" {
			values = append(values, line)
		}
	}
	return values, nil
}

// Beyond are the commits of one that another has not, the oldest first.
func (r *Repository) Beyond(ctx context.Context, base, commit string) ([]string, error) {
	out, err := r.ask(ctx, "rev-list", "--reverse", "--topo-order", base+".."+commit, "--")
	return strings.Fields(out), err
}
