package cli

import (
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// edit is why a run goes on with another script.
const edit = "edit the rest, pay nothing twice"

// morePhase is when an edited script gets past calls that a phase had no budget left for.
const morePhase = "once the script gives the phase more"

// steps are the commands that go on from there, where the script is a file.
func (s standing) steps() []hint {
	resume := "assent resume " + s.run
	switch {
	case len(s.open()) == 1 && s.finishable:
		return append([]hint{{"assent deliver --finish " + s.run, "after you have repaired and committed it"}}, s.answers(false)...)
	case len(s.open()) > 0:
		return s.answers(false)
	case len(s.gates) > 0 && (!s.owned || s.unproven):
		return s.lapsed(resume)
	}
	switch s.state {
	case journal.StatusCompleted:
		if s.revoked {
			return s.askedAnew()
		}
		if s.delivery != nil {
			return s.afterDelivery() // what failed on the way was done otherwise
		}
		switch {
		case s.failedCalls:
			return []hint{{resume, "tries the failed calls again"}}
		case s.phaseSpent:
			return []hint{{resume + " --script " + s.script, morePhase}}
		}
	case journal.StatusStopped:
		return s.afterStop(resume)
	case journal.StatusFailed:
		return s.afterFailure(resume)
	case journal.StatusPaused:
		if past := s.past(); past != nil {
			return past
		}
		return []hint{{s.resume(), ""}}
	case journal.StatusInterrupted:
		return s.afterInterruption()
	case journal.StatusWaiting:
		return []hint{{s.resume(), ""}}
	}
	return nil
}

// past are the commands that get past what no answer to a question helps with; nil if nothing of
// that kind stands in the way.
func (s standing) past() []hint {
	switch {
	case s.owned:
		return nil
	case s.interrupted || s.changed:
		return s.afterInterruption()
	case s.state == journal.StatusPaused && s.code == string(fault.BudgetExceeded):
		return []hint{{s.resume(" --budget MORE"), ""}}
	case s.state == journal.StatusPaused && s.code == string(fault.UsageLimit):
		why := "when the agent's provider gives more"
		if !s.until.IsZero() {
			why += ", from " + s.until.Local().Format("2006-01-02 15:04 MST") + " on"
		}
		return []hint{{s.resume(), why}}
	}
	return nil
}

// resume goes on with a run whose questions wait: one that may come up then waits too, as the
// earlier ones did. The rule of a process is not kept in the journal.
func (s standing) resume(flags ...string) string {
	command := "assent resume " + s.run + strings.Join(flags, "")
	if s.suspends {
		command += suspended
	}
	return command
}

// suspended leaves questions open for another terminal.
const suspended = " --on-gate suspend"

// afterFailure: the same script fails the same way; going on with it helps only where something
// outside of it failed.
func (s standing) afterFailure(resume string) []hint {
	switch fault.Code(s.code) {
	case fault.PlanNotApproved:
		if g := s.stoppedBy; g != nil && (g.State == journal.Defaulted || g.State == journal.Expired) {
			return s.afterStop(resume) // work was to be done under a plan that nobody answered
		}
	case fault.AgentNotConfigured:
		return s.withoutAgent(resume)
	case fault.PlanConfiguration:
		return s.refusedPolicy(resume)
	case fault.PlanArtifactUnwritable:
		return []hint{{s.resume(), "once " + planapprove.ArtifactFolder + " is a folder that you can write to"}}
	case fault.AgentTypeInvalid:
		return []hint{{resume, "after mending the agent type's file"}}
	case fault.AgentTypeUnknown:
		return []hint{{"assent agents", "lists the agent types"}, {resume + " --script " + s.script, "after mending it"}, {resume, "once there is such a type"}}
	case fault.TierNotConfigured:
		return []hint{{resume + " --tiers", "after writing the tier into " + configName}}
	case fault.ModelUnknown:
		return []hint{{resume + " --script " + s.script, "after mending it"}, {resume, "after adding the model to the agent's models"}}
	case fault.WallClockLimit:
		return []hint{{resume + " --max-time LONGER", ""}}
	case fault.LoopGuard:
		return []hint{{resume + " --script " + s.script, "after giving the loop an end"}, {resume + " --loop-guard warn", "goes on as it is"}}
	case fault.CheckpointNeedsDefault:
		return []hint{
			{resume + suspended, "leaves the question open for another terminal"},
			{resume, "in a terminal, asks"},
			{resume + " --script " + s.script, "after giving it a default"},
		}
	case callLimit:
		return []hint{{resume + " --max-agents MORE", ""}}
	}
	edited, again := hint{resume + " --script " + s.script, "after mending it"}, hint{resume, "tries the failed calls again"}
	switch {
	case !s.failedCalls && s.phaseSpent:
		return []hint{{edited.command, morePhase}}
	case !s.failedCalls:
		return []hint{edited}
	case strings.HasPrefix(s.code, "AGENT_"): // the script is most likely right
		return []hint{again, edited}
	}
	return []hint{edited, again}
}

// callLimit is the machine's code for a script that called too often.
const callLimit fault.Code = "CALL_LIMIT"

// withoutAgent is for a script that calls an agent when there is none.
func (s standing) withoutAgent(resume string) []hint {
	switch {
	case s.install != "":
		return []hint{{"", "install it: " + s.install}, {resume, "then"}, {resume + " --agent 'COMMAND ARGS'", "with another agent"}}
	case s.agent != "":
		return []hint{{resume, "when the agent's program is there"}, {resume + " --agent 'COMMAND ARGS'", "with another agent"}}
	case len(s.agents) > 0:
		return []hint{
			{"", "none of the configured agents is the default: write agent = \"" + s.agents[0] + "\" at the top of " + configName +
				"; configured are " + strings.Join(s.agents, ", ")},
			{resume + " --agent " + s.agents[0], ""},
		}
	}
	return append(installable(), hint{"", pasteAgent}, hint{resume, ""})
}

// afterInterruption: a terminal asks what becomes of calls that may have changed something;
// elsewhere flags say it.
func (s standing) afterInterruption() []hint {
	flags := ""
	if s.interrupted {
		flags += " --rerun-interrupted"
	}
	if s.changed {
		flags += " --rerun-changed"
	}
	if flags == "" {
		return []hint{{s.resume(), ""}}
	}
	hints := []hint{{s.resume(), "in a terminal, asks about the calls that would run again"}, {s.resume(flags), "runs them again"}}
	if s.following && !s.changed {
		hints = append(hints, hint{s.resume(flags, " --rerun-changed"), "and those that follow, where they have to"})
	}
	return hints
}

func (s standing) afterStop(resume string) []hint {
	g := s.stoppedBy
	edited := resume + " --script " + s.script
	switch {
	case s.revoked:
		return s.askedAnew()
	case s.unawaited:
		return []hint{{edited, "after writing await before planApprove"}}
	case s.code == string(fault.HumanInputRequired):
		return []hint{{resume, "in a terminal"}}
	case s.violated != "":
		return []hint{
			{"assent show " + s.run + " --call " + quoteCommand([]string{s.violated}), "says what it changed, and how to undo that"},
			{resume, "after undoing it: what is left counts as yours"},
		}
	case s.delivery != nil && (g == nil || g.State != journal.Defaulted && g.State != journal.Expired):
		if hints := s.afterDelivery(); hints != nil {
			return hints
		}
	}
	switch {
	case g == nil && s.failedCalls:
		return []hint{{resume, "asks the failed agents again"}, {edited, edit}}
	case g == nil && s.phaseSpent:
		return []hint{{edited, morePhase}}
	case g == nil:
		return []hint{{edited, edit}}
	case g.State == journal.Defaulted || g.State == journal.Expired:
		return []hint{
			{resume + suspended, "leaves the question open for another terminal"},
			{resume, "in a terminal, asks again"},
		}
	case g.State == journal.ChangesRequested:
		return []hint{{edited, "an edited script asks anew; the same one gets the same text again"}}
	default: // a person said no
		return []hint{{edited, "an edited script asks anew; for the same one the no stands"}}
	}
}
