package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// ledger remembers what every answer was based on, over all attempts at one script.
type ledger struct {
	// version is the seq of the answer that this attempt's script has from a call, by name.
	version map[string]uint64
	// begun are the live calls at work, by key; done all that finished.
	begun map[string]work
	done  []work
	live  []string
	// approved says that a plan is, in this attempt.
	approved bool
	// What is wrong. Early is what may change something and began before any approval.
	unsound, miskeyed, wasted, early []string
}

// work is one live execution of a call: who made it, what for, and which answers it knew.
type work struct {
	name, prompt string
	start        uint64
	knew         map[string]uint64
	ok           bool
}

// plan is a plan of a random script.
type plan struct {
	Name      string   `json:"name"`
	Knows     []string `json:"knows"`
	Validated bool     `json:"validated"`
}

// validatorOf names the validator of a plan, and gateOf its question, which knows the verdict.
func (p plan) validatorOf() (string, []string) { return "validator of " + p.Name, p.Knows }

func (p plan) gateOf() (string, []string) {
	if p.Validated {
		validator, _ := p.validatorOf()
		return p.Name, append(slices.Clone(p.Knows), validator)
	}
	return p.Name, p.Knows
}

// planIn finds the plan in a validator's prompt, or in a text that is a plan.
func planIn(text string) (p plan) {
	for line := range strings.Lines(text) {
		if json.Unmarshal([]byte(line), &p) == nil && p.Name != "" {
			return p
		}
	}
	return plan{}
}

// nameOf gives what a call of agent is called, and what it knows.
func nameOf(label, prompt string) (name string, knows []string) {
	if label == planapprove.ValidatorLabel {
		return planIn(prompt).validatorOf()
	}
	return parseLabel(label)
}

func parseLabel(label string) (name string, knows []string) {
	name, list, _ := strings.Cut(label, "|")
	if list == "" {
		return name, nil
	}
	return name, strings.Split(list, ",")
}

func (l *ledger) knew(knows []string) map[string]uint64 {
	versions := map[string]uint64{}
	for _, u := range knows {
		versions[u] = l.version[u]
	}
	return versions
}

// observe follows an attempt; st is the journal as the attempt found it.
func (l *ledger) observe(st *journal.State, prompts *sync.Map) func(engine.Event) {
	return func(e engine.Event) {
		name, knows := nameOf(e.Label, e.Prompt)
		switch e.Type {
		case engine.GateEnded:
			l.gateEnded(e.Gate)
		case engine.CallReplayed:
			if e.Name == "planApprove" {
				l.gateReplayed(st.Gates[st.GateByKey[e.Key]])
			}
			if e.Name != "agent" {
				return
			}
			old := st.Calls[e.Key]
			if first, _ := nameOf(old.Call.Label, textOf(old.Call.Args[0])); first != name {
				l.miskeyed = append(l.miskeyed, fmt.Sprintf("%s: the answer of %s was given to %s", e.Key, first, name))
			}
			start := max(old.StartSeq, old.Call.After) // what only reads has no entry of its start
			for u, v := range l.knew(knows) {
				if v > start {
					l.unsound = append(l.unsound, fmt.Sprintf("%s began at %d and knows %s@%d", name, start, u, v))
				}
			}
			l.version[name] = e.Seq
		case engine.CallBegan:
			prompt, _ := prompts.Load(e.Key)
			text, _ := prompt.(string)
			w := work{name: name, prompt: text, start: e.Seq, knew: l.knew(knows)}
			if e.ReadOnly {
				w.start = slices.Max(append(slices.Collect(maps.Values(l.version)), 0))
			}
			l.begun[e.Key] = w
			if !e.ReadOnly && !l.approved {
				l.early = append(l.early, name)
			}
			l.live = append(l.live, name)
		case engine.CallEnded:
			if e.Name != "agent" {
				return
			}
			w := l.begun[e.Key]
			prompt, _ := prompts.Load(e.Key)
			w.prompt, w.ok = prompt.(string), e.Failure == nil
			l.finished(w)
			l.version[name] = e.Seq
		}
	}
}

// finished notes work down, and whether the same had been done before.
func (l *ledger) finished(w work) {
	for _, p := range l.done {
		if p.ok && p.name == w.name && p.prompt == w.prompt && sameKnowledge(p, w) {
			l.wasted = append(l.wasted, w.name)
			break
		}
	}
	l.done = append(l.done, w)
}

// gateEnded notes a person's answer down like work that was done.
func (l *ledger) gateEnded(g *journal.Gate) {
	if g.Answer == nil {
		return
	}
	name, knows := planIn(g.Asked.Plan).gateOf()
	l.finished(work{name: name, prompt: g.Asked.Plan, start: g.Seq, knew: l.knew(knows), ok: g.Answer.Unanswered == ""})
	l.version[name] = g.AnswerSeq
	l.approved = l.approved || g.State == journal.Approved
}

func (l *ledger) gateReplayed(g *journal.Gate) {
	name, knows := planIn(g.Asked.Plan).gateOf()
	for u, v := range l.knew(knows) {
		if v > g.Seq {
			l.unsound = append(l.unsound, fmt.Sprintf("question %s was asked at %d and knows %s@%d", name, g.Seq, u, v))
		}
	}
	l.version[name] = g.AnswerSeq
	l.approved = l.approved || g.State == journal.Approved
}

func textOf(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text) // what is no text is ""
	return text
}

// decides answers a plan by its name, so that the answer is the same whenever it is asked.
func decides(q checkpoint.Asked) string {
	if name := planIn(q.Gate.Plan).Name; strings.HasSuffix(name, "3") || strings.HasSuffix(name, "7") {
		return "false"
	}
	return "true"
}

// rules are what becomes of a question in an attempt without a person.
var rules = []checkpoint.Rule{checkpoint.Default, checkpoint.Suspend, checkpoint.Abort}

// sound is what a validator answers.
var sound = map[string]any{"verdict": planapprove.Sound, "summary": "", "problems": []string{}}

// sameKnowledge reports whether p, an earlier execution, rests on exactly the answers that w
// knew.
func sameKnowledge(p, w work) bool {
	if len(p.knew) != len(w.knew) {
		return false
	}
	for u, v := range w.knew {
		if p.knew[u] != v || v > p.start {
			return false
		}
	}
	return true
}
