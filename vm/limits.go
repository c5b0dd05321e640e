package vm

// Limits bounds what one script may use of its host. The zero value of a field means its default.
type Limits struct {
	// FanOut is the longest list that parallel and pipeline take: a typing error must not
	// start a hundred thousand agents. Default 4,096.
	FanOut int
	// Calls is how many counted calls (agents and gates) a run may make. Default 1,000.
	Calls int
	// Workflows is how many workflows a run may start: the journal keeps the source of each. Default 1,000.
	Workflows int
	// JSONDepth is how deep a value that crosses the border may nest, and how deep a text may
	// nest that the script parses or prints: Go's stack cannot be caught when it
	// overflows. Default 1,000.
	JSONDepth int
	// JSONBytes is how long the JSON text of a value that crosses the border may be. Default 64 MiB.
	JSONBytes int
	// PlanBytes is how long the JSON text of a plan may be, escapes and all. Default 4 MiB; what a
	// person can read is less, and for whoever asks them to judge.
	PlanBytes int
	// String is the longest string or buffer, or list of parts of a text, that one built-in may make in one
	// step, in UTF-16 units or bytes. Default 64 MiB.
	String int
	// LogBytes is how long the text of one log line may be; the rest is cut, and the line says
	// so. Default 64 KiB.
	LogBytes int
	// LogTotal is how much log text a whole run may write; after it lines are
	// dropped, and the last one says so. Default 16 MiB.
	LogTotal int
	// CallStack is how deep functions may call each other. Unwinding a recursion that goes through
	// built-ins takes time that grows with the square of its depth. Default 3,000.
	CallStack int
}

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value *int
		byDef int
	}{
		{&l.FanOut, 4096},
		{&l.Calls, 1000},
		{&l.Workflows, 1000},
		{&l.JSONDepth, 1000},
		{&l.JSONBytes, 64 << 20},
		{&l.PlanBytes, 4 << 20},
		{&l.String, 64 << 20},
		{&l.LogBytes, 64 << 10},
		{&l.LogTotal, 16 << 20},
		{&l.CallStack, 3000},
	} {
		if *field.value <= 0 {
			*field.value = field.byDef
		}
	}
	return l
}
