package canonical

// MaxDepth is how many arrays and objects may stand inside each other. A value that a person
// could review has a few; Go's stack holds far more, and what walks a value by recursion has
// to end before it does.
const MaxDepth = 1000

// maxPath bounds a path in an error message, in bytes. Names are the sender's to choose.
const maxPath = 240
