package journal

import "encoding/json"

// Kind says what an entry records. Kinds are never renamed and never reused; a new one may
// be added, and a reader of an older version refuses a file that has a newer format number.
type Kind string

// The kinds of entries, in the order in which a run meets them.
const (
	KindRunStarted    Kind = "run.started"
	KindRunResumed    Kind = "run.resumed"
	KindCallStarted   Kind = "call.started"
	KindCallFinished  Kind = "call.finished"
	KindGateAsked     Kind = "gate.asked"
	KindGateSuspended Kind = "gate.suspended"
	KindGateAnswered  Kind = "gate.answered"
	KindGateClosed    Kind = "gate.closed"
	KindGateRevoked   Kind = "gate.revoked"
	KindNote          Kind = "note"
	KindRunPaused     Kind = "run.paused"
	KindRunFinished   Kind = "run.finished"
	KindRunImported   Kind = "run.imported"
)

// Program is the script a run executes. Its source is kept, so that a resumed run does not
// depend on what became of the file, and so that an edited script can be shown as a
// difference.
type Program struct {
	// Name is the entry file's path as the user gave it.
	Name string `json:"name"`
	// Hash is the hex SHA-256 over all source (vm.Program.Hash).
	Hash string `json:"hash"`
	// Language is the version of the script language (vm.Language).
	Language int `json:"language"`
	// Sources are the entry file (first) and all it imports, by path.
	Sources []Source `json:"sources"`
}

// Source is one file of a program.
type Source struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Settings are what resume must keep: budgets, caps and policies. A resume may raise them
// explicitly; the raise is journaled with it, and they hold from that entry on.
type Settings struct {
	// MaxCalls caps counted calls (agents and gates) of the run.
	MaxCalls int `json:"maxCalls"`
	// Concurrency is how many agents work at once.
	Concurrency int `json:"concurrency"`
	// Budget caps what agents may use; the zero value is no cap.
	Budget Usage `json:"budget,omitzero"`
	// StretchMs is the longest synchronous stretch of the script, in milliseconds.
	StretchMs int64 `json:"stretchMs"`
	// WallMs is the longest time one attempt may work, in milliseconds; waiting for a person
	// does not count. 0 is no limit.
	WallMs int64 `json:"wallMs,omitempty"`
	// ReadOnly makes every agent of the run read-only.
	ReadOnly bool `json:"readOnly,omitempty"`
	// GateTimeoutMs is the deadline of gates that name none, in milliseconds; 0 is none.
	GateTimeoutMs int64 `json:"gateTimeoutMs,omitempty"`
	// LoopGuard says what becomes of a loop that asks the same again and again: "warn", which is also
	// what "" says, "stop" or "off"; LoopGuardRepeats is how often makes a loop, 0 is the engine's own.
	LoopGuard        string `json:"loopGuard,omitempty"`
	LoopGuardRepeats int    `json:"loopGuardRepeats,omitempty"`
	// ContextWarning is the part of a call's maxContextTokens from which on it is warned of, in
	// hundredths; 0 is the engine's own.
	ContextWarning int `json:"contextWarning,omitempty"`
	// Tiers are what small, medium and big stood for when the run began.
	Tiers Tiers `json:"tiers,omitzero"`
	// Simulated marks a run made by the demo or by a test: only such a run accepts simulated answers.
	Simulated bool `json:"simulated,omitempty"`
}

// Tiers are the agents and models of the three tiers; the zero value of one is none.
type Tiers struct {
	Small  Tier `json:"small,omitzero"`
	Medium Tier `json:"medium,omitzero"`
	Big    Tier `json:"big,omitzero"`
}

// Tier is what a tier stands for: the agent by its name in the configuration, "" for the run's own,
// and what it is to work with.
type Tier struct {
	Agent  string `json:"agent,omitempty"`
	Model  string `json:"model,omitempty"`
	Effort string `json:"effort,omitempty"`
}

// Usage is what agents used, or may use.
type Usage struct {
	// Input and Output are tokens.
	Input  int64 `json:"input,omitempty"`
	Output int64 `json:"output,omitempty"`
	// Tokens is a cap over input and output together; only budgets use it.
	Tokens int64 `json:"tokens,omitempty"`
	// CostMicroUSD is millionths of a US dollar.
	CostMicroUSD int64 `json:"costMicroUSD,omitempty"`
}

// Process names a process of this machine so that another one with the same number is not
// mistaken for it.
type Process struct {
	PID int `json:"pid"`
	// Started is the kernel's start time of the process, in its own unit; 0 if unknown.
	Started int64  `json:"started,omitempty"`
	Host    string `json:"host,omitempty"`
	User    string `json:"user,omitempty"`
}

