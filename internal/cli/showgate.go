package cli

import (
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// gateReport is a question, as show --call --json prints it.
type gateReport struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	gateRow
}

// showGate prints what a person was asked last at a call, and what came of it.
func (a *app) showGate(st *journal.State, g *journal.Gate, owned bool) error {
	if a.json {
		return a.emit(gateReport{jsonFormat, st.ID, planRows([]*journal.Gate{g}, a.moment(st, owned))[0]})
	}
	return a.print(a.gateText(st, g, owned))
}

// gateText is a question for people, escaped as callText is.
func (a *app) gateText(st *journal.State, g *journal.Gate, owned bool) string {
	var c card
	c.fact("call", g.Key)
	c.fact("gate", g.Asked.Gate)
	c.fact("phase", g.Asked.Phase)
	c.fact("state", outcome(g))
	if why := lapsed(g, a.moment(st, owned)); why != "" {
		c.fact("but", lapsedText(why, st.ID))
	}
	c.fact("place", problem{File: g.Asked.File, Line: g.Asked.Line, Column: g.Asked.Column}.place())
	c.fact("asked", a.clock(g.At))
	c.fact("used", usageText(st.UsageAt(g.Seq))) // until then
	if g.Asked.Revises != "" {
		c.fact("in place of", g.Asked.Revises+" ("+g.Asked.Reason+")")
	}
	if !g.Asked.Deadline.IsZero() {
		c.fact("deadline", a.clock(g.Asked.Deadline))
	}
	c.block("question", g.Asked.Prompt)
	if len(g.Asked.Choices) > 0 {
		c.block("choices", strings.Join(g.Asked.Choices, "\n"))
	}
	if g.Asked.Kind == string(checkpoint.KindPlan) {
		c.block("plan", readable([]byte(g.Asked.Plan)))
		c.line()
		c.fact("sha256", g.Asked.Checksum)
	} else if len(g.Asked.Default) > 0 {
		c.block("default", readable(g.Asked.Default))
	}
	if v := g.Asked.Validation; v != nil {
		c.block("opinion of "+term.Escape(v.By())+", another model", strings.Join(append([]string{v.Verdict + v.Failure, v.Summary}, v.Problems...), "\n"))
	}
	if g.Answer != nil {
		c.block("answer", readable(g.Answer.Decision))
	}
	if g.State != journal.Pending {
		c.line()
		c.fact("ended", a.clock(g.AnswerAt))
	}
	return c.String()
}
