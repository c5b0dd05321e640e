package journal

import "context"

// Entries gives all entries of a run, from the first. They are checked as whenever a run is opened.
func Entries(ctx context.Context, s *Store, id string) (entries []Entry, err error) {
	_, err = s.readWhole(ctx, id, func(e Entry) { entries = append(entries, e) })
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// IDs are the ids of all runs, the oldest first. No journal is opened for it.
func (s *Store) IDs(ctx context.Context) ([]string, error) { return s.ids(ctx) }
