package scripttest

import (
	"bytes"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// document is a file as TOML has it. docs/reference/workflow-tests.md explains every key.
type document struct {
	// Answers is a file of answers that all tests share, Answer more of them; a test's own come first.
	Answers string                `toml:"answers"`
	Answer  []agent.ScriptedTable `toml:"answer"`
	Test    []testTable           `toml:"test"`
}

type testTable struct {
	Name       string                `toml:"name"`
	Args       map[string]any        `toml:"args"`
	Answer     []agent.ScriptedTable `toml:"answer"`
	Gate       []gateTable           `toml:"gate"`
	Headless   bool                  `toml:"headless"`
	OnGate     string                `toml:"on_gate"`
	ReadOnly   bool                  `toml:"read_only"`
	Budget     string                `toml:"budget"`
	MaxAgents  *int                  `toml:"max_agents"`
	Timeout    string                `toml:"timeout"`
	Workspace  string                `toml:"workspace"`
	Files      map[string]string     `toml:"files"`
	Resume     *bool                 `toml:"resume"`
	Resilience bool                  `toml:"resilience"`
	KillAfter  *int                  `toml:"kill_after"`
	Expect     expectTable           `toml:"expect"`
}

// gateTable answers gates: those that prompt and kind fit, else any.
type gateTable struct {
	Prompt *string `toml:"prompt"`
	Kind   *string `toml:"kind"`
	Times  *int    `toml:"times"`

	Decision any    `toml:"decision"`
	Answer   any    `toml:"answer"`
	Later    bool   `toml:"later"`
	Mode     string `toml:"mode"`
	Model    string `toml:"model"`
	Effort   string `toml:"effort"`

	ExpectPrompt       *string `toml:"expect_prompt"`
	ExpectPlan         any     `toml:"expect_plan"`
	ExpectPlanContains any     `toml:"expect_plan_contains"`
}

type expectTable struct {
	State                string         `toml:"state"`
	Exit                 *int           `toml:"exit"`
	Result               any            `toml:"result"`
	ResultJSON           *string        `toml:"result_json"`
	ResultContains       any            `toml:"result_contains"`
	Error                string         `toml:"error"`
	ErrorText            *string        `toml:"error_text"`
	Calls                *[]string      `toml:"calls"`
	CallsAnyOrder        *[]string      `toml:"calls_any_order"`
	CallCount            *int           `toml:"call_count"`
	Call                 []callTable    `toml:"call"`
	Logs                 []string       `toml:"logs"`
	Files                map[string]any `toml:"files"`
	Changed              *[]string      `toml:"changed"`
	NoCallBeforeApproval bool           `toml:"no_call_before_approval"`
}

// callTable says something of the calls that label and prompt fit.
type callTable struct {
	Label    *string `toml:"label"`
	Prompt   *string `toml:"prompt"`
	Phase    *string `toml:"phase"`
	Model    *string `toml:"model"`
	ReadOnly *bool   `toml:"read_only"`
	Under    *bool   `toml:"under"`
	Times    *int    `toml:"times"`
}

// File is a checked file of tests.
type File struct {
	// Path and Script are the two files.
	Path, Script string
	Tests        []*Test
}

// maxFile is the largest file of tests.
const maxFile = 16 << 20

// Load reads the tests that stand in path for a script. Mistakes are CONFIG_INVALID with the line;
// shown is how messages call the file.
func Load(path, script, shown string) (*File, error) {
	text, err := regular.Read(path, maxFile)
	if err != nil {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "the tests cannot be read", "")
	}
	var d document
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&d); err != nil {
		return nil, mistake(shown, err)
	}
	if len(d.Test) == 0 {
		return nil, fault.New(fault.ConfigInvalid, shown+" has no [[test]]", "add to it:\n"+Sample)
	}
	f := &File{Path: path, Script: script}
	c := &checker{shown: shown, folder: filepath.Dir(path), document: &d, heads: headsOf(text), lines: linesAbove(text)}
	if err := c.shared(); err != nil {
		return nil, err
	}
	for i := range d.Test {
		t, err := c.test(i)
		if err != nil {
			return nil, err
		}
		f.Tests = append(f.Tests, t)
	}
	return f, nil
}

// Sample is a first test, to begin with.
const Sample = `[[test]]
name = "it completes"
[[test.answer]]
label = "*"
text = "an answer"
[test.expect]
state = "completed"`
