package plan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
)

func good(t testing.TB) json.RawMessage {
	t.Helper()
	return text(t, map[string]any{
		"summary": "Dates are parsed", "openQuestions": []string{}, "outOfScope": []string{"Time zones"},
		"steps": []any{step("cli", []string{"cmd/main.go"}, "parser"), step("docs", []string{"docs/dates.md"}), step("parser", []string{"parse.go"}), step("all", []string{"README.md"}, "cli", "docs")},
	})
}

func TestGoodPlanHasAnOrder(t *testing.T) {
	r := plan.Check(good(t), plan.Options{})
	require.True(t, r.OK, "%v", r.Violations)
	require.Empty(t, r.Warnings)
	// By hand: parser before cli; docs is the first that is ready; all comes last.
	require.Equal(t, []string{"docs", "parser", "cli", "all"}, r.Order)
	require.Equal(t, [][]string{{"docs", "parser"}, {"cli"}, {"all"}}, r.Waves)
}

func TestReportIsListsInJSON(t *testing.T) {
	raw, err := json.Marshal(plan.Check(json.RawMessage(`{"summary":"S","steps":[]}`), plan.Options{}))
	require.NoError(t, err)
	require.JSONEq(t, `{"ok":false,"violations":[{"code":"no-steps","path":"$.steps","what":"the plan has no step: name at least one, with its files and its acceptance criteria"}],
		"warnings":[],"order":[],"waves":[]}`, string(raw))
}

