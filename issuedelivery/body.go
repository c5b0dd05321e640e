package issuedelivery

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/redact"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
)

// report is what a pull request tells its reviewers. All texts in it were written by models.
type report struct {
	Summary  string          `json:"summary"`
	Steps    []reportStep    `json:"steps"`
	Checks   *reportChecks   `json:"checks"`
	Verdicts []reportVerdict `json:"verdicts"`
	Template string          `json:"template"`
}

type reportStep struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Commit string `json:"commit"`
}

// reportChecks is as much of an answer of stageCheck as is told.
type reportChecks struct {
	State  string `json:"state"`
	Checks []struct {
		Name    string          `json:"name"`
		Command json.RawMessage `json:"command"`
		OK      bool            `json:"ok"`
		Tests   *int            `json:"tests"`
	} `json:"checks"`
}

type reportVerdict struct {
	Step     string `json:"step"`
	Passed   bool   `json:"passed"`
	Feedback string `json:"feedback"`
}

// proof is what a reader can hold an approval against.
type proof struct {
	run, gate, checksum string
	by, at, way         string
}

// How much of each text is told, in characters: a body has room for some hundred steps so.
const (
	maxSummary  = 6000
	maxFeedback = 600
	maxTitle    = 200
)

// body is the text of a pull request: what is proven about it, which always has its place, and as much
// else as there is room for. Secrets of environ are taken out.
func body(r report, issues []int, p proof, environ []string) string {
	told := func(text string) string { return redact.Text(text, environ) }
	closing, approval := bodyCloses(issues), p.section()
	sections := []string{bodySummary(told(r.Summary)), bodySteps(r.Steps, told), bodyChecks(r.Checks, told), bodyVerdicts(r.Verdicts, told)}
	if template := strings.TrimSpace(r.Template); template != "" {
		sections = append(sections, "---\n\n"+template+"\n")
	}
	room := forge.MaxBody - size(closing) - size(approval) - size(mark("")) - 64*len(sections)
	for i, section := range sections {
		sections[i] = fitted(section, room)
		room -= size(sections[i])
	}
	order := append([]string{sections[0], closing}, sections[1:4]...)
	order = append(append(order, approval), sections[4:]...)
	order = slices.DeleteFunc(order, func(section string) bool { return section == "" })
	return marked(strings.Join(order, "\n"))
}

func bodySummary(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return quote(text, maxSummary)
}

// bodyCloses has a line for each issue, which closes it when the pull request is merged.
func bodyCloses(issues []int) string {
	var b strings.Builder
	for _, number := range issues {
		fmt.Fprintf(&b, "Closes #%d\n", number)
	}
	return b.String()
}

func bodySteps(steps []reportStep, told func(string) string) string {
	if len(steps) == 0 {
		return ""
	}
	b := "### Steps\n\n"
	for _, s := range steps {
		b += fmt.Sprintf("- %s (%s) %s\n", line(told(s.Title), maxTitle), line(s.ID, maxTitle), line(shortCommit(s.Commit), maxTitle))
	}
	return b
}

// shortCommit is the beginning of a commit's id, by which a forge links it.
func shortCommit(commit string) string { return commit[:min(len(commit), 12)] }

func bodyChecks(c *reportChecks, told func(string) string) string {
	if c == nil {
		return ""
	}
	if len(c.Checks) == 0 {
		return "### Checks\n\nNo check ran.\n"
	}
	b := "### Checks\n\n| check | command | result | tests |\n|---|---|---|---|\n"
	for _, check := range c.Checks {
		result, tests := "failed", "not counted"
		if check.OK {
			result = "passed"
		}
		if check.Tests != nil {
			tests = strconv.Itoa(*check.Tests)
		}
		b += fmt.Sprintf("| %s | %s | %s | %s |\n", line(told(check.Name), maxTitle), line(told(commandText(check.Command)), maxTitle), result, tests)
	}
	return b
}

// commandText is a command line, given as a text or as its words.
func commandText(command json.RawMessage) string {
	var words []string
	if json.Unmarshal(command, &words) == nil {
		return strings.Join(words, " ")
	}
	var text string
	_ = json.Unmarshal(command, &text)
	return text
}

func bodyVerdicts(verdicts []reportVerdict, told func(string) string) string {
	if len(verdicts) == 0 {
		return ""
	}
	b := "### Verifiers\n\n"
	for _, v := range verdicts {
		result := "not passed"
		if v.Passed {
			result = "passed"
		}
		b += fmt.Sprintf("- %s: **%s**. %s\n", line(told(v.Step), maxTitle), result, line(told(v.Feedback), maxFeedback))
	}
	return b
}

// section says who approved what, and how to see that it is so.
func (p proof) section() string {
	return "### Approval\n\n" +
		fmt.Sprintf("%s approved the plan on %s (%s), before any work began. Each commit names it in its trailers.\n\n", line(p.by, maxTitle), line(p.at, maxTitle), p.how()) +
		"| | |\n|---|---|\n" +
		"| plan | `sha256:" + plainWord(p.checksum) + "` |\n| question | `" + plainWord(p.gate) + "` |\n| run | `" + plainWord(p.run) + "` |\n\n" +
		"To verify it, where the run was made:\n\n" +
		fmt.Sprintf("```sh\nassent verify %[1]s\nassent show %[1]s --raw --gate %[2]s | sha256sum   # the plan, and its checksum\n```\n", plainWord(p.run), plainWord(p.gate))
}

func (p proof) how() string {
	switch p.way {
	case "terminal":
		return "at a terminal"
	case "command":
		return "by a command"
	case "web":
		return "on the web page"
	case "simulated":
		return "simulated: no person was asked"
	}
	return "by the program that ran it"
}

// plainWord is an id: what is none is left out.
func plainWord(text string) string {
	if !idForm.MatchString(text) {
		return "unknown"
	}
	return text
}

var idForm = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

// fitted is a section cut to room, at the end of a line.
func fitted(section string, room int) string {
	if size(section) <= room {
		return section
	}
	const more = "- … and more than there is room for\n"
	var b strings.Builder
	left := room - len(more)
	for part := range strings.Lines(section) {
		if left -= size(part); left < 0 {
			break
		}
		b.WriteString(part)
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "\n" + more
}

// size is how long a forge takes a text to be, at most: it counts characters, and some of them twice.
func size(text string) int { return len(utf16.Encode([]rune(text))) }

// mark is the first line of a body, which says what the rest was when it was written.
func mark(sum string) string { return fmt.Sprintf("<!-- assent %064s -->\n", sum) }

var markForm = regexp.MustCompile(`^<!-- assent ([0-9a-f]{64}) -->\n`)

func marked(text string) string { return mark(sumOf(text)) + text }

func sumOf(text string) string { return canonical.Sum([]byte(strings.TrimSpace(text))) }

// untouched reports whether a body is as it was written: nobody changed it since on the forge.
func untouched(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	m := markForm.FindStringSubmatch(text)
	return len(m) == 2 && m[1] == sumOf(text[len(m[0]):])
}
