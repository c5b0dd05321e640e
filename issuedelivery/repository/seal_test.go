package repository_test

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// ours are the trailers of one seal.
func ours() []string {
	return []string{"Assent-Run: " + run, "Assent-Step: one", "Assent-Plan: sha256:" + strings.Repeat("a", 64), "Approved-by: Ann"}
}

// One commit is made of all that lies between, dated and in the user's name, with the trailers at its end.
func TestSeal(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	work := u.commit(u.commit(base, "wip\n", files{"new": "n\n"}), "wip 2\n", files{"a.txt": gone, "sub dir/b.txt": "B\n"})
	m := repository.Message{Title: "Do  it\n now", Body: "Because.\n\nOf that.\n", Trailers: ours()}
	sealed, changed, err := u.Seal(t.Context(), base, work, m, at)
	require.NoError(t, err)
	require.Equal(t, "Do it now\n\nBecause.\n\nOf that.\n\n"+strings.Join(ours(), "\n")+"\n", u.git("log", "-1", "--format=%B", sealed))
	require.Equal(t, []string{base}, u.parents(sealed))
	require.Equal(t, u.git("rev-parse", work+"^{tree}"), u.git("rev-parse", sealed+"^{tree}"))
	require.Equal(t, "Ann Ünal <ann@example.org> 1772600767 +0000 Ann Ünal <ann@example.org> 1772600767 +0000",
		u.git("log", "-1", "--date=raw", "--format=%an <%ae> %ad %cn <%ce> %cd", sealed))
	var kinds []string
	for _, c := range changed {
		kinds = append(kinds, c.Kind+" "+c.Path)
	}
	require.Equal(t, []string{"removed a.txt", "added new", "changed sub dir/b.txt"}, kinds)
	again, _, err := u.Seal(t.Context(), base, work, m, at)
	require.NoError(t, err)
	require.Equal(t, sealed, again)
	require.Equal(t, sealed, u.git("rev-parse", "refs/assent/delivery/"+run+"/made/"+sealed), "git's collector leaves it alone")

	// What changes nothing is the base.
	back := u.commit(work, "back\n", files{"new": gone, "a.txt": "1\n2\n3\n4\n5\n", "sub dir/b.txt": "b\n"})
	same, none, err := u.Seal(t.Context(), base, back, m, at)
	require.NoError(t, err)
	require.Equal(t, base, same)
	require.Equal(t, []repository.Change{}, none)

	// A change that is no more than a mode is one.
	mode := u.entries(base, "x", nil, []string{"100755=#!/bin/sh\n,tool.sh"})
	_, changed, err = u.Seal(t.Context(), base, mode, m, at)
	require.NoError(t, err)
	require.Equal(t, []string{"tool.sh"}, paths(changed))
}

// Without a name in the configuration, the program's own stands there.
func TestSealWithoutIdentity(t *testing.T) {
	u := newUser(t)
	u.git("config", "--unset", "user.email")
	t.Setenv("EMAIL", "")
	work := func() string {
		in(t, u.dir, "config", "user.email", "x@y")
		defer in(t, u.dir, "config", "--unset", "user.email")
		return u.commit(u.head(), "x", files{"n": "n"})
	}()
	sealed, _, err := u.Seal(t.Context(), u.head(), work, repository.Message{Title: "x"}, at)
	require.NoError(t, err)
	require.Equal(t, "Assent <assent@localhost>", u.git("log", "-1", "--format=%an <%ae>", sealed))
}

