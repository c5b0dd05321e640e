package scripttest

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/glob"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// differences hold a run against what the test expects of it, all of it at once.
func (t *trial) differences(out outcome) ([]string, error) {
	x, c := &t.test.expect, t.course
	var list []string
	list = append(list, t.prepared.problems(t.test, c.calls)...)
	early := out.late
	if t.person != nil {
		gates, ended := t.person.rest()
		list, early = append(list, gates...), early || ended
	}
	if out.late {
		list = append(list, c.atWork(t.test.timeout))
	}
	if early { // the run was not let come to its end, so that it says nothing of how it ends
		return list, nil
	}
	list = append(list, x.end(out)...)
	list = append(list, x.order(c.calls)...)
	for i := range x.Call {
		list = append(list, x.Call[i].differences(c.calls)...)
	}
	for _, text := range x.Logs {
		if !slices.ContainsFunc(c.logs, func(line string) bool { return strings.Contains(line, text) }) {
			list = append(list, fmt.Sprintf("logs: no line contains %q%s", text, among(c.logs)))
		}
	}
	if x.NoCallBeforeApproval {
		for _, call := range c.calls {
			if !call.readOnly && !call.approved {
				list = append(list, fmt.Sprintf("the call %q may change something, and was made before a plan was approved", call.name()))
			}
		}
	}
	files, err := t.fileDifferences()
	return append(list, files...), err
}

// end compares how the run ended.
func (x *expectation) end(out outcome) []string {
	var list []string
	why := ""
	if out.text != "" {
		why = " (" + excerpt(out.text) + ")"
	}
	if x.state != "" && x.state != out.state {
		list = append(list, fmt.Sprintf("state: expected %s, got %s%s", x.state, out.state, why))
		why = ""
	}
	if x.Exit != nil && *x.Exit != out.exit {
		list = append(list, fmt.Sprintf("exit: expected %d, got %d%s", *x.Exit, out.exit, why))
		why = ""
	}
	if x.Error != "" && x.Error != out.code {
		got := out.code
		if got == "" {
			got = "none"
		}
		list = append(list, fmt.Sprintf("error: expected %s, got %s%s", x.Error, got, why))
	}
	if x.ErrorText != nil && !glob.Match(*x.ErrorText, out.text) {
		list = append(list, fmt.Sprintf("error_text: expected %q, got %q", *x.ErrorText, excerpt(out.text)))
	}
	if x.result != nil {
		list = append(list, difference("result", x.result, out.result, false)...)
	}
	if x.contains != nil {
		list = append(list, difference("result", x.contains, out.result, true)...)
	}
	return list
}

// order compares the calls with the list of them.
func (x *expectation) order(calls []madeCall) []string {
	var list []string
	made := names(calls)
	if x.CallCount != nil && *x.CallCount != len(calls) {
		list = append(list, fmt.Sprintf("call_count: expected %d, got %d: %s", *x.CallCount, len(calls), listed(made)))
	}
	if x.Calls != nil && !slices.EqualFunc(*x.Calls, calls, named) {
		list = append(list, fmt.Sprintf("calls: expected %s, got %s", listed(*x.Calls), listed(made)))
	}
	if x.CallsAnyOrder != nil {
		missing, extra := pair(*x.CallsAnyOrder, calls)
		if len(missing) > 0 {
			list = append(list, "calls_any_order: not made: "+listed(missing))
		}
		if len(extra) > 0 {
			list = append(list, "calls_any_order: not expected: "+listed(extra))
		}
	}
	return list
}

// named reports whether a pattern fits a call: its label, or its prompt if it has none.
func named(pattern string, c madeCall) bool {
	if c.label != "" {
		return glob.Match(pattern, c.label)
	}
	return glob.Match(pattern, c.prompt)
}

