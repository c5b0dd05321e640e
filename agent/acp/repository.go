package acp

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// Git runs what a repository's configuration names, also where it only looks. A working tree may carry
// a whole repository among its files, whose configuration came with it.

// gitFences keep git from that as far as variables can. The first is what git hands on its -c in; the
// names that it has for one setting each look like a key to agents, which keep keys from their shells.
var gitFences = []string{
	"GIT_CONFIG_PARAMETERS=" + parameters(
		"safe.bareRepository=explicit", "core.fsmonitor=false", "core.hooksPath="+os.DevNull, "log.showSignature=false", "core.pager=cat",
		"gpg.program=false", "gpg.openpgp.program=false", "gpg.x509.program=false", "gpg.ssh.program=false", "core.alternateRefsCommand=true",
	),
	"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_PAGER=cat", "PAGER=cat",
}

// looking are for a command that only looks; a repository without all its objects gets none then.
var looking = append(slices.Clone(gitFences), "GIT_ALLOW_PROTOCOL=none")

func parameters(settings ...string) string {
	return "'" + strings.Join(settings, "' '") + "'"
}

// Settings that name a program which git runs where it looks: those that no variable takes back, and
// those that gitFences do.
var (
	runsAnyway = regexp.MustCompile(`^(diff\.external|diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)|merge\..*\.driver)$`)
	runsBare   = regexp.MustCompile(`^(core\.(fsmonitor|hookspath|pager|alternaterefscommand)|pager\..*|gpg\..*|log\.showsignature|remote\..*\.promisor|extensions\.partialclone)$`)
)

// gitLooks reports whether git in a folder of the call's looks into the repository of the call's folder,
// and can run nothing that this names. ours says that it would be started here, with gitFences.
func (s *session) gitLooks(dir string, ours bool) bool {
	top := repositoryOf(s.folder.real)
	if top == "" || repositoryOf(dir) != top {
		return false
	}
	repo, err := git.Open(s.folder.real, s.req.Run+"/"+strings.TrimPrefix(s.req.Call, "/"), s.step)
	if err != nil {
		return false
	}
	listed, err := repo.Look(s.ctx, "", "config", "--list", "-z", "--show-scope", "--includes")
	if err != nil {
		return false
	}
	fields, own := bytes.Split(listed, []byte{0}), false
	for i := 0; i+1 < len(fields); i += 2 {
		scope, setting := string(fields[i]), string(fields[i+1])
		name, value, _ := strings.Cut(setting, "\n")
		if name = strings.ToLower(name); scope != "local" && scope != "worktree" {
			continue // the user's own, or ours
		}
		if runsAnyway.MatchString(name) || !ours && runsBare.MatchString(name) && value != "false" {
			return false
		}
		own = true
	}
	return own // else what stands there is no repository, and git goes on to look above it
}

// repositoryOf is the top of the working tree that git finds from a folder, "" if it finds none, or
// first one that stands there without a working tree.
func repositoryOf(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if _, err := os.Stat(filepath.Join(at, "HEAD")); err == nil {
			if _, err := os.Stat(filepath.Join(at, "objects")); err == nil {
				return ""
			}
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// systemOnly is an environment in which programs are not looked for in what a call works on.
func systemOnly(environ []string, f folder) []string {
	environ = slices.Clone(environ)
	for i, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if name != "PATH" {
			continue
		}
		dirs := slices.DeleteFunc(filepath.SplitList(value), func(dir string) bool {
			at, _, _ := f.resolve(f.real, dir)
			return !filepath.IsAbs(dir) || at != outside
		})
		environ[i] = name + "=" + strings.Join(dirs, string(filepath.ListSeparator))
	}
	return environ
}
