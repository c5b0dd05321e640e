package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// age is the value of a flag: a length of time that may also be in days or weeks.
type age time.Duration

var _ pflag.Value = (*age)(nil)

var errAge = errors.New("no length of time")

// Set reads 30d, 2w, or what time.ParseDuration reads; not less than nothing.
func (g *age) Set(text string) error {
	days := map[string]float64{"d": 1, "w": 7}
	for unit, n := range days {
		count, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		value, err := strconv.ParseFloat(count, 64)
		hours := value * n * 24
		if err != nil || !(hours >= 0) || hours > math.MaxInt64/float64(time.Hour) {
			return errAge
		}
		*g = age(hours * float64(time.Hour))
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errAge
	}
	*g = age(d)
	return nil
}

// String is the value as Go writes it.
func (g *age) String() string { return time.Duration(*g).String() }

// Type names the kind of value in help.
func (g *age) Type() string { return "age" }
