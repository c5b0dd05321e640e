package journal

import (
	"strconv"
	"strings"
)

// Report is what Verify found.
type Report struct {
	// Run is the run's id, as far as it could be read.
	Run string
	// Entries counts the entries that were read; Head is the hash of the last.
	Entries int
	Head    string
	// State is what the entries end in, as StatusWith names it with no owner; Ended says that
	// this is the end of the run. An export that was cut behind an earlier end has that one.
	State string
	Ended bool
	// Imported is set, with its place, if the entries before it came from an export: their seals
	// are of the key that it names.
	Imported    *RunImported
	ImportedSeq uint64
	// Sealed is the last entry that has a seal, 0 if none has. In an export nobody vouches for what
	// comes behind it.
	Sealed uint64
	// OK says that there are no problems.
	OK bool
	// Problems are in the order in which they were met.
	Problems []Problem
	// Remarks are what somebody may want to know and is no problem: attachments that are there and
	// are something else now.
	Remarks []Remark
	// Proven says that the anchor is there and contained; Unproven why not. An export has no
	// anchor.
	Proven   bool
	Unproven string
	// Gates are in the order of asking.
	Gates []ReportGate
	// Workspace is where the run belongs, as far as the entries say so; in a journal that is damaged
	// nobody vouches for it.
	Workspace string
	// Programs are what the run was started and resumed with; see Judge.
	Programs []ReportProgram
}

// ReportProgram is a program of a run. Seq is the entry that has it.
type ReportProgram struct {
	Seq     uint64
	Program Program
}

// Problem is one thing that is wrong with a journal.
type Problem struct {
	// Code is the code of errors.md.
	Code string
	// Seq is the entry at fault, 0 if it is none in particular.
	Seq  uint64
	What string
}

// Remark is what Verify has to say of an entry beside problems.
type Remark struct {
	Seq  uint64
	What string
}

// String says where it is and what, once each: some faults name their entry themselves.
func (p Problem) String() string {
	entry := "entry " + strconv.FormatUint(p.Seq, 10)
	if p.Seq == 0 || strings.Contains(p.What, entry+":") || strings.Contains(p.What, entry+" ") {
		return p.What
	}
	return entry + ": " + p.What
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
	// Revocation is what took the approval back.
	Revocation *GateRevoked
	// Seq is gate.asked, AnswerSeq the entry that ended it.
	Seq, AnswerSeq uint64
}
