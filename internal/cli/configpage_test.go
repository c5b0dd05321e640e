package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

var update = flag.Bool("update", false, "write what is generated")

// The marks of the generated part of docs/reference/config.md.
const (
	tableBegins = "<!-- keys: go test ./internal/cli -run TestConfigPage -update -->\n"
	tableEnds   = "<!-- end of keys -->\n"
)

// docs/reference/config.md has the keys that there are, with what the program says of them.
func TestConfigPage(t *testing.T) {
	text := page(t, "config.md")
	before, rest, ok := strings.Cut(text, tableBegins)
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, tableEnds)
	require.True(t, ok)
	now := before + tableBegins + keyTable() + tableEnds + after
	if *update {
		require.NoError(t, os.WriteFile(filepath.Join("..", "..", "docs", "reference", "config.md"), []byte(now), 0o600))
	}
	if now != text && !*update { // the whole page in a message would say less
		require.Fail(t, "the table of keys is not what the program says", "go test ./internal/cli -run TestConfigPage -update")
	}
}

func keyTable() string {
	var b strings.Builder
	b.WriteString("| key | takes | without it | in | |\n|---|---|---|---|---|\n")
	for _, k := range cli.ConfigKeys() {
		who := "both files"
		if k.Yours {
			who = "your own"
		}
		b.WriteString("| `" + k.Path + "` | " + k.Takes + " | " + k.Without + " | " + who + " | " + k.About + " |\n")
	}
	return b.String()
}

// The table has each key that is read, and no other.
func TestConfigKeysAreThoseThatAreRead(t *testing.T) {
	t.Parallel()
	var said []string
	for _, k := range cli.ConfigKeys() {
		said = append(said, k.Path)
		require.NotEmpty(t, k.Takes, k.Path)
		require.NotEmpty(t, k.Without, k.Path)
		require.NotEmpty(t, k.About, k.Path)
		for _, text := range []string{k.Takes, k.Without, k.About} {
			require.NotContains(t, text, "|", k.Path)
		}
	}
	require.ElementsMatch(t, cli.ConfigPaths(), said)
}

// around is what has to stand beside a key so that a file with it can be one.
var around = map[string]string{
	"agent":                  "[agents.mine]\ncommand = ['x']\n",
	"agents.NAME.args":       "command = ['x']\n",
	"agents.NAME.effort":     "command = ['x']\n",
	"agents.NAME.env":        "command = ['x']\n",
	"agents.NAME.model":      "command = ['x']\n",
	"agents.NAME.models":     "command = ['x']\n",
	"agents.NAME.runner":     "command = ['x']\n",
	"agents.NAME.timeout":    "command = ['x']\n",
	"approval.asker-timeout": "asker = ['/bin/true']\n",
	"tiers.small.agent":      "[agents.mine]\ncommand = ['x']\n",
	"tiers.medium.agent":     "[agents.mine]\ncommand = ['x']\n",
	"tiers.big.agent":        "[agents.mine]\ncommand = ['x']\n",
}

// Every key of the page: its example is taken from the file that may have it, something of the wrong
// type is refused with its line and what the key takes, and the other file is refused where it is the
// user's alone.
func TestEveryKeyOfThePageIsRead(t *testing.T) {
	t.Parallel()
	for _, k := range cli.ConfigKeys() {
		t.Run(k.Path, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			table, key := "", k.Path
			if at := strings.LastIndexByte(k.Path, '.'); at >= 0 {
				table, key = strings.Replace(k.Path[:at], "NAME", "mine", 1), k.Path[at+1:]
			}
			file := func(value string) string {
				head := ""
				if table != "" {
					head = "[" + table + "]\n"
				}
				return head + key + " = " + value + "\n" + around[k.Path]
			}
			ours := filepath.Join(u.dir, ".assent")
			put := func(value string) {
				if k.Yours {
					u.configures(file(value))
				} else {
					u.put(ours, "config.toml", file(value))
				}
			}
			put(k.Example)
			u.wants(0, "agents")
			put("{ a = 1 }")
			refused := u.wants(2, "agents").errors
			require.Contains(t, refused, "takes "+k.Takes)
			require.Contains(t, refused, "write "+key+" = "+k.Example)
			put(k.Example)
			if k.Yours {
				u.put(ours, "config.toml", file(k.Example))
				require.Contains(t, u.wants(2, "agents").errors, "belongs in your own configuration alone")
			}
		})
	}
}
