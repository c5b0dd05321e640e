package term

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The map of a plan whose steps depend on each other: which can be done at once, which files each one
// names, and what is run to check them. It is made of the canonical text like the rest of a review, and
// stands before it, never in its place. A plan that it does not fit to the letter has none: a map that
// shows half of a plan would be worse than no map.

const (
	// mostMapped is how many steps a map has at most; nobody reads a larger one.
	mostMapped = 60
	// mostMapFiles and mostMapChecks are how many of a step's files, and of the checks, are listed.
	mostMapFiles  = 8
	mostMapChecks = 20
	// longestID bounds a word that stands in sentences of ours.
	longestID = 64
)

// mapped is a step on the map.
type mapped struct {
	id, title    string
	files, after []string
	// filed says that the step has a member for files, maybe an empty one.
	filed    bool
	criteria int // -1 if the plan says nothing of any
	wave     int
}

// planMap reads a plan's steps in waves; ok is false if there is no map of it.
func planMap(root *node) (steps []mapped, waves int, ok bool) {
	list := root.field("steps")
	if root.kind != '{' || list == nil || list.kind != '[' || len(list.kids) == 0 || len(list.kids) > mostMapped {
		return nil, 0, false
	}
	ids, related := map[string]int{}, false
	for i, n := range list.kids {
		s, some, ok := mappedStep(n)
		fold := strings.ToLower(s.id)
		if _, taken := ids[fold]; !ok || taken {
			return nil, 0, false
		}
		ids[fold], related = i, related || some
		steps = append(steps, s)
	}
	waves, ok = inWaves(steps)
	return steps, waves, ok && related
}

// mappedStep reads one step; some says that it names what it depends on, maybe nothing.
func mappedStep(n *node) (s mapped, some, ok bool) {
	id, title := n.field("id"), n.field("title")
	if n.kind != '{' || id == nil || id.kind != '"' || !plainWord(id.text) {
		return s, false, false
	}
	s.id, s.criteria = id.text, -1
	if title != nil && title.kind == '"' {
		s.title = title.text
	}
	for _, key := range []string{"dependencies", "dependsOn"} {
		if list := n.field(key); list != nil {
			some = true
			if s.after, ok = appendTexts(s.after, list); !ok {
				return s, some, false
			}
		}
	}
	for _, key := range []string{"file", "path"} {
		if name := n.field(key); name != nil {
			if s.filed = true; name.kind != '"' {
				return s, some, false
			}
			s.files = append(s.files, name.text)
		}
	}
	for _, key := range []string{"files", "filesTouched"} {
		if list := n.field(key); list != nil {
			s.filed = true
			if s.files, ok = appendTexts(s.files, list); !ok {
				return s, some, false
			}
		}
	}
	for _, key := range []string{"acceptance", "acceptanceCriteria"} {
		if list := n.field(key); list != nil {
			if list.kind != '[' {
				return s, some, false
			}
			s.criteria = max(0, s.criteria) + len(list.kids)
		}
	}
	return s, some, true
}

// appendTexts adds the texts of a list; ok is false if it is no list of nothing but texts.
func appendTexts(texts []string, list *node) (all []string, ok bool) {
	if list.kind != '[' {
		return texts, false
	}
	for _, n := range list.kids {
		if n.kind != '"' {
			return texts, false
		}
		texts = append(texts, n.text)
	}
	return texts, true
}

