package checks_test

import (
	"strings"
	"testing"

	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

func BenchmarkCount(b *testing.B) {
	for name, line := range map[string]string{
		"plain": "a line of an output that does not end\n", "numbers": "2026-12-01 02:40:28 INFO handler [req=12] took 15 ms for /x/y\n", "indented": "    at Object.<anonymous> (/w/x.test.js:12:5)\n",
	} {
		text := strings.Repeat(line, 1000)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				checks.Count(text)
			}
		})
	}
}
