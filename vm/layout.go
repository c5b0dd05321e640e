package vm

import "strings"

// A parser refuses `return` outside of a function, and modules are no functions. So the body becomes one, and the
// whole bundle, imported files too, stands in another: nothing of the author's runs before the
// machine calls it, in a frame. The outer functions are not async; so the body's first await is the first there is.
// The outermost is given args and meta, so that each workflow of a run sees its own; what the author calls alike
// stands further in.
//
// bodyName is as short as it is because `$body=async()=>{` has to fit into the place of `export const meta`.
const (
	bodyName = "$body"
	wrapHead = "(($args,$meta)=>{const args=$args,meta=$meta;return(()=>{let " + bodyName + ";"
	wrapTail = ";return " + bodyName + "()})()})"
)

// layout is a script as a module that a bundler takes: imports stay declarations, everything else is one
// async function. Every character of the body stands at the line and column where the author has it.
type layout struct {
	text string
	// body is the text without its end: imports that stood before meta, and the body, which is left open.
	body string
	// lines is how many lines the author's text has; the lines after it are moved imports.
	lines int
	// moved gives the author's line for each further line.
	moved []int
	// broken is the line that was broken in two, 0 if none was.
	broken int
}

// arrange puts `$body=async()=>{` into the place of meta, and the imports that follow
// meta behind the end of the body. A declaration of imports works wherever it stands.
func arrange(text string, h header) (layout, *mistake) {
	const start = bodyName + "=async()=>{"
	if h.metaEnd-h.metaStart < len(start) {
		return layout{}, mistakeAt(codeMeta, h.metaStart, "%s", wantMeta)
	}
	out := []byte(text)
	blank(out[h.metaStart:h.metaEnd])
	at := roomFor(out[h.metaStart:h.metaEnd], len(start))
	if at < 0 {
		return layout{}, mistakeAt(codeMeta, h.metaStart, "write %d characters of meta on one line, such as its description", len(start))
	}
	copy(out[h.metaStart+at:], start)
	for _, s := range h.imports {
		blank(out[s.start:s.end])
	}
	l := layout{}
	l.lines, _ = placeOf(text, len(text))
	var tail strings.Builder
	tail.WriteString("\n}")
	l.moved = append(l.moved, l.lines)
	for _, s := range h.imports {
		line, column := placeOf(text, s.start)
		tail.WriteString("\n" + strings.Repeat(" ", column-1) + text[s.start:s.end])
		last, _ := placeOf(text, s.end)
		for ; line <= last; line++ {
			l.moved = append(l.moved, line)
		}
	}
	tail.WriteString("\nexport{}")
	l.body = string(out)
	l.text = l.body + tail.String()
	return l, nil
}

// arrangeWithout does the same with a script that has no meta: nothing runs it, but what else is wrong with it can be told.
func arrangeWithout(text string, h header) layout {
	line, column := placeOf(text, h.metaStart)
	head := text[:h.metaStart] + bodyName + "=async()=>{\n" + strings.Repeat(" ", column-1)
	l := layout{body: head + text[h.metaStart:], broken: line}
	last, _ := placeOf(text, len(text))
	l.lines, l.moved = last+1, []int{last}
	l.text = l.body + "\n}\nexport{}"
	return l
}

// line gives the author's line for a line of the arranged text.
func (l layout) line(line int) int {
	if l.broken > 0 && line > l.broken && line <= l.lines {
		return line - 1
	}
	if further := line - l.lines - 1; further >= 0 {
		return l.moved[min(further, len(l.moved)-1)]
	}
	return line
}

// roomFor finds size spaces in a row.
func roomFor(text []byte, size int) int {
	run := 0
	for i, c := range text {
		if c != ' ' {
			run = 0
			continue
		}
		if run++; run == size {
			return i + 1 - size
		}
	}
	return -1
}
