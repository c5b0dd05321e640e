package cli

// hint is what to do next: a command, and what it is for where that does not say itself. A hint
// without a command is words alone.
type hint struct{ command, why string }

// hints prints hints as talk. What a command is for stands behind it as a comment of the shell,
// so that the whole line can be pasted.
func (a *app) hints(list []hint) {
	for _, h := range list {
		switch {
		case h.command == "":
			a.next(h.why)
		case h.why == "":
			a.nextCommand(h.command, "")
		default:
			a.nextCommand(h.command, "# "+h.why)
		}
	}
}

// commands are the hints as JSON has them.
func commands(list []hint) []string {
	out := []string{}
	for _, h := range list {
		if h.command != "" {
			out = append(out, h.command)
		}
	}
	return out
}
