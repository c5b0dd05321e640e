package fault

// Code names a kind of refusal. Codes are a contract: they are never renamed and never
// given a second meaning. docs/reference/errors.md explains each one, and a test holds the
// two lists together.
type Code string

// Gates: what a script, a person or an asker did wrong, or too late.
const (
	PlanNotJSON            Code = "PLAN_NOT_JSON"
	PlanTooLarge           Code = "PLAN_TOO_LARGE"
	ApprovalDefault        Code = "APPROVAL_DEFAULT_NOT_FALSE"
	CheckpointNeedsDefault Code = "CHECKPOINT_NEEDS_DEFAULT"
	CheckpointInvalid      Code = "CHECKPOINT_INVALID"
	AnswerInvalid          Code = "ANSWER_INVALID"
	PlanInteractive        Code = "PLAN_REQUIRES_INTERACTIVE_SESSION"
	HumanInputRequired     Code = "HUMAN_INPUT_REQUIRED"
	PlanNotApproved        Code = "PLAN_NOT_APPROVED"
	PlanApprovalTimeout    Code = "PLAN_APPROVAL_TIMEOUT"
	PlanApprovalStale      Code = "PLAN_APPROVAL_STALE"
	PlanApprovalConflict   Code = "PLAN_APPROVAL_CONFLICT"
	PlanApprovalInterrupt  Code = "PLAN_APPROVAL_INTERRUPTED"
	GateAmbiguous          Code = "GATE_AMBIGUOUS"
	GateUnknown            Code = "GATE_UNKNOWN"
	GateWaiting            Code = "GATE_WAITING"
	ChecksumInvalid        Code = "CHECKSUM_INVALID"
	ApproverIsAgent        Code = "APPROVER_IS_AGENT"
)

// Options of calls.
const (
	OptionUnknown      Code = "OPTION_UNKNOWN"
	OptionInvalid      Code = "OPTION_INVALID"
	OptionNotAvailable Code = "OPTION_NOT_AVAILABLE"
)

// Runs: what stops, pauses or fails one.
const (
	NondeterministicScript Code = "NONDETERMINISTIC_SCRIPT"
	CallsInterrupted       Code = "CALLS_INTERRUPTED"
	WorkWouldRepeat        Code = "FINISHED_WORK_WOULD_REPEAT"
	BudgetExceeded         Code = "BUDGET_EXCEEDED"
	WallClockLimit         Code = "WALL_CLOCK_LIMIT"
	RunInterrupted         Code = "RUN_INTERRUPTED"
	RunCancelled           Code = "RUN_CANCELLED"
	RunFinished            Code = "RUN_FINISHED"
	ReplayDiverged         Code = "REPLAY_DIVERGED"
)

// The journal.
const (
	RunUnknown       Code = "RUN_UNKNOWN"
	RunAmbiguous     Code = "RUN_AMBIGUOUS"
	RunBusy          Code = "RUN_BUSY"
	RunWaiting       Code = "RUN_WAITING"
	LeaseLost        Code = "LEASE_LOST"
	NotAJournal      Code = "NOT_A_JOURNAL"
	JournalDamaged   Code = "JOURNAL_DAMAGED"
	JournalRollback  Code = "JOURNAL_ROLLED_BACK"
	JournalForged    Code = "JOURNAL_FORGED"
	JournalUnproven  Code = "JOURNAL_UNPROVEN"
	JournalTooNew    Code = "JOURNAL_TOO_NEW"
	StoreUnsafe      Code = "STORE_UNSAFE"
	KeyUnusable      Code = "KEY_UNUSABLE"
	EntryTooLarge    Code = "ENTRY_TOO_LARGE"
	TransitionAbsent Code = "INVALID_TRANSITION"
)

// Agents.
const (
	AgentNotConfigured  Code = "AGENT_NOT_CONFIGURED"
	AgentFailed         Code = "AGENT_FAILED"
	AgentTimeout        Code = "AGENT_TIMEOUT"
	AgentOutputTooLarge Code = "AGENT_OUTPUT_TOO_LARGE"
	AgentAnswerInvalid  Code = "AGENT_ANSWER_INVALID"
	SchemaInvalid       Code = "SCHEMA_INVALID"
	SchemaNoncompliance Code = "SCHEMA_NONCOMPLIANCE"
	UsageLimit          Code = "USAGE_LIMIT"
)

// The command line.
const (
	Usage           Code = "USAGE"
	ConfigInvalid   Code = "CONFIG_INVALID"
	WorkflowUnknown Code = "WORKFLOW_UNKNOWN"
	ArgsInvalid     Code = "ARGS_INVALID"
	ProgramMissing  Code = "PROGRAM_MISSING"
)
