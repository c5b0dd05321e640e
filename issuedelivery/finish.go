package issuedelivery

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// repaired is an asker that says yes to the question whether it was repaired, once: what is found wrong
// with the repair is asked about again, and that question is another one.
type repaired struct {
	who  journal.Who
	next engine.Asker
	said atomic.Bool
}

var _ engine.Asker = (*repaired)(nil)

// finisher is the asker of a run that is finished. Below an agent there is none: who repaired it is a
// person. The other errors are REPAIR_NOT_ASKED and what the journal has.
func finisher(ctx context.Context, e engine.Options, run string, who journal.Who) (engine.Asker, error) {
	if marker, under := process.UnderAgent(); under {
		return nil, fault.New(fault.ApproverIsAgent, "a run started this process ("+marker+"), and what a run starts does not say that it was repaired",
			"a person says so, in a terminal of their own")
	}
	visit, err := e.Store.Visit(ctx, run)
	if err != nil {
		return nil, err
	}
	defer visit.Close() // a visit that only read has nothing to lose
	if err := canFinish(visit.State()); err != nil {
		return nil, err
	}
	who.Way = cmp.Or(who.Way, "command")
	return &repaired{who: who, next: e.Asker}, nil
}

// canFinish refuses a run in which nobody would be asked whether it was repaired.
func canFinish(st *journal.State) error {
	j, err := walk(st)
	if err != nil {
		return err
	}
	show := "assent show " + st.ID + "   # says why it stopped"
	switch g := repairQuestion(j); {
	case g == nil:
		return fault.New(fault.RepairNotAsked, "the run "+st.ID+" did not stop where somebody can repair something", show)
	case g.State == journal.Answered && string(checkpoint.Decision(g)) != "true":
		return fault.New(fault.RepairNotAsked, fmt.Sprintf("%s@%s said that it was not repaired, and an answer stays one", g.Answer.Who.User, g.Answer.Who.Host), show)
	case g.State == journal.Answered && st.Finished != nil:
		return fault.New(fault.RepairNotAsked, "it was repaired, and the run went on and ended", show)
	}
	return nil
}

// Ask answers the one question, and leaves all others to whoever is asked otherwise; if nobody is, they
// wait.
func (r *repaired) Ask(ctx context.Context, asked checkpoint.Asked) (checkpoint.Answer, error) {
	if isRepairQuestion(&journal.Gate{Asked: asked.Gate}) && !r.said.Swap(true) {
		return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: asked.Gate.Checksum, Nonce: asked.Gate.Nonce, Who: r.who}, nil
	}
	if r.next == nil {
		return checkpoint.Answer{Later: true}, nil
	}
	return r.next.Ask(ctx, asked)
}
