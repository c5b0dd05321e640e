package journal

// Report is what Verify found.
type Report struct {
	// Run is the run's id, as far as it could be read.
	Run string
	// Entries counts the entries that were read; Head is the hash of the last.
	Entries int
	Head    string
	// OK says that there are no problems.
	OK bool
	// Problems are in the order in which they were met.
	Problems []Problem
	// Proven says that the anchor is there and contained; Unproven why not. An export has no
	// anchor.
	Proven   bool
	Unproven string
	// Gates are in the order of asking.
	Gates []ReportGate
}

// Problem is one thing that is wrong with a journal.
type Problem struct {
	// Code is the code of errors.md.
	Code string
	// Seq is the entry at fault, 0 if it is none in particular.
	Seq  uint64
	What string
}

// ReportGate is a gate as the journal proves it.
type ReportGate struct {
	ID       string
	Key      string
	Kind     string
	Checksum string
	State    GateState
	// Decision is the JSON text of the answer, "" if there is none.
	Decision string
	Who      Who
	// Seq is gate.asked, AnswerSeq the entry that ended it.
	Seq, AnswerSeq uint64
}
