package issuedelivery

import "regexp"

var (
	// closes are the words by which forges close issues when a commit is merged, and what they name.
	closes = regexp.MustCompile(`(?i)\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?|implement(?:s|ed)?)(:?\s+)((?:[\w.-]+/[\w.-]+)?#|GH-|https?://\S*?/(?:issues|pull|-/issues)/)(\d+)`)
	// mentions are names that a forge tells of it.
	mentions = regexp.MustCompile(`(^|[^\w@/.])@([A-Za-z0-9])`)
)

// forCommit is a text of a model as a commit may have it: a forge closes no issue for it, and tells nobody.
func forCommit(text string) string {
	return mentions.ReplaceAllString(closes.ReplaceAllString(text, "${1}${2}issue ${4}"), "${1}(at)${2}")
}
