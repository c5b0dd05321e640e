package term

import "fmt"

// pager hands out the rows of a page, and knows what was shown.
type pager struct {
	rows []string
	next int // the first row that was not shown
}

// ended reports whether the last row was shown.
func (p *pager) ended() bool { return p.next >= len(p.rows) }

// show writes the next rows: as many as fit above the prompt; the rest, if it fits above the last
// prompt, or if all is true.
func (p *pager) show(s *session, all bool, page, last int) {
	end := min(len(p.rows), p.next+max(5, page))
	if rest := len(p.rows) - p.next; all || rest <= last {
		end = len(p.rows)
	}
	for _, row := range p.rows[p.next:end] {
		s.row(row)
	}
	p.next = end
}

// status says how much is hidden: "lines 1–40 of 5,012 were shown; 4,972 are still hidden".
func (p *pager) status() string {
	hidden := int64(len(p.rows) - p.next)
	return fmt.Sprintf("lines 1–%s of %s were shown; %s still hidden", Count(int64(p.next)), Count(int64(len(p.rows))),
		map[bool]string{true: "1 line is", false: Count(hidden) + " lines are"}[hidden == 1])
}
