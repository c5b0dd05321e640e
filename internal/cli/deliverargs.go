package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// maxPlanFile is the largest plan that is read: no person could read a larger one before the yes.
const maxPlanFile = 1 << 20

// arguments are the flags as the script takes them.
func (f deliverFlags) arguments(a *app) ([]member, error) {
	list := []member{}
	say := func(name string, value any, there bool) {
		if there {
			list = append(list, member{name, jsonOf(value)})
		}
	}
	say("task", strings.Join(f.words, " "), len(f.words) > 0)
	say("issues", unique(f.issues), len(f.issues) > 0)
	if f.plan != "" {
		plan, err := a.planFile(f.plan)
		if err != nil {
			return nil, err
		}
		list = append(list, member{"plan", plan})
	}
	say("lane", cmp.Or(f.lane, "pull-request"), true)
	say("base", f.base, f.base != "")
	say("allowNoChecks", f.allowNoChecks, f.allowNoChecks)
	say("reviewers", f.reviewers, len(f.reviewers) > 0)
	say("labels", f.labels, len(f.labels) > 0)
	say("ready", f.ready, f.given["ready"])
	say("maxSteps", f.maxSteps, f.maxSteps > 0)
	return list, nil
}

// unique has each number once, in the order in which they came.
func unique(numbers []int) []int {
	var list []int
	for _, n := range numbers {
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// planFile reads a plan: one by itself, or the one in the result that a dry run printed.
func (a *app) planFile(name string) (json.RawMessage, error) {
	var text []byte
	var err error
	from := name
	if name == "-" {
		from = "standard input"
		text, err = io.ReadAll(io.LimitReader(a.In, maxPlanFile+1))
	} else {
		text, err = regular.Read(a.path(name), maxPlanFile)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.ArgsInvalid, "there is no file "+a.path(name), "assent deliver 'TASK' --dry-run > plan.json   # makes one")
	case err != nil:
		return nil, fault.Wrap(err, fault.ArgsInvalid, "the plan cannot be read", "")
	}
	refuse := func(what string) (json.RawMessage, error) {
		return nil, fault.New(fault.ArgsInvalid, from+" is no plan: "+what, "assent deliver 'TASK' --dry-run > plan.json   # makes one, to be edited")
	}
	if err := canonical.Check(text, maxPlanFile); err != nil {
		return refuse(err.Error())
	}
	var dry struct {
		DryRun bool            `json:"dryRun"`
		Plan   json.RawMessage `json:"plan"`
		Result json.RawMessage `json:"result"`
		Steps  json.RawMessage `json:"steps"`
	}
	if text = bytes.TrimSpace(text); text[0] != '{' || json.Unmarshal(text, &dry) != nil {
		return refuse(fmt.Sprintf("it begins with %c, and a plan is an object", text[0]))
	}
	if len(dry.Result) > 0 { // the object that --json prints
		text = dry.Result
		if text[0] != '{' || json.Unmarshal(text, &dry) != nil {
			return refuse("its result is none of a dry run")
		}
	}
	if dry.DryRun && len(dry.Plan) > 0 && dry.Plan[0] == '{' {
		text, dry.Steps = dry.Plan, json.RawMessage("[]") // that they are there, the script finds out
	}
	if len(dry.Steps) == 0 {
		return refuse("it has no steps")
	}
	return text, nil
}
