package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/redact"
)

func TestB65_Text(t *testing.T) {
	// Made up, of the published shapes; written in parts so that no scanner takes them for real.
	for text, want := range map[string]string{
		"key sk" + "-ant-api03-AbCdEf123456_xyz end":            "key [redacted] end",
		"ghp" + "_0123456789abcdefghij":                         "[redacted]",
		"AKIA" + "IOSFODNN7EXAMPLE":                             "[redacted]",
		"Authorization: Basic dXNlcjpwYXNz\nnext":               "Authorization: [redacted]\nnext",
		`{"authorization":"Bearer abc"}`:                        `{"authorization":"[redacted]"}`,
		"used Bearer abcdefgh.ijk":                              "used Bearer [redacted]",
		"https://me:hunter22@example.com/x":                     "https://me:[redacted]@example.com/x",
		"OPENAI_API_KEY=abcdef123":                              "OPENAI_API_KEY=[redacted]",
		`"password": "hunter22", "x": 1`:                        `"password": "[redacted]", "x": 1`,
		"a\n-----BEGIN PRIVATE KEY-----\nMII\nMIA\n":            "a\n[redacted]",
		"eyJ" + "hbGciOiJIUzI1.eyJzdWIiOiIx.SflKxwRJSMeKKF2QT4": "[redacted]",
		"the value is s3cr3t-value!":                            "the value is [redacted]",
		"nothing to hide: exit 1, 42 tokens":                    "nothing to hide: exit 1, 42 tokens",
	} {
		require.Equal(t, want, redact.Text(text, []string{"DEPLOY_TOKEN=s3cr3t-value!", "AUTH=1", "HOME=nothing", "X_KEY=exit"}), text)
	}
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, and finds a token of thanks.\n", 900)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Text(text, []string{"DEPLOY_TOKEN=s3cr3t-value!"})
	}
}
