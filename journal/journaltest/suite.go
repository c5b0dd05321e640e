package journaltest

import (
	"context"
	"testing"

	"github.com/seed-8d4a6081/assent/journal"
)

// Store is what the engine asks of a journal.
type Store interface {
	// Create begins a new run, which the caller owns.
	Create(ctx context.Context, r journal.RunStarted) (journal.Run, error)
	// Take makes the caller the owner of a run; see [journal.Store.Take].
	Take(ctx context.Context, id string, fn func(st *journal.State) (journal.RunResumed, error)) (journal.Run, error)
	// Visit opens a run for reading and answering, whoever owns it.
	Visit(ctx context.Context, id string) (journal.Visit, error)
}

// Forgetful is a Store that can be made to forget who owns a run while the owner lives, as a lease
// is that ran out, or whose file was removed. Only of such a store it is checked that an owner who
// was replaced writes nothing more.
type Forgetful interface {
	ForgetOwner(id string)
}

// Test checks a Store. open makes an empty one; it is called for each test.
func Test(t *testing.T, open func(t *testing.T) Store) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(t *testing.T, s Store)
	}{
		{"a new run is filled in and owned", newRun},
		{"there is no other run", unknownRun},
		{"entries follow each other", entriesFollow},
		{"values keep their text", valuesKeepTheirText},
		{"a large value is kept", largeValue},
		{"run and visit agree", runAndVisitAgree},
		{"a refused update leaves nothing", refusedUpdate},
		{"an impossible draft takes its update along", impossibleDraft},
		{"a panic leaves nothing", panicLeavesNothing},
		{"an ended context leaves all or nothing", endedContext},
		{"Close can be repeated", closeTwice},
		{"Sync gives what others wrote, once and in order", syncGivesOnce},
		{"Sync gives what an update met first", syncAfterUpdate},
		{"Changes ticks", changesTick},
		{"nobody decides on an old state", decidesOnNewest},
		{"writers at the same time are put in order", writersInOrder},
		{"runs at the same time do not mix", runsDoNotMix},
		{"a run has one owner", oneOwner},
		{"what is at work can be seen", workIsSeen},
		{"attachments are kept beside the entries", attachmentsKept},
		{"an attachment has a name of its own", attachmentsNamed},
		{"taking over interrupts what was shown", takeInterrupts},
		{"taking over can be refused", takeRefused},
		{"an owner who was replaced writes nothing", leaseLost},
		{"a finished run refuses", finishedRefuses},
		{"a cancelled run refuses for good", cancelledRefuses},
		{"an end closes what is pending", endCloses},
		{"a visitor only answers", visitorOnlyAnswers},
		{"an answer is carried whole", answerCarried},
		{"an answer to something else is none", answerToElse},
		{"the first answer stands", firstAnswerStands},
		{"of two answers at once one stands", oneOfTwoAnswers},
		{"an approval can be revoked once", revokedOnce},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}
