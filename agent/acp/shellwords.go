package acp

import "strings"

// shellWords splits a command line of a POSIX shell into the words of its simple commands, which
// stand in a pipe or a chain of &&. It takes a small part of the language, in which bash, dash, zsh
// and fish agree, and ok is false for everything else: no redirection, substitution, variable,
// assignment (the names of commands are held against a list), background, group, escape or brace,
// and no pattern that could become an option.
func shellWords(line string) (commands [][]string, ok bool) {
	if len(line) > maxCommand {
		return nil, false
	}
	var words []string
	var word strings.Builder
	in := false // a word has begun, even if it is empty so far
	endWord := func() {
		if in {
			words = append(words, word.String())
			word.Reset()
			in = false
		}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == ' ' || c == '\t':
			endWord()
		case c == '|' || c == '&':
			// && and a single | go on with another command; ||, |& and a single & do not.
			double := i+1 < len(line) && line[i+1] == c
			if (c == '&') != double || i+1 < len(line) && c == '|' && line[i+1] == '&' {
				return nil, false
			}
			if double {
				i++
			}
			if endWord(); len(words) == 0 {
				return nil, false
			}
			commands, words = append(commands, words), nil
		case c == '\'' || c == '"':
			text, length := quoted(line[i:])
			if length == 0 {
				return nil, false
			}
			in = true
			word.WriteString(text)
			i += length - 1
		case plain(c):
			in = true
			word.WriteByte(c)
		case (c == '*' || c == '?' || c == '[') && word.Len() > 0 && word.String()[0] != '-':
			word.WriteByte(c) // a name that it matches begins as the word does, so it is no option
		case c == '~' && word.Len() > 0 && strings.IndexByte(":=", line[i-1]) < 0:
			word.WriteByte(c) // as in HEAD~3; it is somebody's home only where a path begins
		default:
			return nil, false
		}
	}
	if endWord(); len(words) == 0 {
		return nil, false
	}
	return append(commands, words), true
}

// plain reports whether a character outside of quotes stands for itself in each of those shells.
func plain(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return strings.IndexByte("_-./:,+@%=]", c) >= 0
}

// quoted reads a quoted text at the beginning of rest, and how much of it that is; 0 if it has no
// end, or if shells differ in what it means: an escape, a substitution, a history reference, a
// character that is not printed.
func quoted(rest string) (text string, length int) {
	quote := rest[0]
	for i := 1; i < len(rest); i++ {
		c := rest[i]
		switch {
		case c == quote:
			return rest[1:i], i + 1
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", 0
		case quote == '"' && strings.IndexByte("$`!", c) >= 0:
			return "", 0
		case c == '\\' && (i+1 == len(rest) || strings.IndexByte("\\\"'$`", rest[i+1]) >= 0):
			return "", 0
		}
	}
	return "", 0
}
