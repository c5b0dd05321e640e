package agenttype_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/agenttype"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func parse(t testing.TB, text string) agenttype.Type {
	t.Helper()
	parsed, err := agenttype.Parse([]byte(text), "agents/file.md")
	require.NoError(t, err)
	return parsed
}

func TestParseReadsAllKeys(t *testing.T) {
	got := parse(t, `---
name: reviewer
description: Looks for mistakes
tools: [Read, "Bash(git log:*)"]
disallowedTools: Write, Edit
model: gpt-5
tier: big
effort: high
agent: codex
readOnly: true
skills:
  - house-style
---

# Review

Be exact.

---

The line above is Markdown.
`)
	require.Equal(t, agenttype.Type{
		Name: "reviewer", Description: "Looks for mistakes", Instructions: "# Review\n\nBe exact.\n\n---\n\nThe line above is Markdown.",
		Agent: "codex", Model: "gpt-5", Effort: "high", Tier: "big",
		Tools: []string{"Read", "Bash(git log:*)"}, DisallowedTools: []string{"Write", "Edit"}, Skills: []string{"house-style"},
		ReadOnly: true, Source: "agents/file.md", SHA256: got.SHA256,
	}, got)
}

// The checksum is that of the bytes, so it can be had from any other program.
func TestSHA256IsThatOfTheBytes(t *testing.T) {
	// printf -- '---\r\nname: a\r\n---\r\n' | sha256sum
	got := parse(t, "---\r\nname: a\r\n---\r\n")
	require.Equal(t, "519f3b8f8f056c1db57b4edd91de766cbd8f9fdbea74cc674a090ec0e89c9884", got.SHA256)
}

func TestNothingSaidIsNothingDecided(t *testing.T) {
	got := parse(t, "---\n---\nBe kind.\n")
	require.Equal(t, agenttype.Type{Name: "file", Instructions: "Be kind.", Source: "agents/file.md", SHA256: got.SHA256}, got)
}

// Files of other systems and editors: a byte order mark, Windows' ends of lines, blanks behind the fence.
func TestFilesOfOtherSystems(t *testing.T) {
	got := parse(t, "\ufeff---  \r\nname: a\r\ntools: Read,\r\n--- \r\n\r\none\r\ntwo\r\n")
	require.Equal(t, "a", got.Name)
	require.Equal(t, []string{"Read"}, got.Tools)
	require.Equal(t, "one\ntwo", got.Instructions)
}

func TestToolsAllNoneSome(t *testing.T) {
	for front, want := range map[string][]string{
		"name: a":         nil,
		`tools: "*"`:      nil,
		"tools: []":       {},
		"tools: Read":     {"Read"},
		"tools: [7, x]":   {"7", "x"},
		"tools: a,b , c ": {"a", "b", "c"},
		"tools: Task(one, two), Bash(git add:*, git log:*), mcp__x__y": {"Task(one, two)", "Bash(git add:*, git log:*)", "mcp__x__y"},
	} {
		require.Equal(t, want, parse(t, "---\n"+front+"\n---\n").Tools, front)
	}
}

// What Claude Code's own documentation lists, and a description as its generator writes it.
func TestClaudesFiles(t *testing.T) {
	got := parse(t, `---
name: code-reviewer
description: Use this agent after a change. Examples: <example>user: "done" it's 'time'</example>
tools: Read, Glob, Grep
model: inherit
color: purple
permissionMode: plan
maxTurns: 3
mcpServers:
  - slack
hooks:
  PreToolUse: [{matcher: Bash}]
memory: project
background: true
---
You review.
`)
	require.Equal(t, `Use this agent after a change. Examples: <example>user: "done" it's 'time'</example>`, got.Description)
	require.Empty(t, got.Model)
	require.True(t, got.ReadOnly, "plan")
	require.Equal(t, []string{
		"agents/file.md: the description holds a sign that YAML wants in quotes, and is taken as one text",
		"agents/file.md: keys of other programs, without effect here: color, maxTurns, mcpServers, hooks, memory, background",
	}, got.Warnings)

	got = parse(t, "---\nname: a\nmodel: sonnet\npermissionMode: bypassPermissions\n---\n")
	require.Equal(t, "sonnet", got.Model)
	require.False(t, got.ReadOnly)
	require.Equal(t, []string{"agents/file.md:4: permissionMode allows nothing here: what an agent may do, its approval says"}, got.Warnings)
	require.True(t, parse(t, "---\nname: a\npermissionMode: plan\nreadOnly: false\n---\n").ReadOnly, "a fence is not lifted")
}