// Each rule, broken by itself: the code, the step and the place.
func TestRules(t *testing.T) {
	with := func(name string, value any) map[string]any {
		s := step("a", []string{"a.go"})
		s[name] = value
		return s
	}
	without := func(name string) map[string]any {
		s := step("a", []string{"a.go"})
		delete(s, name)
		return s
	}
	b := step("b", []string{"b.go"})
	for name, tt := range map[string]struct {
		steps []any
		want  []string
	}{
		"two ids":            {[]any{step("a", []string{"a.go"}), step("a", []string{"b.go"})}, []string{"id-twice a $.steps[1].id"}},
		"ids by case":        {[]any{step("a", []string{"a.go"}), step("A", []string{"b.go"})}, []string{"id-twice A $.steps[1].id"}},
		"id of two words":    {[]any{with("id", "a b")}, []string{"id-form a b $.steps[0].id"}},
		"id of a folder":     {[]any{with("id", "../a")}, []string{"id-form ../a $.steps[0].id"}},
		"id begins with -":   {[]any{with("id", "-a")}, []string{"id-form -a $.steps[0].id"}},
		"id of 65":           {[]any{with("id", strings.Repeat("a", 65))}, []string{"id-form " + strings.Repeat("a", 65) + " $.steps[0].id"}},
		"constructor":        {[]any{with("id", "constructor")}, []string{"id-form constructor $.steps[0].id"}},
		"prototype":          {[]any{with("id", "prototype")}, []string{"id-form prototype $.steps[0].id"}},
		"__proto__":          {[]any{with("id", "__proto__")}, []string{"id-form __proto__ $.steps[0].id"}},
		"id missing":         {[]any{without("id")}, []string{"missing-member  $.steps[0].id"}},
		"id null":            {[]any{with("id", nil)}, []string{"missing-member  $.steps[0].id"}},
		"id a number":        {[]any{with("id", 7)}, []string{"wrong-type  $.steps[0].id"}},
		"unknown dependency": {[]any{with("dependencies", []string{"zz"}), b}, []string{"dependency-unknown a $.steps[0].dependencies[0]"}},
		"on itself":          {[]any{with("dependencies", []string{"a"})}, []string{"dependency-self a $.steps[0].dependencies[0]"}},
		"circle":             {[]any{with("dependencies", []string{"b"}), step("b", []string{"b.go"}, "a")}, []string{"dependency-cycle a $.steps[0].dependencies"}},
		"no files":           {[]any{with("files", []string{})}, []string{"no-files a $.steps[0].files"}},
		"files missing":      {[]any{without("files")}, []string{"no-files a $.steps[0].files"}},
		"files a text":       {[]any{with("files", "a.go")}, []string{"wrong-type a $.steps[0].files", "no-files a $.steps[0].files"}},
		"a file a number":    {[]any{with("files", []any{"a.go", 1})}, []string{"wrong-type a $.steps[0].files[1]", "path-form a $.steps[0].files[1]"}},
		"too many files":     {[]any{with("files", strings.Split(strings.Repeat("a/,", 64)+"b", ","))}, []string{"too-long a $.steps[0].files"}},
		"no criterion":       {[]any{without("acceptance")}, []string{"no-acceptance a $.steps[0].acceptance"}},
		"vague criteria":     {[]any{with("acceptance", []string{"works well", "is clean"})}, []string{"acceptance-vague a $.steps[0].acceptance[0]", "acceptance-vague a $.steps[0].acceptance[1]"}},
		"no instructions":    {[]any{with("instructions", " \n")}, []string{"missing-member a $.steps[0].instructions"}},
		"no title":           {[]any{without("title")}, []string{"missing-member a $.steps[0].title"}},
		"tier":               {[]any{with("tier", "huge")}, []string{"tier-unknown a $.steps[0].tier"}},
		"tier a list":        {[]any{with("tier", []int{1})}, []string{"wrong-type a $.steps[0].tier"}},
		"agent type":         {[]any{with("agentType", "the one; rm -rf")}, []string{"agent-type-form a $.steps[0].agentType"}},
		"another's name":     {[]any{with("dependsOn", []string{})}, []string{"unknown-member a $.steps[0]"}},
		"unknown member":     {[]any{with("approved", true)}, []string{"unknown-member a $.steps[0]"}},
		"a step a text":      {[]any{"do it"}, []string{"wrong-type  $.steps[0]"}},
		"too long":           {[]any{with("instructions", strings.Repeat("x", 16<<10))}, []string{"too-long a $.steps[0]"}},
		"same file":          {[]any{with("files", []string{"b.go"}), b}, []string{"files-shared b $.steps[1].files[0]"}},
		"folder over file":   {[]any{with("files", []string{"src/"}), step("b", []string{"c.go", "src/x/y.go"})}, []string{"files-shared b $.steps[1].files[1]"}},
		"file under folder":  {[]any{with("files", []string{"src/x/y.go"}), step("b", []string{"src/x/"})}, []string{"files-shared b $.steps[1].files[0]"}},
		"folder in folder":   {[]any{with("files", []string{"src/"}), step("b", []string{"src/x/"})}, []string{"files-shared b $.steps[1].files[0]"}},
		"pattern over file":  {[]any{with("files", []string{"src/*.go"}), step("b", []string{"src/x/y.go"})}, []string{"files-shared b $.steps[1].files[0]"}},
		"two patterns":       {[]any{with("files", []string{"src/a*"}), step("b", []string{"src/*_test.go"})}, []string{"files-shared b $.steps[1].files[0]"}},
		"pattern and folder": {[]any{with("files", []string{"s?c/*"}), step("b", []string{"src/x/"})}, []string{"files-shared b $.steps[1].files[0]"}},
	} {
		r := plan.Check(text(t, map[string]any{"summary": "S", "steps": tt.steps}), plan.Options{})
		var got []string
		for _, v := range r.Violations {
			got = append(got, fmt.Sprintf("%s %s %s", v.Code, v.Step, v.Path))
		}
		require.Equal(t, tt.want, got, name)
		require.False(t, r.OK, name)
	}
}

func TestWhatBreaksNoRule(t *testing.T) {
	a := step("a", []string{"src/a/", "x.go", "lib/*.go"})
	a["tier"], a["agentType"] = nil, nil
	for name, steps := range map[string][]any{
		"other folders, other endings":  {a, step("b", []string{"src/ab", "src/b/", "y.go", "lib/x.md"})},
		"same file, one waits":          {a, step("b", []string{"x.go"}, "a")},
		"same file, waits for another":  {step("a", []string{"x.go"}), step("b", []string{"b.go"}, "a"), step("c", []string{"x.go"}, "b")},
		"declared before what it needs": {step("c", []string{"x.go"}, "b"), step("b", []string{"x.go"})},
	} {
		r := plan.Check(text(t, map[string]any{"summary": "S", "steps": steps}), plan.Options{})
		require.True(t, r.OK, "%s: %v", name, r.Violations)
	}
}

