package vm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each file has expressions, and below each the JSON of its value in another engine.
func TestAgreesWithAnotherEngine(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/oracle/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
			require.Zero(t, len(lines)%2)
			for i := 0; i < len(lines); i += 2 {
				p := play(t, "try { return JSON.stringify(await ("+lines[i]+")) ?? \"null\" } catch (e) { return JSON.stringify(\"THROWS \" + e.name) }")
				var got string
				unquote(t, p.result(), &got)
				if want := strings.TrimPrefix(lines[i+1], "  "); got != want {
					t.Errorf("%s\n  got  %s\n  want %s", lines[i], got, want)
				}
			}
		})
	}
}
