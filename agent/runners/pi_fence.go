package runners

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// The tools that pi has by itself, and those of them that change nothing.
var (
	piTools   = []string{"read", "bash", "edit", "write"}
	piReading = []string{"read", "grep", "find", "ls"}
	piEditing = []string{"read", "grep", "find", "ls", "edit", "write"}
)

// piNames are pi's names for the tools of other programs; "" is a tool that it has nothing like.
var piNames = map[string]string{
	"glob": "find", "multiedit": "edit", "notebookread": "read", "notebookedit": "edit", "shell": "bash", "exec_command": "bash", "apply_patch": "edit",
	"webfetch": "", "websearch": "", "web_search": "", "task": "", "agent": "", "todowrite": "", "todoread": "", "skill": "",
	"bashoutput": "", "killshell": "", "view_image": "read",
}

// piTool is pi's name of a tool; part says that some uses of it are meant only.
func piTool(tool string) (name string, part bool) {
	name, _, part = strings.Cut(tool, "(")
	name = strings.TrimSpace(name)
	if own, ok := piNames[strings.ToLower(name)]; ok {
		return own, part
	}
	if lower := strings.ToLower(name); slices.Contains(piTools, lower) || slices.Contains(piReading, lower) {
		return lower, part
	}
	return name, part // a tool of an extension
}

// piArguments are those that may stand before the fence of a call that only reads. None brings code.
var piArguments = known{kind: piName, takes: map[string]values{
	"--provider": nextValue, "--model": nextValue, "--models": nextValue, "--api-key": nextValue, "--thinking": nextValue, "--system-prompt": nextValue,
	"--append-system-prompt": nextValue, "--skill": nextValue, "--no-extensions": noValue, "-ne": noValue, "--no-skills": noValue, "-ns": noValue,
	"--no-prompt-templates": noValue, "-np": noValue, "--no-themes": noValue, "--no-context-files": noValue, "-nc": noValue, "--no-session": noValue,
	"--offline": noValue, "--verbose": noValue,
}}

// fence keeps pi within what a call may do.
func (p *piPlan) fence(req agent.Request, o Options) error {
	if _, err := piArguments.check(o, req.ReadOnly); err != nil {
		return err
	}
	within, why := []string(nil), ""
	switch {
	case req.ReadOnly:
		within = piReading
		if err := piSafeProject(cmp.Or(req.Cwd, o.Dir)); err != nil {
			return err
		}
		// An extension is code that runs beside the tools, and a package is code that is downloaded. The
		// session's file would be written where the repository's settings have it.
		p.args = append(p.args, "--no-extensions", "--no-session", "--offline")
	case req.PermissionMode == "ask", req.PermissionMode == "accept-edits":
		within = piEditing
		why = "pi cannot ask before it runs a command, so that in the mode " + req.PermissionMode + " it gets no shell; in the mode auto it does"
	}
	tools, err := p.tools(req, within)
	switch {
	case err != nil:
		return err
	case tools == nil:
		return nil
	case len(tools) == 0:
		p.args = append(p.args, "--no-tools")
	default:
		p.args = append(p.args, "--tools", strings.Join(tools, ","))
	}
	if !slices.Contains(tools, "bash") {
		p.note = notes(p.note, why)
	}
	return nil
}

// tools are those that a call gets, within a fence; nil is all that pi has. A tool that it has nothing
// like is left out, which only narrows; one of which some uses are meant is refused, since pi can only
// give the whole of it.
func (p *piPlan) tools(req agent.Request, within []string) ([]string, error) {
	if req.Tools == nil && len(req.DisallowedTools) == 0 {
		return within, nil
	}
	inside := func(tool string) bool { return within == nil || slices.Contains(within, tool) }
	tools := []string{}
	var missing []string
	if req.Tools == nil {
		tools = slices.Clone(piTools)
		if within != nil {
			tools = slices.Clone(within)
		}
	}
	for _, given := range req.Tools {
		tool, part := piTool(given)
		switch {
		case tool == "":
			missing = append(missing, given)
		case !inside(tool) || slices.Contains(tools, tool):
		case part:
			return nil, piNotKept("allowed", given)
		default:
			tools = append(tools, tool)
		}
	}
	for _, given := range req.DisallowedTools {
		tool, part := piTool(given)
		if part && slices.Contains(tools, tool) {
			return nil, piNotKept("denied", given)
		}
		tools = slices.DeleteFunc(tools, func(t string) bool { return t == tool })
	}
	if len(missing) > 0 {
		p.note = notes(p.note, "pi has nothing like "+strings.Join(missing, ", "))
	}
	return tools, nil
}

func piNotKept(what, tool string) error {
	return fault.New(fault.AgentUnable, "pi cannot be "+what+" some uses of a tool only, as "+tool+" has it",
		"name the whole tool, or give the call another agent")
}

// piSafeProject refuses a repository whose settings name a program that pi runs when it starts, and one
// in which it moves a folder then: no argument of pi's keeps it from that. Settings that cannot be read
// may name a program too.
func piSafeProject(cwd string) error {
	folder := filepath.Join(cwd, ".pi")
	old, moved := filepath.Join(folder, "commands"), filepath.Join(folder, "prompts")
	if isThere(old) && !isThere(moved) {
		return fault.New(fault.AgentUnable, "pi cannot be kept from moving "+old+" to "+moved+" when it starts, which is no matter of a call that only reads",
			"move it yourself, or give the call another agent")
	}
	path := filepath.Join(folder, "settings.json")
	text, err := settingsFile(path)
	var settings map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &settings)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && settings["npmCommand"] == nil:
		return nil
	case err != nil:
		return fault.Wrap(err, fault.AgentUnable, "pi may run a program that "+path+" names, which is no matter of a call that only reads",
			"put the file right, or give the call another agent")
	}
	return fault.New(fault.AgentUnable, "pi cannot be kept from running the npmCommand of "+path+", which is no matter of a call that only reads",
		"take npmCommand out of the repository's settings, or give the call another agent")
}

// piSkill is the file that a skill is, in a folder of its name.
const piSkill = "SKILL" + ".md"

// skills gives pi the skills that a call may use, by their files.
func (p *piPlan) skills(req agent.Request, o Options) error {
	if req.Skills == nil {
		return nil
	}
	p.args = append(p.args, "--no-skills")
	environ := o.passed()
	folders := []string{
		filepath.Join(req.Cwd, ".pi", "skills"), filepath.Join(req.Cwd, ".agents", "skills"),
		filepath.Join(piFolder(environ), "skills"), filepath.Join(homeIn(environ), ".agents", "skills"),
	}
	for _, name := range req.Skills {
		path := ""
		for _, folder := range folders {
			if found := filepath.Join(folder, name, piSkill); filepath.IsLocal(name) && isFile(found) {
				path = found
				break
			}
		}
		if path == "" {
			return fault.New(fault.AgentUnable, "pi has no skill "+name, "put it into one of "+strings.Join(folders, ", ")+", or leave it out")
		}
		p.args = append(p.args, "--skill", path)
	}
	return nil
}

// piFolder is the folder of pi's own files.
func piFolder(environ []string) string {
	folder := variable(environ, "PI_CODING_AGENT_DIR")
	if folder == "" {
		return filepath.Join(homeIn(environ), ".pi", "agent")
	}
	if rest, ok := strings.CutPrefix(folder, "~"); ok {
		return filepath.Join(homeIn(environ), rest)
	}
	return folder
}
