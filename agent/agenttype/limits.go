package agenttype

const (
	// maxFile is the largest file of a type: far more than an agent can be told before its prompt.
	maxFile = 256 << 10
	// maxDepth is how deep values of the front matter may be nested. Ours are lists at most; what
	// programs write for themselves (hooks) is nested a few levels.
	maxDepth = 24
	// maxKeys is how many keys there may be: ours are ten, and no program has many more.
	maxKeys = 200
	// maxName is far more than anybody types.
	maxName = 64
	// maxFolders is how deep sub-folders are looked into, maxFiles how many files of one place are
	// read: a folder that is larger is no folder of agent types.
	maxFolders = 6
	maxFiles   = 500
	// maxShown is how much of a value a message shows.
	maxShown = 60
)
