package runners

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// The sandboxes that codex has.
const (
	codexReadOnly = "read-only"
	codexWrite    = "workspace-write"
	codexFull     = "danger-full-access"
)

// codexFence is what keeps codex within what a call may do.
type codexFence struct {
	sandbox string
	extra   []string
	note    string
}

func (f codexFence) args() []string {
	// Nobody is there to ask, and what would be asked about is not for another model to allow.
	return append([]string{"--sandbox", f.sandbox, "-c", `approval_policy="never"`}, f.extra...)
}

// fence is that of a request.
func (c *codexRunner) fence(req agent.Request) (codexFence, error) {
	f := codexFence{sandbox: codexWrite}
	args, err := codexArguments.check(c.Options, req.ReadOnly)
	if err != nil {
		return f, err
	}
	switch {
	case req.ReadOnly:
		f.sandbox = codexReadOnly
	case req.PermissionMode == "auto":
		f.sandbox = codexFull
	}
	if err := f.tools(req); err != nil {
		return f, err
	}
	switch f.sandbox {
	case codexReadOnly:
		if !req.ReadOnly { // its tools make it so
			if args, err = codexArguments.check(c.Options, true); err != nil {
				return f, err
			}
		}
		besides, err := c.nothingBesides(req.Cwd, args)
		if err != nil {
			return f, err
		}
		f.extra = append(f.extra, besides...)
	case codexWrite:
		if req.Scratch != "" {
			f.extra = append(f.extra, "--add-dir", req.Scratch)
		}
	}
	return f, nil
}

// nothingBesides takes away what runs beside the sandbox. Rules that allow a command have it run
// without one; MCP servers, hooks, plugins and notifiers are programs outside of it; and the
// configuration in the repository, if its user once trusted it, can bring any of them.
func (c *codexRunner) nothingBesides(cwd string, given []given) ([]string, error) {
	args := []string{"--ignore-rules", "-c", "notify=[]"}
	for _, feature := range []string{"hooks", "plugins", "apps", "computer_use", "browser_use"} {
		args = append(args, "-c", "features."+feature+"=false")
	}
	if cwd = cmp.Or(cwd, c.Dir); cwd != "" {
		args = append(args, "-c", "projects="+tomlTable(foldersAbove(cwd), `trust_level="untrusted"`))
	}
	servers, err := c.servers(given)
	if len(servers) > 0 {
		args = append(args, "-c", "mcp_servers="+tomlTable(servers, "enabled=false"))
	}
	return args, err
}

// tomlTable is a table in which each name has the same fields.
func tomlTable(names []string, fields string) string {
	var entries []string
	for _, name := range names {
		entries = append(entries, tomlString(name)+"={"+fields+"}")
	}
	return "{" + strings.Join(entries, ",") + "}"
}

// foldersAbove are a folder and those above it, up to the top of its working tree, by the names that
// they may have been trusted by.
func foldersAbove(folder string) []string {
	found := map[string]bool{}
	for _, start := range []string{folder, linkless(folder)} {
		for at := filepath.Clean(start); ; at = filepath.Dir(at) {
			found[at] = true
			if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || at == filepath.Dir(at) {
				break
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// linkless is a path without links, or itself.
func linkless(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// servers are the names of the MCP servers that the user's configuration and the machine's have.
func (c *codexRunner) servers(given []given) ([]string, error) {
	environ := c.passed()
	found := map[string]bool{}
	for _, path := range append([]string{"/etc/codex/config.toml", "/etc/codex/managed_config.toml"}, codexProfiles(codexHome(environ), given)...) {
		var config struct {
			Servers map[string]any `toml:"mcp_servers"`
		}
		text, err := settingsFile(path)
		if err == nil {
			err = toml.Unmarshal(text, &config)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fault.Wrap(err, fault.AgentUnable, "codex cannot be kept from its MCP servers: "+path+" cannot be read, which may name some",
				"put the file right, or give calls that only read another agent")
		}
		for name := range config.Servers {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// codexHome is the folder of codex's own files.
func codexHome(environ []string) string {
	return cmp.Or(variable(environ, "CODEX_HOME"), filepath.Join(homeIn(environ), ".codex"))
}

// tools narrows the fence to the tools that were asked for. Codex does everything by commands and has
// no list of tools, so that only what a sandbox can keep is taken on: a list that could not be kept is
// refused, and not dropped.
func (f *codexFence) tools(req agent.Request) error {
	if req.Tools == nil && len(req.DisallowedTools) == 0 {
		return nil
	}
	may := map[toolKind]bool{readTool: true, editTool: true, runTool: true, webTool: true}
	if req.Tools != nil {
		may = map[toolKind]bool{}
		for _, tool := range req.Tools {
			kind, part := kindOf(tool)
			if (kind == unknownTool || part) && f.sandbox != codexReadOnly {
				return notKept("cannot be allowed the tool "+tool+" alone", "leave `tools` out")
			}
			may[kind] = true
		}
	}
	for _, tool := range req.DisallowedTools {
		kind, part := kindOf(tool)
		switch {
		case f.sandbox == codexReadOnly && kind == editTool: // it cannot in any case
		case kind == webTool && !part, kind == editTool && !may[runTool]:
			may[kind] = false
		case kind == inertTool && !part:
		default:
			return notKept("cannot be denied the tool "+tool, "leave it out of `disallowedTools`, or make the call readOnly")
		}
	}
	if !may[webTool] {
		f.extra = append(f.extra, "-c", `web_search="disabled"`)
	}
	switch {
	case len(req.Tools) == 0 && req.Tools != nil:
		f.sandbox = codexReadOnly
		for _, feature := range []string{"shell_tool", "unified_exec", "multi_agent", "goals", "view_image"} {
			f.extra = append(f.extra, "-c", "features."+feature+"=false")
		}
	case may[runTool]: // as its sandbox lets it
	case may[editTool] && f.sandbox != codexReadOnly:
		return notKept("edits by commands, and cannot be kept from other ones", "allow Bash too, or leave `tools` out")
	default:
		f.sandbox = codexReadOnly
	}
	if f.sandbox == codexReadOnly && len(req.Tools) > 0 {
		f.note = "codex has no list of tools: its read-only sandbox was used for it"
	}
	return nil
}

// notKept is the refusal of a list of tools.
func notKept(why, next string) error {
	return fault.New(fault.AgentUnable, "codex has no list of tools: it "+why, next+", or give the call another agent")
}

// sandboxBroken is a codex none of whose commands could run, since its sandbox does not work here. It
// was kept from everything, and what it answered nonetheless is a guess.
func sandboxBroken(called, word string) error {
	return fault.New(fault.AgentUnable, called+" could run no command: its sandbox does not work on this machine: "+word,
		"codex sandbox -- true   # shows it; in a container or on a system without user namespaces, allow them, or give the call another agent")
}
