package issuedelivery

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
)

// The statuses that a finalization comes to; they are those of setSemanticStatus.
const (
	statusCompleted     = "completed"
	statusFinalizing    = "finalizing"
	statusNeedsFinalize = "needs-finalize"
	statusNeedsHuman    = "needs-human"
)

// facts are what stands in the repository and on the forge. What could not be found out has its error:
// unknown is never good.
type facts struct {
	run string
	// local says that nothing is to be on a remote: only what stands here counts.
	local bool
	// branch is the one that is to be delivered, "" if it is not known; on is the one that the folder given
	// is on, if one was given.
	branch, base, remote string
	folder, on           string
	branchErr            error
	// dirty are the paths of uncommitted work, by the trees that the branch is checked out in.
	dirty    []string
	dirtyErr error
	// head is the commit of the branch, "" if there is none; expected is the one that was given.
	head, expected string
	// commits are those beyond base, the newest first.
	commits    []trailed
	commitsErr error
	// remoteHead is the commit of the branch on the remote; behind says that it is contained in head.
	remoteHead string
	behind     bool
	remoteErr  error
	// pull is the pull request; nil if there is none.
	pull    *forge.Pull
	pullErr error
	// workflows says that the commit has workflows that the forge runs.
	workflows bool
	// planned says that commits are held against approvals; approved are the checksums of this run, and
	// plan is the one that was given.
	planned     bool
	approved    []string
	plan        string
	approvedErr error
}

// trailed is a commit, and what its trailers say.
type trailed struct{ id, run, plan string }

// merged says that exactly this was merged: then the branch may be gone from the remote.
func (f *facts) merged() bool {
	return f.pull != nil && f.pull.State == forge.Merged && f.pull.Head == f.head
}

// found is what a condition saw.
type found struct {
	ok   bool
	what string
	// status, reason and next are of a condition that does not hold.
	status, reason, next string
}

func good(what string) found { return found{ok: true, what: what} }

// unknown is what could not be found out, which somebody has to look at.
func (f *facts) unknown(subject string, err error) found {
	out := found{what: "unknown: " + said(err), status: statusNeedsHuman, reason: "It is not known " + subject + ": " + said(err) + ".", next: f.again()}
	if e, ok := asFault(err); ok && e.Next != "" {
		out.next = e.Next
	}
	return out
}

// said is an error without its code, in one line.
func said(err error) string {
	text := err.Error()
	if e, ok := asFault(err); ok {
		if text = e.What; e.Err != nil {
			text += ": " + e.Err.Error()
		}
	}
	return strings.TrimRight(oneLine(text), ".")
}

func asFault(err error) (*fault.Error, bool) {
	return errors.AsType[*fault.Error](err)
}

func (f *facts) again() string  { return "assent resume " + f.run }
func (f *facts) finish() string { return "assent deliver --finish " + f.run }

// condition is one of those that a delivery has to meet.
type condition struct {
	name string
	// away is one that only a delivery to a remote has to meet.
	away bool
	sees func(f *facts) found
}

// conditions are all of them, in the order of looking.
var conditions = []condition{
	{"clean", false, seesClean},
	{"branch", false, seesBranch},
	{"commits", false, seesCommits},
	{"pushed", true, seesPushed},
	{"remoteHead", true, seesRemoteHead},
	{"pullRequestHead", true, seesPullHead},
	{"pullRequestOpen", true, seesPullOpen},
	{"checks", true, seesChecks},
	{"mergeable", true, seesMergeable},
	{"plan", false, seesPlan},
}

func seesClean(f *facts) found {
	switch {
	case f.dirtyErr != nil:
		return f.unknown("whether there is uncommitted work", f.dirtyErr)
	case len(f.dirty) > 0:
		return found{
			what: "uncommitted: " + few(f.dirty), status: statusNeedsFinalize, reason: "There is uncommitted work: " + few(f.dirty) + ".",
			next: "git status   # commit what belongs to it, and put the rest away; then " + f.finish(),
		}
	}
	return good("nothing is uncommitted")
}

func seesBranch(f *facts) found {
	bad := func(what, reason, next string) found {
		return found{what: what, status: statusNeedsHuman, reason: reason, next: next}
	}
	switch {
	case f.branchErr != nil:
		return f.unknown("where the branch is", f.branchErr)
	case f.branch == "":
		return bad("no branch", "No branch is checked out there.", "git switch BRANCH")
	case f.head == "":
		return bad("no branch "+f.branch, "There is no branch "+f.branch+".", f.again())
	case f.folder != "" && f.on != f.branch:
		return bad("on "+orNone(f.on), "The folder is on "+orNone(f.on)+", not on "+f.branch+".", "git switch "+f.branch)
	case f.base != "" && f.branch == f.base:
		return bad("on the base branch", "The branch to deliver is "+f.base+" itself.", "git switch -c BRANCH   # work is delivered from a branch of its own")
	case f.expected != "" && f.expected != f.head:
		return bad(fmt.Sprintf("%s is at %s", f.branch, shortCommit(f.head)), fmt.Sprintf("The branch %s is at %s, not at %s, which was checked.", f.branch, shortCommit(f.head), shortCommit(f.expected)), f.finish())
	}
	return good(fmt.Sprintf("%s at %s", f.branch, shortCommit(f.head)))
}