// plainWord reports whether a text is a word of ASCII that can stand in a sentence of ours.
func plainWord(text string) bool {
	for i := range len(text) {
		c := text[i]
		if !asciiLetter(rune(c)) && (c < '0' || c > '9') && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return text != "" && len(text) <= longestID
}

// inWaves gives each step the wave behind those of all that it depends on; ok is false if one of them is
// no step, or if there is a circle.
func inWaves(steps []mapped) (waves int, ok bool) {
	at := map[string]int{}
	for i := range steps {
		at[steps[i].id], steps[i].wave = i, -1
	}
	for left := len(steps); left > 0; waves++ {
		var ready []int
		for i, s := range steps {
			if s.wave >= 0 {
				continue
			}
			waits := slices.ContainsFunc(s.after, func(id string) bool {
				j, known := at[id]
				return !known || steps[j].wave < 0
			})
			if !waits {
				ready = append(ready, i)
			}
		}
		if len(ready) == 0 {
			return 0, false
		}
		for _, i := range ready {
			steps[i].wave = waves
		}
		left -= len(ready)
	}
	return waves, true
}

// check is a program that is run on what the steps come to.
type check struct{ name, command string }

// mapChecks reads the checks of a plan: a list of a name and a command each, which is a text or a list of
// words. given says that the plan has such a member, ok that it is one.
func mapChecks(root *node) (checks []check, given, ok bool) {
	list := root.field("checks")
	if list == nil {
		return nil, false, true
	}
	if list.kind != '[' {
		return nil, true, false
	}
	for _, n := range list.kids {
		name, command := n.field("name"), n.field("command")
		if name == nil || name.kind != '"' || command == nil {
			return nil, true, false
		}
		c := check{name: name.text}
		switch words, texts := appendTexts(nil, command); {
		case command.kind == '"':
			c.command = command.text
		case texts:
			c.command = spell(words, " ", " ")
		default:
			return nil, true, false
		}
		checks = append(checks, c)
	}
	return checks, true, true
}

// spell joins texts so that they can be told apart: one with what separates them is in quotes.
func spell(texts []string, separator, marks string) string {
	var all []string
	for _, text := range texts {
		if text == "" || strings.ContainsAny(text, marks+"\"\n") {
			text = strconv.Quote(text)
		}
		all = append(all, text)
	}
	return strings.Join(all, separator)
}

// steps adds the map of a plan, if there is one; whole says that it names every file of the plan.
func (c *canvas) steps(root *node) (whole bool) {
	steps, waves, ok := planMap(root)
	checks, given, formed := mapChecks(root)
	if !ok || !formed {
		return false
	}
	whole = true
	c.head("The map of its steps (" + Plural(int64(len(steps)), "step", "steps") + " in " + Plural(int64(waves), "wave", "waves") + "; all of it follows below):")
	for wave := range waves {
		first := true
		for _, s := range steps {
			if s.wave != wave {
				continue
			}
			if first {
				c.say("  " + waveName(steps, wave) + ":")
				first = false
			}
			c.mapStep(s)
			whole = whole && len(s.files) <= mostMapFiles
		}
	}
	if given {
		c.mapChecks(checks)
	}
	return whole
}

// waveName says when a wave's turn is.
func waveName(steps []mapped, wave int) string {
	n := 0
	for _, s := range steps {
		if s.wave == wave {
			n++
		}
	}
	name := map[bool]string{true: "first", false: "then"}[wave == 0]
	if n > 1 {
		name += ", " + Count(int64(n)) + " at once"
	}
	return name
}

func (c *canvas) mapStep(s mapped) {
	if s.title == "" {
		c.label(4, s.id)
	} else {
		c.field(4, s.id+":", clip(s.title, 200))
	}
	if len(s.after) > 0 {
		c.say("      after " + strings.Join(s.after, ", "))
	}
	files := spell(s.files[:min(len(s.files), mostMapFiles)], ", ", ", ")
	if more := len(s.files) - mostMapFiles; more > 0 {
		files += fmt.Sprintf(", and %d more", more)
	}
	switch {
	case len(s.files) == 1:
		c.field(6, "file:", files)
	case len(s.files) > 1:
		c.field(6, "files:", files)
	case s.filed:
		c.say("      files: none")
	}
	switch {
	case s.criteria == 0:
		c.say("      acceptance criteria: none")
	case s.criteria > 0:
		c.say("      " + Plural(int64(s.criteria), "acceptance criterion", "acceptance criteria"))
	}
}

func (c *canvas) mapChecks(checks []check) {
	if len(checks) == 0 {
		c.say("  checks that will run: none")
		return
	}
	c.say("  checks that will run (" + Count(int64(len(checks))) + "):")
	for i, k := range checks {
		if i == mostMapChecks {
			c.say(fmt.Sprintf("    and %d more, below", len(checks)-i))
			return
		}
		c.field(4, squeeze(Escape(clip(k.name, 40)))+":", k.command)
	}
}
