package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

const (
	// completionTime is how long a person who pressed the tabulator is kept waiting: what is not
	// known by then is not offered.
	completionTime = 800 * time.Millisecond
	// mostOffered is how many runs are looked for.
	mostOffered = 50
)

// harmless says that a value means itself in every shell, also where the shell puts it on the line
// without quotes, or evaluates that line later. Others are to be typed.
func harmless(value string) bool {
	for i, r := range value {
		switch {
		case r < utf8.RuneSelf && (asciiAlnum(r) || strings.ContainsRune("_./", r)):
		case r < utf8.RuneSelf && (i == 0 || !strings.ContainsRune("@:+,=%#[]~-", r)):
			return false
		case r >= utf8.RuneSelf && !unicode.IsLetter(r):
			return false
		}
	}
	return value != "" && term.Escape(value) == value
}

func asciiAlnum(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// offer is one completion. What a script or a model wrote is escaped, as on any output; the shell
// gets it as a remark.
func offer(value, remark string) string { return cobra.CompletionWithDesc(value, term.Escape(remark)) }

// completionStore opens the journals, if they are there with their key: a completion makes no
// folders, and says nothing about what is wrong.
func (a *app) completionStore() *journal.Store {
	f, err := a.folders()
	if err != nil {
		return nil
	}
	for _, path := range []string{f.store, filepath.Join(f.store, "runs"), filepath.Join(f.store, "locks"), f.keys, filepath.Join(f.keys, "anchors"), filepath.Join(f.keys, "seal.key")} {
		if _, err := os.Stat(path); err != nil {
			return nil
		}
	}
	store, err := a.store()
	if err != nil {
		return nil
	}
	return store
}

// visits calls use with runs of this workspace, the newest first, until it says no or the time is
// up. The journals that cannot be read are passed over.
func (a *app) visits(use func(visit journal.Visit) bool) {
	store := a.completionStore()
	workspace, err := a.workspace()
	if store == nil || err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	ids, err := store.IDs(ctx)
	if err != nil {
		return
	}
	for _, id := range slices.Backward(ids) {
		if ctx.Err() != nil {
			return
		}
		visit, err := store.Visit(ctx, id)
		if err != nil {
			continue
		}
		more := visit.State().Workspace != workspace || use(visit)
		if visit.Close() != nil || !more {
			return
		}
	}
}

// completeRuns offers the ids of the runs that a command is for; the beginning that was typed
// stays as it was typed. most is how many runs the command takes, -1 for any number.
func (a *app) completeRuns(verb string, most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var offers []string
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var ids []string // found once there is a store
		a.visits(func(visit journal.Visit) bool {
			st := visit.State()
			_, owned := visit.Owner()
			if ids == nil {
				ids, _ = a.opened.IDs(context.Background()) // without them the ids are offered whole
			}
			value := completed(typed, st.ID)
			if typed == "" {
				value = shortIn(ids, st.ID)
			}
			if value == "" || slices.Contains(args, st.ID) || !suits(verb, st, owned) {
				return true
			}
			offers = append(offers, offer(value, st.Started.Title+", "+st.StatusWith(owned)+", "+term.Age(st.StartedAt, a.Now())))
			return len(offers) < mostOffered
		})
		return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// completed is the id of a run whose beginning, or the beginning of whose short id, was typed; ""
// if it was not.
func completed(typed, id string) string {
	for _, name := range []string{id, tail(id)} {
		if len(typed) <= len(name) && strings.EqualFold(name[:len(typed)], typed) {
			return typed + name[len(typed):]
		}
	}
	return ""
}

// suits says that a command can do something with a run that stands so.
func suits(verb string, st *journal.State, owned bool) bool {
	switch state := st.StatusWith(owned); verb {
	case "review", "approve", "reject", "answer":
		return len(st.Pending()) > 0
	case "resume":
		return !owned && state != journal.StatusCancelled
	case "cancel":
		return !over(state)
	case "finish":
		return !owned && canFinish(st)
	}
	return true
}

// of calls use with the run that was named, or else with all runs of this workspace.
func (a *app) of(args []string, use func(visit journal.Visit) bool) {
	a.visits(func(visit journal.Visit) bool {
		if len(args) > 0 && completed(args[0], visit.ID()) == "" {
			return true
		}
		return use(visit)
	})
}

// completeGates offers the gates of a run: those that can be answered to what answers, else all.
func (a *app) completeGates(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	a.of(args, func(visit journal.Visit) bool {
		st := visit.State()
		for _, id := range st.GateOrder {
			g := st.Gates[id]
			if strings.HasPrefix(id, typed) && harmless(id) && (g.State == journal.Pending || !answers(cmd.Name())) {
				offers = append(offers, offer(id, short(g.Asked.Prompt)+", "+string(g.State)))
			}
		}
		return len(offers) < mostOffered
	})
	return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// answers says that a command answers a question.
func answers(verb string) bool { return verb == "approve" || verb == "reject" || verb == "answer" }

// completeCalls offers the labels of the calls of one run, and the keys of those that have none.
func (a *app) completeCalls(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	a.of(args, func(visit journal.Visit) bool {
		_, owned := visit.Owner()
		for _, c := range orderedCalls(visit.State()) {
			value := c.Key
			if harmless(c.Call.Label) {
				value = c.Call.Label
			}
			if strings.HasPrefix(value, typed) && harmless(value) && len(offers) < 4*mostOffered {
				offers = append(offers, offer(value, callState(c, owned)))
			}
		}
		return false
	})
	return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeAgents offers the agents that go by a name: the configured ones, and those that are known.
func (a *app) completeAgents(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	if workspace, err := a.workspace(); err == nil {
		if c, err := a.config(workspace); err == nil {
			for _, r := range a.agentRows(c, workspace) {
				remark := r.Kind
				if r.From != fromNowhere {
					remark = "configured, " + remark
				}
				if strings.HasPrefix(r.Name, typed) && harmless(r.Name) {
					offers = append(offers, offer(r.Name, remark))
				}
			}
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}
