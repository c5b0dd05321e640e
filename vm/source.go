package vm

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// MaxSource is how many bytes the files of one program may have together. A script is written, and
// approved, by people; half a megabyte is far more than anybody reads.
const MaxSource = 512 << 10

// Source is one file of a program.
type Source struct {
	// Path is relative to the file system that the program was read from, with slashes.
	Path string `json:"path"`
	// Text is the file, to the byte.
	Text string `json:"text"`
}

// StripFence takes a Markdown code fence off that surrounds the whole text, as models like to
// write it. Only the caller knows that a text comes from a model, so Compile never does this.
func StripFence(text string) string {
	trimmed := strings.TrimSpace(text)
	mark := "```"
	if strings.HasPrefix(trimmed, "~~~") {
		mark = "~~~"
	}
	if !strings.HasPrefix(trimmed, mark) {
		return text
	}
	for strings.HasPrefix(trimmed, mark+mark[:1]) {
		mark += mark[:1]
	}
	info, body, found := strings.Cut(trimmed[len(mark):], "\n")
	if !found || strings.Contains(info, "`") {
		return text
	}
	rest := strings.TrimRight(body, "\r\n\t ")
	if !strings.HasSuffix(rest, "\n"+mark) {
		return text
	}
	rest = strings.TrimSuffix(rest, mark)
	// A second fence inside means that the text is a document, not one fenced script.
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(strings.TrimSpace(line), mark) {
			return text
		}
	}
	return rest
}

// reader reads source files and remembers them. Its methods are called from one goroutine at a time.
type reader struct {
	fsys  fs.FS
	texts map[string]string // by path; what has been read so far
	left  int               // bytes that may still be read
	dirs  map[string]map[string]bool
}

func newReader(fsys fs.FS) *reader {
	return &reader{fsys: fsys, texts: map[string]string{}, left: MaxSource, dirs: map[string]map[string]bool{}}
}

// exists says whether name is a file. A directory, a pipe or a device is none: opening one might never return.
func (r *reader) exists(name string) bool {
	info, err := fs.Stat(r.fsys, name)
	return err == nil && info.Mode().IsRegular()
}

// spelled gives the name that the folder's listing has for a file, if that differs from name
// only in case: such an import works on one machine and not on the next.
func (r *reader) spelled(name string) string {
	dir, base := path.Split(name)
	dir = path.Clean(dir)
	names, known := r.dirs[dir]
	if !known {
		names = map[string]bool{}
		entries, err := fs.ReadDir(r.fsys, dir)
		if err == nil {
			for _, entry := range entries {
				names[entry.Name()] = true
			}
		}
		r.dirs[dir] = names
	}
	if names[base] {
		return name
	}
	for other := range names {
		if strings.EqualFold(other, base) {
			return path.Join(dir, other)
		}
	}
	return name
}

// read gives a file's text. Reading a file again gives the text of the first time.
func (r *reader) read(name string) (string, *Error) {
	if text, done := r.texts[name]; done {
		return text, nil
	}
	data, err := r.bytes(name)
	if err != nil {
		return "", &Error{Code: codeUnreadable, Message: "cannot read it: " + err.Error(), File: name, cause: err}
	}
	if len(data) > r.left {
		return "", &Error{
			Code: codeSourceSize, File: name,
			Message: fmt.Sprintf("the script and what it imports have more than %d KiB; keep data in files that agents read", MaxSource>>10),
		}
	}
	text := string(data)
	if bad := badUTF8(text); bad >= 0 {
		return "", mistakeAt(codeSourceText, bad, "byte 0x%02X is not UTF-8; save the file as UTF-8", text[bad]).in(name, text)
	}
	r.left -= len(data)
	r.texts[name] = text
	return text, nil
}

// bytes reads at most one byte more than is left.
func (r *reader) bytes(name string) ([]byte, error) {
	info, err := fs.Stat(r.fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	file, err := r.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, int64(r.left)+1))
	return data, errors.Join(err, file.Close())
}

// badUTF8 gives the offset of the first byte that is not UTF-8, or -1.
func badUTF8(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// clean makes a file's text ready for parsers, keeping every line and column: no byte order mark, no hashbang, no
// comment that points to a source map (positions are the author's, whatever such a comment
// claims). It refuses a text that could overflow a parser's stack.
func clean(text string) (string, *mistake) {
	const mark, link = "\uFEFF", "sourceMappingURL="
	text = strings.TrimPrefix(text, mark)
	if strings.HasPrefix(text, "#!") {
		text = "//" + text[2:]
	}
	var links []int
	known, wrong := checkNesting(text, func(start, end int) {
		if at := strings.Index(text[start:end], link); at >= 0 {
			links = append(links, start, end)
		}
	})
	if wrong != nil {
		return "", wrong
	}
	if at := strings.Index(text[known:], link); at >= 0 {
		return "", mistakeAt(codeUnsupported, known+at, "remove the sourceMappingURL comment")
	}
	if links == nil {
		return text, nil
	}
	out := []byte(text)
	for i := 0; i < len(links); i += 2 {
		blank(out[links[i]:links[i+1]])
	}
	return string(out), nil
}

// blank turns text into white space of the same length, in bytes and in UTF-16 units, and keeps line ends: so every
// position after it stays what it was.
func blank(text []byte) {
	const two, three = "\u00A0", "\u3000"
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
		case size == 1:
			text[i] = ' '
		case size == 2:
			copy(text[i:], two)
		case size == 3:
			copy(text[i:], three)
		default: // two units
			copy(text[i:], two+two)
		}
		i += size
	}
}
