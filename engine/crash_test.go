package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// crashing has 31 calls: two gates, a validator of the second, a parallel of 8, a pipeline of 6x3, and two alone.
const crashing = `
const scope = await agent("scout");
const a = await planApprove({scope, step: 1});
if (a.decision !== true) return "declined";
const built = await parallel([...Array(8).keys()].map(i => () => agent("build " + i, {under: a})));
const tested = await pipeline([...Array(6).keys()],
	(v, item) => agent("lint " + item), (v, item) => agent("test " + item, {readOnly: true}), (v, item) => agent("review " + v));
const b = await planApprove({built, tested}, {planModel: "careful"});
if (b.decision !== true) return "declined";
const shipped = await agent("ship", {under: b});
return {built, tested, shipped};
`

// TestMain lets the test binary stand in for an executor that can be killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("ASSENT_TEST_EXECUTOR"); dir != "" {
		if err := executor(dir, os.Getenv("ASSENT_TEST_RUN")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv("ASSENT_TEST_REPLAY"); dir != "" {
		out, err := replayer(dir, os.Getenv("ASSENT_TEST_RUN"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Print(string(out))
		os.Exit(0)
	}
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func storeIn(dir string) (*journal.Store, error) {
	return journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
}

// executor drives a run to its end: a new one, or the one with the given id. It prints the
// run's id as soon as there is one, and the result.
func executor(dir, id string) error {
	store, err := storeIn(dir)
	if err != nil {
		return err
	}
	approve := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		if err := note(dir, "approved "+q.Gate.Gate+" "+q.Gate.Nonce); err != nil {
			return checkpoint.Answer{}, err
		}
		return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann", Way: "asker"}}, nil
	})
	o := engine.Options{
		Store: store, Asker: approve, RerunInterrupted: true, Settings: journal.Settings{Concurrency: 4},
		Agent: &team{answer: func(_ context.Context, req agent.Request) (any, error) {
			time.Sleep(time.Millisecond) // the work that takes time
			if req.Label == planapprove.ValidatorLabel {
				return sound, nil
			}
			return "did " + req.Prompt, nil
		}},
		Observe: func(e engine.Event) {
			if e.Type == engine.RunBegan {
				fmt.Println("run", e.Run)
			}
		},
	}
	var r *engine.Result
	if id == "" {
		p, err := compile(crashing)
		if err != nil {
			return err
		}
		r, err = engine.Run(context.Background(), p, o)
		if err != nil {
			return err
		}
	} else if r, err = engine.Resume(context.Background(), id, nil, o); err != nil {
		return err
	}
	fmt.Println(r.State, string(r.Value))
	return nil
}

// note adds a line to the record of what the person said, which outlives the process.
func note(dir, line string) error {
	f, err := os.OpenFile(filepath.Join(dir, "notes"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, line)
	return err
}

// TestCrash kills an executor at random moments and resumes, again and again: the result is
// that of a run that was never cut, no finished call is repeated, no approval is invented, and
// the journal is whole.
func TestCrash(t *testing.T) {
	kills := 25
	if n, err := strconv.Atoi(os.Getenv("ASSENT_KILLS")); err == nil {
		kills = n
	} else if os.Getenv("ASSENT_LONG") != "" {
		kills = 3000
	}
	seed := time.Now().UnixNano()
	rng := rand.New(rand.NewSource(seed))
	t.Log("seed", seed)
	want := ""
	for done := 0; done < kills; {
		dir := t.TempDir()
		id, result := "", ""
		for attempts := 0; result == ""; attempts++ {
			require.Less(t, attempts, 100, "the run gets nowhere")
			after := time.Duration(rng.Intn(60)) * time.Millisecond
			if attempts > 8 {
				after = time.Minute // let it come to its end
			}
			var killed bool
			id, result, killed = execute(t, dir, id, after)
			if killed {
				done++
			}
		}
		state, value, _ := strings.Cut(result, " ")
		require.Equal(t, "completed", state)
		if want == "" {
			want = value
		}
		require.JSONEq(t, want, value)
		audit(t, dir, id)
	}
}

// execute runs an executor and kills it some time after the run has begun. It gives the run's
// id and, if it came to its end, the result.
func execute(t *testing.T, dir, id string, after time.Duration) (string, string, bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "ASSENT_TEST_EXECUTOR="+dir, "ASSENT_TEST_RUN="+id)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	result := ""
	var timer *time.Timer
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if run, ok := strings.CutPrefix(lines.Text(), "run "); ok {
			id = run
			timer = time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		} else {
			result = lines.Text()
		}
	}
	err = cmd.Wait()
	if timer != nil {
		timer.Stop()
	}
	killed := err != nil && cmd.ProcessState.ExitCode() == -1
	require.True(t, err == nil || killed, "%v: %s", err, errs.String())
	return id, result, killed
}

// audit reads the journal that many executors wrote.
func audit(t *testing.T, dir, id string) {
	t.Helper()
	ctx := context.Background()
	store, err := storeIn(dir)
	require.NoError(t, err)
	report, err := journal.Verify(ctx, store, id)
	require.NoError(t, err)
	require.True(t, report.OK, "%v", report.Problems)
	notes, err := os.ReadFile(filepath.Join(dir, "notes"))
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, journal.Export(ctx, store, id, &out))
	finished, approved := map[string]int{}, 0
	for line := range strings.Lines(out.String()) {
		var e journal.Entry
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		switch e.Kind {
		case journal.KindCallFinished:
			finished[e.Key]++
		case journal.KindGateAnswered:
			a, err := journal.Decode[journal.GateAnswered](e)
			require.NoError(t, err)
			approved++
			require.Contains(t, string(notes), "approved "+a.Gate+" "+a.Nonce, "a person said so")
		}
	}
	require.Len(t, finished, 29)
	for key, n := range finished {
		require.Equal(t, 1, n, "%s finished more than once", key)
	}
	require.Equal(t, 2, approved)
	require.Equal(t, 1, finished["/planApprove#1/agent#0"], "the verdict was paid for once")
	_, err = engine.Replay(ctx, id, engine.Options{Store: store})
	require.NoError(t, err)
}