// pair matches patterns and calls, each with one of the other, as many as can be.
func pair(patterns []string, calls []madeCall) (missing, extra []string) {
	of := make([]int, len(calls)) // the pattern of each call; -1 is none
	for i := range of {
		of[i] = -1
	}
	var place func(p int, tried []bool) bool
	place = func(p int, tried []bool) bool {
		for i, c := range calls {
			if tried[i] || !named(patterns[p], c) {
				continue
			}
			tried[i] = true
			if of[i] < 0 || place(of[i], tried) {
				of[i] = p
				return true
			}
		}
		return false
	}
	for p := range patterns {
		if !place(p, make([]bool, len(calls))) {
			missing = append(missing, patterns[p])
		}
	}
	for i, c := range calls {
		if of[i] < 0 {
			extra = append(extra, c.name())
		}
	}
	return missing, extra
}

// differences hold the calls that a table fits against what it says of them.
func (w *callTable) differences(calls []madeCall) []string {
	var list []string
	what := "call with " + selector(w.Label, w.Prompt)
	fits := 0
	for _, c := range calls {
		if w.Label != nil && !glob.Match(*w.Label, c.label) || w.Prompt != nil && !glob.Match(*w.Prompt, c.prompt) {
			continue
		}
		fits++
		for _, of := range []struct {
			name      string
			want, got string
			set       bool
		}{
			{"phase", text(w.Phase), strconv.Quote(c.phase), w.Phase != nil},
			{"model", text(w.Model), strconv.Quote(c.model), w.Model != nil},
			{"read_only", yes(w.ReadOnly), strconv.FormatBool(c.readOnly), w.ReadOnly != nil},
			{"under", yes(w.Under), strconv.FormatBool(c.under), w.Under != nil},
		} {
			if of.set && of.want != of.got {
				list = append(list, fmt.Sprintf("%s: %s of %q: expected %s, got %s", what, of.name, c.name(), of.want, of.got))
			}
		}
	}
	switch {
	case w.Times != nil && fits != *w.Times:
		list = append(list, fmt.Sprintf("%s: expected %d times, got %d; the calls are %s", what, *w.Times, fits, listed(names(calls))))
	case w.Times == nil && fits == 0:
		list = append(list, fmt.Sprintf("%s: there is none; the calls are %s", what, listed(names(calls))))
	}
	return list
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return strconv.Quote(*s)
}

func yes(b *bool) string { return strconv.FormatBool(b != nil && *b) }

// fileDifferences compare the workspace.
func (t *trial) fileDifferences() ([]string, error) {
	var list []string
	folder, err := regular.OpenFolder(t.stage.workspace)
	if err != nil {
		return nil, fmt.Errorf("look at the workspace of a test: %w", err)
	}
	defer folder.Close()
	for _, f := range t.test.expect.files {
		content, err := contentOf(folder, path.Clean(f.path))
		switch there := err == nil; {
		case f.there != there && f.there:
			list = append(list, "files: expected "+f.path+", and there is none")
		case f.there != there:
			list = append(list, "files: "+f.path+" is there, and was expected not to be")
		case there && f.content != nil && string(content) != *f.content:
			list = append(list, fmt.Sprintf("files: %s: expected %q, got %q", f.path, excerpt(*f.content), excerpt(string(content))))
		}
	}
	if want := t.test.expect.Changed; want != nil {
		now, err := treeOf(t.stage.workspace)
		if err != nil {
			return nil, err
		}
		sorted := slices.Sorted(slices.Values(*want))
		if got := now.changed(t.stage.before); !slices.Equal(sorted, got) {
			list = append(list, fmt.Sprintf("changed: expected %s, got %s", listed(sorted), listed(got)))
		}
	}
	return list, nil
}

// contentOf reads a file that a run left, which may be anything: a pipe has no end, and is none.
func contentOf(folder *regular.Folder, name string) ([]byte, error) {
	file, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxBytes))
}

func names(calls []madeCall) []string {
	list := make([]string, len(calls))
	for i, c := range calls {
		list[i] = c.name()
	}
	return list
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// among shows what there is instead, if it is little.
func among(lines []string) string {
	if len(lines) == 0 {
		return "; there are none"
	}
	return "; they are: " + excerpt(strings.Join(lines, " | "))
}
