package issuedelivery

import (
	"strings"
	"unicode"
)

const (
	// maxTitleRunes is how long a title is: as long as the first line of a commit may be.
	maxTitleRunes = 72
	// maxTask is how many bytes a task may have: every question about the plan shows it.
	maxTask = 8 << 10
	// maxSlug is how long the speaking part of a branch's name is.
	maxSlug = 40
	// branchPrefix begins the names of branches of deliveries.
	branchPrefix = "assent/"
)

// titleOf is the first line of a task that has a word, without the signs of a heading, of at most
// maxTitleRunes characters, cut between words if there is such a place.
func titleOf(task string) string {
	title := ""
	for part := range strings.Lines(task) {
		if title = strings.TrimLeft(oneLine(part), "# "); title != "" {
			break
		}
	}
	runes := []rune(title)
	if len(runes) <= maxTitleRunes {
		return title
	}
	cut := string(runes[:maxTitleRunes-2])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + " …"
}

// oneLine is a text without breaks, and without what cannot be seen.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "?"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " ")
}

// slugOf is a title as words of small letters and digits, joined by hyphens: a part of a branch's name that
// git takes, whatever the title is.
func slugOf(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	slug := ""
	for _, word := range words {
		if slug == "" {
			slug = word[:min(len(word), maxSlug)]
			continue
		}
		if len(slug)+1+len(word) > maxSlug {
			break
		}
		slug += "-" + word
	}
	if slug == "" {
		return "task"
	}
	return slug
}

// branchOf is the name of a run's branch.
func branchOf(run, slug string) string {
	return branchPrefix + strings.ToLower(run[max(0, len(run)-6):]) + "-" + slug
}
