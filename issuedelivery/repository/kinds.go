package repository

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// What a path can be in a commit.
const (
	KindFile      = "file"
	KindFolder    = "folder"
	KindLink      = "link"
	KindSubmodule = "submodule"
)

// Kinds says what paths and all folders above them are in a commit; what is not there is left out.
func (r *Repository) Kinds(ctx context.Context, commit string, paths []string) (map[string]string, error) {
	if !IsID(commit) {
		return nil, fmt.Errorf("%q is not the whole id of a commit", commit)
	}
	var all []string
	for _, p := range paths {
		for p = path.Clean(p); p != "." && p != "/" && !strings.HasPrefix(p, "../"); p = path.Dir(p) {
			all = append(all, p)
		}
	}
	// Of a folder and something in it, git tells the latter only: so one depth is asked for at a time.
	depths := map[int][]string{}
	for _, p := range unique(all) {
		depths[strings.Count(p, "/")] = append(depths[strings.Count(p, "/")], p)
	}
	kinds := map[string]string{}
	for _, list := range depths {
		for len(list) > 0 {
			n := min(len(list), 200) // a command line has an end
			args := []string{"--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--"}
			out, err := r.do(ctx, git.Command{Step: "ls-tree", Limit: treeTime, Args: append(args, list[:n]...)})
			if err != nil {
				return nil, err
			}
			for entry := range strings.SplitSeq(out, "\x00") {
				if mode, name, ok := entryOf(entry); ok {
					kinds[name] = kindOf(mode)
				}
			}
			list = list[n:]
		}
	}
	return kinds, nil
}

// entryOf takes a line of ls-tree apart.
func entryOf(entry string) (mode, name string, ok bool) {
	head, name, ok := strings.Cut(entry, "\t")
	mode, _, _ = strings.Cut(head, " ")
	return mode, name, ok
}

func kindOf(mode string) string {
	switch mode {
	case modeLink:
		return KindLink
	case modeSubmodule:
		return KindSubmodule
	case modeFolder:
		return KindFolder
	default:
		return KindFile
	}
}
