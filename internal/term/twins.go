package term

// LookAlikeKeys finds keys of one object that look equal on a screen and are not: composed
// and decomposed accents, look-alike letters, invisible characters.
func LookAlikeKeys(jsonText []byte) ([]Finding, error) {
	root, err := parseJSON(jsonText)
	if err != nil {
		return nil, err
	}
	var found []Finding
	root.walk(func(path func() string, n *node) { found = append(found, twins(path, n)...) })
	return found, nil
}

func twins(path func() string, n *node) []Finding {
	if n.kind != '{' || len(n.keys) < 2 {
		return nil
	}
	var found []Finding
	first := make(map[string]string, len(n.keys))
	for _, key := range n.keys {
		bones := skeleton(key)
		other, seen := first[bones]
		if !seen {
			first[bones] = key
		} else if other != key {
			found = append(found, Finding{Kind: FindingTwinKeys, Text: other, Other: key, Path: path()})
		}
	}
	return found
}

// SuspiciousJSON gives the findings in all keys and strings of a JSON text, with their
// paths, keys that look equal included.
func SuspiciousJSON(jsonText []byte) ([]Finding, error) {
	root, err := parseJSON(jsonText)
	if err != nil {
		return nil, err
	}
	return suspiciousNode(root), nil
}

func suspiciousNode(root *node) []Finding {
	var found []Finding
	at := func(path func() string, member, text string) {
		for _, f := range Suspicious(text) {
			f.Path = path() + member
			found = append(found, f)
		}
	}
	root.walk(func(path func() string, n *node) {
		found = append(found, twins(path, n)...)
		for _, key := range n.keys {
			at(path, memberPath(key), key)
		}
		if n.kind == '"' {
			at(path, "", n.text)
		}
	})
	return found
}
