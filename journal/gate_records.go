package journal

import (
	"bytes"
	"encoding/json"
	"time"
)

// GateAsked opens a gate: one question about one plan, asked once.
type GateAsked struct {
	// Gate is the gate's id, new with each asking.
	Gate string `json:"gate"`
	// Nonce is new with each asking; an answer repeats it. 32 hex digits.
	Nonce string `json:"nonce"`
	// Kind is "confirm", "input", "select" or "plan".
	Kind    string          `json:"kind"`
	Prompt  string          `json:"prompt"`
	Choices []string        `json:"choices,omitempty"`
	Default json.RawMessage `json:"default,omitempty"`
	// Headless is the script's own rule, "" if it gave none.
	Headless string `json:"headless,omitempty"`
	// Checksum is the hex SHA-256 of Plan. Of a checkpoint it is that of the question.
	Checksum string `json:"checksum"`
	// Plan is the canonical text of the plan, kept as text so that no reader re-forms it.
	Plan string `json:"plan,omitempty"`
	// Program is the hash of the program that asked.
	Program string `json:"program"`
	After   uint64 `json:"after"`
	// Deadline is absolute; zero if there is none.
	Deadline time.Time `json:"deadline,omitzero"`
	// Suspended says that the question belongs to no process's screen from the start.
	Suspended bool `json:"suspended,omitempty"`
	// Revises is the gate that this one takes the place of, and Reason why: "drift",
	// "interrupted", "expired", "defaulted", "script changed", "repeated", "revoked", "lapsed".
	Revises string `json:"revises,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Phase   string `json:"phase,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	// Artifact is the plan's copy in the workspace, Validation what another model says of it.
	Artifact   *Artifact   `json:"artifact,omitempty"`
	Validation *Validation `json:"validation,omitempty"`
	// Call is the key of the call whose agent asks leave to use a tool; "" if the script asks. Such an
	// answer goes to the agent, and is never replayed.
	Call string `json:"call,omitempty"`
}

// Artifact is the copy of a plan that was written before the question was asked. The journal's
// text is the plan; the copy is for reading, and no input of an approval.
type Artifact struct {
	// Path is relative to the run's workspace, with slashes.
	Path string `json:"path"`
	// SHA256 is the hex SHA-256 of the file's bytes, Size how many there are.
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// Validation is what another model says of a plan before a person is asked. It decides nothing.
type Validation struct {
	// Call is the key of the call that asked it.
	Call  string `json:"call"`
	Model string `json:"model"`
	// AgentType is the type of the agent that was asked, "" if none was named.
	AgentType string `json:"agentType,omitempty"`
	// Verdict is "sound" or "doubtful"; "" if there is a Failure.
	Verdict string `json:"verdict,omitempty"`
	// Summary and Problems are its words.
	Summary  string   `json:"summary,omitempty"`
	Problems []string `json:"problems,omitempty"`
	// Failure says why there is no verdict.
	Failure string `json:"failure,omitempty"`
}

// By names who looked at the plan: a model, an agent of a type, or both.
func (v *Validation) By() string {
	switch {
	case v.AgentType == "":
		return v.Model
	case v.Model == "":
		return "agent type " + v.AgentType
	}
	return v.Model + " as " + v.AgentType
}

// GateSuspended says that a gate no longer belongs to the process that showed it: it
// outlives the process, and can be answered while nothing executes the run.
type GateSuspended struct {
	Gate string `json:"gate"`
}

// GateAnswered is the sealed answer to one asking. It repeats all that it answers, so that
// it can be moved to no other run, call, program or question.
type GateAnswered struct {
	Gate     string `json:"gate"`
	Nonce    string `json:"nonce"`
	Checksum string `json:"checksum"`
	Program  string `json:"program"`
	// Decision is true, false, or a text; for input and select the text given.
	Decision json.RawMessage `json:"decision"`
	// Unanswered is "headless" if nobody answered and the default stands.
	Unanswered string `json:"unanswered,omitempty"`
	Who        Who    `json:"who"`
	// PlanApproval is set for a plan, in this entry only.
	PlanApproval *PlanApproval `json:"planApproval,omitempty"`
	// Mode is the permission mode that an approval was given with.
	Mode string `json:"mode,omitempty"`
	// Model and Effort are those of the calls that are made under an approval, if the person
	// chose any.
	Model  string `json:"model,omitempty"`
	Effort string `json:"effort,omitempty"`
}

// PlanApproval is a person's word on a plan.
type PlanApproval struct {
	Checksum string          `json:"checksum"`
	Decision json.RawMessage `json:"decision"`
	// ApprovedAt is set only if Decision is true.
	ApprovedAt time.Time `json:"approvedAt,omitzero"`
}

// repeats says that p is there and is about the plan and the decision of answer.
func (p *PlanApproval) repeats(answer GateAnswered) bool {
	return p != nil && p.Checksum == answer.Checksum && bytes.Equal(p.Decision, answer.Decision)
}

// Who gave an answer.
type Who struct {
	User string `json:"user"`
	Host string `json:"host"`
	// Way is "terminal", "command", "web", "asker", "simulated", or "" if nobody answered.
	Way string `json:"way"`
	// Name is what an asker calls the person.
	Name string `json:"name,omitempty"`
}

// GateClosed ends a gate without an answer.
type GateClosed struct {
	Gate string `json:"gate"`
	// State is "expired", "interrupted", "cancelled" or "superseded".
	State string `json:"state"`
	// Code is the code of the closing, such as PLAN_APPROVAL_TIMEOUT.
	Code string `json:"code,omitempty"`
}

// GateRevoked withdraws an approval. It is sealed, and repeats what was approved.
type GateRevoked struct {
	Gate     string `json:"gate"`
	Nonce    string `json:"nonce"`
	Checksum string `json:"checksum"`
	Who      Who    `json:"who"`
	// Reason is what the person said about it.
	Reason string `json:"reason,omitempty"`
}
