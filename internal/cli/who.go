package cli

import (
	"os"
	"os/user"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// The ways in which an answer comes from the command line.
const (
	wayTerminal  = "terminal"
	wayCommand   = "command"
	waySimulated = "simulated"
)

// who is this process's user, as the operating system knows them.
func who(way string) journal.Who {
	w := journal.Who{Way: way}
	if u, err := user.Current(); err == nil {
		w.User = u.Username
	}
	w.Host, _ = os.Hostname() // an empty one says that it is not known
	return w
}

// refuseAgents refuses to answer for a person below a run's agent.
func refuseAgents() error {
	if marker, under := process.UnderAgent(); under {
		return fault.New(fault.ApproverIsAgent, "a run started this process ("+marker+"), and what a run starts does not answer gates",
			"a person answers, in a terminal of their own")
	}
	return nil
}
