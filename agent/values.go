package agent

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/options"
)

// option is one option as the script gave it.
type option struct {
	name  string
	value json.RawMessage
}

// readers read the options that there are. null is the value of none of them: where a script
// passes under: null, going on as if nothing had been said would drop a fence.
var readers = map[string]func(*Options, option) error{
	"label":            func(o *Options, v option) error { return v.text(&o.Label) },
	"phase":            func(o *Options, v option) error { return v.text(&o.Phase) },
	"model":            func(o *Options, v option) error { return v.named(&o.Model) },
	"effort":           func(o *Options, v option) error { return v.named(&o.Effort) },
	"onError":          func(o *Options, v option) error { return v.onError(&o.OnError) },
	"strict":           func(o *Options, v option) error { return v.truth(&o.Strict) },
	"schema":           func(o *Options, v option) error { return v.schema(&o.Schema) },
	"readOnly":         func(o *Options, v option) error { return v.flag(&o.ReadOnly) },
	"tools":            func(o *Options, v option) error { return v.names(&o.Tools) },
	"disallowedTools":  func(o *Options, v option) error { return v.names(&o.DisallowedTools) },
	"skills":           func(o *Options, v option) error { return v.names(&o.Skills) },
	"under":            func(o *Options, v option) error { return v.under(&o.Under) },
	"timeoutMs":        func(o *Options, v option) error { return v.milliseconds(&o.Timeout) },
	"retries":          func(o *Options, v option) error { return v.integer(&o.Retries, 0, MaxRetries) },
	"maxContextTokens": func(o *Options, v option) error { return v.integer(&o.MaxContextTokens, 1, maxContextTokens) },
	"cwd":              func(o *Options, v option) error { return v.folder(&o.Cwd) },
	"tier":             func(o *Options, v option) error { return v.oneOf(&o.Tier, TierNames...) },
	"agentType":        func(o *Options, v option) error { return v.named(&o.AgentType) },
	"isolation":        func(o *Options, v option) error { return v.oneOf(&o.Isolation, IsolationWorktree) },
	"base":             func(o *Options, v option) error { return v.commit(&o.Base) },
}

// wrong says that the option is not want, with the value that was given instead.
func (v option) wrong(want string) error {
	return invalid(fmt.Sprintf("agent() option %q is %s, not %s", v.name, shorten(string(v.value), 80), want),
		"leave it out if it is not needed")
}

func (v option) text(to *string) error {
	if kindOf(v.value) != "a string" || json.Unmarshal(v.value, to) != nil {
		return v.wrong("a string")
	}
	return nil
}

func (v option) named(to *string) error {
	if err := v.text(to); err != nil || strings.TrimSpace(*to) == "" {
		return v.wrong("a name")
	}
	return nil
}

func (v option) truth(to *bool) error {
	if kindOf(v.value) != "a boolean" || json.Unmarshal(v.value, to) != nil {
		return v.wrong("true or false")
	}
	return nil
}

// commitID is the whole id of a git commit: a shorter one, or a branch, would mean another commit another day.
var commitID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

func (v option) commit(to *string) error {
	if err := v.text(to); err != nil || !commitID.MatchString(*to) {
		return v.wrong("the whole id of a commit, in small letters")
	}
	return nil
}

// oneOf takes one of a few names; of another, the nearest is suggested.
func (v option) oneOf(to *string, names ...string) error {
	var given string
	if err := v.text(&given); err == nil && slices.Contains(names, given) {
		*to = given
		return nil
	}
	next := "leave it out if it is not needed"
	if near := options.Nearest(given, names); near != "" {
		next = fmt.Sprintf("did you mean %q?", near)
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return invalid(fmt.Sprintf("agent() option %q is %s, not %s", v.name, shorten(string(v.value), 80), strings.Join(quoted, ", ")), next)
}

func (v option) names(to *[]string) error {
	var given []*string
	if kindOf(v.value) != "an array" || json.Unmarshal(v.value, &given) != nil {
		return v.wrong("an array of names")
	}
	out := make([]string, 0, len(given))
	for _, name := range given {
		if name == nil || strings.TrimSpace(*name) == "" {
			return v.wrong("an array of names")
		}
		out = append(out, *name)
	}
	*to = out
	return nil
}

func (v option) flag(to **bool) error {
	if kindOf(v.value) != "a boolean" {
		return v.wrong("true or false")
	}
	return json.Unmarshal(v.value, to)
}

func (v option) onError(to *string) error {
	var given string
	if err := v.text(&given); err != nil || given != "throw" && given != "null" {
		return v.wrong(`"throw" (make a failure an error) or "null" (the default)`)
	}
	if given == "throw" {
		*to = given
	}
	return nil
}

func (v option) integer(to *int, low, high int) error {
	want := fmt.Sprintf("a whole number from %d to %d", low, high)
	var number float64
	if kindOf(v.value) != "a number" || json.Unmarshal(v.value, &number) != nil {
		return v.wrong(want)
	}
	if number != math.Trunc(number) || number < float64(low) || number > float64(high) {
		return v.wrong(want)
	}
	*to = int(number)
	return nil
}

func (v option) milliseconds(to *time.Duration) error {
	var number int
	if err := v.integer(&number, 1, int(MaxTimeout.Milliseconds())); err != nil {
		return err
	}
	*to = time.Duration(number) * time.Millisecond
	return nil
}

func (v option) schema(to *json.RawMessage) error {
	if kindOf(v.value) != "an object" {
		return v.wrong("a JSON Schema (an object)")
	}
	if _, err := compile(v.value); err != nil {
		return err
	}
	*to = v.value
	return nil
}

var (
	checksum   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]{0,79}$`)
)

// under is not the approval itself: the machine that brands approvals puts its checksum in
// its place.
func (v option) under(to *string) error {
	var given map[string]json.RawMessage
	if kindOf(v.value) != "an object" || json.Unmarshal(v.value, &given) != nil || len(given) != 1 {
		return v.wrong("an approval")
	}
	if json.Unmarshal(given["checksum"], to) != nil || !checksum.MatchString(*to) {
		return v.wrong("an approval")
	}
	return nil
}

func (v option) folder(to *string) error {
	if err := v.text(to); err != nil || *to == "" || strings.ContainsRune(*to, 0) {
		return v.wrong("a folder inside the workspace")
	}
	if !filepath.IsAbs(*to) && !filepath.IsLocal(*to) {
		return v.wrong("a folder inside the workspace")
	}
	return nil
}
