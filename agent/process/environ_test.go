package process_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/process"
)

func TestS19_FilterEnv(t *testing.T) {
	in := []string{
		"PATH=/bin", "HOME=/h", "LANG=C", "LC_ALL=C", "EMPTY=", "ANTHROPIC_API_KEY=k", "PATH=/usr/bin", "broken", "=C:=C:\\", "TERM=xterm",
		"ASSENT_HOME=/s", "assent_key=/k", "SSH_AUTH_SOCK=/a", "SSH_TTY=/dev/pts/0", "TMUX=/tmp/x", "DISPLAY=:0", "APPROVER_KEY=x",
		"TEAM_APPROVER_KEY=x", "GIT_ASKPASS=/ask", "SSH_ASKPASS=/ask", "KITTY_LISTEN_ON=unix:x", "GIT_TERMINAL_PROMPT=1",
	}
	quiet := []string{
		"GIT_ASKPASS=true", "GCM_INTERACTIVE=never", "SSH_ASKPASS=true",
		"SSH_ASKPASS_REQUIRE=force", "SUDO_ASKPASS=true",
	}
	want := append([]string{
		"PATH=/usr/bin", "HOME=/h", "LANG=C", "LC_ALL=C", "EMPTY=", "ANTHROPIC_API_KEY=k", "=C:=C:\\", "TERM=dumb", "GIT_TERMINAL_PROMPT=0",
	}, quiet...)
	require.Equal(t, want, process.FilterEnv(in, nil))

	kept := process.FilterEnv(in, []string{"SSH_AUTH_SOCK", "ASSENT_HOME", "ASSENT_KEY", "GIT_ASKPASS"})
	require.Contains(t, kept, "SSH_AUTH_SOCK=/a")
	require.Contains(t, kept, "GIT_ASKPASS=true", "what asks a person never comes back")
	require.NotContains(t, strings.ToUpper(strings.Join(kept, "\n")), "ASSENT_", "nor does what is ours")
	require.ElementsMatch(t, kept, process.FilterEnv(kept, []string{"SSH_AUTH_SOCK"}), "a filtered environment stays as it is")
}
