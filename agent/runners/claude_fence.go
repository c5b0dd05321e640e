package runners

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Claude's tools, by what they can do.
var (
	// claudeReading are all that a call that only reads gets by itself. Not the shell: what a command
	// does is not known from its text.
	claudeReading = []string{"Read", "Grep", "Glob"}
	// claudeWeb look at the web: such a call gets them if it names them.
	claudeWeb = []string{"WebFetch", "WebSearch"}
	// claudeEditing change files, claudeActing is all that the mode "auto" lets a call do unasked.
	claudeEditing = []string{"Edit", "Write", "NotebookEdit"}
	claudeActing  = []string{"Bash", "Edit", "Write", "NotebookEdit", "WebFetch", "WebSearch", "Agent", "Skill"}
	// claudeDenied are denied to a call that only reads, though it does not get them in any case: a rule
	// that denies wins over whatever allows.
	claudeDenied = []string{"Bash", "Edit", "Write", "NotebookEdit", "Agent", "Skill", "Workflow", "SendMessage", "mcp__*"}
	// claudeLeaving lead out of a call: to another working tree, or to a time when it is over.
	claudeLeaving = []string{"EnterWorktree", "ExitWorktree", "CronCreate", "CronDelete", "ScheduleWakeup"}
)

// claudeNames are claude's names for the tools that scripts name as other programs do.
var claudeNames = map[string]string{
	"shell": "Bash", "exec_command": "Bash", "view_image": "Read", "notebookread": "Read", "find": "Glob", "ls": "Glob", "multiedit": "Edit",
	"apply_patch": "Edit", "web_search": "WebSearch", "task": "Agent",
	"bash": "Bash", "read": "Read", "grep": "Grep", "glob": "Glob", "edit": "Edit", "write": "Write", "notebookedit": "NotebookEdit",
	"webfetch": "WebFetch", "websearch": "WebSearch", "agent": "Agent", "skill": "Skill",
}

// claudeRule is the form of a rule: a tool, and perhaps which uses of it.
var claudeRule = regexp.MustCompile(`^([A-Za-z_][\w.*-]*)(\([^\n]*\))?$`)

// claudeSkill is how a skill is called, one of a plugin with that before it.
var claudeSkill = regexp.MustCompile(`^[\w.:-]+$`)

// claudeTool is claude's name of a tool, and which uses of it are meant, "" for all.
func claudeTool(given string) (name, part string, err error) {
	found := claudeRule.FindStringSubmatch(strings.TrimSpace(given))
	if found == nil {
		return "", "", fault.New(fault.AgentUnable, fmt.Sprintf("%q is no tool that claude could have", given), "name it as in Read or Bash(git log:*)")
	}
	name = found[1]
	if own := claudeNames[strings.ToLower(name)]; own != "" {
		name = own
	}
	return name, found[2], nil
}

// claudeFence is what keeps claude within what a call may do.
type claudeFence struct {
	// tools are those that it gets at all; nil is all that it has.
	tools []string
	// mode is its mode of permission, allowed and denied are its rules.
	mode            string
	allowed, denied []string
	extra           []string
	note            string
}

func (f *claudeFence) args() []string {
	args := slices.Concat([]string{"--permission-mode=" + f.mode}, f.extra)
	if f.tools != nil {
		args = append(args, "--tools="+strings.Join(f.tools, ","))
	}
	if len(f.allowed) > 0 {
		args = append(args, "--allowedTools="+strings.Join(f.allowed, ","))
	}
	if len(f.denied) > 0 {
		args = append(args, "--disallowedTools="+strings.Join(f.denied, ","))
	}
	return args
}

// fence is that of a request.
func (c *claudeRunner) fence(req agent.Request) (*claudeFence, error) {
	f := &claudeFence{}
	if _, err := claudeArguments.check(c.Options, req.ReadOnly); err != nil {
		return nil, err
	}
	for _, given := range req.DisallowedTools {
		name, part, err := claudeTool(given)
		if err != nil {
			return nil, err
		}
		f.denied = append(f.denied, name+part)
	}
	if req.Scratch != "" {
		f.extra = append(f.extra, "--add-dir="+req.Scratch)
	}
	var err error
	if req.ReadOnly {
		err = c.reading(f, req)
	} else {
		err = f.acting(req)
	}
	return f, err
}

