package journal

import (
	"context"
	"fmt"
	"os"
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
	// State is StatusWith's.
	State string
	// Waiting are the gates that wait for an answer.
	Waiting []*Gate
	// Unproven says why nothing in the journal counts as an approval; "" if it does.
	Unproven string
	// Owner is the living process that executes the run; Owned says whether there is one.
	Owner Process
	Owned bool
	// Err says why the run could not be read; then only ID is known.
	Err error
}

// List reads all runs, the oldest first. A run that cannot be read is a line with Err.
func (s *Store) List(ctx context.Context) ([]Summary, error) {
	ids, err := s.ids()
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
	return rows, nil
}

func (s *Store) summary(ctx context.Context, id string) Summary {
	visit, err := s.Visit(ctx, id)
	if err != nil {
		return Summary{ID: id, Err: err}
	}
	st := visit.State()
	row := Summary{
		ID: id, Title: st.Started.Title, Workspace: st.Workspace, Started: st.StartedAt,
		Waiting: st.Pending(), Unproven: st.Unproven,
	}
	row.Owner, row.Owned = visit.Owner()
	row.State = st.StatusWith(row.Owned)
	row.Err = visit.Close()
	return row
}

// ids are the runs of the store, in the order of their ids, which is that of their starts.
func (s *Store) ids() ([]string, error) {
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
func (s *Store) Find(_ context.Context, prefix string) (string, error) {
	if len(prefix) < minPrefix {
		return "", fault.New(fault.RunUnknown, fmt.Sprintf("%q is no run id; at least %d characters are needed", prefix, minPrefix),
			"assent ls --all   # lists the runs")
	}
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	var found []string
	for _, id := range ids {
		if strings.HasPrefix(id, strings.ToUpper(prefix)) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", unknownRun(fmt.Sprintf("%.40q", prefix))
	case 1:
		return found[0], nil
	}
	return "", fault.New(fault.RunAmbiguous, fmt.Sprintf("%s could be %s", prefix, strings.Join(found, ", ")), "assent ls --all   # shows the whole ids")
}
