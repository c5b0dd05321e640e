package agenttype

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// mostNamed is how many types a refusal lists.
const mostNamed = 20

// Library has the types of several places. Its methods may be called from several goroutines.
type Library struct {
	read func() shelf
}

// shelf is what was read.
type shelf struct {
	entries []Entry
	unread  []trouble
}

// trouble is a place that could not be read, or not as a whole.
type trouble struct {
	rank int
	err  error
}

// Entry is a file of a library.
type Entry struct {
	Type
	Origin Origin
	// HiddenBy is the Source of the file that has the name instead, "" if this one has it.
	HiddenBy string
	// Err is why the file cannot be used, AGENT_TYPE_INVALID; nil if it can.
	Err error

	rank int // of its place
}

// Load makes the library of places, in the order in which they win. Their files are read when they
// are first needed, once.
func Load(places []Place) *Library {
	return &Library{read: sync.OnceValue(func() shelf { return list(places) })}
}

// List gives the files of all places, sorted by name, and those of one name in the order in which
// they win. What could not be read of a place is left out, and unread says why.
func (l *Library) List() (entries []Entry, unread []error) {
	s := l.read()
	for _, t := range s.unread {
		unread = append(unread, t.err)
	}
	return slices.Clone(s.entries), unread
}

// Lookup gives the type of that name: AGENT_TYPE_UNKNOWN, which names the nearest, if there is none,
// AGENT_TYPE_INVALID if the file that has the name cannot be used, or if a place could not be read
// that may have it.
func (l *Library) Lookup(name string) (Type, error) {
	s := l.read()
	at := slices.IndexFunc(s.entries, func(e Entry) bool { return key(e.Name) == key(name) && e.HiddenBy == "" })
	for _, t := range s.unread {
		if at < 0 || t.rank <= s.entries[at].rank {
			return Type{}, t.err
		}
	}
	if at < 0 {
		return Type{}, unknown(s.entries, name)
	}
	return s.entries[at].clone(), s.entries[at].Err
}

// clone shares nothing with the library.
func (t Type) clone() Type {
	t.Tools, t.DisallowedTools, t.Skills = slices.Clone(t.Tools), slices.Clone(t.DisallowedTools), slices.Clone(t.Skills)
	t.Warnings = slices.Clone(t.Warnings)
	return t
}

// key is what names have in common that are one name: file systems differ in whether they tell upper
// from lower case.
func key(name string) string { return strings.ToLower(name) }

// list reads the files of all places. Where two are one folder, the first of them counts.
func list(places []Place) (s shelf) {
	by, seen := map[string]string{}, map[string]bool{} // a name to the file that has it
	for rank, p := range places {
		real, err := filepath.EvalSymlinks(p.Dir)
		if err == nil && p.Origin != BuiltIn && seen[real] {
			continue
		}
		files, err := p.files()
		if err != nil {
			s.unread = append(s.unread, trouble{rank, err})
		}
		seen[real] = err == nil
		here := make([]Entry, 0, len(files))
		same := map[string][]string{}
		for _, f := range files {
			e := p.entry(f, rank)
			e.HiddenBy = by[key(e.Name)]
			same[key(e.Name)] = append(same[key(e.Name)], f.path)
			here = append(here, e)
		}
		for i, e := range here {
			if paths := same[key(e.Name)]; len(paths) > 1 {
				here[i].Err = fault.New(fault.AgentTypeInvalid, fmt.Sprintf("several files have the name %q: %s", e.Name, strings.Join(paths, ", ")),
					"remove or rename all but one; upper and lower case are the same name")
			}
			by[key(e.Name)] = cmp.Or(by[key(e.Name)], e.Source)
		}
		s.entries = append(s.entries, here...)
	}
	slices.SortStableFunc(s.entries, func(a, b Entry) int { return strings.Compare(key(a.Name), key(b.Name)) })
	return s
}

func (p Place) entry(f found, rank int) Entry {
	e := Entry{Type: Type{Name: nameOf(f.path), Source: f.path}, Origin: p.Origin, Err: f.err, rank: rank}
	if f.err == nil {
		e.Type, e.Err = Parse(f.data, f.path)
	}
	if p.Origin == BuiltIn {
		e.Source = BuiltInSource
	}
	return e
}

// unknown says which types there are.
func unknown(entries []Entry, name string) error {
	var names []string
	broken := 0
	for _, e := range entries {
		switch {
		case e.Err != nil:
			broken++
		case e.HiddenBy == "":
			names = append(names, e.Name)
		}
	}
	next := "assent agents   # lists them, and where each comes from"
	if near := options.Nearest(name, names); near != "" {
		next = fmt.Sprintf("did you mean %q?", near)
	} else if broken > 0 {
		next = "assent agents   # lists them, and the files that cannot be used"
	}
	more := ""
	if len(names) > mostNamed {
		more = fmt.Sprintf(", and %d more", len(names)-mostNamed)
		names = names[:mostNamed]
	}
	there := "there are " + strings.Join(names, ", ") + more
	if len(names) == 0 {
		there = "there are none"
	}
	return fault.New(fault.AgentTypeUnknown, fmt.Sprintf("there is no agent type %s; %s", shown(name), there), next)
}