func TestCirclesArePrintedAsPaths(t *testing.T) {
	r := plan.Check(text(t, map[string]any{"summary": "S", "steps": []any{
		step("x", []string{"x"}, "b"), step("a", []string{"a"}, "b"), step("b", []string{"b"}, "c"), step("c", []string{"c"}, "a"),
		step("p", []string{"p"}, "q"), step("q", []string{"q"}, "p"),
	}}), plan.Options{})
	require.Len(t, r.Violations, 2, "two circles: %v", r.Violations)
	require.Contains(t, r.Violations[0].What, ": b -> c -> a -> b;")
	require.Contains(t, r.Violations[1].What, ": p -> q -> p;")
	require.Empty(t, r.Order)
}

func TestAllViolationsAreNamed(t *testing.T) {
	r := plan.Check(json.RawMessage(`{"steps":[{"id":"a","title":"T","files":["../x",".git/config"],"instructions":"","acceptance":["works"],"dependencies":["q"],"tier":"x"}],"outOfScope":7}`), plan.Options{})
	require.ElementsMatch(t, []plan.Code{
		plan.MissingMember, plan.WrongType, plan.MissingMember, plan.TierUnknown, plan.AcceptanceVague, plan.DependencyUnknown, plan.PathOutside, plan.PathGit,
	}, codes(r.Violations))
}

// Each sentence says where it belongs, so that a planner can be given the sentences alone.
func TestSentencesStandAlone(t *testing.T) {
	r := plan.Check(json.RawMessage(`{"summary":1,"outOfScope":7,"steps":[{"id":"a","title":"T","files":["../x"],"instructions":"I","acceptance":["`+"`go test` passes"+`"]},"b"]}`), plan.Options{})
	var all []string
	for _, v := range r.Violations {
		all = append(all, v.What)
	}
	require.Equal(t, []string{
		"summary: it is a number, and has to be a text",
		"outOfScope: it is a number, and has to be a list",
		"the step at steps[1]: it is a text, and has to be an object",
		`step "a", files[0]: "../x" is no path that a step can change: it has .. in it: write the path that is meant`,
	}, all)
	require.Equal(t, "the plan is a list, and has to be an object", plan.Check(json.RawMessage(`[]`), plan.Options{}).Violations[0].What)
}

func TestVagueBesideACheckableOneIsAWarning(t *testing.T) {
	s := step("a", []string{"a.go"})
	s["acceptance"] = []string{"works well", "go test ./... passes"}
	r := plan.Check(text(t, map[string]any{"summary": "S", "steps": []any{s}}), plan.Options{})
	require.True(t, r.OK)
	require.Equal(t, []plan.Finding{{
		Code: plan.AcceptanceVague, Step: "a", Path: "$.steps[0].acceptance[0]",
		What: `step "a", acceptance[0]: nobody can check "works well" (“works well” cannot be observed): say what to run or look at, and what is then seen.`,
	}}, r.Warnings)
}

func TestNumberOfSteps(t *testing.T) {
	many := func(n int) json.RawMessage {
		var steps []any
		for i := range n {
			steps = append(steps, step(fmt.Sprint("s", i), []string{fmt.Sprint("f", i)}))
		}
		return text(t, map[string]any{"summary": "S", "steps": steps})
	}
	require.True(t, plan.Check(many(20), plan.Options{}).OK)
	require.Equal(t, []plan.Code{plan.TooManySteps}, codes(plan.Check(many(21), plan.Options{}).Violations))
	require.Equal(t, []plan.Code{plan.TooManySteps}, codes(plan.Check(many(3), plan.Options{MaxSteps: 2}).Violations))
	require.True(t, plan.Check(many(100), plan.Options{MaxSteps: 5000}).OK)
	require.Equal(t, []plan.Code{plan.TooManySteps}, codes(plan.Check(many(101), plan.Options{MaxSteps: 5000}).Violations))
}

