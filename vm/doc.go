// Package vm executes workflow scripts in a machine that can do nothing by itself.
//
// A script is a JavaScript or TypeScript file. Compile reads, checks and bundles it; New makes a
// machine for one execution. The machine has no clock, no timers, no goroutines and no files. Whatever the
// script wants from the world it asks for with a call, and the caller of the machine answers:
//
//	m := vm.New(program, vm.Config{Seed: seed})
//	turn, err := m.Start(ctx, args, at)         // runs until the script can only wait
//	for err == nil && !turn.Done {
//		…                                        // note turn.Calls, get an answer to one of them
//		turn, err = m.Deliver(ctx, key, answer, at)
//	}
//
// The machine is a pure function of program, arguments, config and the sequence of deliveries: the
// same ones give the same calls, in the same order, with the same bytes, on any machine and in any time zone.
// That is what makes it possible to resume a run by running its script again with the answers at hand.
//
// # Turns
//
// A turn is one delivery run to quiescence: goja runs until no microtask is left. A call is caused
// by the answer in whose turn the script makes it. A turn with Done is the last one; it says how the script
// ended: with a result, or with an Error. A rejected promise that nobody handles when a turn
// ends is such an error, and so is waiting with no call outstanding.
//
// # Keys
//
// A call's key says where in the script's structure it stands:
//
//	key     = frame strand "/" name "#" ordinal     /agent#0   /parallel#0[3]/agent#1   ~2/checkpoint#0
//	frame   = "" | key "[" part "]"                 the root; a branch of parallel, an item of pipeline and the
//	                                                like by its index, a node of dag by its id, a workflow that
//	                                                was started by 0
//	strand  = { "~" n }                             which fork of asynchronous code within the frame
//	ordinal                                         counts the calls of that name on that strand, from 0
//
// The forerunner of a call (Config.Before) has the key of that call with /agent#0 behind it: /planApprove#0/agent#0. It takes no ordinal
// of any strand.
//
// Frame and strand follow the code across await and then, through goja's tracker of asynchronous contexts. A segment is
// code that runs without a break. The last continuation that a segment registers carries its strand on; every other one
// starts a strand of its own, numbered within the strand that it left. So code that awaits one thing
// after another shows no strand at all, and a key never depends on which answer came first. Code
// that goja runs without a context, such as the then method of a foreign object, has no frame and can make no calls.
//
// A workflow that the script starts is answered with its source (Started). The machine compiles that and runs it in a frame of its
// own, with args and meta of its own; everything else is shared.
//
// # The border
//
// Only JSON crosses, both ways. Outward, a value is read once and without running any of the script's code: what would
// have to run code (an accessor, a Proxy, toJSON) or would lose something (a Date, a Map, a class instance, half of a
// surrogate pair) is refused with its path, such as $.steps[2].file. Members that are undefined are left out, except
// in a plan, where they are refused. Inward, a text has to be strict JSON; key order is kept, and
// answers are the script's own mutable copies, while approvals, args and meta are frozen.
//
// # The realm
//
// Scripts see ECMAScript's built-ins and the globals of the script language, and nothing else. The clock and the dice are
// cut off inside goja itself. Date knows explicit instants in UTC. Globals of the language cannot be replaced, Promise is
// frozen, and what gates, helpers and the border use of the built-ins was captured before the script began.
//
// Regular expressions are executed by an engine of this package's own (regexp.go), for those of goja's libraries mean other things. What is
// refused, in a literal when the script is loaded, and in a text when it becomes an expression, are a few properties that Go has no
// tables of: \p{Emoji}, \p{Script_Extensions=…}, and scripts newer than Unicode 15.
//
// Built-ins that goja lacks or gets wrong are JavaScript in prelude/. All of it runs before the script does, whatever the script's text
// says: no script can get hold of what is replaced there (reach_internal_test.go), or change what works there beyond what the standards
// let it (patched_test.go). docs/reference/language.md lists what works, and testdata/language holds its tests.
//
// An error's stack is text for people: it has the engine's form, with frames of this package's own JavaScript among the author's,
// and may change with a new version. A script that puts it into a prompt is asking for a call that a resume cannot match. Turn.Err
// has the author's frames only.
package vm
