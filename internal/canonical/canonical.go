package canonical

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/gowebpki/jcs"
)

// Transform returns the RFC 8785 form of the one JSON value in text. Its errors are *Error.
func Transform(text []byte) ([]byte, error) {
	if err := Check(text, 0); err != nil {
		return nil, err
	}
	return transformChecked(text)
}

// transformChecked is Transform for a text that was checked before.
func transformChecked(text []byte) ([]byte, error) {
	out, err := jcs.Transform(text)
	if err != nil {
		return nil, &Error{Path: "$", Err: err}
	}
	return out, nil
}

// Of returns the RFC 8785 form of a Go value as encoding/json sees it: same tags, same
// methods. What encoding/json would change in silence is an error here: a string that is not
// UTF-8, and an integer so large that a double does not hold all its digits.
func Of(v any) ([]byte, error) {
	text, err := json.Marshal(v,
		jsonv1.DefaultOptionsV1(),
		jsontext.AllowInvalidUTF8(false),
		jsontext.EscapeForHTML(false),
		jsontext.EscapeForJS(false),
	)
	if err != nil {
		return nil, err
	}
	if err := walk(text, digitsSurvive); err != nil {
		return nil, err
	}
	return transformChecked(text)
}

// Sum returns the hex SHA-256 of canonicalText, byte for byte.
func Sum(canonicalText []byte) string {
	sum := sha256.Sum256(canonicalText)
	return hex.EncodeToString(sum[:])
}

// Checksum returns the hex SHA-256 of text's RFC 8785 form.
func Checksum(text []byte) (string, error) {
	out, err := Transform(text)
	if err != nil {
		return "", err
	}
	return Sum(out), nil
}