func TestWhatIsNoPlan(t *testing.T) {
	for raw, want := range map[string][]plan.Code{
		``: {plan.NotJSON}, `{`: {plan.NotJSON}, `{"summary":"a","summary":"b"}`: {plan.NotJSON}, "{\"summary\":\"\xff\"}": {plan.NotJSON}, `{} {}`: {plan.NotJSON},
		`null`: {plan.WrongType}, `[]`: {plan.WrongType}, `"a plan"`: {plan.WrongType}, `7`: {plan.WrongType}, `{}`: {plan.MissingMember, plan.NoSteps},
		`{"summary":"S","steps":{}}`:                                   {plan.WrongType, plan.NoSteps},
		`{"summary":["S"],"steps":null}`:                               {plan.WrongType, plan.NoSteps},
		strings.Repeat("[", 2000) + strings.Repeat("]", 2000):          {plan.NotJSON},
		`{"summary":"` + strings.Repeat("x", 3<<20) + `"}`:             {plan.TooLong},
		`{"summary":"S","openQuestions":[1],"outOfScope":"x"}`:         {plan.WrongType, plan.WrongType, plan.NoSteps},
		`{"summary":"S","steps":[` + strings.Repeat("1,", 400) + `1]}`: nil,
	} {
		r := plan.Check(json.RawMessage(raw), plan.Options{})
		require.False(t, r.OK)
		if want != nil {
			require.Equal(t, want, codes(r.Violations), "%.60s", raw)
		}
		require.LessOrEqual(t, len(r.Violations), 301)
	}
	// A member of the plan that nobody knows is looked at, and does not stop it.
	r := plan.Check(json.RawMessage(strings.Replace(string(good(t)), `"summary"`, `"approved":true,"decision":true,"outofScope":[],"summary"`, 1)), plan.Options{})
	require.True(t, r.OK)
	require.Equal(t, []plan.Code{plan.UnknownMember, plan.UnknownMember, plan.UnknownMember}, codes(r.Warnings))
	require.Contains(t, r.Warnings[2].What, "did you mean outOfScope?")
}

// The table has each code that a plan can be given, once.
func TestTableOfCodes(t *testing.T) {
	seen := map[plan.Code]bool{}
	for _, rule := range plan.Codes {
		require.False(t, seen[rule.Code], rule.Code)
		seen[rule.Code] = true
		require.Regexp(t, `^[a-z]+(-[a-z]+)*$`, string(rule.Code))
		require.Contains(t, []string{"violation", "warning", "either"}, rule.Level)
		require.True(t, strings.HasSuffix(rule.Meaning, "."))
	}
}

func TestAmend(t *testing.T) {
	raw := json.RawMessage(strings.Replace(string(good(t)), `"summary"`, `"base":{"branch":"main"},"summary"`, 1))
	p, broken := plan.Parse(raw)
	require.Empty(t, broken)
	before, err := json.Marshal(p)
	require.NoError(t, err)
	amended := p.Amend("parser", []string{"lex.go", "parse.go", "lex_test.go"}, []string{"parse.go"})
	s, found := amended.Step("parser")
	require.True(t, found)
	require.Equal(t, []string{"lex.go", "parse.go", "lex_test.go"}, s.Files)
	after, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "the plan itself is as it was")
	out, err := json.Marshal(amended)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(string(before), `"files":["parse.go"]`, `"files":["lex.go","parse.go","lex_test.go"]`, 1), string(out))
	require.True(t, strings.HasPrefix(string(out), `{"base":{"branch":"main"},"openQuestions":[],"outOfScope":["Time zones"],"steps":[{"acceptance":`))
	var back plan.Plan
	require.NoError(t, json.Unmarshal(out, &back))
	require.Equal(t, amended.Steps[0], back.Steps[0])
	require.Error(t, json.Unmarshal([]byte(`{"steps":7}`), &back))
	same, err := json.Marshal(p.Amend("nobody", []string{"x"}, nil))
	require.NoError(t, err)
	require.Equal(t, string(before), string(same))
}

func TestSchema(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(plan.Schema())))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("plan.json", document))
	schema, err := c.Compile("plan.json")
	require.NoError(t, err)
	valid := func(raw json.RawMessage) error {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
		require.NoError(t, err)
		return schema.Validate(value)
	}
	require.NoError(t, valid(good(t)))
	for _, bad := range []string{
		`{}`, `{"summary":"S","steps":["a"],"openQuestions":[],"outOfScope":[]}`,
		strings.Replace(string(good(t)), `"summary"`, `"approved":true,"summary"`, 1), strings.Replace(string(good(t)), `"title"`, `"tittle"`, 1),
		strings.Replace(string(good(t)), `"id":"docs"`, `"id":7`, 1),
	} {
		require.Error(t, valid(json.RawMessage(bad)), bad)
	}
}
