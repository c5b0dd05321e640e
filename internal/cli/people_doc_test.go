//go:build unix

package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// block is the n-th block of a language in docs/reference/config.md.
func configBlock(t *testing.T, fence string, n int) string {
	t.Helper()
	parts := strings.Split(page(t, "config.md"), "```"+fence+"\n")
	require.Greater(t, len(parts), n+1, fence)
	text, _, found := strings.Cut(parts[n+1], "```")
	require.True(t, found)
	return text
}

// The example of what only the user's own file may say is one that the program takes there.
func TestReferenceOwnConfigurationWorks(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript)
	u.program("my-asker", askerHead+"answer false\n")
	u.program("my-notifier", "#!/bin/sh\n")
	u.env = append(u.env, "PATH="+filepath.Join(filepath.Dir(u.dir), "config", "assent")+":"+os.Getenv("PATH"))
	u.configures(configBlock(t, "toml", 1))
	u.wants(3, "run", "gate.js")
	require.Equal(t, "rejected", u.gate()["state"])
}

// The objects of an asker and of a command that is told have only fields that the reference shows,
// and those that it does not call optional always; its answer is one that counts.
func TestReferenceNamesWhatProgramsGet(t *testing.T) {
	t.Parallel()
	u := newUser(t, "all.js", `export const meta = { name: "all", description: "x" };
const first = await planApprove({ steps: ["a"] });
const second = await planApprove({ steps: ["a", "b"] }, { timeoutMs: 3600000 });
const third = await planApprove({ steps: ["b"] });
const fourth = await checkpoint("Which?", { kind: "select", choices: ["a"], default: "a" });
return [first.decision, second.decision, third.decision, fourth];
`)
	u.program("asker", askerHead+`printf '%s\n' "$q" >>"$0.asked"
case $q in
*'"kind":"select"'*) answer '"a"' ;;
*'["a","b"]'*'"previous"'*) answer '"less"' ;;
*) printf '%s' '`+strings.TrimSpace(configBlock(t, "json answer", 0))+`' | sed "s/4f0a…/$sum/;s/9c1e…/$nonce/" ;;
esac
`)
	u.program("tell", "#!/bin/sh\n"+keeps)
	u.configures("[approval]\nasker = [\"./asker\"]\n[notify]\ncommand = [\"./tell\"]\n")
	require.JSONEq(t, `[true,"less",true,"a"]`, u.wants(0, "run", "all.js").out)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(u.dir), "config", "assent", "asker.asked"))
	require.NoError(t, err)
	var questions []map[string]any
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		questions = append(questions, parsed(t, line))
	}
	require.Len(t, questions, 4)
	always := map[string][]string{
		"question": {"format", "event", "run", "short", "title", "workspace", "gate", "key", "kind", "prompt", "checksum", "nonce", "position", "waiting"},
		"waiting": {
			"format", "event", "run", "short", "title", "workspace", "gate", "key", "kind", "prompt", "checksum", "asked", "age", "waiting", "asker", "next",
		},
	}
	for example, objects := range map[string][]map[string]any{"question": questions, "waiting": u.told()} {
		documented := parsed(t, configBlock(t, "json "+example, 0))
		seen := map[string]any{}
		for _, o := range objects {
			for name := range o {
				require.Contains(t, documented, name, example)
			}
			for _, name := range always[example] {
				require.Contains(t, o, name, example)
			}
			maps.Copy(seen, o)
		}
		// What needs another model, a workspace's copy or a question that was asked before is not
		// brought about here.
		for _, name := range slices.Sorted(maps.Keys(documented)) {
			if !slices.Contains([]string{"validation", "artifact", "revises", "reason"}, name) {
				require.Contains(t, seen, name, example)
			}
		}
	}
	require.Contains(t, u.wants(0, "verify").out, "by Anna (asker)")
}
