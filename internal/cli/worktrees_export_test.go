package cli

// WorkFolder is where worktrees are.
func WorkFolder(s System) (string, error) {
	f, err := s.folders()
	return f.work, err
}
