// Package options reads the options object of a call strictly: own names only, every
// unknown name refused with a suggestion, every value checked for its type. A mistyped
// option of a gate must never be ignored.
package options

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Set is a checked options object.
type Set struct {
	call   string
	values map[string]json.RawMessage
}

// Parse reads raw, the options of call. Absent (nil) and JSON null are no options. A name that
// is not known is refused with OPTION_UNKNOWN.
func Parse(call string, raw json.RawMessage, known []string) (*Set, error) {
	s := &Set{call: call, values: map[string]json.RawMessage{}}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return s, nil
	}
	if raw[0] != '{' {
		return nil, fault.New(fault.OptionInvalid, call+": the options must be an object, not "+Show(raw), "")
	}
	if err := json.Unmarshal(raw, &s.values); err != nil {
		return nil, fault.Wrap(err, fault.OptionInvalid, call+": the options are not JSON", "")
	}
	names := make([]string, 0, len(s.values))
	for name := range s.values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		next := "the options are " + strings.Join(known, ", ")
		if near := Nearest(name, known); near != "" {
			next = fmt.Sprintf("did you mean %q?", near)
		}
		return nil, fault.New(fault.OptionUnknown, fmt.Sprintf("%s: unknown option %q", call, name), next)
	}
	return s, nil
}

// Has reports whether the option was given; a given null counts.
func (s *Set) Has(name string) bool { _, ok := s.values[name]; return ok }

// Raw gives the option's JSON text, nil if it was not given.
func (s *Set) Raw(name string) json.RawMessage { return s.values[name] }

// String gives a text option, or fallback.
func (s *Set) String(name, fallback string) (string, error) {
	return read(s, name, fallback, "a text")
}

// Strings gives an option that is a list of texts, nil if it was not given.
func (s *Set) Strings(name string) ([]string, error) {
	list, err := read[[]*string](s, name, nil, "a list of texts")
	if err != nil || list == nil {
		return nil, err
	}
	texts := make([]string, len(list))
	for i, text := range list {
		if text == nil {
			return nil, s.Invalid(name, "a list of texts")
		}
		texts[i] = *text
	}
	return texts, nil
}

// Int gives an option that is a whole number from low to high, or fallback.
func (s *Set) Int(name string, fallback, low, high int64) (int64, error) {
	want := fmt.Sprintf("a whole number from %d to %d", low, high)
	n, err := read(s, name, float64(fallback), want)
	if err != nil {
		return 0, err
	}
	if s.Has(name) && (n != float64(int64(n)) || n < float64(low) || n > float64(high)) {
		return 0, s.Invalid(name, want)
	}
	return int64(n), nil
}

// Choice gives an option that is one of a few texts, or fallback.
func (s *Set) Choice(name, fallback string, choices ...string) (string, error) {
	text, err := s.String(name, fallback)
	if err != nil {
		return "", err
	}
	if s.Has(name) && !slices.Contains(choices, text) {
		return "", s.Invalid(name, `one of "`+strings.Join(choices, `", "`)+`"`)
	}
	return text, nil
}

// Invalid is the refusal of a value that is not what the option takes.
func (s *Set) Invalid(name, want string) error {
	return fault.New(fault.OptionInvalid, fmt.Sprintf("%s: the option %q must be %s, not %s", s.call, name, want, Show(s.values[name])), "")
}

func read[T any](s *Set, name string, fallback T, want string) (T, error) {
	raw, given := s.values[name]
	if !given {
		return fallback, nil
	}
	var v T
	if string(raw) == "null" || json.Unmarshal(raw, &v) != nil {
		return fallback, s.Invalid(name, want)
	}
	return v, nil
}

// showLimit keeps a refused value from filling the message that refuses it.
const showLimit = 60

// Show gives a JSON text for a message, cut if it is long.
func Show(raw json.RawMessage) string {
	if len(raw) > showLimit {
		return strings.ToValidUTF8(string(raw[:showLimit]), "") + "…"
	}
	return string(raw)
}
