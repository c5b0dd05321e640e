package issuedelivery

import (
	"encoding/json"

	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// Outcome is how far a delivery has come, or how it ended: what its journal says, and nothing else. A run
// that was resumed has the outcome that it would have if it had gone through at once.
type Outcome struct {
	Run string `json:"run"`
	// State is that of the run, Exit the exit code that it has on a command line.
	State string `json:"state"`
	Exit  int    `json:"exit"`
	// Success is true only of a delivery that went as far as its lane goes: a pull request that nobody can
	// see is none.
	Success bool `json:"success"`
	// Stage is done, stopped or failed, or where the delivery stands. At is where it was before it ended.
	Stage Stage `json:"stage"`
	At    Stage `json:"at"`
	// Status, StoppedBy, Reason and NextAction are what people are told; see [Stops]. Next is the command
	// that goes on, Finish says that finishing the run does.
	Status     string `json:"status"`
	StoppedBy  string `json:"stoppedBy,omitempty"`
	Reason     string `json:"reason"`
	NextAction string `json:"nextAction"`
	Next       string `json:"next,omitempty"`
	Finish     bool   `json:"finish"`
	// Code is why the engine ended the run, if it was not the script.
	Code string `json:"code,omitempty"`

	Task string `json:"task"`
	// Plan is the one that was asked about last, Approval how that ended; nil if none was.
	Plan     json.RawMessage       `json:"plan,omitempty"`
	Approval *planapprove.Approval `json:"approval,omitempty"`
	// Branch, Commit and PR are the result.
	Branch string       `json:"branch,omitempty"`
	Commit string       `json:"commit,omitempty"`
	PR     *PullRequest `json:"pr,omitempty"`
	// Checks and Verdicts are all that there were, in their order.
	Checks   []CheckRun `json:"checks"`
	Verdicts []Verdict  `json:"verdicts"`
	// Stages are what each stage came to.
	Stages Course `json:"stages"`
	// Handover is the path of the hand-over note, "" if there is none.
	Handover string `json:"handover,omitempty"`
	// Usage is that of the whole run, also of work that was done again.
	Usage journal.Usage `json:"usage,omitzero"`
	// Result is what the script returned.
	Result json.RawMessage `json:"result,omitempty"`
}

// Course is what each stage of a delivery came to; nil are those that it has not come to.
type Course struct {
	Preflight    *PreflightOutcome    `json:"preflight,omitempty"`
	Scout        *ScoutOutcome        `json:"scout,omitempty"`
	Thinker      *ThinkerOutcome      `json:"thinker,omitempty"`
	Planning     *PlanningOutcome     `json:"plan,omitempty"`
	Asking       *AskingOutcome       `json:"approval,omitempty"`
	Workers      *WorkersOutcome      `json:"workers,omitempty"`
	Checks       *ChecksOutcome       `json:"checks,omitempty"`
	Verifier     *VerifierOutcome     `json:"verifier,omitempty"`
	Integration  *IntegrationOutcome  `json:"integration,omitempty"`
	Publication  *PublicationOutcome  `json:"pullRequest,omitempty"`
	Finalization *FinalizationOutcome `json:"finalization,omitempty"`
	Repair       *RepairOutcome       `json:"repair,omitempty"`
}

// Passage is what the calls and questions of one stage came to.
type Passage struct {
	// Calls were begun; Open are those of them that have no answer.
	Calls int `json:"calls"`
	Open  int `json:"open,omitempty"`
	// Failures are those that failed, also such as another attempt made up for.
	Failures []CallFailed `json:"failures,omitempty"`
	// Usage is what the answers that count took.
	Usage journal.Usage `json:"usage,omitzero"`
}

// CallFailed is a call that failed.
type CallFailed struct {
	Call    string `json:"call"`
	Label   string `json:"label,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// PreflightOutcome is what a delivery begins with.
type PreflightOutcome struct {
	Passage
	Task     string         `json:"task"`
	Title    string         `json:"title"`
	Branch   string         `json:"branch"`
	Base     Base           `json:"base"`
	Issues   []Issue        `json:"issues"`
	Commands []CheckCommand `json:"checks"`
	Warnings []string       `json:"warnings"`
}

// Base is the branch that a delivery goes to, and the commit of it that the work began with.
type Base struct {
	Branch string `json:"branch"`
	Commit string `json:"commit"`
	Remote string `json:"remote,omitempty"`
}

// Issue is one that a delivery closes, as it was read.
type Issue struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256"`
}

// CheckCommand is a check that was found.
type CheckCommand struct {
	Name    string   `json:"name"`
	Command []string `json:"command"`
	Kind    string   `json:"kind"`
	Source  string   `json:"source"`
}

// ScoutOutcome is the map of the code.
type ScoutOutcome struct {
	Passage
	Map string `json:"map"`
}

// ThinkerOutcome counts the plans that were made, mended and revised ones too.
type ThinkerOutcome struct {
	Passage
	Drafts int `json:"drafts"`
}

// PlanningOutcome is what the host found of the last plan.
type PlanningOutcome struct {
	Passage
	OK         bool          `json:"ok"`
	Violations []PlanFinding `json:"violations"`
	Warnings   []PlanFinding `json:"warnings"`
	Order      []string      `json:"order"`
	Waves      [][]string    `json:"waves"`
}

// PlanFinding is a rule that a plan breaks.
type PlanFinding struct {
	Code string `json:"code"`
	Step string `json:"step,omitempty"`
	Path string `json:"path,omitempty"`
	What string `json:"what"`
}

// AskingOutcome are the questions that persons were asked about plans, those about amendments too.
type AskingOutcome struct {
	Passage
	Questions []PlanQuestion `json:"questions"`
}

// PlanQuestion is one question about a plan.
type PlanQuestion struct {
	Gate   string `json:"gate"`
	Prompt string `json:"prompt"`
	// Step is the step whose files the plan was amended by; "" if it was not.
	Step     string            `json:"step,omitempty"`
	State    journal.GateState `json:"state"`
	Checksum string            `json:"checksum"`
	Decision json.RawMessage   `json:"decision,omitempty"`
	By       string            `json:"by,omitempty"`
}

// WorkersOutcome is how far the steps of the approved plan are.
type WorkersOutcome struct {
	Passage
	Steps []StepOutcome `json:"steps"`
}

// StepOutcome is one step.
type StepOutcome struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// State is done, failed, at-work or waiting: for steps that it depends on.
	State string `json:"state"`
	// Stage is where it stands.
	Stage    Stage `json:"stage,omitempty"`
	Attempts int   `json:"attempts"`
	// Commit is the step's one commit, once it is done. Branches are those of its attempts.
	Commit   string   `json:"commit,omitempty"`
	Branches []string `json:"branches,omitempty"`
}

