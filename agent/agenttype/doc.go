// Package agenttype reads agent types: what an agent is told before its prompt, and what it may use,
// under a name that scripts give as agentType.
//
// A type is a Markdown file. It begins with front matter in YAML between two lines of ---; what
// follows are the instructions.
//
//	---
//	name: reviewer
//	description: Looks for mistakes in a change.
//	tools: Read, Grep, Bash(git log:*)
//	tier: big
//	readOnly: true
//	---
//	You review changes. …
//
// The files of other programs are taken as they are: a list may be a text with commas, `model:
// inherit` is no model, `permissionMode: plan` is readOnly, `thinking` is effort. What only another
// program understands has no effect here, and is listed. But a key that may be a slip of one that
// keeps an agent within bounds (tools, disallowedTools, readOnly) is an error, as is everything of
// our own keys that cannot be meant: a type that is not understood is not used in part.
//
// [Load] takes the places where files lie, in the order in which they win: .assent/agents,
// .claude/agents and .pi/agents of the workspace with their sub-folders, the user's own folder, and
// the types that come with the program. The files are read once, when a type is first asked for, and
// are not looked at again: a run has one set of types. A file that cannot be used takes its name
// with it, so that no other file of the name is taken for it, and hurts no other name.
package agenttype
