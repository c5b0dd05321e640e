package plan

const (
	// DefaultSteps is how many steps a plan may have unless [Options] says otherwise: more are not
	// reviewed, they are waved through.
	DefaultSteps = 20
	// MostSteps is the most that can be allowed. The rules about pairs of steps are checked up to here.
	MostSteps = 100

	// maxPlan bounds a whole plan, in bytes of JSON: twice what MostSteps could ever be read.
	maxPlan = 2 << 20
	// maxStep bounds all texts of one step together: it becomes one brief of one agent.
	maxStep = 16 << 10
	// maxText bounds a text of the plan itself, such as its summary, in bytes.
	maxText = 16 << 10
	// maxTexts bounds a list of texts, such as the open questions of a plan.
	maxTexts = 100

	// maxFiles is how many entries a step may name; whoever changes more names a folder or a pattern.
	maxFiles = 64
	// maxPatterns is how many patterns all steps may name together. Each is compared with every other
	// entry, and comparing two takes the product of their lengths.
	maxPatterns = 50
	// maxPath is the longest path of a file, in bytes: what every file system takes.
	maxPath = 255

	// maxFindings bounds a report: nobody acts on more.
	maxFindings = 300
	// maxQuoted is how many characters of a text a finding repeats.
	maxQuoted = 80
)
