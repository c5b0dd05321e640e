// Package agenttest says what a runner of an agent's program has to keep to, and checks it.
//
// [Run] puts a runner through calls with a fake of its program: a script that starts the test's own
// binary again, which behaves as it is told to. What is the same for every program (to ignore a
// signal, leave a process behind, print for ever, end with a code) is done here; how the program is
// spoken to and speaks is a [Speaker], the one thing to write:
//
//	func TestMain(m *testing.M) {
//		agenttest.Main(map[string]agenttest.Speaker{"mine": {Hear: hear, Say: say}})
//		goleak.VerifyTestMain(m)
//	}
//
//	func TestMineConforms(t *testing.T) {
//		agenttest.Run(t, agenttest.Subject{Speaker: "mine", New: func(_ *testing.T, s agenttest.Start) agent.Runner {
//			return &Mine{Program: s.Program, Env: s.Env, MaxOutput: s.MaxOutput, Grace: s.Grace}
//		}})
//	}
//
// Hear reads what the runner handed over and says what arrived. Say says a [Behaviour] in the
// program's protocol. What a protocol cannot say at all stands in Subject.Lacks, with the reason; the
// suite repeats it in its log, so that nobody takes it for checked.
//
// [Fake] and [Reports] are for further tests of one runner, and [RequireGone] and its like for whatever
// starts processes. A fake needs a Unix shell; elsewhere Run skips.
package agenttest