// reading is an allow-list of tools that read. The settings in the repository, with their hooks, their
// rules and the programs that they name, are not looked at; nor are its MCP servers, its skills and
// its commands; and no hook runs.
func (c *claudeRunner) reading(f *claudeFence, req agent.Request) error {
	f.mode, f.tools = "dontAsk", claudeReading
	f.extra = append(f.extra, "--setting-sources=user", "--strict-mcp-config", `--settings={"disableAllHooks":true}`, "--disable-slash-commands")
	f.denied = append(f.denied, slices.Concat(claudeDenied, claudeLeaving)...)
	if len(req.Skills) > 0 {
		f.note = "a call that only reads gets none of claude's skills: they may run commands"
	}
	if req.Tools == nil {
		return nil
	}
	f.tools = []string{}
	for _, given := range req.Tools {
		name, part, err := claudeTool(given)
		switch web := slices.Contains(claudeWeb, name); {
		case err != nil:
			return err
		case web:
			f.allowed = append(f.allowed, name+part)
		case !slices.Contains(claudeReading, name):
			continue // what does not read is left out, which only narrows
		case part != "":
			return fault.New(fault.AgentUnable, "claude cannot be kept to some uses of a tool that reads, as "+given+" has it",
				"name the whole tool, or give the call another agent")
		}
		if !slices.Contains(f.tools, name) {
			f.tools = append(f.tools, name)
		}
	}
	return nil
}

// claudeArguments are those that may stand before the fence of a call that only reads. A rule that
// allows is among them: what is denied stays so.
var claudeArguments = known{kind: claudeName, takes: map[string]values{
	"--model": oneValue, "--fallback-model": oneValue, "--effort": oneValue, "--betas": someValues, "--max-turns": oneValue, "--max-budget-usd": oneValue,
	"--max-thinking-tokens": oneValue, "--append-system-prompt": oneValue, "--system-prompt": oneValue, "--add-dir": someValues,
	"--allowedTools": someValues, "--allowed-tools": someValues, "--disallowedTools": someValues, "--disallowed-tools": someValues,
	"--print": noValue, "--verbose": noValue, "--no-chrome": noValue, "--no-session-persistence": noValue,
	"--strict-mcp-config": noValue, "--disable-slash-commands": noValue, "--exclude-dynamic-system-prompt-sections": noValue,
}}

// acting is the fence of a call that may write: claude's own mode in which it edits files in its folder
// and asks before most commands, which are denied then; with "auto", everything is allowed but what
// claude always asks about, such as a change in .git. A list of tools narrows both.
func (f *claudeFence) acting(req agent.Request) error {
	auto := req.PermissionMode == "auto"
	f.mode = "acceptEdits"
	f.denied = append(f.denied, claudeLeaving...)
	if req.Skills != nil && len(req.Skills) == 0 {
		f.extra = append(f.extra, "--disable-slash-commands")
		f.denied = append(f.denied, "Skill")
	}
	for _, skill := range req.Skills {
		if !auto && claudeSkill.MatchString(skill) {
			f.allowed = append(f.allowed, "Skill("+skill+")")
		}
	}
	if req.Tools == nil {
		if auto {
			f.allowed = append(f.allowed, claudeActing...)
		}
		return nil
	}
	f.tools = []string{}
	var whole []string
	for _, given := range req.Tools {
		name, part, err := claudeTool(given)
		if err != nil {
			return err
		}
		if !slices.Contains(f.tools, name) {
			f.tools = append(f.tools, name)
		}
		if part == "" {
			whole = append(whole, name)
			continue
		}
		// Nothing but what rules allow, or the mode would allow other uses of the tool.
		f.mode = "dontAsk"
		f.allowed = append(f.allowed, name+part)
	}
	for _, name := range whole {
		switch {
		case auto && !slices.Contains(claudeReading, name):
			f.allowed = append(f.allowed, name)
		case f.mode == "dontAsk" && slices.Contains(claudeEditing, name) && filepath.IsAbs(req.Cwd):
			if rule := "Edit(/" + filepath.ToSlash(req.Cwd) + "/**)"; !slices.Contains(f.allowed, rule) {
				f.allowed = append(f.allowed, rule) // it has one kind of rule for all tools that edit
			}
		}
	}
	return nil
}
