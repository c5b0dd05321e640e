package vm

import (
	"encoding/json"
	"errors"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja/file"
)

// mapping says that the code from one place on comes from a place in a source.
type mapping struct {
	line, column             int // in the code: line from 0, column in bytes from 1
	source, toLine, toColumn int // in the source: both from 0
}

// positions maps the code to the author's files.
type positions struct {
	mappings []mapping
	sources  []string // by mapping.source
	// shown maps a source's name, as the engine gives it in stacks, to its path.
	shown map[string]string
}

// readPositions reads the bundler's source map. line gives the author's line
// for a line of what the bundler was given.
func readPositions(data []byte, code string, line func(source string, line int) int) (*positions, error) {
	var raw struct {
		Sources  []string `json:"sources"`
		Mappings string   `json:"mappings"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	p := &positions{sources: raw.Sources, shown: map[string]string{}, mappings: make([]mapping, 0, len(raw.Mappings)/5)}
	for i, source := range raw.Sources {
		p.sources[i] = strings.TrimPrefix(source, namespace+":")
		p.shown[shownAs(p.sources[i])] = p.sources[i]
	}
	ascii := asciiOnly(code)
	var state [4]int // column in the code, source, its line, its column
	for row, text := range strings.Split(raw.Mappings, ";") {
		state[0] = 0
		rest := code
		if !ascii {
			rest, code, _ = strings.Cut(code, "\n")
		}
		done := [2]int{} // units and bytes of this row
		for text != "" {
			n := 0
			for n < 5 && text != "" && text[0] != ',' {
				delta, size := readVLQ(text)
				if size == 0 {
					return nil, errors.New("malformed source map")
				}
				if n < 4 {
					state[n] += delta
				}
				text = text[size:]
				n++
			}
			text = strings.TrimPrefix(text, ",")
			if n < 4 || state[1] < 0 || state[1] >= len(p.sources) {
				continue
			}
			column := state[0]
			if !ascii {
				column = bytesOf(rest, state[0], &done)
			}
			p.mappings = append(p.mappings, mapping{
				line: row, column: column + 1,
				source: state[1], toLine: line(p.sources[state[1]], state[2]+1) - 1, toColumn: state[3],
			})
		}
	}
	return p, nil
}

// bytesOf gives the offset of the unit'th UTF-16 unit of a row, going on from where it was.
func bytesOf(row string, unit int, done *[2]int) int {
	for done[0] < unit && done[1] < len(row) {
		r, size := utf8.DecodeRuneInString(row[done[1]:])
		done[0]++
		if r > 0xFFFF {
			done[0]++
		}
		done[1] += size
	}
	return done[1]
}

func asciiOnly(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// find gives the author's place of a place in the code, both from 1. The code's column is in bytes.
func (p *positions) find(line, column int) (Position, bool) {
	i := sort.Search(len(p.mappings), func(i int) bool {
		m := p.mappings[i]
		return m.line+1 > line || m.line+1 == line && m.column > column
	}) - 1
	if i < 0 || p.mappings[i].line+1 != line {
		return Position{}, false
	}
	m := p.mappings[i]
	return Position{File: p.sources[m.source], Line: m.toLine + 1, Column: m.toColumn + 1}, true
}

// engineMap writes the map as the engine under the machine reads it. It looks a place up by its column
// counted from 1 in bytes, and gives the source's column as it finds it: so both are written
// counted from 1, and what it reports is then the author's line and column.
func (p *positions) engineMap() []byte {
	out := append(make([]byte, 0, 8*len(p.mappings)+256), `{"version":3,"names":[],"sources":[`...)
	for i, source := range p.sources {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, mapName(source))
	}
	out = append(out, `],"mappings":"`...)
	var last mapping
	first := true
	for _, m := range p.mappings {
		for ; last.line < m.line; last.line++ {
			out = append(out, ';')
			last.column, first = 0, true
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = writeVLQ(out, m.column-last.column)
		out = writeVLQ(out, m.source-last.source)
		out = writeVLQ(out, m.toLine-last.toLine)
		out = writeVLQ(out, m.toColumn+1-last.toColumn)
		last = m
		last.toColumn++
	}
	return append(out, `"}`...)
}

// codeName is the engine's name for code that is no author's: the bundle's own lines.
const codeName = "(assent)"

// mapName writes a path so that the engine keeps two paths apart. It takes a name for a URL, decodes it,
// and takes the outcome for a URL again: so what is not plain is encoded twice.
func mapName(source string) string {
	const plain, digits = "/._-~", "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(source) {
		c := source[i]
		if letter(c) || digit(c) || strings.IndexByte(plain, c) >= 0 {
			out.WriteByte(c)
			continue
		}
		out.WriteString("%25")
		out.Write([]byte{digits[c>>4], digits[c&15]})
	}
	return out.String()
}

// shownAs is the name that the engine makes of mapName's.
func shownAs(source string) string {
	name := mapName(source)
	if url := file.ResolveSourcemapURL(codeName, name); url != nil {
		return url.String()
	}
	return name
}

const vlqDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var vlqValues = func() (values [256]int8) {
	for i := range values {
		values[i] = -1
	}
	for i := range len(vlqDigits) {
		values[vlqDigits[i]] = int8(i)
	}
	return values
}()

// readVLQ reads one base 64 variable length number; its size is 0 if it is malformed.
func readVLQ(s string) (value, size int) {
	shift := 0
	for size < len(s) && shift < 35 {
		digit := int(vlqValues[s[size]])
		size++
		if digit < 0 {
			return 0, 0
		}
		value |= (digit & 31) << shift
		if digit&32 == 0 {
			if value&1 != 0 {
				return -(value >> 1), size
			}
			return value >> 1, size
		}
		shift += 5
	}
	return 0, 0
}

func writeVLQ(out []byte, value int) []byte {
	rest := value << 1
	if value < 0 {
		rest = -value<<1 | 1
	}
	for {
		digit := rest & 31
		if rest >>= 5; rest > 0 {
			digit |= 32
		}
		out = append(out, vlqDigits[digit])
		if rest == 0 {
			return out
		}
	}
}
