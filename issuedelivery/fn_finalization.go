package issuedelivery

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// finalizationOptions are those of checkFinalization. What is not given is found out.
type finalizationOptions struct {
	// Cwd is a folder inside the workspace whose branch is looked at, BaseRef what it goes beyond: so scripts
	// of other runners ask.
	Cwd     string `json:"cwd"`
	BaseRef string `json:"baseRef"`

	Branch string   `json:"branch"`
	Base   baseName `json:"base"`
	// Commit is where the branch has to be.
	Commit string     `json:"commit"`
	PR     pullNumber `json:"pr"`
	// Plan is a checksum that has to be approved.
	Plan string `json:"plan"`
	Lane string `json:"lane"`
}

// baseName is a base, as its name or as delivery.begin gives it.
type baseName struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Remote string `json:"remote"`
}

// UnmarshalJSON takes both.
func (b *baseName) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &b.Branch) == nil {
		return nil
	}
	type plain baseName
	return json.Unmarshal(text, (*plain)(b))
}

// pullNumber is a pull request, as its number or as delivery.publish gives it.
type pullNumber int

// UnmarshalJSON takes both.
func (n *pullNumber) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, (*int)(n)) == nil {
		return nil
	}
	var pull struct {
		Number int `json:"number"`
	}
	err := json.Unmarshal(text, &pull)
	*n = pullNumber(pull.Number)
	return err
}

// finalLanes are the lanes that end with something to look at.
var finalLanes = []string{"", LanePullRequest, LaneNoPR, LanePrototype}

// checkFinalization looks whether what was to be delivered is, and what is missing if it is not.
func (h *Host) checkFinalization() engine.Primitive {
	return function[finalizationOptions]{
		name: "checkFinalization", effect: always[finalizationOptions](reads), leading: []string{"cwd"},
		label: func(finalizationOptions) string { return "check finalization" },
		check: func(in finalizationOptions) error {
			switch {
			case !slices.Contains(finalLanes, in.Lane):
				return fault.New(fault.OptionInvalid, fmt.Sprintf("checkFinalization: the option \"lane\" is %.80q", in.Lane), "it is one of "+strings.Join(finalLanes[1:], ", "))
			case in.Commit != "" && !repository.IsID(in.Commit):
				return fault.New(fault.OptionInvalid, fmt.Sprintf("checkFinalization: the option \"commit\" is %.80q, and it takes the whole id of a commit", in.Commit), "")
			}
			return nil
		},
		do: h.doFinalization,
	}
}

