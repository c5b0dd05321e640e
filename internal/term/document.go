package term

// document is a plan that is a text in Markdown: an object of a title, the text, and perhaps a
// question, and of nothing else. Package planapprove has the same rule.
func document(root *node) (text *node, ok bool) {
	members := 2
	for i, key := range root.keys {
		kid := root.kids[i]
		if kid.kind != '"' || kid.text == "" && key != "markdown" {
			return nil, false
		}
		switch key {
		case "title":
		case "markdown":
			text = kid
		case "question":
			members++
		default:
			return nil, false
		}
	}
	return text, text != nil && root.field("title") != nil && len(root.keys) == members
}

// source adds a document for reading: its Markdown as it is written. Nothing is interpreted, so
// that nothing, such as a comment or the target of a link, is hidden.
func (c *canvas) source(root, text *node) {
	c.field(2, "title:", root.field("title").text)
	if question := root.field("question"); question != nil {
		c.field(2, "question:", question.text)
	}
	if text.text == "" {
		c.say("  markdown: ‹empty text›")
		return
	}
	c.label(2, "markdown, as it is written:")
	c.quote(2, text.text)
}
