package journal

import (
	"encoding/json"
	"sort"
	"time"
)

// State is what a run's entries add up to. It belongs to the Run or Visit that made it and
// moves on with it; a reader changes nothing in it.
type State struct {
	ID string
	// Started is the first entry; StartedSeq and StartedAt are its place and time.
	Started    RunStarted
	StartedSeq uint64
	StartedAt  time.Time
	// Attempts begin with run.started; every run.resumed adds one.
	Attempts []Attempt
	// Program and Settings are those in force.
	Program  Program
	Settings Settings
	// Workspace is where the run belongs: where it was started, or imported to.
	Workspace string
	// Imported is set, with its place, if the entries before it came from an export; the latest,
	// if there are several.
	Imported    *RunImported
	ImportedSeq uint64
	// Agent is how the run reaches its agents: as the last attempt that named one has it.
	Agent string
	// Calls are by key.
	Calls map[string]*CallState
	// Gates are by id, GateOrder in the order of asking; GateByKey is the latest gate of a key.
	Gates     map[string]*Gate
	GateOrder []string
	GateByKey map[string]string
	// Replaced are answers that are in force no more.
	Replaced []Replaced
	// Notes counts the notes already written for the turn that an answer's seq caused.
	Notes map[uint64]int
	// Attachments are all that entries name, in their order.
	Attachments []Attached
	// Paused and Finished are how the latest attempt ended; nil while it has not.
	Paused   *RunPaused
	Finished *RunFinished
	// Head and HeadHash are the last entry; HeadAt is its time.
	Head     uint64
	HeadHash string
	HeadAt   time.Time
	// Proven says that the anchor was there and is contained. If not, Unproven says why, and
	// nothing in the journal counts as an approval.
	Proven   bool
	Unproven string

	// usage are the sums over the whole run, phases those over each phase.
	usage    usageSums
	phases   map[string]usageSums
	totals   phaseTotals
	settings []settingsAt
	// causes are the entries that a script goes on after, ascending.
	causes []uint64
}

// Replaced is an answer that entry By took out of force.
type Replaced struct{ Seq, By uint64 }

// Attempt is one stretch of a run under one owner.
type Attempt struct {
	Seq      uint64
	At       time.Time
	Owner    Process
	Settings Settings
	Manner   Manner
	// Program is set if the attempt runs another program than the one before it.
	Program *Program
}

// CallState is what is known of one call.
type CallState struct {
	Key, Identity string
	// Call is as its latest attempt asked for it.
	Call Call
	// StartSeq is the latest call.started; 0 if there is none.
	StartSeq uint64
	// Finish is the latest answer. A StartSeq above Finish.Seq supersedes it: the call was
	// begun again and has not ended.
	Finish *Finish
	// Earlier are the changes that answers made which are in force no more; CutOff counts the
	// attempts at the call that were cut off and begun again, whose changes nobody knows.
	Earlier []*Changes
	CutOff  int
}

// Finish is a call's answer.
type Finish struct {
	Seq     uint64
	At      time.Time
	Value   json.RawMessage
	Failure *Failure
	Usage   Usage
	Note    string
	Changes *Changes
	// Attempts are those that the call took, if it took more than one.
	Attempts []CallAttempt
	// DurationMs is how long the call took, in milliseconds.
	DurationMs int64
	// Worktree, Transcript and Patch are those of the record.
	Worktree          *Worktree
	Transcript, Patch *Attachment
	// After, Identity and Outside are those of the attempt that was answered.
	After    uint64
	Identity string
	Outside  json.RawMessage
}

// Gate is one asking of one question.
type Gate struct {
	Asked         GateAsked
	Key, Identity string
	// Seq and At are those of gate.asked.
	Seq   uint64
	At    time.Time
	State GateState
	// Suspended says that the gate outlives the process that asked.
	Suspended bool
	// Answer is set by gate.answered, Closed by gate.closed; AnswerSeq and AnswerAt are that
	// entry's.
	Answer    *GateAnswered
	AnswerSeq uint64
	AnswerAt  time.Time
	Closed    *GateClosed
	// Revocation is set by gate.revoked.
	Revocation *GateRevoked
	RevokedSeq uint64
	RevokedAt  time.Time
}

type settingsAt struct {
	seq      uint64
	settings Settings
}

// SettingsAt are the settings that were in force when entry seq was written.
func (st *State) SettingsAt(seq uint64) Settings {
	i := sort.Search(len(st.settings), func(i int) bool { return st.settings[i].seq > seq })
	if i == 0 {
		return Settings{}
	}
	return st.settings[i-1].settings
}

// The states of a run, as StatusWith names them.
const (
	StatusRunning     = "running"
	StatusWaiting     = "waiting"
	StatusInterrupted = "interrupted"
	StatusPaused      = "paused"
	StatusCompleted   = "completed"
	StatusStopped     = "stopped"
	StatusFailed      = "failed"
	StatusCancelled   = "cancelled"
)

// StatusWith names the run's state. Whether a living process executes the run is not in the
// journal; the caller asks Visit.Owner.
func (st *State) StatusWith(ownerAlive bool) string {
	switch {
	case st.Finished != nil:
		return st.Finished.State
	case ownerAlive:
		return StatusRunning
	case st.onlyWaits():
		return StatusWaiting
	case st.Paused == nil:
		return StatusInterrupted
	case st.Paused.State == StatusWaiting:
		return StatusPaused // what it waited for has been answered since
	default:
		return st.Paused.State
	}
}

// onlyWaits says that suspended gates are all that stands between the run and its end.
func (st *State) onlyWaits() bool {
	waits := false
	for _, id := range st.GateOrder {
		if gate := st.Gates[id]; gate.State == Pending {
			if !gate.Suspended {
				return false
			}
			waits = true
		}
	}
	if st.Paused != nil && st.Paused.State != StatusWaiting {
		return false
	}
	for _, call := range st.Calls {
		if call.Unfinished() {
			return false
		}
	}
	return waits
}

// Unfinished says that the call was begun and has not ended: it runs, or was interrupted.
func (c *CallState) Unfinished() bool {
	return c.StartSeq > 0 && (c.Finish == nil || c.StartSeq > c.Finish.Seq)
}

// Pending lists the gates that wait for an answer, in the order of asking.
func (st *State) Pending() []*Gate {
	var pending []*Gate
	for _, id := range st.GateOrder {
		if gate := st.Gates[id]; gate.State == Pending {
			pending = append(pending, gate)
		}
	}
	return pending
}

// Revoked lists the approvals that were taken back and not asked about again since, in the order
// of asking.
func (st *State) Revoked() []*Gate {
	var revoked []*Gate
	for _, id := range st.GateOrder {
		if gate := st.Gates[id]; gate.State == Revoked && st.GateByKey[gate.Key] == id {
			revoked = append(revoked, gate)
		}
	}
	return revoked
}