// Manner is how an attempt settles what the journal does not. It belongs to one process and is
// not kept for the next one; whoever executes the journal again has to know it.
type Manner struct {
	// Asker says that questions were put to a person.
	Asker bool `json:"asker,omitempty"`
	// OnGate is the rule for questions that have none of their own.
	OnGate string `json:"onGate,omitempty"`
	// RetryFailed says that calls which had failed before were run again.
	RetryFailed bool `json:"retryFailed,omitempty"`
}

// RunStarted opens a journal.
type RunStarted struct {
	// Run is the run's id, so that an export can be verified by itself.
	Run string `json:"run"`
	// Title is meta.name.
	Title     string          `json:"title"`
	Program   Program         `json:"program"`
	Args      json.RawMessage `json:"args"`
	Workspace string          `json:"workspace"`
	Settings  Settings        `json:"settings"`
	// Seed feeds random() and uuid(); hex of 32 bytes.
	Seed string `json:"seed"`
	// Version is the version of assent that wrote the entry.
	Version string  `json:"version"`
	Owner   Process `json:"owner"`
	// Agent is how the run reaches its agents when a later resume names no other.
	Agent  string `json:"agent,omitempty"`
	Manner Manner `json:"manner,omitzero"`
}

// RunResumed begins another attempt.
type RunResumed struct {
	// Program is set if the attempt runs another program than the one before.
	Program *Program `json:"program,omitempty"`
	// Settings are in force from here on, in full.
	Settings Settings `json:"settings"`
	Version  string   `json:"version"`
	Owner    Process  `json:"owner"`
	Agent    string   `json:"agent,omitempty"`
	Manner   Manner   `json:"manner,omitzero"`
}

// CallStarted is written, alone, before a call that may change something is made.
type CallStarted struct {
	Call
	// Repeats says that this repeats finished or interrupted work: "interrupted", "changed",
	// "failed" or "".
	Repeats string `json:"repeats,omitempty"`
}

// Call is what the script asked for; it stands in the call's first entry of an attempt at it
// (call.started, or call.finished when there is no call.started).
type Call struct {
	// Name is the function the script called: "agent", "sleep", or a host function.
	Name string `json:"name"`
	// Args are the arguments as the script gave them.
	Args []json.RawMessage `json:"args"`
	// After is the seq of the answer that caused the call.
	After uint64 `json:"after"`
	// Outside is the part of the identity that comes from outside the script.
	Outside json.RawMessage `json:"outside,omitempty"`
	Label   string          `json:"label,omitempty"`
	Phase   string          `json:"phase,omitempty"`
	// Line and Column are where the script called, in the author's file.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// ReadOnly says that the call cannot change anything outside the run.
	ReadOnly bool `json:"readOnly,omitempty"`
	// Isolated says that the call works in a working tree of its own, and changes nothing else.
	Isolated bool `json:"isolated,omitempty"`
	// Idempotent says that doing the call again ends in the state that doing it once ends in.
	Idempotent bool `json:"idempotent,omitempty"`
	// Under is the gate whose approval the call acts under.
	Under string `json:"under,omitempty"`
}

// CallFinished is a call's answer: a value, or a failure.
type CallFinished struct {
	// Call is set if the call has no call.started of this attempt.
	Call *Call `json:"call,omitempty"`
	// Value is what the script gets; absent for a failure.
	Value   json.RawMessage `json:"value,omitempty"`
	Failure *Failure        `json:"failure,omitempty"`
	Usage   Usage           `json:"usage,omitzero"`
	// DurationMs is how long the call took, in milliseconds.
	DurationMs int64 `json:"durationMs,omitempty"`
	// Note is a remark about how the answer came about, such as a held pipe.
	Note string `json:"note,omitempty"`
	// Changes are what the call did to the repository that it worked in; nil if that is not
	// known, because there is none or because the call is read-only.
	Changes *Changes `json:"changes,omitempty"`
	// Attempts are those that the call took, the last one too, if it took more than one. Usage has
	// what all of them used.
	Attempts []CallAttempt `json:"attempts,omitempty"`
	// Worktree is what a call left in the working tree of its own.
	Worktree *Worktree `json:"worktree,omitempty"`
	// Transcript names what the agent said and did; nil if it told nothing.
	Transcript *Attachment `json:"transcript,omitempty"`
	// Patch is what a call changed that was not to change anything; see READ_ONLY_VIOLATED.
	Patch *Attachment `json:"patch,omitempty"`
}

