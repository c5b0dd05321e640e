package workflows_test

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

// What is written into somebody's folder can be used there as it is.
func TestEmbeddedFiles(t *testing.T) {
	for name, files := range map[string][]workflows.File{"first": workflows.Start(), "demo": workflows.Demo()} {
		tree := fstest.MapFS{}
		for _, file := range files {
			require.True(t, filepath.IsLocal(file.Path), file.Path)
			require.NotContains(t, tree, file.Path, "written twice")
			require.NotContains(t, file.Text, "\r", file.Path)
			require.True(t, strings.HasSuffix(file.Text, "\n"), file.Path)
			tree[file.Path] = &fstest.MapFile{Data: []byte(file.Text)}
		}
		require.Contains(t, tree, ".assent/config.toml")
		require.Contains(t, string(tree[".assent/config.toml"].Data), "script = \""+name+".answers.toml\"")

		answers := tree[".assent/"+name+".answers.toml"]
		require.NotNil(t, answers)
		_, err := agent.ParseScripted(answers.Data, "answers")
		require.NoError(t, err)

		if name == "demo" {
			continue // it takes a workflow that is there already
		}
		script := path.Join(workflows.Folder, name+".js")
		program, err := vm.Compile(tree, script)
		require.NoError(t, err)
		require.Equal(t, name, program.Meta().Name)
	}
}
