package term

import "strings"

// Table lays cells out in columns by display width. Cells are escaped by Row; a heading is
// ours and is not.
type Table struct {
	// Right marks the columns that are aligned to the right.
	Right []bool
	// Limit is the widest a column may be; 0 is no limit. A cell that is wider is cut, visibly.
	Limit []int

	rows [][]string
}

// Head adds a row of our own words.
func (t *Table) Head(cells ...string) { t.rows = append(t.rows, cells) }

// Row adds a row of untrusted text.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = Escape(c)
		if i < len(t.Limit) && t.Limit[i] > 0 {
			row[i] = Truncate(row[i], t.Limit[i])
		}
	}
	t.rows = append(t.rows, row)
}

// String gives the table with two spaces between columns, every row ended by a newline, and
// no spaces at the end of a row.
func (t *Table) String() string {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(c))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, c := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			if i < len(t.Right) && t.Right[i] {
				line.WriteString(PadLeft(c, widths[i]))
			} else {
				line.WriteString(Pad(c, widths[i]))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
