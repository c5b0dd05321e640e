// Package acp has one runner for every agent that speaks the Agent Client Protocol
// (https://agentclientprotocol.com): JSON-RPC, a message a line, on the standard input and output of
// the agent's program. Here is the client's side of it.
//
// # An attempt
//
// An attempt is one child process and one session in it:
//
//	initialize            capabilities: files and terminals are offered
//	session/new           in the request's folder; if the agent wants a sign-in for which it has all
//	                      variables, authenticate, and once more
//	session/set_…         the mode in which the agent asks most, the model and the effort of the request
//	session/prompt        instructions, prompt, and the schema if there is one
//	session/cancel        instead of an answer, when the call ends
//
// and then the end of the program with everything that it started. The answer is the text of the
// agent's last message; what it says and does before becomes events.
//
// # What the agent asks for
//
// A request for permission is answered by [rules] from the stamp and the mode of the call, never from a
// title, and always for this once. What is shown to a person is what is allowed, and all of it; an agent
// that says two things of one use of a tool is let do neither. Which commands count as reading is
// decided by a [looker], and whether git may look by the repository's own configuration.
//
// Files and terminals stay inside the call's folder, whatever links lead out of it, and go by the same
// rules. A path counts as inside if everybody reads it alike, since agents trim and expand what they
// follow. A request that comes for another session, or after the end, does nothing.
//
// # What the library is kept from
//
// The protocol's types, names and JSON-RPC are those of github.com/coder/acp-go-sdk. Between it and
// the child stands a [wire], because the library takes 1,024 notifications and any number of requests
// at once, puts no order between the two, gives up at a line of 10 MB, and may lose an answer that is
// followed by the end of the output. Its log is discarded.
package acp
