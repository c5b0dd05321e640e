package term

import "fmt"

// Opinion is what another model says of a plan. All its texts may be hostile, and none of them
// decides anything: they stand apart from ours, behind the gutter, and colour nothing.
type Opinion struct {
	// Model is the name that the script gave.
	Model string
	// Verdict is its one word, Summary and Problems are its reasons.
	Verdict, Summary string
	Problems         []string
	// Failure, if it is not "", says why there is none of these.
	Failure string
}

// opinion adds what another model says. It comes before the plan, so that the plan is read last.
func (c *canvas) opinion(o Opinion) {
	const labels = 10
	c.head("Another model's opinion (it decides nothing; check it against the plan):")
	c.field(0, Pad("model", labels), o.Model)
	if o.Failure != "" {
		c.say("no verdict:")
		c.quote(0, o.Failure)
		return
	}
	c.field(0, Pad("verdict", labels), o.Verdict)
	if o.Summary != "" {
		c.quote(0, o.Summary)
	}
	for i, problem := range o.Problems {
		c.field(2, fmt.Sprintf("%d.", i+1), problem)
	}
}

// texts gives what the model wrote, by where it stands, for those who look for deceit.
func (o Opinion) texts(at func(path, text string)) {
	at("validator's model", o.Model)
	at("opinion", o.Summary)
	at("opinion", o.Failure)
	for i, problem := range o.Problems {
		at(fmt.Sprintf("opinion, problem %d", i+1), problem)
	}
}
