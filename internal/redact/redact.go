package redact

import (
	"regexp"
	"slices"
	"strings"
)

const redacted = "[redacted]"

// shape is what a common credential looks like. What stands in a group is kept. Without one of its words
// in a text, in small letters, there is none in it: looking for words costs next to nothing.
type shape struct {
	words []string
	form  *regexp.Regexp
}

var secretShapes = []shape{
	{[]string{"private key-----"}, regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
	{[]string{"authorization"}, regexp.MustCompile(`(?im)(\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?)[^\r\n"']+`)},
	{[]string{"bearer"}, regexp.MustCompile(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}`)},
	{[]string{"cookie"}, regexp.MustCompile(`(?im)(\b(?:set-)?cookie\s*:\s*)[^\r\n]+`)},
	{[]string{"sk-"}, regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{8,}`)},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})`)},
	{
		[]string{"glpat-", "xox", "hf_", "npm_", "pypi-", "dop_v1_", "aiza", "ya29."},
		regexp.MustCompile(`\b(?:glpat-|xox[a-z]-|hf_|npm_|pypi-|dop_v1_|AIza|ya29\.)[A-Za-z0-9_-]{12,}`),
	},
	{[]string{"akia", "asia"}, regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)},
	{[]string{"eyj"}, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*`)},
	{[]string{"://"}, regexp.MustCompile(`([a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s/@]+(@)`)},
	{
		[]string{"key", "token", "secret", "passw", "credential"},
		regexp.MustCompile(`(?i)([a-z0-9_-]*(?:api[_-]?key|access[_-]?key|token|secret|passwd|password|credential)s?["']?\s*[:=]\s*["']?)[^\s"',;]{6,}`),
	},
}

// secretName is what the name of an environment variable with a secret looks like.
var secretName = regexp.MustCompile(`(?i)(KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|(^|_)AUTH(_|$)|(^|_)PAT$|(^|_)DSN$)`)

// Secret reports whether the name of a variable looks as if it held a secret.
func Secret(name string) bool { return secretName.MatchString(name) }

// minSecret is the shortest value of such a variable that is looked for: "1" and "true" are
// settings.
const minSecret = 6

// Text takes credentials out of a text that people will read: the values of variables of
// environ whose names say that they are secret, and what has the shape of a common key, token,
// password or authorization header. It errs on the side of taking out too much, and it cannot
// know a secret without a name and without a shape.
func Text(text string, environ []string) string {
	var values []string
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if secretName.MatchString(name) && len(value) >= minSecret {
			values = append(values, value)
		}
	}
	// Longest first: a secret that contains another one is taken out whole.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, value := range values {
		text = strings.ReplaceAll(text, value, redacted)
	}
	small := strings.ToLower(text)
	for _, shape := range secretShapes {
		if slices.ContainsFunc(shape.words, func(word string) bool { return strings.Contains(small, word) }) {
			text = shape.form.ReplaceAllString(text, "${1}"+redacted+"${2}")
		}
	}
	return text
}
