package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// timeFormat is UTC to the millisecond, which is also what a script's clock can show.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Bytes is the one encoding of e: what is stored, hashed and exported.
func (e Entry) Bytes() []byte {
	text := e.unsealed()
	if e.Seal == "" {
		return text
	}
	text = append(text[:len(text)-1], `,"seal":`...)
	return append(appendString(text, e.Seal), '}')
}

// unsealed is the encoding without the seal: what a seal signs.
func (e Entry) unsealed() []byte {
	text := make([]byte, 0, 256+len(e.Key)+len(e.Data)+len(e.Seal))
	text = append(text, `{"seq":`...)
	text = strconv.AppendUint(text, e.Seq, 10)
	text = appendString(append(text, `,"prev":`...), e.Prev)
	text = appendString(append(text, `,"at":`...), e.At.UTC().Format(timeFormat))
	text = appendString(append(text, `,"kind":`...), string(e.Kind))
	if e.Key != "" {
		text = appendString(append(text, `,"key":`...), e.Key)
	}
	if e.Identity != "" {
		text = appendString(append(text, `,"identity":`...), e.Identity)
	}
	text = append(text, `,"data":`...)
	text = append(text, e.Data...)
	return append(text, '}')
}

// appendString writes a JSON string with no escape that is not needed (RFC 8785, 3.2.2.2).
func appendString(text []byte, s string) []byte {
	const hex = "0123456789abcdef"
	text = append(text, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			text = append(text, '\\', c)
		case c == '\b':
			text = append(text, `\b`...)
		case c == '\f':
			text = append(text, `\f`...)
		case c == '\n':
			text = append(text, `\n`...)
		case c == '\r':
			text = append(text, `\r`...)
		case c == '\t':
			text = append(text, `\t`...)
		case c < 0x20:
			text = append(text, `\u00`...)
			text = append(text, hex[c>>4], hex[c&15])
		default:
			text = append(text, c)
		}
	}
	return append(text, '"')
}

// encodeData makes an entry's data out of a draft's.
func encodeData(kind Kind, record any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(record); err != nil {
		return nil, fmt.Errorf("encoding %s: %w", kind, err)
	}
	data := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	if err := canonical.Check(data, 0); err != nil {
		return nil, fmt.Errorf("journal: a %s that could not be read back: %w", kind, err)
	}
	if len(data) > maxEntry {
		return nil, fault.New(fault.EntryTooLarge,
			fmt.Sprintf("a %s of %d bytes; an entry holds at most %d", kind, len(data), maxEntry),
			"keep large results in files and hand over their paths")
	}
	return data, nil
}

// entry makes the next entry out of a draft.
func (s *Store) entry(st *State, d Draft) (Entry, error) {
	if err := writable(d); err != nil {
		return Entry{}, err
	}
	return s.anyEntry(st, d)
}

func writable(d Draft) error {
	if d.Kind == KindRunImported {
		return invalid("only an import writes %s", d.Kind)
	}
	return nil
}

func (s *Store) anyEntry(st *State, d Draft) (Entry, error) {
	e, err := newEntry(st, d, s.now())
	if err == nil && sealed(e.Kind) {
		e.Seal = seal(s.key, st.ID, e)
	}
	return e, err
}

// newEntry makes the next entry, without its seal.
func newEntry(st *State, d Draft, at time.Time) (Entry, error) {
	if !utf8.ValidString(d.Key) || !utf8.ValidString(d.Identity) {
		return Entry{}, invalid("a %s whose key or identity is not UTF-8", d.Kind)
	}
	data, err := encodeData(d.Kind, d.Data)
	if err != nil {
		return Entry{}, err
	}
	return Entry{
		Seq: st.Head + 1, Prev: st.HeadHash, At: at, Kind: d.Kind,
		Key: d.Key, Identity: d.Identity, Data: data,
	}, nil
}
