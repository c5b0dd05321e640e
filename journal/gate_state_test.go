package journal_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Every pair of states, as the design's list of them says: pending may become each of nine,
// approved each of two, and nothing else anything.
func TestGateStatesEveryPair(t *testing.T) {
	all := []journal.GateState{
		journal.Pending, journal.Approved, journal.Rejected, journal.ChangesRequested, journal.Answered, journal.Defaulted,
		journal.Expired, journal.Interrupted, journal.Cancelled, journal.Superseded, journal.Revoked, journal.Lapsed,
	}
	allowed := map[journal.GateState]string{
		"pending":  "approved rejected changes_requested answered defaulted expired interrupted cancelled superseded",
		"approved": "revoked lapsed",
	}
	count := 0
	for _, from := range append(all, "nonsense") {
		for _, to := range append(all, "nonsense") {
			err := journal.Next(from, to)
			if slices.Contains(strings.Fields(allowed[from]), string(to)) {
				require.NoError(t, err, "%s to %s", from, to)
				count++
			} else {
				require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err), "%s to %s", from, to)
			}
		}
	}
	require.Equal(t, 11, count)
}

func TestB50_WhatAnAnswerMakesOfAGate(t *testing.T) {
	for _, c := range []struct {
		kind, decision, unanswered string
		want                       journal.GateState
	}{
		{"plan", `true`, "", journal.Approved},
		{"plan", `false`, "", journal.Rejected},
		{"plan", `"use tabs"`, "", journal.ChangesRequested},
		{"plan", `"true"`, "", journal.ChangesRequested},
		{"plan", `false`, "headless", journal.Defaulted},
		{"plan", `true`, "headless", journal.Defaulted},
		{"plan", `1`, "", ""},
		{"plan", `null`, "", ""},
		{"plan", `{}`, "", ""},
		{"plan", `[true]`, "", ""},
		{"confirm", `true`, "", journal.Answered},
		{"confirm", `false`, "headless", journal.Defaulted},
		{"input", `"x"`, "", journal.Answered},
	} {
		t.Run(c.kind+c.decision+c.unanswered, func(t *testing.T) {
			s := open(t, newOptions(t))
			r := create(t, s)
			defer verified(t, s, r.ID())
			question, answer := asked("g1", false), answered("g1", c.decision)
			q, a := question.Data.(journal.GateAsked), answer.Data.(journal.GateAnswered)
			q.Kind, a.Unanswered, a.Decision = c.kind, c.unanswered, json.RawMessage(c.decision)
			if c.kind != "plan" {
				q.Plan, q.Checksum, a.Checksum, a.PlanApproval = "", identity, identity, nil
			}
			question.Data, answer.Data = q, a
			_, err := journal.Append(t.Context(), r, question)
			require.NoError(t, err)
			_, err = journal.Append(t.Context(), r, answer)
			if c.want == "" {
				require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err))
				require.Equal(t, journal.Pending, r.State().Gates["g1"].State)
			} else {
				require.NoError(t, err)
				require.Equal(t, c.want, r.State().Gates["g1"].State)
			}
			require.NoError(t, r.Close())
		})
	}
}

// An answer has to repeat everything that it answers.
func TestS04_AnswerToAnotherQuestion(t *testing.T) {
	change := map[string]func(*journal.Draft, *journal.GateAnswered){
		"gate":     func(_ *journal.Draft, a *journal.GateAnswered) { a.Gate = "g2" },
		"nonce":    func(_ *journal.Draft, a *journal.GateAnswered) { a.Nonce = "ff" + nonce[2:] },
		"checksum": func(_ *journal.Draft, a *journal.GateAnswered) { a.Checksum = "00" + planSum[2:] },
		"program":  func(_ *journal.Draft, a *journal.GateAnswered) { a.Program = "00" + programHash[2:] },
		"key":      func(d *journal.Draft, _ *journal.GateAnswered) { d.Key = "/planApprove#0" },
		"identity": func(d *journal.Draft, _ *journal.GateAnswered) { d.Identity = "00" },
		"approval": func(_ *journal.Draft, a *journal.GateAnswered) {
			a.PlanApproval = &journal.PlanApproval{Checksum: "00" + planSum[2:], Decision: a.Decision}
		},
	}
	s := open(t, newOptions(t))
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", false))
	require.NoError(t, err)
	for name, f := range change {
		t.Run(name, func(t *testing.T) {
			d := answered("g1", "true")
			a := d.Data.(journal.GateAnswered)
			f(&d, &a)
			d.Data = a
			_, err := journal.Append(t.Context(), r, d)
			require.Equal(t, fault.TransitionAbsent, fault.CodeOf(err))
			require.Equal(t, journal.Pending, r.State().Gates["g1"].State)
		})
	}
	require.NoError(t, r.Close())
	require.Equal(t, 2, verified(t, s, r.ID()).Entries)
}
