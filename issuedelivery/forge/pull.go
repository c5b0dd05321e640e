package forge

import (
	"context"
	"regexp"
	"strconv"
	"strings"
)

// The states of a pull request.
const (
	Open   = "OPEN"
	Closed = "CLOSED"
	Merged = "MERGED"
)

// Pull is a pull request as the forge has it.
type Pull struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	State  string `json:"state"`
	Draft  bool   `json:"isDraft"`
	// Branch is its head branch and Head the commit that the forge sees there; Base is the branch that it
	// goes to.
	Branch string `json:"headRefName"`
	Head   string `json:"headRefOid"`
	Base   string `json:"baseRefName"`
	Body   string `json:"body"`
	// Mergeable is MERGEABLE, CONFLICTING or UNKNOWN: the forge works it out after each push.
	Mergeable string `json:"mergeable"`
	// Cross says that the head branch lies in another repository than the base, Owner is that one's.
	Cross bool `json:"isCrossRepository"`
	Owner struct {
		Login string `json:"login"`
	} `json:"headRepositoryOwner"`
	// Reports are what was reported of Head.
	Reports []Report `json:"statusCheckRollup"`
}

// Report is what one check said of a commit: a check run, or a status of the older form.
type Report struct {
	Name       string `json:"name"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion"`
	Context    string `json:"context"`
	State      string `json:"state"`
}

// listed and viewed are the fields that are asked for.
const (
	listed = "number,url,state,isDraft,headRefName,headRefOid,baseRefName,isCrossRepository,headRepositoryOwner"
	viewed = listed + ",body,mergeable,statusCheckRollup"
)

// Pulls are the pull requests of a branch of this repository, the newest first. A branch of the same
// name in a fork is another one.
func (f *Forge) Pulls(ctx context.Context, branch string) ([]Pull, error) {
	var all, own []Pull
	err := f.get(ctx, "list", &all, "pr", "list", "-R", f.at.String(), "--head", branch, "--state", "all", "--limit", strconv.Itoa(maxPulls), "--json", listed)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Branch == branch && !p.Cross && strings.EqualFold(p.Owner.Login, f.at.Owner) {
			own = append(own, p)
		}
	}
	return own, nil
}

// View reads a pull request.
func (f *Forge) View(ctx context.Context, number int) (Pull, error) {
	var p Pull
	err := f.get(ctx, "view", &p, "pr", "view", strconv.Itoa(number), "-R", f.at.String(), "--json", viewed)
	return p, err
}

// Reported is what the reports of a commit come to.
type Reported string

// What reports come to. ReportsUnknown are such as this version does not know; no report is neither good
// nor bad.
const (
	ReportsPassed  Reported = "passed"
	ReportsFailed  Reported = "failed"
	ReportsPending Reported = "pending"
	ReportsNone    Reported = "none"
	ReportsUnknown Reported = "unknown"
)

// conclusions and states are those of check runs and of statuses.
var (
	conclusions = map[string]Reported{
		"SUCCESS": ReportsPassed, "NEUTRAL": ReportsPassed, "SKIPPED": ReportsPassed,
		"FAILURE": ReportsFailed, "CANCELLED": ReportsFailed, "TIMED_OUT": ReportsFailed, "ACTION_REQUIRED": ReportsFailed, "STARTUP_FAILURE": ReportsFailed, "STALE": ReportsFailed,
	}
	unfinished = []string{"QUEUED", "IN_PROGRESS", "WAITING", "PENDING", "REQUESTED"}
	states     = map[string]Reported{
		"SUCCESS": ReportsPassed, "FAILURE": ReportsFailed, "ERROR": ReportsFailed, "PENDING": ReportsPending, "EXPECTED": ReportsPending,
	}
)

func (r Report) result() Reported {
	found := states[r.State]
	if r.Context == "" {
		found = conclusions[r.Conclusion]
		for _, status := range unfinished {
			if r.Status == status {
				found = ReportsPending
			}
		}
	}
	if found == "" {
		return ReportsUnknown
	}
	return found
}

// Checks is what the reports of a pull request's commit come to, and the names of those that make it so.
// One that failed outweighs one that nobody knows, and that one that is still at work.
func (p Pull) Checks() (Reported, []string) {
	by := map[Reported][]string{}
	for _, r := range p.Reports {
		name := r.Name
		if r.Context != "" {
			name = r.Context
		}
		by[r.result()] = append(by[r.result()], name)
	}
	for _, result := range []Reported{ReportsFailed, ReportsUnknown, ReportsPending, ReportsPassed} {
		if names := by[result]; len(names) > 0 {
			return result, names
		}
	}
	return ReportsNone, nil
}

// numbered finds the number in the address of a pull request.
var numbered = regexp.MustCompile(`/pull/([0-9]{1,9})/?$`)

// NumberOf is the number of the pull request at an address, 0 if it is not one of this repository.
func (f *Forge) NumberOf(url string) int {
	url = strings.TrimSpace(url)
	m := numbered.FindStringSubmatch(url)
	if len(m) != 2 {
		return 0
	}
	of := strings.ToLower(strings.TrimSuffix(url, m[0]))
	if !strings.HasSuffix(of, strings.ToLower("/"+f.at.Owner+"/"+f.at.Name)) {
		return 0
	}
	number, _ := strconv.Atoi(m[1])
	return number
}