// ChecksOutcome are the checks that ran.
type ChecksOutcome struct {
	Passage
	Runs []CheckRun `json:"runs"`
}

// CheckRun is one time that the checks ran.
type CheckRun struct {
	// Step is the one whose work was checked, "" if it was the whole.
	Step    string `json:"step,omitempty"`
	Commit  string `json:"commit"`
	OK      bool   `json:"ok"`
	State   string `json:"state"`
	Summary string `json:"summary"`
}

// VerifierOutcome are the verdicts.
type VerifierOutcome struct {
	Passage
	Verdicts []Verdict `json:"verdicts"`
}

// Verdict is what a verifier said.
type Verdict struct {
	// Step is the one that was judged, "" if it was the whole.
	Step string `json:"step,omitempty"`
	// Passed is true only if the verifier said so, found no test that cannot fail, and gave evidence of
	// each criterion.
	Passed       bool   `json:"passed"`
	Tautological bool   `json:"tautologicalTestDetected"`
	Unmet        []int  `json:"unmet"`
	Feedback     string `json:"feedback"`
}

// IntegrationOutcome is how the steps were put together.
type IntegrationOutcome struct {
	Passage
	// Moved says that the base had moved since the work began; Onto is the commit that the steps went onto.
	Moved bool   `json:"moved"`
	Onto  string `json:"onto"`
	// Applied are the steps that stand on it now, Commit is the result, Conflicts what did not fit.
	Applied   []string   `json:"applied"`
	Commit    string     `json:"commit,omitempty"`
	Conflicts []Conflict `json:"conflicts"`
}

// Conflict is a step that did not fit onto those before it.
type Conflict struct {
	Step  string   `json:"step"`
	Files []string `json:"files"`
}

// PublicationOutcome is what was made for others to see.
type PublicationOutcome struct {
	Passage
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit,omitempty"`
	// PR is nil in a lane without pull requests. Adopted says that it was there already.
	PR      *PullRequest `json:"pr,omitempty"`
	Adopted bool         `json:"adopted"`
}

// PullRequest is the one of a delivery.
type PullRequest struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	State  string `json:"state"`
	Draft  bool   `json:"draft"`
}

// FinalizationOutcome is what git and the forge say of the result.
type FinalizationOutcome struct {
	Passage
	OK         bool   `json:"ok"`
	Status     string `json:"status"`
	Reason     string `json:"reason"`
	NextAction string `json:"nextAction"`
	Details    []struct {
		Condition string `json:"condition"`
		OK        bool   `json:"ok"`
		Found     string `json:"found"`
	} `json:"details"`
}

// RepairOutcome is what a person mends, or mended.
type RepairOutcome struct {
	Passage
	Path   string `json:"path"`
	Branch string `json:"branch"`
	// Repaired says that a person said so last; Commit is what they left.
	Repaired bool   `json:"repaired"`
	Commit   string `json:"commit,omitempty"`
}
