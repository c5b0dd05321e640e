// Package markdown puts text that others wrote into a Markdown document without letting it be more
// than text: it makes no heading, list, link, picture, table or HTML of its own, in CommonMark and in
// the dialect of GitHub. Structure is for the caller to write.
//
// A text of one line is a [Text], or a [Line] where it begins a block; one of several lines stands
// in a [Fence]. All take visible text: what has no shape or changes the order of other characters
// is for the caller to write out, as its own format does.
//
// Copies of plans are made of it, and may never change by a byte: neither may what these functions
// give.
package markdown
