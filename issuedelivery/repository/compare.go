package repository

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// Compared is a file that differs, with its lines.
type Compared struct {
	Change
	Added   int `json:"added"`
	Removed int `json:"removed"`
}

// asStored are options of diff-tree by which no program shows a file as something else.
var asStored = []string{"diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"}

// Compare gives the difference between two commits as a patch of at most limit bytes, and its files. Of
// binary files it names no more than that they differ.
func (r *Repository) Compare(ctx context.Context, base, commit string, limit int) (patch string, cut bool, files []Compared, err error) {
	if err := r.known(ctx, base, commit); err != nil {
		return "", false, nil, err
	}
	changes, err := r.Changes(ctx, base, commit)
	if err != nil {
		return "", false, nil, err
	}
	numbers, err := r.do(ctx, git.Command{Step: "diff", Limit: treeTime, Args: append(slices.Clone(asStored), "-z", "--numstat", base, commit, "--")})
	if err != nil {
		return "", false, nil, err
	}
	lines := map[string][2]int{}
	for entry := range strings.SplitSeq(numbers, "\x00") {
		if f := strings.SplitN(entry, "\t", 3); len(f) == 3 {
			added, _ := strconv.Atoi(f[0]) // a dash, for a binary file, is none
			removed, _ := strconv.Atoi(f[1])
			lines[f[2]] = [2]int{added, removed}
		}
	}
	files = []Compared{}
	for _, c := range changes {
		files = append(files, Compared{c, lines[c.Path][0], lines[c.Path][1]})
	}
	// File by file, so that one that is too large does not hide the others.
	var b strings.Builder
	for _, c := range changes {
		text, shown, err := r.patch(ctx, base, commit, c.Path, limit-b.Len())
		if err != nil {
			return "", false, nil, err
		}
		b.WriteString(text)
		if cut = cut || !shown; text == "" {
			break // there is no room for it, nor for those after it
		}
	}
	return b.String(), cut, files, nil
}

// patch is how one file differs, in at most room bytes, and whether that is all of it. It is cut at the end
// of a line, so that what stands on one line is there or not.
func (r *Repository) patch(ctx context.Context, base, commit, file string, room int) (text string, all bool, err error) {
	const more = "…\n"
	if room <= len(more) {
		return "", false, nil
	}
	text, err = r.do(ctx, git.Command{Step: "diff", Limit: treeTime, Args: append(slices.Clone(asStored), "-p", base, commit, "--", ":(literal,top)"+file)})
	if e, ok := errors.AsType[*git.StepError](err); ok && e.TooMuch {
		text, all = fmt.Sprintf("%q differs, and is too large to be shown", file), false
	} else if err != nil {
		return "", false, err
	} else {
		all = true
	}
	text = strings.ToValidUTF8(text, "\uFFFD") + "\n"
	if len(text) > room {
		end := strings.LastIndexByte(text[:room-len(more)], '\n') + 1
		if end == 0 {
			return "", false, nil
		}
		text, all = text[:end]+more, false
	}
	return text, all, nil
}
