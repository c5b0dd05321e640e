package canonical

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxShown bounds a number in an error message, in bytes.
const maxShown = 40

// checkNumber refuses a number that no double comes near to, and what more refuses; more may
// be nil.
func checkNumber(token jsontext.Token, more func(literal string, value float64) error) error {
	literal := token.String()
	value, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return fmt.Errorf("the number %s is beyond the range of a double", shorten(literal, maxShown))
	}
	if more == nil {
		return nil
	}
	return more(literal, value)
}

// Exact refuses a number n with 2^53 <= |n| < 2^64: most likely an id that has lost digits,
// since a double does not hold every integer from 2^53 on. Its errors are *Error.
func Exact(text []byte) error { return walk(text, notAnID) }

func notAnID(literal string, value float64) error {
	const limit = "18446744073709551616" // 2^64, which the largest 64-bit ids round to
	digits := strings.TrimPrefix(literal, "-")
	rounded := len(digits) == len(limit) && digits < limit && !strings.ContainsAny(digits, ".eE")
	if abs := math.Abs(value); abs < 1<<53 || abs >= 1<<64 && !rounded {
		return nil
	}
	return fmt.Errorf("the number %s is too large to keep all its digits; write it as text", shorten(literal, maxShown))
}

// digitsSurvive refuses an integer that would come out of Transform with other digits.
func digitsSurvive(literal string, value float64) error {
	if strings.ContainsAny(literal, ".eE") || literal == "-0" {
		return nil
	}
	if abs := math.Abs(value); abs < 1<<53 {
		return nil
	}
	// Below 1e21 ECMAScript writes an integer without an exponent: the shortest digits that
	// give the double, then zeros.
	if strconv.FormatFloat(value, 'f', -1, 64) == literal {
		return nil
	}
	return errors.New("the integer " + shorten(literal, maxShown) + " does not fit a double without losing digits")
}
