package git

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// MissingFilters finds the filters (gitattributes, filter) whose programs are not installed, such as
// git-lfs: with one that is required nothing could be checked out. env has git leave them out, both ways,
// so that files stay as they are stored; gone has the program that is missing by the name of its filter.
func (r *Repo) MissingFilters(ctx context.Context) (env []string, gone map[string]string) {
	out, err := r.Do(ctx, Command{Step: "config", Args: []string{"config", "-z", "--get-regexp", `^filter\..*\.(clean|smudge|process)$`}})
	if err != nil {
		return nil, nil // there is none
	}
	gone = map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, command, _ := strings.Cut(entry, "\n")
		name, ok := strings.CutPrefix(key[:max(0, strings.LastIndexByte(key, '.'))], "filter.")
		program, _, _ := strings.Cut(strings.TrimSpace(command), " ")
		if !ok || program == "" || strings.ContainsAny(program, `$"'`+"`;|&()\\") || !filepath.IsAbs(program) && strings.ContainsAny(program, "/") {
			continue // what a shell makes of that is not known here
		}
		if _, err := exec.LookPath(program); err != nil {
			gone[name] = program
		}
	}
	n := 0
	for name := range gone {
		for _, setting := range []string{"clean=", "smudge=", "process=", "required=false"} {
			key, value, _ := strings.Cut(setting, "=")
			env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=filter.%s.%s", n, name, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
			n++
		}
	}
	if n > 0 {
		env = append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n))
	}
	return env, gone
}
