package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/scripttest"
	"github.com/seed-8d4a6081/assent/internal/term"
)

// testReport shows tests as they end.
type testReport struct {
	*app
	workspace string
	verbose   bool

	rows           []testRow
	passed, failed int
	// look shows a run that was kept: the first of a test that failed, else the first.
	look       string
	lookFailed bool
}

// testRow is one test in JSON.
type testRow struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Script string `json:"script"`
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	// State is how the run ended.
	State       string   `json:"state"`
	Ms          int64    `json:"ms"`
	Differences []string `json:"differences"`
	Calls       []string `json:"calls"`
	// Talk is there with --verbose, Folder and Run with --keep.
	Talk   []string `json:"talk,omitempty"`
	Folder string   `json:"folder,omitempty"`
	Run    string   `json:"run,omitempty"`
}

// add takes one report.
func (r *testReport) add(t scripttest.Report) error {
	row := testRow{
		File: t.Case.File.Path, Line: t.Case.Test.Line, Script: t.Case.File.Script, Name: t.Case.Test.Name, OK: t.OK,
		State: t.State, Ms: t.Took.Milliseconds(), Differences: notNil(t.Differences), Calls: notNil(t.Calls), Folder: t.Folder, Run: t.Run,
	}
	if r.verbose {
		row.Talk = t.Talk
	}
	r.rows = append(r.rows, row)
	if t.OK {
		r.passed++
	} else {
		r.failed++
	}
	if t.Run != "" && (r.look == "" || !t.OK && !r.lookFailed) {
		r.look, r.lookFailed = quoteCommand([]string{
			"env", "ASSENT_HOME=" + filepath.Join(t.Folder, "store"), "ASSENT_KEYS=" + filepath.Join(t.Folder, "keys"), "assent", "show", t.Run,
		}), !t.OK
	}
	if r.json {
		return nil
	}
	return r.print(r.lines(row))
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// lines are a test for people. What comes from scripts stands behind a gutter.
func (r *testReport) lines(row testRow) string {
	var b strings.Builder
	word := "ok  "
	if !row.OK {
		word = "FAIL"
	}
	place := r.typed(row.File)
	if !row.OK && row.Line > 0 {
		place += fmt.Sprintf(":%d", row.Line)
	}
	fmt.Fprintf(&b, "%s  %s  %s\n", word, term.Escape(place), term.Escape(row.Name))
	for _, line := range row.Talk {
		gutter(&b, "  │ ", line)
	}
	for _, line := range row.Differences {
		gutter(&b, "      ", line)
	}
	return b.String()
}

// gutter writes a text, each line of it behind an indent.
func gutter(b *strings.Builder, indent, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(indent + term.Escape(line) + "\n")
	}
}

// end prints the count, and says what to do next.
func (r *testReport) end() error {
	code := exitOK
	if r.failed > 0 {
		code = exitFailed
	}
	if r.look != "" {
		r.next(r.look)
	}
	if r.json {
		return errors.Join(r.emit(struct {
			Format int       `json:"format"`
			Exit   int       `json:"exit"`
			Passed int       `json:"passed"`
			Failed int       `json:"failed"`
			Tests  []testRow `json:"tests"`
		}{jsonFormat, code, r.passed, r.failed, r.rows}), ends(code))
	}
	if err := r.print(fmt.Sprintf("%s: %d passed, %d failed\n", term.Plural(int64(r.passed+r.failed), "test", "tests"), r.passed, r.failed)); err != nil {
		return err
	}
	return ends(code)
}
