package modeltest

import (
	"fmt"
	"slices"
	"strings"
)

// Play is a script of scenes. The first scene whose Prompt is in a text of the user's side is played.
type Play []Scene

// Scene is what the model does on a prompt.
type Scene struct {
	// Prompt is a part of it.
	Prompt string
	// Turns follow on it one by one. A request beyond them fails the test.
	Turns []Turn
}

// Script is the play as a script.
func (p Play) Script() Script {
	return func(c Conversation) (Turn, error) {
		for _, s := range p {
			if at := s.begins(c); at >= 0 {
				return s.next(c.Messages[at+1:])
			}
		}
		return Turn{}, fmt.Errorf("no scene for %q", c.LastUserText())
	}
}

// begins finds the last message of the user's side that the scene follows on; -1 if there is none.
func (s Scene) begins(c Conversation) int {
	for i, m := range slices.Backward(c.Messages) {
		if m.Role == "user" && slices.ContainsFunc(m.Texts, func(t string) bool { return strings.Contains(t, s.Prompt) }) {
			return i
		}
	}
	return -1
}

// next counts the turns of the model since then. Messages of one side that follow on each other are
// one turn: endpoints put a text and each use of a tool in items of their own.
func (s Scene) next(since []Message) (Turn, error) {
	turn, last := 0, "user"
	for _, m := range since {
		if m.Role == "assistant" && last != "assistant" {
			turn++
		}
		last = m.Role
	}
	if turn >= len(s.Turns) {
		return Turn{}, fmt.Errorf("the scene %q has %d turns, and another was asked for", s.Prompt, len(s.Turns))
	}
	return s.Turns[turn], nil
}
