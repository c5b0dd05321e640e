package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Summary is one line of a list of runs.
type Summary struct {
	ID        string
	Title     string
	Workspace string
	Started   time.Time
	// Last is when the newest entry was written.
	Last time.Time
	// Args are the arguments, FailedCalls is how many calls had failed when the run ended.
	Args        json.RawMessage
	FailedCalls int
	// State is StatusWith's. Answered is how the question ended that the run had waited for, if it
	// now waits for nothing but to be taken up; else "".
	State    string
	Answered GateState
	// Waiting are the gates that wait for an answer.
	Waiting []*Gate
	// Revoked are the approvals that were taken back and not asked about again since.
	Revoked []*Gate
	// Unproven says why nothing in the journal counts as an approval; "" if it does.
	Unproven string
	// Owner is the living process that executes the run; Owned says whether there is one.
	Owner Process
	Owned bool
	// Err says why the run could not be read; then only ID is known.
	Err error
}

// List reads all runs, the oldest first. A run that cannot be read is a line with Err. So is the
// file that runs share, with the id "shared", if it cannot be told which runs are in it.
func (s *Store) List(ctx context.Context) ([]Summary, error) {
	ids, err := s.ownIDs()
	if err != nil {
		return nil, err
	}
	rows := make([]Summary, 0, len(ids))
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows = append(rows, s.summary(ctx, id))
	}
	rows = append(rows, s.sharedSummaries(ctx, ids)...)
	slices.SortStableFunc(rows, func(a, b Summary) int { return strings.Compare(a.ID, b.ID) })
	return rows, ctx.Err()
}

func (s *Store) summary(ctx context.Context, id string) Summary {
	visit, err := s.Visit(ctx, id)
	if err != nil {
		return Summary{ID: id, Err: err}
	}
	row := s.summaryOf(visit.State())
	row.Err = visit.Close()
	return row
}

func (s *Store) summaryOf(st *State) Summary {
	row := Summary{
		ID: st.ID, Title: st.Started.Title, Workspace: st.Workspace, Started: st.StartedAt, Last: st.HeadAt,
		Args: st.Started.Args, Waiting: st.Pending(), Revoked: st.Revoked(), Unproven: st.Unproven,
	}
	row.Owner, row.Owned = s.owner(st.ID)
	row.State = st.StatusWith(row.Owned)
	if st.Finished != nil {
		row.FailedCalls = st.Finished.FailedCalls
	}
	if row.State == StatusPaused && st.Paused.State == StatusWaiting {
		row.Answered = st.lastAnswer()
	}
	return row
}

// lastAnswer is how the gate ended that a person answered last.
func (st *State) lastAnswer() GateState {
	var last *Gate
	for _, g := range st.Gates {
		if g.Answer != nil && (last == nil || g.AnswerSeq > last.AnswerSeq) {
			last = g
		}
	}
	if last == nil {
		return ""
	}
	return last.State
}

// ids are the runs of the store, in the order of their ids, which is that of their starts. It
// fails if it cannot be told which runs are in the shared file.
func (s *Store) ids(ctx context.Context) ([]string, error) {
	ids, err := s.ownIDs()
	if err != nil {
		return nil, err
	}
	shared, err := s.sharedIDs(ctx)
	if err != nil {
		return nil, err
	}
	ids = append(ids, shared...)
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// ownIDs are the runs that have files of their own.
func (s *Store) ownIDs() ([]string, error) {
	entries, err := os.ReadDir(s.runsDir())
	if err != nil {
		return nil, fmt.Errorf("listing runs: %w", err)
	}
	var ids []string
	for _, entry := range entries {
		if id, ok := strings.CutSuffix(entry.Name(), ".db"); ok && validID(id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Find completes the beginning of a run id, in either case of letters.
func (s *Store) Find(ctx context.Context, prefix string) (string, error) {
	if len(prefix) < minPrefix {
		return "", fault.New(fault.RunUnknown, fmt.Sprintf("%q is no run id; at least %d characters are needed", prefix, minPrefix),
			"assent ls --all   # lists the runs")
	}
	ids, unsure := s.ids(ctx)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if unsure != nil { // those that have files of their own can be told all the same
		own, err := s.ownIDs()
		if err != nil {
			return "", err
		}
		ids = own
	}
	var found []string
	for _, id := range ids {
		if strings.HasPrefix(id, strings.ToUpper(prefix)) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", cmp.Or(unsure, unknownRun(fmt.Sprintf("%.40q", prefix)))
	case 1:
		return found[0], nil
	}
	return "", fault.New(fault.RunAmbiguous, fmt.Sprintf("%s could be %s", prefix, strings.Join(found, ", ")), "assent ls --all   # shows the whole ids")
}
