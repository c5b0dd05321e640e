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
// A plan may be a document: an object of a title, a Markdown text and perhaps a question. In a run
// with a workspace every plan is also a file there, in [ArtifactFolder]: a document's Markdown to
// the byte, or a rendering and the canonical text. It is written before the question is asked,
// and compared before an approval is recorded ([Respond]); nothing else ever reads it.
//
// Before a person is asked, an agent of another model may read the plan ([ValidatorCall]). Its word
// ([Verdict]) stands beside the plan, and decides nothing.
//
// An approval is a capability: [Check] says, in the transaction that starts the work, whether
// an approval still covers it. Only the decision true approves; a text is a request for
// changes, and everything else is a decline.
package planapprove