func seesCommits(f *facts) found {
	switch {
	case f.commitsErr != nil:
		return f.unknown("what is beyond the base", f.commitsErr)
	case len(f.commits) == 0:
		return found{what: "none", status: statusNeedsHuman, reason: "There is no commit beyond " + f.base + ": nothing to deliver.", next: "assent show " + f.run + "   # says what the agents did"}
	}
	return good(fmt.Sprintf("%d beyond %s", len(f.commits), f.base))
}

func seesPushed(f *facts) found {
	switch {
	case f.merged():
		return good("merged")
	case f.remoteErr != nil:
		return f.unknown("what is on the remote", f.remoteErr)
	case f.remoteHead == "":
		return found{what: "not on " + f.remote, status: statusNeedsFinalize, reason: "The branch " + f.branch + " is not on " + f.remote + ".", next: "git push " + f.remote + " " + f.branch}
	}
	return good("on " + f.remote)
}

func seesRemoteHead(f *facts) found {
	switch {
	case f.merged():
		return good("merged")
	case f.remoteErr != nil:
		return f.unknown("what is on the remote", f.remoteErr)
	case f.remoteHead == f.head && f.head != "":
		return good(shortCommit(f.head))
	}
	out := found{
		what: fmt.Sprintf("%s there, %s here", orNone(shortCommit(f.remoteHead)), orNone(shortCommit(f.head))), status: statusNeedsFinalize,
		reason: "The branch " + f.branch + " is not the same here and on " + f.remote + ".", next: "git push " + f.remote + " " + f.branch,
	}
	if f.remoteHead != "" && !f.behind {
		out.status, out.reason = statusNeedsHuman, "The branch "+f.branch+" on "+f.remote+" has commits that are not here."
		out.next = "git fetch " + f.remote + " " + f.branch + "   # see what was done there"
	}
	return out
}

func seesPullHead(f *facts) found {
	switch {
	case f.pullErr != nil:
		return f.unknown("what the pull request shows", f.pullErr)
	case f.pull == nil:
		return found{what: "no pull request", status: statusNeedsFinalize, reason: "There is no pull request of the branch " + f.branch + ".", next: f.again()}
	case f.pull.Branch != f.branch:
		return found{what: "of " + f.pull.Branch, status: statusNeedsHuman, reason: fmt.Sprintf("Pull request %d is of the branch %s, not of %s.", f.pull.Number, f.pull.Branch, f.branch), next: f.pull.URL}
	case f.pull.Head != f.head || f.head == "":
		return found{
			what: fmt.Sprintf("%s there, %s here", orNone(shortCommit(f.pull.Head)), orNone(shortCommit(f.head))), status: statusNeedsFinalize,
			reason: fmt.Sprintf("Pull request %d does not show %s yet.", f.pull.Number, orNone(shortCommit(f.head))), next: f.finish() + "   # in a while: the forge takes a moment after a push",
		}
	}
	return good(shortCommit(f.head))
}

func seesPullOpen(f *facts) found {
	switch {
	case f.pullErr != nil:
		return f.unknown("what the pull request shows", f.pullErr)
	case f.pull == nil:
		return found{what: "no pull request", status: statusNeedsFinalize, reason: "There is no pull request of the branch " + f.branch + ".", next: f.again()}
	case f.base != "" && f.pull.Base != f.base:
		return found{what: "onto " + f.pull.Base, status: statusNeedsHuman, reason: fmt.Sprintf("Pull request %d goes to %s, not to %s.", f.pull.Number, f.pull.Base, f.base), next: f.pull.URL}
	case f.pull.State == forge.Open || f.merged():
		return good(fmt.Sprintf("pull request %d is %s", f.pull.Number, strings.ToLower(f.pull.State)))
	}
	return found{what: strings.ToLower(f.pull.State), status: statusNeedsHuman, reason: fmt.Sprintf("Pull request %d is %s.", f.pull.Number, strings.ToLower(f.pull.State)), next: f.pull.URL}
}

