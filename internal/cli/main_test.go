package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

// The test binary is assent as well: tests start it by that name, as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"assent": func() {
		s := cli.Process()
		if path, err := exec.LookPath("assent"); err == nil {
			s.Executable = path // not the test binary that the name leads to
		}
		if limit := os.Getenv("TEST_NOTIFY_LIMIT"); limit != "" {
			var err error
			if s.NotifyLimit, err = time.ParseDuration(limit); err != nil {
				panic(err)
			}
		}
		os.Exit(cli.Run(s))
	}})
}

// home is the environment of a user who has nothing yet, below dir.
func home(dir string) []string {
	return []string{
		"HOME=" + filepath.Join(dir, "home"), "ASSENT_HOME=" + filepath.Join(dir, "store"),
		"XDG_STATE_HOME=", "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "NO_COLOR=", "TERM=xterm-256color", "CI=", "TZ=UTC",
		"PATH=" + agentless(),
	}
}
