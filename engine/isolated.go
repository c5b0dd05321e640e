package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// A call with isolation: "worktree" works in a working tree of its own. Its answer says where its
// work is: behind a text stands a line for whoever reads it, and an object has the member worktree.

// worktreeName is the member of an object.
const worktreeName = "worktree"

// filesTold caps the files that the line behind a text names.
const filesTold = 20

// worktree opens the call's own working tree: as it was left, or put back if the call was cut off or
// is made again.
func (a *attempt) worktree(ctx context.Context, c *call, folder, base, mark string, step *journal.Step) (*worktree.Tree, error) {
	if a.o.Work == "" {
		return nil, fault.New(fault.WorktreeUnavailable, "agent() option \"isolation\" needs a folder for worktrees, and this program has none", "set engine.Options.Work")
	}
	return worktree.Open(ctx, worktree.Place{Root: a.o.Work, Run: a.id}, worktree.Request{
		Key: c.Key, Label: c.request.Label, Folder: folder, Base: base, Interrupted: c.repeats == repeatsInterrupted, Fresh: c.request.ReadOnly || c.repeats != "" && c.repeats != repeatsInterrupted, Mark: mark, Step: step,
	})
}

// leaveTree keeps what a call left in its tree, and says in its answer where that is. An answer is not
// lost because git fails: the tree stays as it is, and the remark says so.
func (a *attempt) leaveTree(ctx context.Context, tree *worktree.Tree, result *answer) {
	left, note, err := tree.Finish(context.WithoutCancel(ctx))
	result.note = remark(result.note, note)
	if err != nil {
		result.value = nil
		result.err = fault.Wrap(err, fault.WorktreeUnavailable, "the agent answered, and its work could not be committed", "assent worktrees   # says where it is")
		result.class = journal.FailureOrdinary
		return
	}
	result.worktree = &left
	if result.err != nil {
		return
	}
	value, err := withWorktree(result.value, left)
	if err != nil {
		result.note = remark(result.note, "its answer does not name its worktree: "+err.Error())
		return
	}
	result.value = value
}

// withWorktree adds to an answer where the work is: to a text a line, to an object a member.
func withWorktree(value json.RawMessage, w journal.Worktree) (json.RawMessage, error) {
	value = bytes.TrimSpace(value)
	switch {
	case len(value) > 0 && value[0] == '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return nil, err
		}
		return marshal(strings.TrimRight(text, "\n") + "\n\n" + toldOf(w))
	case len(value) > 1 && value[0] == '{':
		member, err := marshal(map[string]any{worktreeName: valueOf(w)})
		if err != nil {
			return nil, err
		}
		member = bytes.TrimSuffix(member[1:], []byte("}"))
		inner := bytes.TrimSpace(value[1 : len(value)-1])
		if len(inner) > 0 {
			inner = append(bytes.Clone(inner), ',')
		}
		return bytes.Join([][]byte{[]byte("{"), inner, member, []byte("}")}, nil), nil
	}
	return value, nil
}

// valueOf is what the script gets of a worktree.
func valueOf(w journal.Worktree) map[string]any {
	files := make([]string, len(w.Files))
	for i, f := range w.Files {
		files[i] = f.Path
	}
	return map[string]any{"branch": w.Branch, "base": w.Base, "commit": w.Commit, "path": w.Path, "changedFiles": files}
}

// toldOf is the line behind a text.
func toldOf(w journal.Worktree) string {
	if w.Commit == w.Base {
		return fmt.Sprintf("[worktree: branch %s, nothing changed since %s]", w.Branch, w.Base)
	}
	var files []string
	for _, f := range w.Files[:min(len(w.Files), filesTold)] {
		files = append(files, f.Kind+" "+f.Path)
	}
	if more := len(w.Files) + w.More - len(files); more > 0 {
		files = append(files, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("[worktree: branch %s, commit %s, base %s; %s]", w.Branch, w.Commit, w.Base, strings.Join(files, ", "))
}

// isolatedSchema refuses a schema that has a member of its own where the worktree is named.
func isolatedSchema(schema json.RawMessage) error {
	var members struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &members) == nil && members.Properties[worktreeName] != nil {
		return fault.New(fault.OptionInvalid, "agent() option \"schema\" has a member \"worktree\", and with isolation that says where the work is", "give the member another name")
	}
	return nil
}
