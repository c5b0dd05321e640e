package agenttype

// BuiltInSource is the Source of the types that come with the program.
const BuiltInSource = "built in"

// Type is an agent type. It is part of what a call asks for: SHA256 tells two versions of a file
// apart.
type Type struct {
	Name        string
	Description string
	// Instructions are the Markdown below the front matter.
	Instructions string
	// Agent is an agent by its name in the configuration, Model a model by the agent's own name of it,
	// Tier small, medium or big; "" says nothing.
	Agent, Model, Effort, Tier string
	// Tools and Skills: nil is whatever the agent has by itself, empty is none at all.
	Tools           []string
	DisallowedTools []string
	Skills          []string
	// ReadOnly says that an agent of this type changes nothing; false allows nothing.
	ReadOnly bool
	// Source is the path of the file, or BuiltInSource.
	Source string
	// SHA256 is the hex SHA-256 of the file's bytes.
	SHA256 string
	// Warnings say what stands in the file and has no effect, each with its line.
	Warnings []string
}
