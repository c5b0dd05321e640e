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
	c.plan(plan)
	return c.rows
}

func (c *canvas) review(r Review) {
	c.title(r)
	c.facts(r)
	c.head("The script asks (these are its words, not Assent's):")
	c.quote(0, r.Prompt)
	if r.Kind == KindSelect {
		c.choices(r.Choices)
	}
	for _, note := range r.Notes {
		c.head("Note:")
		c.quote(0, note)
	}
	if r.Diff != "" {
		c.head("Changed since the plan that was approved last:")
		c.difference(r.Diff)
	}
	if r.Opinion != nil {
		c.opinion(*r.Opinion)
	}
	c.findings(r)
	if r.Kind == KindPlan {
		c.plan(r.Plan)
		c.gap()
		c.say("End of the plan.")
		c.field(0, "SHA-256", r.Checksum)
	}
}

func (c *canvas) title(r Review) {
	text := map[Kind]string{
		KindPlan: "A plan waits for your decision", KindConfirm: "A question waits for yes or no",
		KindInput: "A question waits for a text", KindSelect: "A question waits for a choice",
	}[r.Kind]
	if r.Position != "" {
		text += " (" + Escape(r.Position) + ")"
	}
	c.head(text)
}

func (c *canvas) facts(r Review) {
	const labels = 10
	fact := func(label, value string) {
		if value != "" {
			c.field(0, Pad(label, labels), value)
		}
	}
	fact("run", r.RunID)
	fact("name", r.Title)
	fact("gate", r.GateID)
	fact("checksum", r.Checksum)
	if r.Kind == KindPlan {
		c.say("           SHA-256 of the plan's canonical text, which stands in full below.")
		c.say("           To check it: assent show " + Escape(r.RunID) + " --raw | sha256sum")
	}
	fact("also at", r.Copy)
	if r.HasDefault && r.Kind != KindPlan {
		if r.Default == "" {
			c.say(Pad("unanswered", labels) + " an empty text stands if nobody answers")
		} else {
			fact("unanswered", r.Default)
		}
	}
	c.modes(r)
	if !r.Deadline.IsZero() {
		now := r.Now
		if now.IsZero() {
			now = time.Now()
		}
		fact("answer by", r.Deadline.Format("2006-01-02 15:04:05 MST")+" ("+Age(r.Deadline, now)+")")
	}
}

// modes says what a yes grants: the word approve alone, and with a mode behind it.
func (c *canvas) modes(r Review) {
	if r.Mode == "" {
		return
	}
	c.field(0, Pad("mode", len("checksum  ")), r.Mode)
	if len(r.Modes) == 0 {
		return
	}
	c.say("           It is what approve alone gives to the work under this plan. Further ones:")
	for _, m := range r.Modes {
		c.say("           " + wordApprove + " " + m.Name + ": " + m.Help)
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
		for _, row := range wrap(squeeze(Escape(line)), c.width-2, false) {
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

// plan adds a plan, for reading and in full. A text that is no JSON is shown in full only.
func (c *canvas) plan(text []byte) {
	if root, err := parseJSON(text); err == nil {
		c.head("The plan, for reading:")
		if files := named(root); len(files) > 0 {
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
	lines := len(fullLines(string(text)))
	c.head(fmt.Sprintf("The plan, in full (%s, %s of canonical JSON):",
		Plural(int64(lines), "line", "lines"), Plural(int64(len(text)), "byte", "bytes")))
	c.say("These lines, joined without their indentation, are the text that was hashed.")
	c.full(string(text))
}
