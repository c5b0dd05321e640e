package journal

import "context"

// Entries gives all entries of a run, from the first. They are checked as whenever a run is opened.
func Entries(ctx context.Context, s *Store, id string) ([]Entry, error) {
	h, err := s.openHandle(ctx, id)
	if err != nil {
		return nil, err
	}
	defer h.close()
	var raw *rawEntries
	err = h.locked(ctx, func() (err error) {
		raw, err = h.readRaw(0, read)
		return err
	})
	if err != nil {
		return nil, err
	}
	var entries []Entry
	_, _, err = raw.fold(id, s.PublicKey(), func(e Entry) { entries = append(entries, e) }, strict)
	return entries, err
}

// IDs are the ids of all runs, the oldest first. No journal is opened for it.
func (s *Store) IDs() ([]string, error) { return s.ids() }
