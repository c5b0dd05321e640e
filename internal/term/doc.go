// Package term is everything about a person at a terminal: showing text that may be hostile,
// the review of a gate, the question at its end, the list of agents at work, and the tree of a
// run that is watched. It imports nothing of ours, reads no environment, and knows no journal.
//
// # Shown text is hostile
//
// Plans, prompts, names and log lines are written by models. All of them pass Escape on
// every output, terminal or not. It keeps what a screen shows as itself, and writes the rest
// as visible markers between ‹ and ›:
//
//	‹ESC› ‹CR› ‹TAB› ‹LF› ‹DEL›   control characters, by name
//	‹U+202E› ‹U+200B› ‹U+00A0›    by number: bidi, zero-width, formats, spaces that are not
//	                              U+0020, variation selectors, private and unassigned ones,
//	                              marks that strike through or have no letter below them
//	‹0xFF›                        a byte that is no UTF-8
//	‹!Cyrillic U+0430›            a remark: the word before mixes look-alike letters
//
// The halves of the marker are escaped themselves (‹U+2039›), so every marker is ours, and
// without the remarks the original bytes can be had back: different texts never look the
// same. In a review two more stand for much of the same, ‹300 spaces› and ‹300 empty lines›;
// and ‹null›, ‹empty text›, ‹empty list›, ‹empty object› for values without text.
//
// Right-to-left letters are shown as they are, and reported: a terminal that reorders them
// does so within their row only. The text in full, and assent show --raw, are then the words
// to go by.
//
// # A review
//
// Everything shown of a plan is made from its canonical bytes, whose SHA-256 must be the
// checksum of the gate, or nothing is shown (ErrChecksum). The order is that of deciding: what is
// asked; what is to be known first, such as how the plan differs from another one; the plan, for
// reading, with the common keys first and by name, and no key left out; what a yes gives; and the
// plan in full, which is the very text that was hashed: the rows of that section, joined without
// their gutter, with its checksum below it. Words of the script stand behind a gutter (│, and ┊
// where a line goes on) or behind a label; words of ours never do. Lines are wrapped, never cut.
//
// # The rules of answering
//
//   - What was typed before a prompt appeared is dropped. The input is the terminal, never a
//     pipe.
//   - Long pages stop; the prompt says how much is hidden. Enter goes on, "all" shows the
//     rest at once. Before the last line was shown nothing is taken that says yes: no
//     approve, no answer. Reject, changes and later are.
//   - Answers are words typed in full, to the byte: approve, changes, reject, later; yes, no.
//     approve and the name of a further permission mode, with one space between, approve too.
//     No abbreviation, no other case, no spaces, no full-width letters. An empty line never
//     answers, and never takes a default. Pasted text does not press Enter, where the
//     terminal marks it.
//   - For an input one line is the answer; a backslash at the end of a line goes on with
//     another. For a select it is #1, 1, or the choice to the byte; what could mean two
//     choices means none. In both a colon begins a command (:later, :default, :again, :help),
//     and two colons begin a text that begins with one.
//   - A change request has several lines and ends with an empty line, a lone dot or Ctrl-D;
//     no text goes back to the question.
//   - A question is asked once, and three times again after lines that cannot be used; then
//     there is no answer (None), and the gate stays as it is. ? and help explain the words; they
//     are not counted, nor is "all", or Enter pressed once too often behind the last page.
//   - Ctrl-C, SIGINT and SIGTERM give ErrInterrupted; Ctrl-D, a hangup and a closed terminal
//     ErrClosed. When the context ends, the question ends within a tenth of a second and says
//     why. Ctrl-Z suspends. The terminal is given back in every case.
//
// # Codes
//
// The only control bytes written are the newline, and of our own making: colours (SGR 0, 1,
// 2, 31, 32, 33), and at a terminal that is not dumb CR, cursor up, erase below, and the
// switch of bracketed paste.
package term
