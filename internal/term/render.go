package term

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// maxFindings is how many findings are listed; the rest is counted, and marked in the text.
const maxFindings = 20

// Show writes a review in full, without asking. It is the same text that Ask pages through.
func Show(w io.Writer, r Review, width int) error {
	if err := r.check(); err != nil {
		return err
	}
	c := newCanvas(width, r.Color)
	c.review(r)
	_, err := io.WriteString(w, strings.Join(c.rows, "\n")+"\n")
	return err
}

// RenderPlan gives the rows of a plan, for reading and then in full.
func RenderPlan(plan []byte, width int, color bool) []string {
	c := newCanvas(width, color)
	c.reading(plan)
	c.full(plan)
	return c.rows
}

// review lays a question out in the order in which it is decided: what is asked, what is to be
// known first, the plan for reading, what a yes gives; and at the end the text that is hashed.
func (c *canvas) review(r Review) {
	c.title(r)
	if r.Used != "" {
		c.say("Used so far: " + Escape(r.Used) + ".")
	}
	c.field(0, "The script asks (its words, not Assent's):", r.Prompt)
	if r.Kind == KindSelect {
		c.choices(r.Choices)
	}
	for _, note := range r.Notes {
		c.head("Note:")
		c.quote(0, note)
	}
	for _, d := range []struct{ than, lines string }{{"that you sent back", r.Revision}, {"that was approved last", r.Diff}} {
		if d.lines != "" {
			c.head("Changed since the plan " + d.than + " (see also: assent diff " + Escape(r.RunID) + "):")
			c.difference(d.lines)
		}
	}
	if r.Opinion != nil {
		c.opinion(*r.Opinion)
	}
	c.findings(r)
	if r.Kind != KindPlan {
		c.gap()
		c.terms(r)
		c.fact("checksum", r.Checksum)
		return
	}
	c.reading(r.Plan)
	c.gap()
	c.terms(r)
	c.full(r.Plan)
	check := "assent show " + Escape(r.RunID)
	if r.Position != "" {
		check += " --gate " + Escape(r.GateID)
	}
	c.say("End of the plan. Its SHA-256 (" + check + " --raw | sha256sum):")
	c.say(Escape(r.Checksum))
	c.fact("A copy:", r.Copy)
}

// title is what waits, and where: on one row if it fits, or on two.
func (c *canvas) title(r Review) {
	text := map[Kind]string{
		KindPlan: "A plan waits for your decision", KindConfirm: "A question waits for yes or no",
		KindInput: "A question waits for a text", KindSelect: "A question waits for a choice",
	}[r.Kind]
	if r.Position != "" {
		text += " (" + Escape(r.Position) + ")"
	}
	facts := []struct{ label, value string }{{"run", r.RunID}, {"gate", r.GateID}, {"name", r.Title}} // the script's word last
	var where []string
	for _, f := range facts {
		if f.value != "" {
			where = append(where, f.label+" "+squeeze(Escape(f.value)))
		}
	}
	place := strings.Join(where, ", ")
	switch {
	case place == "":
		c.head(text)
	case Width(text)+2+Width(place) <= c.width:
		c.gap()
		c.row(c.st.paint(bold, text+":") + " " + c.st.marks(place))
	case Width(place) <= c.width:
		c.head(text)
		c.row(c.st.marks(place))
	default:
		c.head(text)
		for _, f := range facts {
			c.fact(f.label, f.value)
		}
	}
}

// fact adds a label of ours with a value, if there is one.
func (c *canvas) fact(label, value string) {
	if value != "" {
		c.field(0, label, value)
	}
}

// terms say what an answer gives, and what stands without one.
func (c *canvas) terms(r Review) {
	if r.Mode != "" {
		c.field(0, wordApprove+" alone gives the work under this plan the mode:", r.Mode)
		for _, m := range r.Modes {
			c.say(wordApprove + " " + m.Name + ": " + m.Help)
		}
	}
	switch {
	case !r.HasDefault || r.Kind == KindPlan:
	case r.Kind == KindConfirm:
		c.say("default: " + Escape(r.Default) + " (if nobody answers)")
	case r.Default == "":
		c.say("default: an empty text (if nobody answers)")
	default:
		c.field(0, "default (if nobody answers):", r.Default)
	}
	if !r.Deadline.IsZero() {
		now := r.Now
		if now.IsZero() {
			now = time.Now()
		}
		c.say("answer by " + r.Deadline.Format("2006-01-02 15:04:05 MST") + " (" + Age(r.Deadline, now) + ")")
	}
}

func (c *canvas) choices(choices []string) {
	c.gap()
	for i, choice := range choices {
		if choice == "" {
			c.row("  #" + strconv.Itoa(i+1) + " ‹empty text›")
			continue
		}
		c.field(2, "#"+strconv.Itoa(i+1), choice)
	}
}

func (c *canvas) difference(diff string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(diff, "\n"), "\n") {
		mark := gutter
		for _, row := range wrap(squeeze(Escape(line)), c.width-2, true) {
			c.row(c.st.paint(dim, mark) + c.st.diff(line, row))
			mark = gutterWrap
		}
	}
}

// findings lists what could deceive, of all that the script or a model wrote.
func (c *canvas) findings(r Review) {
	var found []Finding
	at := func(path, text string) {
		for _, f := range Suspicious(text) {
			f.Path = path
			found = append(found, f)
		}
	}
	at("name", r.Title)
	at("question", r.Prompt)
	for i, choice := range r.Choices {
		at(fmt.Sprintf("choice #%d", i+1), choice)
	}
	if r.Opinion != nil {
		r.Opinion.texts(at)
	}
	if r.Kind == KindPlan {
		if root, err := parseJSON(r.Plan); err == nil {
			found = append(found, suspiciousNode(root)...)
		}
	}
	if len(found) == 0 {
		return
	}
	c.head("Look closely: " + Plural(int64(len(found)), "place that may deceive", "places that may deceive"))
	for i, f := range found {
		if i == maxFindings {
			c.warn(Plural(int64(len(found)-i), "more place", "more places") + ", marked ‹…› in the text")
			break
		}
		c.warn(f.String())
	}
}

// reading adds the map of a plan's steps, if there is one, and the plan for reading: every key and every
// value of it. A text that is no JSON is
// shown in full only.
func (c *canvas) reading(text []byte) {
	root, err := parseJSON(text)
	if err != nil {
		return
	}
	mapped := c.steps(root)
	c.head("The plan, for reading:")
	if files := named(root); len(files) > 1 && !mapped {
		c.say("  Its steps name " + Plural(int64(len(files)), "file", "files") + ":")
		for i, f := range files {
			if i == maxFindings {
				c.say(fmt.Sprintf("  and %s more, below", Count(int64(len(files)-i))))
				break
			}
			c.gutted(2, squeeze(Escape(f)))
		}
		c.gap()
	}
	if text, ok := document(root); ok {
		c.source(root, text)
	} else {
		c.outline(1, "", root)
	}
}

// full adds the canonical text as it was hashed: one line, however long, in the gutter.
func (c *canvas) full(text []byte) {
	c.head(fmt.Sprintf("The plan, in full (%s of canonical JSON, as hashed):", Plural(int64(len(text)), "byte", "bytes")))
	mark := gutter
	for _, row := range wrap(squeeze(Escape(string(text))), c.width-2, false) { // compact: it was read above
		c.row(c.st.paint(dim, mark) + c.st.marks(row))
		mark = gutterWrap
	}
}
