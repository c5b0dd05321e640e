package vm

// Reading a pattern takes time and memory that must not depend on how it is written. What grows with its length only needs
// no more than a bound on the length. All else, such as the sets that \p{…} and the flag i stand for, is counted.
const (
	// maxPattern is how many units a pattern may have. It also bounds the instructions: a counted repeat counts while it matches, and is
	// never written out.
	maxPattern = 64 << 10
	// maxEffort is how many steps reading one pattern may take, of some nanoseconds each.
	maxEffort = 32 << 20
	// maxProgram is how many bytes a pattern that was read may take.
	maxProgram = 16 << 20
	// maxLiterals bounds the literals of a script together, in multiples of what one pattern may take.
	maxLiterals = 4
	// maxMade is how many bytes of expressions that a running script makes stay read.
	maxMade = 2 * maxProgram
)

// What parts of an expression take, in bytes and about.
const (
	bytesOfRange       = 8
	bytesOfMatchSet    = 88
	bytesOfInstruction = 104
	bytesOfExpression  = 512
)

// effort counts what reading patterns takes.
type effort struct {
	steps, bytes int          // what is left
	unasked      int          // steps since check was asked
	check        func() error // says whether to go on; nil while a script is loaded: it ends soon enough
}

func newEffort(patterns int, check func() error) *effort {
	return &effort{steps: patterns * maxEffort, bytes: patterns * maxProgram, unasked: checkEvery, check: check}
}

var errPatternTooLarge = refusedf(codeRegExp, "a regular expression takes too much to be read; make it shorter, or divide it")

// spend takes steps and bytes, and leaves reading if there are not enough.
func (e *effort) spend(steps, bytes int) {
	e.steps -= steps
	e.bytes -= bytes
	if e.steps < 0 || e.bytes < 0 {
		e.steps, e.bytes = min(e.steps, 0), min(e.bytes, 0)
		panic(badPattern{errPatternTooLarge})
	}
	if e.unasked += steps; e.unasked < checkEvery || e.check == nil {
		return
	}
	e.unasked = 0
	if e.check() != nil {
		panic(badPattern{refusedf(codeStopped, "the regular expression was not read to its end")})
	}
}

// made counts a set, and gives it.
func (e *effort) made(s runeSet) runeSet {
	e.spend(len(s), len(s)*bytesOfRange)
	return s
}

// checkLength refuses a pattern by its length in units.
func checkLength(units int) *refused {
	if units > maxPattern {
		return refusedf(codeRegExp, "a regular expression of %d characters; it may have at most %d", units, maxPattern)
	}
	return nil
}

// unitsOf counts the 16-bit units of a text in WTF-8.
func unitsOf(text string) int {
	units := 0
	for i := range len(text) {
		switch b := text[i]; {
		case b >= 0xF0:
			units += 2
		case b&0xC0 != 0x80:
			units++
		}
	}
	return units
}
