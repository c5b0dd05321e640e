package issuedelivery

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

type checkOptions struct {
	Commit string `json:"commit"`
	// Checks are names of checks that there are, or others; all if left out.
	Checks []checkAsked `json:"checks"`
	// Setup is what has to be done in a fresh tree before they can run; what is found there, if left out.
	Setup      []checkAsked `json:"setup"`
	TargetFile string       `json:"targetFile"`
	Label      string       `json:"label"`
	TimeoutMs  int64        `json:"timeoutMs"`
	MaxOutput  int          `json:"maxOutput"`
}

// checkAsked is a name, or a name with a command; with what delivery.begin found of it, it is that check.
type checkAsked struct {
	Name    string   `json:"name"`
	Command []string `json:"command"`
	Kind    string   `json:"kind"`
	Source  string   `json:"source"`
	Dir     string   `json:"dir"`
}

// check is the check that is asked for.
func (c checkAsked) check() checks.Check {
	made := checks.Named(map[string][]string{c.Name: c.Command})[0]
	made.Kind, made.Source = cmp.Or(c.Kind, made.Kind), cmp.Or(c.Source, made.Source)
	if filepath.IsLocal(c.Dir) {
		made.Dir = c.Dir
	}
	return made
}

// UnmarshalJSON takes a text for a name.
func (c *checkAsked) UnmarshalJSON(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &c.Name)
	}
	type plain checkAsked
	return json.Unmarshal(text, (*plain)(c))
}

// mostOutput caps what may be kept of the output of one check.
const mostOutput = 4 << 20

func (h *Host) stageCheck() engine.Primitive {
	const name = "stageCheck"
	return function[checkOptions]{
		name: name,
		effect: func(in checkOptions) effect {
			if in.Commit != "" {
				return repeatable
			}
			return free
		},
		label: func(in checkOptions) string { return cmp.Or(in.Label, "checks") },
		check: func(in checkOptions) error {
			if in.TimeoutMs < 0 || in.MaxOutput < 0 || in.MaxOutput > mostOutput {
				return fault.New(fault.OptionInvalid, fmt.Sprintf("%s: timeoutMs counts from 1, and maxOutput up to %d", name, mostOutput), "leave them out")
			}
			if in.Commit != "" {
				return ids(name, in.Commit)
			}
			return nil
		},
		do: h.runChecks,
	}
}

func (h *Host) runChecks(ctx context.Context, c call, in checkOptions) (any, error) {
	folder := h.Workspace
	if in.Commit != "" {
		r, err := h.open(c)
		if err != nil {
			return nil, err
		}
		folder = filepath.Join(h.folder(c.Run), "checks", canonical.Sum([]byte(c.Step.Key()))[:16])
		remove, err := r.Checkout(ctx, in.Commit, folder)
		if err != nil {
			return nil, gitFailed(err, c)
		}
		defer func() { _ = remove(context.WithoutCancel(ctx)) }() // what stays is removed before the place is used again
	}
	found, setup := h.checksOf(folder)
	list, err := chosen(found, in.Checks)
	if err != nil {
		return nil, err
	}
	if in.Setup != nil {
		if setup, err = chosen(setup, in.Setup); err != nil {
			return nil, err
		}
	}
	if in.Commit == "" {
		setup = nil // the user has set the workspace up, and what installs things would do so in it
	}
	result, err := checks.Run(ctx, checks.Options{
		Folder: folder, Checks: list, Setup: setup, Workspace: h.Workspace, Environ: h.environ(), Keep: h.Config.Env, Mark: c.Mark, Step: c.Step,
		Timeout: cmp.Or(time.Duration(in.TimeoutMs)*time.Millisecond, h.Config.CheckTimeout), Output: in.MaxOutput,
	})
	if err != nil {
		return nil, err
	}
	result.Commit, result.TargetFile = in.Commit, in.TargetFile
	if in.Commit != "" && in.Checks == nil {
		result.Summary += h.lost(found)
	}
	return result, nil
}

// lost says which checks that run tests the workspace has, and a commit has not any more: whoever judges
// the commit has to know.
func (h *Host) lost(found []checks.Check) string {
	text := ""
	there, _ := h.checksOf(h.Workspace)
	for _, c := range there {
		if c.Kind == checks.Test && !slices.ContainsFunc(found, func(other checks.Check) bool { return other.Name == c.Name }) {
			text += fmt.Sprintf("\nThe check %s of the workspace is not in this commit.", c.Name)
		}
	}
	return text
}

// checksOf are the checks of a tree, and what has to be done before them: those of the configuration, or
// those that are found.
func (h *Host) checksOf(folder string) (list, setup []checks.Check) {
	// What links in it lead to outside of it is not the tree's.
	if tree, err := regular.OpenFolder(folder); err == nil {
		list, setup = checks.Detect(tree)
		_ = tree.Close()
	}
	return h.configured(list, setup)
}

// configured puts what the configuration names in the place of what was found.
func (h *Host) configured(list, setup []checks.Check) ([]checks.Check, []checks.Check) {
	if len(h.Config.Checks) > 0 {
		list = checks.Named(h.Config.Checks)
	}
	if len(h.Config.Setup) > 0 {
		setup = checks.Named(h.Config.Setup)
	}
	return list, setup
}

// chosen are the checks that a script names.
func chosen(there []checks.Check, asked []checkAsked) ([]checks.Check, error) {
	if asked == nil {
		return there, nil
	}
	var list []checks.Check
	for _, one := range asked {
		if len(one.Command) > 0 {
			list = append(list, one.check())
			continue
		}
		i := slices.IndexFunc(there, func(c checks.Check) bool { return c.Name == one.Name })
		if i < 0 {
			names := make([]string, len(there))
			for k, c := range there {
				names[k] = c.Name
			}
			next := "the checks here are " + strings.Join(names, ", ")
			if near := options.Nearest(one.Name, names); near != "" {
				next = fmt.Sprintf("did you mean %q?", near)
			}
			return nil, fault.New(fault.OptionInvalid, fmt.Sprintf("stageCheck: there is no check %q", one.Name), next)
		}
		list = append(list, there[i])
	}
	return list, nil
}