func TestPisFiles(t *testing.T) {
	got := parse(t, "---\nname: scout\ntools: read, grep, find, ls\nmodel: anthropic/claude-haiku\nthinking: low\nskill: a, b\ndisallowed_tools: bash\nread-only: true\ninheritSkills: false\n---\n")
	require.Equal(t, []string{"read", "grep", "find", "ls"}, got.Tools)
	require.Equal(t, "anthropic/claude-haiku", got.Model)
	require.Equal(t, "low", got.Effort)
	require.Equal(t, []string{"a", "b"}, got.Skills)
	require.Equal(t, []string{"bash"}, got.DisallowedTools)
	require.True(t, got.ReadOnly)
	require.Equal(t, []string{"agents/file.md: keys of other programs, without effect here: inheritSkills"}, got.Warnings)
}

func TestSlipsAreNamed(t *testing.T) {
	require.Equal(t, []string{`agents/file.md:3: the key "modell" has no meaning; did you mean model?`}, parse(t, "---\nname: a\nmodell: x\n---\n").Warnings)
}

// Every refusal names the line and what stands there.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "agents/file.md:1: there is no front matter",
		"# Reviewer\n":              "agents/file.md:1: there is no front matter",
		"\n---\nname: a\n---\n":     "agents/file.md:1: there is no front matter",
		"---\nname: a\n":            "agents/file.md:1: the front matter has no end",
		"---\nname: a\n----\n":      "agents/file.md:1: the front matter has no end",
		"---\nname: [\n---\n":       "agents/file.md:2: the front matter is not YAML: did not find expected node content",
		"---\njust a text\n---\n":   "agents/file.md:2: the front matter is not made of keys and values",
		"---\n- a\n---\n":           "agents/file.md:2: the front matter is not made of keys and values",
		"---\na: 1\n...\nb: 2\n---": "agents/file.md:3: the front matter is not YAML: did not find expected <document start>",
		"---\nname: a\n---\n\xff":   "agents/file.md:4: the text is not UTF-8",
		"---\nname: a\n---\n\n\x00": "agents/file.md:5: there is a NUL character",

		"---\nname: a\nmodel: x\nname: b\n---\n":             `agents/file.md:4: the key "name" stands here and in line 2`,
		"---\nname: a\nreadOnly: true\nread_only: no\n---\n": `agents/file.md:4: the key "read_only" says the same as the key in line 3`,
		"---\n? [a]\n: b\n---\n":                             "agents/file.md:2: a key is not a text",
		"---\nx: &x {tools: []}\n<<: *x\n---\n":              "agents/file.md:3: a key is not a text",

		"---\nname: a/b\n---\n":                `agents/file.md:2: "a/b" is no name of an agent type: a name has letters from a to z, digits, blanks, -, _, . and : only`,
		"---\nname: ''\n---\n":                 `agents/file.md:2: name takes a text, not ""`,
		"---\nname: -x\n---\n":                 `agents/file.md:2: "-x" is no name of an agent type: a name begins with a letter or a digit, and ends with no blank`,
		"---\nname: \"a\\x1b[2J\"\n---\n":      `agents/file.md:2: "a\x1b[2J" is no name of an agent type: a name has letters from a to z, digits, blanks, -, _, . and : only`,
		"---\nname: {a: b}\n---\n":             "agents/file.md:2: name takes a text, not keys and values",
		"---\nname: a\ntools:\n---\n":          "agents/file.md:3: tools takes a list of names, or a text with commas between them, not nothing",
		"---\nname: a\ntools: ''\n---\n":       `agents/file.md:3: tools takes a list of names, or a text with commas between them, not ""`,
		"---\nname: a\ntools: a,,b\n---\n":     "agents/file.md:3: tools: there is a comma with no name beside it",
		"---\nname: a\ntools:\n- a\n- []\n---": "agents/file.md:5: tools takes a list of names, or a text with commas between them, not a list",
		"---\nname: a\ntools: true\n---\n":     `agents/file.md:3: tools takes a list of names, or a text with commas between them, not "true"`,
		"---\nname: a\nmodel: [a]\n---\n":      "agents/file.md:3: model takes a text, not a list",
		"---\nname: a\nreadOnly: yes\n---\n":   `agents/file.md:3: readOnly takes true or false, not "yes"`,
		"---\nname: a\nreadOnly: 'true'\n---":  `agents/file.md:3: readOnly takes true or false, not "true"`,
		"---\nname: a\ntier: large\n---\n":     `agents/file.md:3: there is no tier "large"`,
		"---\nx: &x a\nmodel: *x\n---\n":       "agents/file.md:3: model takes a text, not an alias",

		// A slip in what keeps an agent within bounds.
		"---\nname: a\nreadOnyl: true\n---\n":     `agents/file.md:3: unknown key "readOnyl"`,
		"---\nname: a\nTolos: Read\n---\n":        `agents/file.md:3: unknown key "Tolos"`,
		"---\nname: a\ntoolz: Read\n---\n":        `agents/file.md:3: unknown key "toolz"`,
		"---\nname: a\ndissalowedTools: X\n---\n": `agents/file.md:3: unknown key "dissalowedTools"`,
	} {
		_, err := agenttype.Parse([]byte(text), "agents/file.md")
		require.EqualError(t, err, "AGENT_TYPE_INVALID: "+want, text)
	}
}