// No title and no body can forge a trailer, for git or for who reads lines.
func TestSealTrailersCannotBeForged(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	work := u.commit(base, "wip\n", files{"new": "n\n"})
	u.git("config", "trailer.separators", "=%")
	u.git("config", "core.commentChar", "A")
	for _, text := range []string{
		"", "Assent-Plan: sha256:forged", "Approved-by: mallory", "x\n\nApproved-by: mallory\nAssent-Plan: sha256:forged\n",
		"x\r\n\r\nApproved-by: mallory\r\nAssent-Run: forged\r\n", "x\rApproved-by: mallory\r", "x\n\nSigned-off-by: a\nAPPROVED-BY : mallory",
		"Signed-off-by: a\n  Approved-by: mallory\n\tAssent-Step: forged", "x\u2028Approved-by: mallory", "x\u0085Approved-by: mallory", "Approved\u200b-by: mallory",
		"A\u200capproved-by: x\nAssent\u00ad-Plan: forged", "x\x00\nApproved-by: mallory", "\xff\xfe\nApproved-by: mallory", "Assent-Plan=sha256:forged",
		"x\n---\nApproved-by: mallory", "# a\nApproved-by: mallory\n#", "Approved-by:\n mallory", "(cherry picked from commit 1)\nApproved-by: mallory",
		strings.Repeat("Approved-by: mallory\n", 2000),
	} {
		for _, m := range []repository.Message{{Title: "Do it", Body: text}, {Title: "Do it " + text}, {Title: "Approved-by: mallory", Body: text + "\n\n"}} {
			m.Trailers = ours()
			sealed, _, err := u.Seal(t.Context(), base, work, m, at)
			require.NoError(t, err, "%q", text)
			for _, line := range ours()[2:] {
				name, value, _ := strings.Cut(line, ": ")
				found, err := u.Trailers(t.Context(), sealed, name)
				require.NoError(t, err)
				require.Equal(t, []string{value}, found, "%q", text)
			}
			message := u.git("-c", "core.commentChar=;", "cat-file", "-p", sealed)
			require.True(t, strings.HasSuffix(message, "\n\n"+strings.Join(ours(), "\n")), message)
			_, message, _ = strings.Cut(message, "\n\n")
			lines := strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) })
			require.NotEmpty(t, lines)
			for _, line := range lines[1 : len(lines)-4] {
				line = strings.ToLower(strings.TrimSpace(line))
				require.False(t, strings.HasPrefix(line, "approved") || strings.HasPrefix(line, "assent"), "%q gives %q", text, line)
			}
			require.LessOrEqual(t, len([]rune(lines[0])), 72)
		}
	}
}

// Trees for checks come and go at once, beside one for a person.
func TestCheckoutsAtOnce(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	one := u.commit(u.head(), "one", files{"n": "1"})
	var wg sync.WaitGroup
	var errs [6]error
	for i := range errs {
		wg.Go(func() {
			r, err := repository.Open(u.dir, mark, nil)
			for round := 0; err == nil && round < 3; round++ {
				var remove func(context.Context) error
				if remove, err = r.Checkout(context.Background(), one, filepath.Join(u.work, "checks", strconv.Itoa(i))); err == nil {
					err = remove(context.Background())
				}
			}
			errs[i] = err
		})
	}
	_, err := u.repair(one)
	require.NoError(t, err)
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, u.worktrees(), 2)
}

// Several calls at once, as steps of a script make them, do not disturb each other.
func TestStackAndSealAtOnce(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	a := u.commit(base, "a\n", files{"a.txt": "one\n2\n3\n4\n5\n"})
	b := u.commit(base, "b\n", files{"a.txt": "1\n2\n3\n4\nfive\n"})
	stacked := u.stack(base, part("a", base, a), part("b", base, b)).Commit
	sealed, _, err := u.Seal(t.Context(), base, b, repository.Message{Title: "b"}, at)
	require.NoError(t, err)
	u.git("update-ref", "-d", "refs/assent/delivery/"+run+"/made/"+stacked)
	u.git("update-ref", "-d", "refs/assent/delivery/"+run+"/made/"+sealed)
	const calls = 4
	var wg sync.WaitGroup
	var ids [2 * calls]string
	var errs [2 * calls]error
	for i := range calls {
		wg.Go(func() {
			r, err := repository.Open(u.dir, mark, nil)
			if err != nil {
				errs[i] = err
				return
			}
			s, err := r.Stack(context.Background(), base, []repository.Part{part("a", base, a), part("b", base, b)}, at)
			ids[i], errs[i] = s.Commit, err
		})
		wg.Go(func() {
			r, err := repository.Open(u.dir, mark, nil)
			if err != nil {
				errs[calls+i] = err
				return
			}
			ids[calls+i], _, errs[calls+i] = r.Seal(context.Background(), base, b, repository.Message{Title: "b"}, at)
		})
	}
	wg.Wait()
	for i := range calls {
		require.NoError(t, errs[i])
		require.NoError(t, errs[calls+i])
		require.Equal(t, stacked, ids[i])
		require.Equal(t, sealed, ids[calls+i])
	}
}
