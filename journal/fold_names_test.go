package journal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// Two readers of one entry read the same: a name counts to the letter, and stands once.
func TestS01_OneReadingOfAnAnswer(t *testing.T) {
	for _, data := range []string{
		`{"gate":"g","decision":false,"Decision":true}`,
		`{"gate":"g","Decision":true}`,
		`{"gate":"g","DECISION":true,"decision":false}`,
	} {
		answer, err := journal.Decode[journal.GateAnswered](journal.Entry{Kind: journal.KindGateAnswered, Data: []byte(data)})
		if err == nil {
			require.NotEqual(t, "true", string(answer.Decision), data)
		}
	}
	_, err := journal.Decode[journal.GateAnswered](journal.Entry{Kind: journal.KindGateAnswered, Data: []byte(`{"decision":false,"decision":true}`)})
	require.Error(t, err)
}
