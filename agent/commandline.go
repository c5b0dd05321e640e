package agent

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// ParseCommand splits a command line the way a shell does: white space separates words,
// '…' takes everything as it is, "…" everything but \" and \\, and outside of quotes \ takes
// the next character as it is (on Windows \ is an ordinary character outside of quotes). There
// is no shell: what only a shell could carry out (|, ;, &, <, >, $, `, parentheses) is refused
// unless it is quoted. Its errors are CONFIG_INVALID.
func ParseCommand(line string) ([]string, error) {
	return splitCommand(line, runtime.GOOS != "windows")
}

func splitCommand(line string, backslash bool) ([]string, error) {
	var argv []string
	var word strings.Builder
	inWord := false
	quote := rune(0)
	text := []rune(line)
	for i := 0; i < len(text); i++ {
		c := text[i]
		escapes := c == '\\' && i+1 < len(text)
		switch {
		case c == 0:
			return nil, badCommand(line, "holds a NUL character", "")
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && !(escapes && strings.ContainsRune(`"\`, text[i+1])):
			if quote == '"' && strings.ContainsRune("$`", c) {
				return nil, needsShell(line, c)
			}
			word.WriteRune(c)
		case quote == '"' && escapes, quote == 0 && escapes && backslash:
			i++
			word.WriteRune(text[i])
			inWord = true
		case quote != 0: // the quote that closes it
			quote = 0
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case strings.ContainsRune(" \t\r\n", c):
			if inWord {
				argv = append(argv, word.String())
			}
			word.Reset()
			inWord = false
		case strings.ContainsRune("|;&<>$`()", c):
			return nil, needsShell(line, c)
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, badCommand(line, fmt.Sprintf("has a %c that is never closed", quote), "close the quote")
	}
	if inWord {
		argv = append(argv, word.String())
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, badCommand(line, "names no program", "give a command, such as 'my-agent --json'")
	}
	return argv, nil
}

func needsShell(line string, c rune) error {
	return badCommand(line, fmt.Sprintf("holds %q, which only a shell could carry out", c),
		fmt.Sprintf("quote it, or write: sh -c '%s'", strings.ReplaceAll(line, "'", `'\''`)))
}

func badCommand(line, what, next string) error {
	return fault.New(fault.ConfigInvalid, fmt.Sprintf("the agent's command %q %s", shorten(line, 200), what), next)
}
