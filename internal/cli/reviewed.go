package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// reviewOf is a gate as a person is shown it.
func reviewOf(asked checkpoint.Asked) term.Review {
	g := asked.Gate
	r := term.Review{
		Kind: term.Kind(g.Kind), RunID: tail(asked.Run), GateID: g.Gate, Title: asked.Title, Prompt: g.Prompt,
		Checksum: g.Checksum, Plan: []byte(g.Plan), Choices: g.Choices, Deadline: g.Deadline, Used: usedText(asked.Used),
	}
	if asked.Waiting > 1 {
		r.Position = fmt.Sprintf("%d of %d", asked.Position, asked.Waiting)
	}
	if g.Kind == string(checkpoint.KindPlan) {
		r.Mode, r.Modes = checkpoint.ModeAsk, furtherModes
	} else if len(g.Default) > 0 {
		r.Default, r.HasDefault = defaultText(g.Default), true
	}
	if g.Artifact != nil {
		r.Copy = g.Artifact.Path
	}
	if asked.Copy != "" {
		_, what, _ := strings.Cut(asked.Copy, ": ") // the code says nothing to whoever reads the plan
		note := "An approval is refused now, a no is not: " + what + "."
		if strings.HasSuffix(what, copyChanged) {
			note += " Once you have removed it, it is written anew."
		}
		r.Notes = append(r.Notes, note)
	}
	if asked.Revoked != nil {
		r.Notes = append(r.Notes, "You are asked again: gate "+asked.Revoked.Asked.Gate+" approved this before, and "+checkpoint.RevokedText(asked.Revoked)+".")
	}
	if note := reasonNote(g); note != "" {
		r.Notes = append(r.Notes, note)
	}
	if asked.Changes != "" {
		r.Notes = append(r.Notes, "You asked for a change before:\n"+asked.Changes)
	}
	if before := asked.SentBack; before != nil {
		if before.Asked.Checksum == g.Checksum {
			r.Notes = append(r.Notes, "It is the plan that you sent back, unchanged.")
		} else if changes, err := planapprove.Drift(before.Asked.Plan, g.Plan); err == nil {
			r.Revision = planapprove.Lines(changes)
		}
	}
	if asked.Previous != nil {
		if changes, err := planapprove.Drift(asked.Previous.Asked.Plan, g.Plan); err == nil {
			r.Diff = planapprove.Lines(changes)
		}
	}
	if v := g.Validation; v != nil {
		r.Opinion = &term.Opinion{Model: v.By(), Verdict: v.Verdict, Summary: v.Summary, Problems: v.Problems, Failure: v.Failure}
	}
	if e := asked.Earlier; e != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("You approved this exact plan at %s (gate %s); since then the script changed:\n%s",
			e.Gate.AnswerAt.UTC().Format(time.RFC3339), e.Gate.Asked.Gate, strings.TrimRight(e.Diff, "\n")))
	}
	return r
}

// opinionText is what another model said of a plan, in one line; "" if none was asked.
func opinionText(v *journal.Validation) string {
	switch {
	case v == nil:
		return ""
	case v.Failure != "":
		return v.By() + ", another model, gave no verdict: " + short(firstLine(v.Failure))
	default:
		return v.By() + ", another model, finds it " + v.Verdict + ": " + short(firstLine(v.Summary))
	}
}

// furtherModes are the permission modes that an approval at the terminal can name. What they
// mean to an agent is the agent's to know; they are passed on.
var furtherModes = []term.Mode{
	{Name: "accept-edits", Help: "agents may edit files without asking"},
	{Name: "auto", Help: "agents may do everything without asking"},
}

// defaultText is a default as a person types it.
func defaultText(raw json.RawMessage) string {
	var text string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case string(raw) == "true":
		return "yes"
	default:
		return "no"
	}
}

// reasonNote says why something is asked that was asked before.
func reasonNote(g journal.GateAsked) string {
	before := "It was asked before as gate " + g.Revises
	switch g.Reason {
	case "interrupted":
		return before + ", which was being shown when its process ended."
	case "expired":
		return before + ", which nobody answered in time."
	case "defaulted":
		return before + ", when nobody was here to answer."
	case "repeated":
		return before + "; something that it depends on has run again since."
	case "unproven":
		return before + ", but the journal cannot be proven, so the answer does not count."
	case "lapsed":
		return before + ", and approved; then the run was imported, and an approval from before that does not count."
	default:
		return "" // a difference of the plan or of the script is shown as one
	}
}
