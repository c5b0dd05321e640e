package checkpoint

import "time"

const (
	// MaxPrompt is the longest prompt in bytes: a person has to read it.
	MaxPrompt = 64 << 10
	// MaxChoices and MaxChoice bound what a select offers: a person has to look through it.
	MaxChoices = 1000
	MaxChoice  = 4 << 10
	// MaxAnswer is the longest answer in bytes: what a person types or pastes.
	MaxAnswer = 1 << 20
	// maxAnswerJSON leaves room for escapes: each byte may be written as six.
	maxAnswerJSON = 6*MaxAnswer + 2
	// MaxName is the longest name of a model or an effort in bytes: it stands on a line.
	MaxName = 200
	// MaxReason is the longest reason of a revocation in bytes: it is shown wherever the gate is.
	MaxReason = 4 << 10
	// MaxTimeout is the longest time to a deadline.
	MaxTimeout = 366 * 24 * time.Hour
)
