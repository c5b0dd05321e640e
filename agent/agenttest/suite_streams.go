package agenttest

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// reset is when the limit of the fakes ends: a full minute in the future, as programs say it.
var reset = time.Now().Add(5 * time.Hour).Truncate(time.Minute).UTC()

func asLimit(err error) (*agent.LimitError, bool) { return errors.AsType[*agent.LimitError](err) }

// streams are what damaged and huge output does.
func streams(t *testing.T, s Subject) {
	broken := func(t *testing.T, b Behaviour) {
		t.Helper()
		_, err := s.call(t, b).run(t.Context(), t)
		require.Contains(t, []fault.Code{fault.AgentAnswerInvalid, fault.AgentFailed}, fault.CodeOf(err), "%v", err)
	}
	t.Run("not UTF-8", func(t *testing.T) { broken(t, Behaviour{Garbage: []byte("{\"a\":\"\xff\xfe\"}\n")}) })
	t.Run("not the protocol", func(t *testing.T) {
		if s.has(t, Framing) {
			broken(t, Behaviour{Garbage: []byte("Segmentation fault\n")})
			broken(t, Behaviour{Garbage: []byte("{}\n[1,2]\nnull\n\n7\n{\"type\":7}\n")})
			broken(t, Behaviour{Garbage: []byte{}})
		}
	})
	t.Run("cut", func(t *testing.T) { broken(t, Behaviour{Text: strings.Repeat("long ", 13_107), Cut: true}) })

	t.Run("a line of 11 MB", func(t *testing.T) {
		long := agent.Event{Type: agent.EventText, Text: strings.Repeat("y", 11_000_000)}
		require.Equal(t, "found", s.call(t, Behaviour{Events: []agent.Event{long}, Text: "found"}).answer(t))
	})
	t.Run("2 GiB", func(t *testing.T) {
		var before, after runtime.MemStats
		c := s.call(t, Behaviour{Flood: 2 << 30}, func(start *Start) { start.MaxOutput = 4 << 20 })
		runtime.ReadMemStats(&before)
		_, err := c.run(t.Context(), t)
		runtime.ReadMemStats(&after)
		require.Contains(t, []fault.Code{fault.AgentOutputTooLarge, fault.AgentAnswerInvalid, fault.AgentFailed}, fault.CodeOf(err), "%v", err)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<20), "memory is bounded")
	})
}
