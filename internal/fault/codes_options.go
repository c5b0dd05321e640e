package fault

// Options of calls.
const (
	// A function of the script language was given an option that it does not have. A mistyped option
	// is never ignored.
	//
	// When: at the call; a TypeError.
	//
	// Do: the message suggests the name that was probably meant.
	OptionUnknown Code = "OPTION_UNKNOWN"

	// An option, or an argument of a call, has a value that it cannot have.
	//
	// When: at the call; a TypeError that names the option, what it wants and what it got. On the
	// command line, a flag such as `--budget` with an amount that is none.
	//
	// Do: give what the message says it wants.
	OptionInvalid Code = "OPTION_INVALID"

	// The option, or the built-in function, exists in the language, and this version cannot honor it.
	// It is refused, since ignoring it would do something else than was asked.
	//
	// When: at the call; a TypeError. Built-ins for locales and time zones are among them: a workflow
	// knows one of each.
	//
	// Do: leave the option out.
	OptionNotAvailable Code = "OPTION_NOT_AVAILABLE"
)
