package engine_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// local reads everything that depends on where a program runs, and puts it into prompts and a
// plan.
const local = `
const d = new Date("2021-04-18 23:59:59");
const at = [d.getTime(), d.getHours(), d.getTimezoneOffset(), String(d), d.toLocaleString(), d.toLocaleDateString(),
	(1234567.5).toLocaleString(), ["ä", "z", "a", "Z"].sort((x, y) => x.localeCompare(y)).join(), "I".toLocaleLowerCase(), now(), random(), uuid()];
const words = await parallel([0, 1, 2, 3, 4, 5].map(i => async () => [await agent("word " + i + " of " + at.join()), random(), now()]));
const a = await planApprove({at, words, moment: new Date("2021-04-18 23:59:59").getTime()});
return {decision: a.decision, at, words, end: await agent("end " + JSON.stringify(words))};
`

// TestP2_AnyMachine replays a run in processes with another time zone, language and number of
// cores: the same program, arguments and journal give the same calls with the same bytes.
func TestP2_AnyMachine(t *testing.T) {
	dir := t.TempDir()
	store, err := storeIn(dir)
	require.NoError(t, err)
	r := run(t, script(t, local), engine.Options{Store: store, Agent: &team{}, Asker: says("true")})
	require.Equal(t, "completed", r.State, "%v", r.Err)
	for _, env := range [][]string{
		{"TZ=America/New_York", "LANG=de_DE.UTF-8", "GOMAXPROCS=1"},
		{"TZ=Asia/Kathmandu", "LC_ALL=tr_TR.UTF-8", "GOMAXPROCS=8"},
		{"TZ=", "LANG=C", "GODEBUG=randautoseed=0"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(append(os.Environ(), env...), "ASSENT_TEST_REPLAY="+dir, "ASSENT_TEST_RUN="+r.Run)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v: %s", env, out)
		require.JSONEq(t, string(r.Value), string(out), "%v", env)
	}
}

// replayer replays a finished run and gives its result.
func replayer(dir, id string) ([]byte, error) {
	store, err := storeIn(dir)
	if err != nil {
		return nil, err
	}
	r, err := engine.Replay(context.Background(), id, engine.Options{Store: store})
	if err != nil {
		return nil, err
	}
	return r.Value, nil
}

// Replay finds out when a journal does not lead to the recorded result.
func TestReplayNeedsAFinishedRun(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, gated), engine.Options{Store: store, OnGate: "suspend"})
	_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.True(t, fault.Is(err, fault.ReplayDiverged), "%v", err)
}
