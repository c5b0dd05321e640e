package term_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// The codes are those of xterm's control sequences (ctlseqs): BEL, OSC 2, and XTWINOPS 22 and 23.
func TestSigns(t *testing.T) {
	var out strings.Builder
	s := term.NewSigns(&out)
	s.Clear()
	require.Empty(t, out.String(), "a title that is not ours is left alone")
	s.Ring()
	s.Title("one waits")
	s.Title("two\x07\x1b]0;root@prod\x07 wait")
	s.Clear()
	s.Clear()
	require.Equal(t, "\x07\x1b[22;2t\x1b]2;one waits\x07"+
		"\x1b]2;two‹BEL›‹ESC›]0;root@prod‹BEL› wait\x07"+
		"\x1b]2;\x07\x1b[23;2t", out.String())

	var none *term.Signs
	none.Ring()
	none.Title("nothing")
	none.Clear()
}