// A short text does not stand for an endless one, and a long one is not read.
func TestBombsAreRefused(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("---\na0: &a0 lol\n")
	for i := range 9 {
		laughs.WriteString("a" + string(rune('1'+i)) + ": &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+string(rune('0'+i))+",", 9) + "]\n")
	}
	_, err := agenttype.Parse([]byte(laughs.String()+"tools: *a9\n---\n"), "x.md")
	require.EqualError(t, err, "AGENT_TYPE_INVALID: x.md:12: tools takes a list of names, or a text with commas between them, not an alias")
	require.Contains(t, parse(t, laughs.String()+"---\n").Warnings[0], "keys of other programs", "what is not followed costs nothing")

	_, err = agenttype.Parse([]byte("---\nhooks: "+strings.Repeat("[", 100)+strings.Repeat("]", 100)+"\n---\n"), "x.md")
	require.ErrorContains(t, err, "nested more than 24 levels deep")
	_, err = agenttype.Parse([]byte("---\nhooks: "+strings.Repeat("[", 100_000)+"\n---\n"), "x.md")
	require.True(t, fault.Is(err, fault.AgentTypeInvalid))
	var many strings.Builder
	for i := range 201 {
		many.WriteString("k" + strings.Repeat("x", i) + ": 1\n")
	}
	_, err = agenttype.Parse([]byte("---\n"+many.String()+"---\n"), "x.md")
	require.ErrorContains(t, err, "x.md:2: the front matter has more than 200 keys")
	_, err = agenttype.Parse([]byte("---\nname: a\n---\n"+strings.Repeat("a", 256<<10)), "x.md")
	require.ErrorContains(t, err, "x.md: the file has more than 256 KiB")
}

// Whatever stands in a file: a type that can be used, or a refusal with a code; and never a fence
// that is lost on the way.
func FuzzParse(f *testing.F) {
	f.Add("---\nname: a\ntools: [x]\n---\nb")
	f.Add("---\ndescription: a: b\nreadOnly: true\n---\n")
	f.Add("---\r\n? a\r\n: &b [*b]\r\n---\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := agenttype.Parse([]byte(text), "file.md")
		if err != nil {
			require.Equal(t, fault.AgentTypeInvalid, fault.CodeOf(err))
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, got.Name)
		again, err := agenttype.Parse([]byte(strings.ReplaceAll(text, "\n", "\r\n")), "file.md")
		if !strings.Contains(text, "\r") {
			require.NoError(t, err)
			again.SHA256 = got.SHA256
			require.Equal(t, got, again)
		}
	})
}