// Attachment names a file that is kept beside the journal, and what it held when the entry was
// written. It may be gone: the journal does not need it.
type Attachment struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// Worktree is the working tree of one call, and what the call left there.
type Worktree struct {
	// Path is its folder, Branch the branch that is checked out there.
	Path   string `json:"path"`
	Branch string `json:"branch"`
	// Base is the commit that the branch began at, Commit the one that it is at; equal if nothing was done.
	Base   string `json:"base"`
	Commit string `json:"commit"`
	// Files are those that differ between the two, the first of them; More counts the rest.
	Files []FileChange `json:"files,omitempty"`
	More  int          `json:"more,omitempty"`
}

// CallAttempt is one attempt at a call: the first, one that was made because an earlier one failed,
// or a repair round.
type CallAttempt struct {
	// Repair says that the agent was told what was wrong with its last answer.
	Repair bool `json:"repair,omitempty"`
	// Code and Message say why the attempt failed, the message cut; both are absent of one that did
	// not.
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// Violations are what was wrong with an answer that did not satisfy its schema, the first of them.
	Violations []string `json:"violations,omitempty"`
	// DurationMs is how long the attempt took, in milliseconds.
	DurationMs int64 `json:"durationMs,omitempty"`
	Usage      Usage `json:"usage,omitzero"`
}

// Changes are what happened to a git repository while a call was at work. Calls that work at
// the same time in one repository see each other's.
type Changes struct {
	Branches []BranchChange `json:"branches,omitempty"`
	Commits  []Commit       `json:"commits,omitempty"`
	// Files are of the working tree: what is changed there and was not, or not in this way.
	Files []FileChange `json:"files,omitempty"`
	// More counts what was left out because there was too much of it.
	More int `json:"more,omitempty"`
}

// BranchChange is a branch that points elsewhere; From is empty for a new one, To for one that
// is gone.
type BranchChange struct {
	Name string `json:"name"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// Commit is a commit that was not there before.
type Commit struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
}

// FileChange is a file of the working tree; Kind is "added", "changed" or "removed".
type FileChange struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
}

// Failure is why a call has no value.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Class says what the script sees: "ordinary" (null, or an error where the script asked
	// for one), "thrown" (always an error), "fatal" (always an error, never replayed),
	// "cancelled" (never seen).
	Class string `json:"class"`
	// ChosenBy is set if a person took an interrupted call as failed; such a failure stays.
	ChosenBy *Who `json:"chosenBy,omitempty"`
}

// The classes of failures.
const (
	FailureOrdinary  = "ordinary"
	FailureThrown    = "thrown"
	FailureFatal     = "fatal"
	FailureCancelled = "cancelled"
)

// Note is a line of talk from the script: "log", "phase" or "status".
type Note struct {
	Type  string `json:"type"`
	Level string `json:"level,omitempty"`
	Text  string `json:"text"`
	// Data is the object of a status.
	Data  json.RawMessage `json:"data,omitempty"`
	Frame string          `json:"frame,omitempty"`
	// After and Index place the note: the Index-th of the turn that the answer After caused.
	After uint64 `json:"after"`
	Index int    `json:"index"`
}

// RunPaused says that an executor left the run in good order, and why.
type RunPaused struct {
	// State is "waiting" (gates), "interrupted" (Ctrl-C, interrupted calls), "paused" (budget,
	// usage limit).
	State string `json:"state"`
	Code  string `json:"code,omitempty"`
	What  string `json:"what,omitempty"`
}

// RunFinished ends a run. A run that is not cancelled can still be resumed.
type RunFinished struct {
	// State is "completed", "stopped", "failed" or "cancelled".
	State  string          `json:"state"`
	Result json.RawMessage `json:"result,omitempty"`
	Code   string          `json:"code,omitempty"`
	// Error is what ended a failed or stopped run, with the script's position.
	Error string `json:"error,omitempty"`
	// FailedCalls counts calls that failed for good.
	FailedCalls int `json:"failedCalls,omitempty"`
	// Outstanding are the keys of calls that were still at work and were cancelled.
	Outstanding []string `json:"outstanding,omitempty"`
	Who         *Who     `json:"who,omitempty"`
}

// RunImported says that all entries before it were read from an export. What was approved in
// them has lapsed: whether it was revoked since, an export cannot tell.
type RunImported struct {
	// Key is the public key, in hex, whose seals the entries before this one have.
	Key string `json:"key"`
	// Workspace is where the run belongs from here on.
	Workspace string  `json:"workspace"`
	Version   string  `json:"version"`
	Owner     Process `json:"owner"`
}
