package forge

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// ErrNoProgram says that there is no gh.
var ErrNoProgram = errors.New("gh is not installed")

// Kind is what a step failed for, as far as that can be told.
type Kind string

// The kinds of failures.
const (
	KindOther     Kind = ""
	KindSignedOut Kind = "signed-out"
	KindLimited   Kind = "rate-limit"
	KindForbidden Kind = "forbidden"
	KindNotFound  Kind = "not-found"
	KindBroken    Kind = "forge-broken"
	KindNetwork   Kind = "network"
	KindLate      Kind = "late"
)

// StepError says which step failed, and how.
type StepError struct {
	Step string
	Kind Kind
	// Exit is gh's exit code, -1 if it had none. Message is the redacted end of what it said, in one line.
	Exit    int
	Message string
	// Limit is the time that it had, for KindLate.
	Limit time.Duration
	// Err is why gh could not be started, or was ended before its time.
	Err error
}

// Error names the step.
func (e *StepError) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("gh, at the step %s: %v", e.Step, e.Err)
	case e.Kind == KindLate:
		return fmt.Sprintf("gh did not finish the step %s in %v", e.Step, e.Limit)
	case e.Message == "":
		return fmt.Sprintf("gh failed at the step %s (exit code %d)", e.Step, e.Exit)
	}
	return fmt.Sprintf("gh failed at the step %s (exit code %d): %s", e.Step, e.Exit, e.Message)
}

// Unwrap returns the cause.
func (e *StepError) Unwrap() error { return e.Err }

// KindOf is the kind of the step's failure that err is.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*StepError](err); ok {
		return e.Kind
	}
	return KindOther
}

// signs are what gh says of its failures, in the order of looking: a rate limit comes with the code 403.
var signs = []struct {
	kind Kind
	form *regexp.Regexp
}{
	{KindLimited, regexp.MustCompile(`(?i)rate limit|HTTP 429|RATE_LIMITED|abuse detection`)},
	{KindSignedOut, regexp.MustCompile(`(?i)HTTP 401|bad credentials|gh auth login|not logged into any|authentication failed|no oauth token`)},
	{KindBroken, regexp.MustCompile(`(?i)HTTP 5\d\d|something went wrong|bad gateway|service unavailable`)},
	{KindForbidden, regexp.MustCompile(`(?i)HTTP 403|not accessible by|must have (push|admin)|does not have the (right|correct) permission|SAML|forbidden|FORBIDDEN`)},
	{KindNotFound, regexp.MustCompile(`(?i)HTTP 404|could not resolve to an? |not found`)},
	{KindNetwork, regexp.MustCompile(`(?i)error connecting to|dial tcp|no such host|connection (refused|reset)|x509|TLS handshake|i/o timeout|\bEOF\b|server closed|proxyconnect|network is unreachable|context deadline exceeded`)},
}

func kindOf(exit int, message string) Kind {
	for _, sign := range signs {
		if sign.form.MatchString(message) {
			return sign.kind
		}
	}
	if exit == 4 { // gh's own code for a missing sign-in
		return KindSignedOut
	}
	return KindOther
}

// fault makes a refusal of a failed step: what failed, and what mends it.
func (f *Forge) fault(e *StepError) error {
	again := "assent resume " + f.run()
	var next string
	switch e.Kind {
	case KindSignedOut:
		next = "gh auth login --hostname " + f.at.Host + "   # then " + again
	case KindLimited:
		next = "gh api rate_limit   # says when it is over; then " + again
	case KindBroken, KindLate:
		next = again + "   # in a while: the forge did not do its part"
	case KindForbidden:
		next = "gh auth status   # see whose sign-in this is, and what it may do in " + f.at.Owner + "/" + f.at.Name + "; then " + again
	case KindNotFound:
		next = "gh repo view " + f.at.String() + "   # the forge has no such thing, or this sign-in may not see it; then " + again
	case KindNetwork:
		next = again + "   # when " + f.at.Host + " can be reached"
	case KindOther:
		next = again
		if strings.Contains(e.Message, "raft pull requests are not supported") {
			next = "assent deliver --ready …   # anew: this repository has no drafts"
		}
	}
	return fault.Wrap(e, fault.ForgeFailed, "the forge "+f.at.Host+" did not do the step "+e.Step, next)
}

// run is the run that the steps belong to.
func (f *Forge) run() string {
	run, _, _ := strings.Cut(f.mark, "/")
	if run == "" {
		return "RUN"
	}
	return run
}