func (h *Host) doFinalization(ctx context.Context, c call, in finalizationOptions) (any, error) {
	folder, err := h.inside(in.Cwd)
	if err != nil {
		return nil, err
	}
	r, err := repository.Open(folder, c.Mark, c.Step)
	if errors.Is(err, git.ErrNone) {
		return nil, fault.New(fault.DeliveryNotReady, folder+" is in no git repository", "git init")
	} else if err != nil {
		return nil, err
	}
	f := &facts{run: c.Run, local: in.Lane == LaneNoPR || in.Lane == LanePrototype, expected: in.Commit, plan: in.Plan}
	h.seeHere(ctx, r, in, f)
	h.seeApprovals(ctx, c, in, f)
	if !f.local {
		h.seeAway(ctx, c, r, in, f)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return f.judge(), nil
}

// inside is a folder of the workspace; links do not lead out of it.
func (h *Host) inside(folder string) (string, error) {
	root, err := filepath.EvalSymlinks(h.Workspace)
	if err != nil || folder == "" {
		return root, err
	}
	at := filepath.FromSlash(folder)
	if !filepath.IsAbs(at) {
		at = filepath.Join(root, at)
	}
	if at, err = filepath.EvalSymlinks(at); err != nil {
		return "", fault.Wrap(err, fault.OptionInvalid, fmt.Sprintf("checkFinalization: the folder %q cannot be opened", folder), "name a folder inside the workspace")
	}
	if below, err := filepath.Rel(root, at); err != nil || !filepath.IsLocal(below) {
		return "", fault.New(fault.OptionInvalid, fmt.Sprintf("checkFinalization: the folder %q is outside of the workspace", folder), "name a folder inside the workspace")
	}
	return at, nil
}

// seeHere looks at the branch, its working tree and its commits.
func (h *Host) seeHere(ctx context.Context, r *repository.Repository, in finalizationOptions, f *facts) {
	_, on, err := r.Head(ctx)
	if err != nil {
		f.branchErr = err
	}
	f.on, f.branch = on, cmp.Or(in.Branch, on)
	if in.Cwd != "" {
		f.folder = in.Cwd
	}
	f.remote = cmp.Or(in.Base.Remote, h.Config.Remote)
	if f.remote == "" {
		remotes, err := r.Remotes(ctx)
		f.remoteErr = err
		f.remote = theRemote(remotes)
	}
	f.base = cmp.Or(in.BaseRef, in.Base.Branch, h.Config.Base)
	if f.base == "" {
		f.base, f.commitsErr = r.DefaultBase(ctx, f.remote)
	}
	if f.branch == "" {
		return
	}
	if f.head, err = r.Commit(ctx, "refs/heads/"+f.branch); err != nil {
		f.branchErr = err
		return
	}
	if f.head == "" {
		return
	}
	_, f.dirty, f.dirtyErr = r.Repaired(ctx, f.branch)
	if f.commitsErr != nil {
		return
	}
	f.commits, f.commitsErr = beyond(ctx, r, cmp.Or(in.Base.Commit, f.base), f.remote, f.head)
	if tree, err := r.Files(ctx, f.head); err == nil {
		f.workflows, err = hasWorkflows(tree)
		f.workflows = f.workflows || err != nil // then a check may yet come
	} else {
		f.workflows = true
	}
}

// theRemote is the one that is meant by itself: origin, or the only one.
func theRemote(remotes []string) string {
	if slices.Contains(remotes, "origin") {
		return "origin"
	}
	if len(remotes) == 1 {
		return remotes[0]
	}
	return ""
}

// beyond are the commits of head that are not in base: a branch at the remote or here, or any name of a
// commit.
func beyond(ctx context.Context, r *repository.Repository, base, remote, head string) ([]trailed, error) {
	at := ""
	for _, name := range []string{"refs/remotes/" + remote + "/" + base, "refs/heads/" + base, base} {
		if base == "" {
			break
		}
		var err error
		if at, err = r.Commit(ctx, name); err != nil {
			return nil, err
		}
		if at != "" {
			break
		}
	}
	if at == "" {
		return nil, fmt.Errorf("there is no base %s", orNone(base))
	}
	ids, err := r.Beyond(ctx, at, head)
	if err != nil {
		return nil, err
	}
	slices.Reverse(ids)
	commits := make([]trailed, 0, len(ids))
	for _, id := range ids {
		t := trailed{id: id}
		for name, into := range map[string]*string{"Assent-Run": &t.run, "Assent-Plan": &t.plan} {
			values, err := r.Trailers(ctx, id, name)
			if err != nil {
				return nil, err
			}
			*into = strings.TrimPrefix(strings.Join(values, " "), "sha256:") // two that differ are none
		}
		commits = append(commits, t)
	}
	return commits, nil
}

// seeApprovals reads what this run approved. Commits of scripts that deliver in their own way name no plan,
// and are held against none.
func (h *Host) seeApprovals(ctx context.Context, c call, in finalizationOptions, f *facts) {
	f.planned = in.Plan != "" || in.Lane != "" || slices.ContainsFunc(f.commits, func(t trailed) bool { return t.plan != "" || t.run != "" })
	visit, err := h.Store.Visit(ctx, c.Run)
	if err != nil {
		f.approvedErr = err
		return
	}
	st := visit.State()
	visit.Close() // a visit that only read has nothing to lose
	f.approved = approvedPlans(st)
	if in.Cwd == "" && len(f.approved) > 0 {
		f.planned = true
	}
	if !st.Proven {
		f.approvedErr = errors.New("the journal is not proven: " + st.Unproven)
	}
}

// approvedPlans are the checksums of the plans that are approved in a run, by its program as it is.
func approvedPlans(st *journal.State) []string {
	var all []string
	for key, id := range st.GateByKey {
		checksum := st.Gates[id].Asked.Checksum
		if checksum == "" {
			continue
		}
		if _, err := planapprove.Check(st, planapprove.Claim{Key: key, Checksum: checksum, Program: st.Program.Hash}); err == nil {
			all = append(all, checksum)
		}
	}
	return all
}

// seeAway looks at the remote and the forge.
func (h *Host) seeAway(ctx context.Context, c call, r *repository.Repository, in finalizationOptions, f *facts) {
	if f.remote == "" {
		f.remoteErr = errors.Join(f.remoteErr, fault.New(fault.DeliveryNotReady, "there is no remote", "git remote add origin URL"))
		f.pullErr = f.remoteErr
		return
	}
	if f.branch != "" {
		f.remoteHead, f.remoteErr = r.RemoteTip(ctx, f.remote, f.branch)
	}
	if f.remoteErr == nil && f.remoteHead != "" && f.head != "" {
		f.behind, f.remoteErr = r.Holds(ctx, f.head, f.remoteHead)
	}
	at, err := h.forgeOf(ctx, c, r, f.remote)
	if err != nil {
		f.pullErr = err
		return
	}
	number := int(in.PR)
	if number == 0 && f.branch != "" {
		all, err := at.Pulls(ctx, f.branch)
		if err != nil {
			f.pullErr = err
			return
		}
		if len(all) == 0 {
			return
		}
		number = all[0].Number
		for _, p := range slices.Backward(all) {
			if p.State == "OPEN" {
				number = p.Number
			}
		}
	}
	if number == 0 {
		return
	}
	pull, err := at.View(ctx, number)
	if f.pullErr = err; err == nil {
		f.pull = &pull
	}
}
