package tests_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// verdict is what `assent verify --json` says of an export.
type verdict struct {
	Run, Head, State, Key string
	OK, Cut               bool
	Entries               int
	Problems              []struct {
		Seq int
	}
	Gates []struct {
		Gate, Key, Checksum, State string
		Decision                   json.RawMessage
		Who                        verdictWho
		Revoked                    *struct{ Who verdictWho }
	}
}

type verdictWho struct{ User, Host, Way string }

func (w verdictWho) String() string {
	if w.User == "" {
		return "nobody"
	}
	return w.User + "@" + w.Host + " (" + w.Way + ")"
}

func (v *visitor) verify(t *testing.T, args ...string) (said verdict, code int) {
	t.Helper()
	stdout, stderr, code := v.run(t, append([]string{"verify", "--json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(stdout), &said), "%s%s", stdout, stderr)
	return said, code
}

const verifiedScript = `export const meta = { name: "verified", description: "What a journal can hold" };
phase("ask");
const ask = (plan) => planApprove(plan, { headless: "suspend" });
await checkpoint("Go on?\u2028<&>", { default: false, headless: "default" });
await checkpoint("Which word?", { kind: "input", headless: "suspend" });
await agent("fail", { label: "lost", readOnly: true });
await planApprove({ late: [1e21, -0, 1e-7, 333333333.33333329], "\r\u20ac\ud83d\ude00\ufb00": "\u2028\u0001\"" }, { headless: "suspend", timeoutMs: 300 });
await ask({ b: [], a: "no" });
await ask("change");
const taken = await ask({ title: "taken back" });
const given = await ask({ title: "T", markdown: "# given\n" });
log("words", "\u2028", taken.decision);
return [await agent("work", { label: "worker", under: given }), await agent("odd", { label: "odd", readOnly: true, schema: {} })];
`

const verifiedAnswers = `[[answer]]
label = "lost"
error = "no network"
[[answer]]
label = "worker"
text = "done"
usage = { input = 10, output = 5, cost = 0.01 }
[answer.write]
"hello.txt" = "Hello"
[[answer]]
label = "odd"
text = '{"a":1.0,"b":1E2,"c":"\u2028\u0041\/ ","d":[ 1 , 2 ]}'
`

// verifiedAnswered is what a person does about the gate of a key, each time that it waits.
func verifiedAnswered() map[string][]string {
	return map[string][]string{
		"/checkpoint#1":  {"answer --gate GATE hello"},
		"/planApprove#0": {"wait", "reject --gate GATE"},
		"/planApprove#1": {"reject --gate GATE"},
		"/planApprove#2": {"reject --gate GATE --changes more-tests"},
		"/planApprove#3": {"approve --gate GATE --checksum CHECKSUM --mode auto --effort high", "approve --gate GATE --checksum CHECKSUM"},
		"/planApprove#4": {"revoke --gate APPROVED --reason doubts", "approve --gate GATE --checksum CHECKSUM --model big"},
	}
}

// verifiedRun is a run with gates of every end, and its export.
func verifiedRun(t *testing.T) (v *visitor, export, key string) {
	t.Helper()
	v = newVisitor(t)
	require.NoError(t, os.WriteFile(filepath.Join(v.dir, "verified.js"), []byte(verifiedScript), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(v.dir, "answers.toml"), []byte(verifiedAnswers), 0o600))
	_, stderr, code := v.run(t, "run", "verified.js", "--agent", "script:answers.toml", "--headless")
	answers, approved := verifiedAnswered(), ""
	for turns := 0; code == 4; turns++ {
		require.Less(t, turns, 20, stderr)
		said, _ := v.verify(t)
		gate := said.Gates[len(said.Gates)-1]
		require.Equal(t, "pending", gate.State)
		require.NotEmpty(t, answers[gate.Key], gate.Key)
		does := answers[gate.Key][0]
		answers[gate.Key] = answers[gate.Key][1:]
		if does == "wait" {
			time.Sleep(400 * time.Millisecond)
		} else {
			args := strings.Fields(strings.NewReplacer("GATE", gate.Gate, "CHECKSUM", gate.Checksum, "APPROVED", approved).Replace(does))
			_, stderr, code = v.run(t, args...)
			require.Equal(t, 0, code, "%s: %s", does, stderr)
			approved = gate.Gate
		}
		_, stderr, code = v.run(t, "resume", said.Run, "--headless")
	}
	require.Equal(t, 8, code, stderr)
	return v, v.export(t), v.trusts(t)
}

func (v *visitor) export(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.ndjson")
	_, stderr, code := v.run(t, "export", "--output", file)
	require.Equal(t, 0, code, stderr)
	return file
}

func (v *visitor) trusts(t *testing.T) string {
	t.Helper()
	said, code := v.verify(t)
	require.Equal(t, 0, code)
	return said.Key
}

// python runs the verifier that shares no code with Assent.
func python(t *testing.T, args ...string) (output string, code int) {
	t.Helper()
	command, err := exec.LookPath("python3")
	require.NoError(t, err, "this test needs Python 3, as the command python3 (apt-get install python3)")
	out, err := exec.CommandContext(t.Context(), command, args...).CombinedOutput()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(out), e.ExitCode()
	}
	require.NoError(t, err)
	return string(out), 0
}

var verifierPath = filepath.Join("verifier", "verify.py")

// requireBothAgree requires that both find an export whole, and the same in it.
func requireBothAgree(t *testing.T, v *visitor, export, key string) verdict {
	t.Helper()
	said, code := v.verify(t, "--file", export, "--key", key)
	require.Equal(t, 0, code, said.Problems)
	ending := "OK"
	if said.Cut {
		ending = "OK, but it may be cut: it does not end with the end of the run"
	}
	// With -S Python finds no package, so the signatures are verified by the script's own code.
	for _, args := range [][]string{{verifierPath}, {"-S", verifierPath}} {
		output, code := python(t, append(args, export, "--key", key)...)
		require.Equal(t, 0, code, output)
		lines := strings.Split(strings.TrimSpace(output), "\n")
		require.Equal(t, "run\t"+said.Run+"\t"+said.State, lines[0])
		require.Equal(t, strconv.Itoa(said.Entries), strings.Split(lines[1], "\t")[1])
		require.Equal(t, "head\t"+said.Head, lines[2])
		require.Equal(t, ending, lines[len(lines)-1])
		var gates, want []string
		for _, line := range lines[3 : len(lines)-1] {
			words := strings.Split(line, "\t")
			if words[0] == "" { // an end of the gate; assent verify does not say when it was
				require.Regexp(t, `^\d{4}-\d\d-\d\dT`, words[2])
				line = words[1] + " " + strings.Join(words[3:], " ")
			}
			gates = append(gates, strings.TrimSpace(line))
		}
		for _, gate := range said.Gates {
			want = append(want, "gate\t"+gate.Gate+"\t"+gate.State+"\t"+gate.Checksum)
			switch {
			case gate.Decision != nil:
				want = append(want, "decided "+gate.Who.String()+" "+string(gate.Decision))
			case gate.State != "pending":
				want = append(want, "closed nobody")
			}
			if gate.Revoked != nil {
				want = append(want, "revoked "+gate.Revoked.Who.String())
			}
		}
		require.Equal(t, want, gates)
	}
	return said
}

// requireBothRefuse requires that neither takes the bytes for an export of the run.
func requireBothRefuse(t *testing.T, v *visitor, export []byte, key string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "forged.ndjson")
	require.NoError(t, os.WriteFile(file, export, 0o600))
	stdout, stderr, code := v.run(t, "verify", "--file", file, "--key", key)
	require.Equal(t, 7, code, "assent: %s%s", stdout, stderr)
	output, code := python(t, verifierPath, file, "--key", key)
	require.Equal(t, 1, code, "verify.py: %s", output)
	require.Regexp(t, `(?m)\Aentry \d+: .+$`, output)
}

var (
	sealMember = regexp.MustCompile(`,"seal":"[^"]*"}$`)
	prevMember = regexp.MustCompile(`"prev":"[^"]*"`)
	seqMember  = regexp.MustCompile(`^{"seq":\d+`)
)

// sealedAnew numbers, chains and seals entries again, as the owners of the keys could: the first key
// is that of the entries before the first run.imported, and so on.
func sealedAnew(lines []string, run string, keys ...ed25519.PrivateKey) []string {
	sum := func(text string) string {
		hash := sha256.Sum256([]byte(text))
		return hex.EncodeToString(hash[:])
	}
	prev := sum("assent/run/1\n" + run)
	var anew []string
	for i, line := range lines {
		if i > 0 && strings.Contains(line, `"kind":"run.imported"`) {
			keys = keys[1:]
		}
		bare := sealMember.ReplaceAllString(line, "}")
		seq := strconv.Itoa(i + 1)
		sealed := bare != line
		bare = prevMember.ReplaceAllString(seqMember.ReplaceAllString(bare, `{"seq":`+seq), `"prev":"`+prev+`"`)
		line = bare
		if sealed {
			seal := ed25519.Sign(keys[0], []byte("assent/seal/1\n"+run+"\n"+seq+"\n"+prev+"\n"+sum(bare)))
			line = strings.TrimSuffix(bare, "}") + `,"seal":"` + base64.RawStdEncoding.EncodeToString(seal) + `"}`
		}
		prev = sum("assent/entry/1\n" + prev + line)
		anew = append(anew, line)
	}
	return anew
}

func (v *visitor) sealingKey(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	line, err := os.ReadFile(filepath.Join(v.home, "data", "assent", "keys", "seal.key"))
	require.NoError(t, err)
	seed, err := base64.StdEncoding.DecodeString(strings.Fields(string(line))[1])
	require.NoError(t, err)
	return ed25519.NewKeyFromSeed(seed)
}
