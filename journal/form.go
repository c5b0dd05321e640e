package journal

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// A record may hold free text anywhere: what shows it escapes it. What the format calls one of a
// list, or an id, a hash or a nonce, is held to that when it is written and when it is read: it
// stands in commands and in states, where nobody expects a stranger's words.

// formed is a record that has members of a fixed form.
type formed interface{ form() error }

// oneOf refuses a value that is in no list of the format. "" stands for a member that is left out,
// where the list has it.
func oneOf(what, value string, list ...string) error {
	if slices.Contains(list, value) {
		return nil
	}
	return invalid("%s cannot be %.40q", what, value)
}

// hexOf refuses what is not so many lower-case hex digits.
func hexOf(what, value string, digits int) error {
	for i := range len(value) {
		if c := value[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return invalid("%s is not hex: %.40q", what, value)
		}
	}
	if len(value) != digits {
		return invalid("%s has %d hex digits instead of %d", what, len(value), digits)
	}
	return nil
}

// maxName is the longest id of a gate and the longest name of a program that asks.
const maxName = 64

// named refuses what is no id: letters, digits and hyphens, and no hyphen in front, where it would
// be an option.
func named(what, value string) error {
	ok := value != "" && len(value) <= maxName && value[0] != '-'
	for i := range len(value) {
		c := value[i]
		ok = ok && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-')
	}
	if !ok {
		return invalid("%s is not made of letters, digits and hyphens, %d at most: %.80q", what, maxName, value)
	}
	return nil
}

// optional checks what is there.
func optional(check func(what, value string) error, what, value string) error {
	if value == "" {
		return nil
	}
	return check(what, value)
}

func sha256Of(what, value string) error { return hexOf(what, value, 64) }

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// form: a run that a Go program keeps has perhaps no script, and so no hash.
func (p Program) form() error { return optional(sha256Of, "the hash of the program", p.Hash) }

func (s Settings) form() error {
	return oneOf("settings.loopGuard", s.LoopGuard, "", "warn", "stop", "off")
}

func (m Manner) form() error {
	return oneOf("manner.onGate", m.OnGate, "", "default", "abort", "suspend")
}

func (w Who) form() error {
	return oneOf("who.way", w.Way, "", "terminal", "command", "web", "asker", "simulated")
}

func (r RunStarted) form() error {
	return firstOf(r.Program.form(), r.Settings.form(), r.Manner.form(), optional(sha256Of, "the seed", r.Seed))
}

func (r RunResumed) form() error {
	if r.Program != nil {
		if err := r.Program.form(); err != nil {
			return err
		}
	}
	return firstOf(r.Settings.form(), r.Manner.form())
}

func (r CallStarted) form() error {
	return oneOf("repeats", r.Repeats, "", "interrupted", "changed", "failed")
}

func (r CallFinished) form() error {
	if f := r.Failure; f != nil {
		if err := oneOf("the class of a failure", f.Class, FailureOrdinary, FailureThrown, FailureFatal, FailureCancelled); err != nil {
			return err
		}
		if f.ChosenBy != nil {
			if err := f.ChosenBy.form(); err != nil {
				return err
			}
		}
	}
	if r.Changes != nil {
		if err := filesForm(r.Changes.Files); err != nil {
			return err
		}
	}
	return firstOf(r.Transcript.form("transcript"), r.Patch.form("patch"), r.Worktree.form())
}

func filesForm(files []FileChange) error {
	for _, f := range files {
		if err := oneOf("the kind of a changed file", f.Kind, "added", "changed", "removed"); err != nil {
			return err
		}
	}
	return nil
}

func (a *Attachment) form(what string) error {
	if a == nil {
		return nil
	}
	if a.Size < 0 {
		return invalid("the %s has %d bytes", what, a.Size)
	}
	return firstOf(attachmentName("the "+what, a.Name), sha256Of("the hash of the "+what, a.SHA256))
}

// branchForm is a branch as git and any shell take it.
var branchForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,254}$`)

func (w *Worktree) form() error {
	if w == nil {
		return nil
	}
	if !branchForm.MatchString(w.Branch) || strings.Contains(w.Branch, "..") {
		return invalid("worktree.branch cannot be %.40q", w.Branch)
	}
	if w.More < 0 {
		return invalid("worktree.more is %d", w.More)
	}
	return firstOf(commitID("worktree.base", w.Base), commitID("worktree.commit", w.Commit), filesForm(w.Files))
}

// commitID refuses what is neither of the two forms of an id of git.
func commitID(what, value string) error {
	if len(value) == 64 { // SHA-256; the other is SHA-1
		return sha256Of(what, value)
	}
	return hexOf(what, value, 40)
}

func (r GateAsked) form() error {
	err := firstOf(
		named("the id of a gate", r.Gate), hexOf("the nonce of a gate", r.Nonce, 32), sha256Of("the checksum of a gate", r.Checksum),
		oneOf("the kind of a question", r.Kind, "confirm", "input", "select", "plan"),
		oneOf("headless", r.Headless, "", "default", "abort", "suspend"),
		optional(named, "the name of the program that asks", r.Program), optional(named, "the gate in whose place one stands", r.Revises))
	if err == nil && r.Artifact != nil {
		err = sha256Of("the checksum of a copy", r.Artifact.SHA256)
	}
	if err == nil && r.Validation != nil {
		err = oneOf("a verdict", r.Validation.Verdict, "", "sound", "doubtful")
	}
	return err
}

func (r GateAnswered) form() error {
	return firstOf(
		oneOf("unanswered", r.Unanswered, "", "headless"), oneOf("mode", r.Mode, "", "ask", "accept-edits", "auto"), r.Who.form())
}

func (r GateRevoked) form() error { return r.Who.form() }

func (r Note) form() error { return oneOf("the type of a note", r.Type, "log", "phase", "status") }

func (r RunPaused) form() error {
	return oneOf("the state of a pause", r.State, StatusWaiting, StatusInterrupted, StatusPaused)
}

func (r RunFinished) form() error {
	if r.Who == nil {
		return nil
	}
	return r.Who.form()
}

func (r RunImported) form() error { return sha256Of("the key of an import", r.Key) }

// caused refuses a cause that cannot be one. 0 is none, as of a question that no script asked.
func (st *State) caused(e Entry, after uint64) error {
	if after == 0 {
		return nil
	}
	if _, found := slices.BinarySearch(st.causes, after); !found || after >= e.Seq {
		return invalid("%s cannot come after entry %d, which is no answer before it", e.Kind, after)
	}
	return nil
}

// causes reports whether a script goes on after an entry of this kind.
func (k Kind) causes() bool {
	switch k {
	case KindRunStarted, KindCallFinished, KindGateAnswered, KindGateClosed:
		return true
	}
	return false
}

func invalid(format string, args ...any) error {
	return fault.New(fault.TransitionAbsent, fmt.Sprintf(format, args...), "look at the run again")
}
