// Package modeltest stands in for the HTTP service of a model, so that tests can have real agent
// programs at work without one.
//
// A [Script] decides from a [Conversation], whatever the endpoint it came by, what the model does
// next: a [Turn] of text and uses of tools, or a failure. [Start] serves it on 127.0.0.1 until the
// test ends; there is one file for each family of endpoints:
//
//	anthropic.go    POST /v1/messages, /v1/messages/count_tokens
//	completions.go  POST /v1/chat/completions
//	responses.go    POST /v1/responses
//
// Most tests need no script of their own: a [Play] has scenes, each a part of a prompt and the turns
// that follow on it. A scene keeps no state. Which turn is next is told by the turns that the
// conversation already has, so that calls at once and requests made again do not disturb each other.
package modeltest
