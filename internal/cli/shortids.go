package cli

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
)

// idsPatience is how long a hint waits to learn which runs there are.
const idsPatience = time.Second

// idInCommand is the id of a run that stands as a word of its own, and not in a path.
var idInCommand = regexp.MustCompile(`(^|[\s(])([0-9A-HJKMNP-TV-Z]{26})\b($|[\s).,;:])`)

// shortIDs puts the short ids of runs into a hint, where they name the same runs: a line that a
// person reads and pastes stays on one line. What programs read has whole ids.
func (a *app) shortIDs(text string) string {
	if a.opened == nil || !idInCommand.MatchString(text) {
		return text
	}
	ctx, cancel := context.WithTimeout(context.Background(), idsPatience)
	defer cancel()
	ids, err := a.opened.IDs(ctx)
	if err != nil {
		return text // the whole id is right too
	}
	return idInCommand.ReplaceAllStringFunc(text, func(found string) string {
		id := idInCommand.FindStringSubmatch(found)[2]
		return strings.Replace(found, id, shortIn(ids, id), 1)
	})
}

// shortIn is the shortest name by which commands find the run with that id among ids: its tail,
// else the id itself.
func shortIn(ids []string, id string) string {
	name := tail(id)
	upper := strings.ToUpper(name)
	if !slices.Contains(ids, id) || slices.ContainsFunc(ids, func(other string) bool {
		return strings.HasPrefix(other, upper) || other != id && strings.HasSuffix(other, upper)
	}) {
		return id
	}
	return name
}