func seesChecks(f *facts) found {
	if f.pullErr != nil {
		return f.unknown("what the checks came to", f.pullErr)
	}
	if f.pull == nil {
		return found{what: "no pull request", status: statusNeedsFinalize, reason: "There is no pull request of the branch " + f.branch + ".", next: f.again()}
	}
	state, names := f.pull.Checks()
	switch state {
	case forge.ReportsPassed:
		return good(fmt.Sprintf("%d passed", len(names)))
	case forge.ReportsFailed:
		return found{what: "failed: " + few(names), status: statusNeedsHuman, reason: "Checks of the pull request failed: " + few(names) + ".", next: f.pull.URL + "/checks   # mend it, then " + f.finish()}
	case forge.ReportsPending:
		return found{what: "at work: " + few(names), status: statusFinalizing, reason: "Checks of the pull request are at work: " + few(names) + ".", next: f.finish() + "   # when they are done"}
	case forge.ReportsNone:
		if !f.workflows {
			return good("none, and the repository has no workflows")
		}
		return found{what: "none yet", status: statusFinalizing, reason: "No check was reported yet, and the repository has workflows.", next: f.finish() + "   # when they are done"}
	case forge.ReportsUnknown:
	}
	return found{what: "unknown: " + few(names), status: statusNeedsHuman, reason: "What these checks came to is not known: " + few(names) + ".", next: f.pull.URL + "/checks"}
}

func seesMergeable(f *facts) found {
	switch {
	case f.pullErr != nil:
		return f.unknown("whether it can be merged", f.pullErr)
	case f.pull == nil:
		return found{what: "no pull request", status: statusNeedsFinalize, reason: "There is no pull request of the branch " + f.branch + ".", next: f.again()}
	case f.merged() || f.pull.Mergeable == "MERGEABLE":
		return good(strings.ToLower(f.pull.Mergeable))
	case f.pull.Mergeable == "CONFLICTING":
		return found{what: "conflicts", status: statusNeedsHuman, reason: fmt.Sprintf("Pull request %d conflicts with %s.", f.pull.Number, f.pull.Base), next: f.finish() + "   # after it was repaired on top of " + f.pull.Base}
	}
	return found{what: "not known yet", status: statusFinalizing, reason: fmt.Sprintf("The forge has not worked out yet whether pull request %d can be merged.", f.pull.Number), next: f.finish() + "   # in a while"}
}

func seesPlan(f *facts) found {
	next := "assent show " + f.run + " --changes   # says who made which commit; then " + f.finish()
	bad := func(what, reason string) found {
		return found{what: what, status: statusNeedsHuman, reason: reason, next: next}
	}
	if f.commitsErr != nil {
		return f.unknown("which plan was executed", f.commitsErr)
	}
	if f.approvedErr != nil {
		return f.unknown("which plans are approved", f.approvedErr)
	}
	is := map[string]bool{}
	for _, checksum := range f.approved {
		is[checksum] = true
	}
	if f.plan != "" && !is[f.plan] {
		return bad("not approved", "The plan sha256:"+f.plan+" is not approved in this run.")
	}
	if len(f.commits) == 0 {
		return bad("no commit", "There is no commit that an approved plan stands for.")
	}
	for _, c := range f.commits {
		switch {
		case c.plan == "":
			return bad(shortCommit(c.id)+" names no plan", "Commit "+shortCommit(c.id)+" names no plan that it was made under.")
		case c.run != f.run:
			return bad(shortCommit(c.id)+" is of another run", "Commit "+shortCommit(c.id)+" was made by another run.")
		case !is[c.plan]:
			return bad(shortCommit(c.id)+" is of another plan", "Commit "+shortCommit(c.id)+" was made under a plan that is not approved in this run: sha256:"+c.plan+".")
		}
	}
	return good(fmt.Sprintf("%d commits under approved plans", len(f.commits)))
}

// detail is what became of a condition.
type detail struct {
	Condition string `json:"condition"`
	OK        bool   `json:"ok"`
	Found     string `json:"found"`
}

// runStatus is what setSemanticStatus takes.
type runStatus struct {
	Status     string   `json:"status"`
	Reason     string   `json:"reason"`
	NextAction string   `json:"nextAction"`
	Details    []detail `json:"details"`
}

// finalization is how a delivery stands. It is OK if it is complete, or only needs time.
type finalization struct {
	OK bool `json:"ok"`
	runStatus
	ToRunStatus runStatus `json:"toRunStatus"`
}

// judge goes through the conditions. The first that does not hold decides; but one that only needs time
// never hides one behind it that needs somebody.
func (f *facts) judge() finalization {
	s := runStatus{Status: statusCompleted, Reason: "Everything that was asked for is there.", Details: []detail{}}
	if f.pull != nil && !f.local {
		s.NextAction = f.pull.URL
	} else if f.local {
		s.NextAction = "git merge --no-ff " + f.branch
	}
	for _, c := range conditions {
		if c.away && f.local || c.name == "plan" && !f.planned {
			continue
		}
		saw := c.sees(f)
		s.Details = append(s.Details, detail{c.name, saw.ok, saw.what})
		if saw.ok {
			continue
		}
		if s.Status == statusCompleted || s.Status == statusFinalizing && saw.status != statusFinalizing {
			s.Status, s.Reason, s.NextAction = saw.status, saw.reason, saw.next
		}
	}
	return finalization{OK: s.Status == statusCompleted || s.Status == statusFinalizing, runStatus: s, ToRunStatus: s}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// few names the first of many.
func few(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
