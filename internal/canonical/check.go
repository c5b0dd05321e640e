package canonical

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Error says what is wrong with a JSON text, and where in it.
type Error struct {
	// Path leads to the value at fault, such as $.a[1].b.
	Path string
	// Err is what is wrong with it.
	Err error
}

// Error gives "path: what".
func (e *Error) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns what is wrong, without the path.
func (e *Error) Unwrap() error { return e.Err }

// The faults that a caller may want to tell from the others.
var (
	ErrTooDeep  = fmt.Errorf("more than %d arrays and objects inside each other", MaxDepth)
	ErrTooLarge = errors.New("too large")
)

// Check says whether text is one JSON value that has an RFC 8785 form, and has at most
// maxBytes bytes; 0 is no limit. Its errors are *Error.
func Check(text []byte, maxBytes int) error {
	if maxBytes > 0 && len(text) > maxBytes {
		return &Error{Path: "$", Err: fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(text), maxBytes)}
	}
	return walk(text, nil)
}

// walk reads all of text and stops at its first fault. It shows the literal of every number to
// number, which may be nil.
func walk(text []byte, number func(literal string, value float64) error) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	for first := true; first || d.StackDepth() > 0; first = false {
		token, err := d.ReadToken()
		if err != nil {
			return syntaxError(d, err)
		}
		switch token.Kind() {
		case jsontext.KindBeginObject, jsontext.KindBeginArray:
			if d.StackDepth() > MaxDepth {
				// All that stand around the last one are too deep; name the outermost member.
				return &Error{Path: pathOf(d, d.StackPointer(), 1), Err: ErrTooDeep}
			}
		case jsontext.KindNumber:
			if err := checkNumber(token, number); err != nil {
				return &Error{Path: pathOf(d, d.StackPointer(), MaxDepth), Err: err}
			}
		default:
			// The decoder's own checks are enough.
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return &Error{Path: "$", Err: errors.New("something follows the value")}
	}
	return nil
}

// syntaxError gives a decoder's error the path of the value that the decoder stands in.
func syntaxError(d *jsontext.Decoder, err error) error {
	if errors.Is(err, io.EOF) {
		return &Error{Path: "$", Err: errors.New("the text is empty")}
	}
	syntactic, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return &Error{Path: "$", Err: err}
	}
	what := syntactic.Err
	switch {
	case errors.Is(what, io.ErrUnexpectedEOF):
		what = errors.New("the text ends before the value does")
	case errors.Is(what, jsontext.ErrDuplicateName):
		what = errors.New("the object has two members of this name")
	}
	return &Error{Path: pathOf(d, syntactic.JSONPointer, MaxDepth), Err: what}
}
