// Package journaltest says what a journal has to keep to, for whatever is to stand in for one.
//
// The engine asks for little: a [Store] that creates runs, hands them to one owner at a time, and
// lets others visit them. [Test] checks that a Store does that as *journal.Store does: nothing of
// an update that fails, one order for all writers, no decision on an old state, one owner, the
// first answer to a question and no other. What it cannot see is whether an update that has
// returned survives a power cut; that is for the tests of the store itself.
//
// A Store that keeps entries somewhere else makes them, and reads them, with journal.State: see
// journal.NewState. In a test of its own it then says
//
//	func TestStore(t *testing.T) {
//		journaltest.Test(t, func(t *testing.T) journaltest.Store { return newStore(t) })
//	}
//
// Two handles of one Store stand for two processes.
package journaltest
