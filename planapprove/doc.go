// Package planapprove is approval bound to content: a person's yes to exactly these bytes.
//
// A plan is turned into canonical text once (RFC 8785). What is shown, hashed, journaled, and
// parsed again into the plan that the script gets back, is that text. Its checksum is
//
//	hex(SHA-256(canonical text in UTF-8))
//
// and the approval is the sealed answer to one gate about it (package checkpoint), bound to
// the run, the call, the program, the prompt and the asking. A plan that is not plain JSON is
// refused with PLAN_NOT_JSON and the path of the first offending value, before anything is
// asked or stored.
//
// An approval is a capability: [Check] says, in the transaction that starts the work, whether
// an approval still covers it. Only the decision true approves; a text is a request for
// changes, and everything else is a decline.
package planapprove
