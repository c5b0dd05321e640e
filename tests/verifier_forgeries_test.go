package tests_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A verifier that was written from docs/reference/journal-format.md alone finds in an export what
// `assent verify` finds in it, also after it was imported twice, each time by another user.
func TestVerifier(t *testing.T) {
	t.Parallel()
	v, export, key := verifiedRun(t)
	said := requireBothAgree(t, v, export, key)
	own, _ := v.verify(t)
	require.Equal(t, own.Head, said.Head)
	require.Equal(t, own.Gates, said.Gates)
	require.False(t, said.Cut)
	states := map[string]bool{}
	for _, gate := range said.Gates {
		states[gate.State] = true
	}
	for _, state := range []string{"defaulted", "answered", "expired", "rejected", "changes_requested", "revoked", "superseded", "approved"} {
		require.Contains(t, states, state)
	}

	second, third := newVisitor(t), newVisitor(t)
	_, stderr, code := second.run(t, "import", export, "--key", key)
	require.Equal(t, 0, code, stderr)
	again := second.export(t)
	_, stderr, code = third.run(t, "import", again, "--key", second.trusts(t))
	require.Equal(t, 0, code, stderr)
	imported := third.export(t)
	for _, file := range []string{again, imported} {
		by := map[string]*visitor{again: second, imported: third}[file]
		said := requireBothAgree(t, v, file, by.trusts(t))
		require.Equal(t, "lapsed", said.Gates[len(said.Gates)-1].State)
	}

	lines := linesOf(t, export)
	keys := v.sealingKey(t)
	require.Equal(t, lines, sealedAnew(lines, said.Run, keys))
	for name, forge := range edited() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireBothRefuse(t, v, []byte(forge(slices.Clone(lines))), key)
		})
	}
	for name, forge := range resealed() {
		t.Run("sealed anew: "+name, func(t *testing.T) {
			t.Parallel()
			requireBothRefuse(t, v, []byte(joined(sealedAnew(forge(t, slices.Clone(lines)), said.Run, keys))), key)
		})
	}
	t.Run("a worktree", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "worktree.ndjson")
		text := joined(sealedAnew(worktree("assent/2ea19a/agent-0", commitID)(t, slices.Clone(lines)), said.Run, keys))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		requireBothAgree(t, v, file, key)
	})
	threeTimes := linesOf(t, imported)
	for name, forge := range reimported(v.trusts(t)) {
		t.Run("imported: "+name, func(t *testing.T) {
			t.Parallel()
			forged := sealedAnew(forge(t, slices.Clone(threeTimes)), said.Run, keys, second.sealingKey(t), third.sealingKey(t))
			requireBothRefuse(t, v, []byte(joined(forged)), third.trusts(t))
		})
	}
	for name, forge := range respelled() {
		t.Run("respelled: "+name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "respelled.ndjson")
			text := joined(sealedAnew(forge(t, slices.Clone(lines)), said.Run, keys))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			output, code := python(t, verifierPath, file, "--key", key)
			require.Equal(t, 1, code, output)
		})
	}
	t.Run("another key", func(t *testing.T) {
		requireBothRefuse(t, v, []byte(joined(lines)), second.trusts(t))
		requireBothRefuse(t, v, []byte(joined(threeTimes)), second.trusts(t))
	})
	t.Run("cut", func(t *testing.T) {
		for _, kept := range []int{1, len(lines) / 2, len(lines) - 1} {
			file := filepath.Join(t.TempDir(), "cut.ndjson")
			require.NoError(t, os.WriteFile(file, []byte(joined(lines[:kept])), 0o600))
			said := requireBothAgree(t, v, file, key)
			require.True(t, said.Cut)
			require.Equal(t, kept, said.Entries)
		}
	})
}

func linesOf(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func joined(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// where is the first line that has all parts in it.
func where(lines []string, parts ...string) int {
	return slices.IndexFunc(lines, func(line string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) })
	})
}

var (
	plan2    = []string{`"kind":"gate.asked"`, `"/planApprove#2"`}
	answer2  = []string{`"kind":"gate.answered"`, `"/planApprove#2"`}
	approval = []string{`"kind":"gate.answered"`, `"/planApprove#4"`}
	confirm  = []string{`"kind":"gate.answered"`, `"/checkpoint#0"`}
	revoked  = []string{`"kind":"gate.revoked"`}
	expired  = []string{`"kind":"gate.closed"`, `"expired"`}
	started  = []string{`"kind":"call.started"`}
	told     = []string{`"kind":"call.finished"`, `"transcript":{`}
	note     = []string{`"kind":"note"`}
	finished = []string{`"kind":"run.finished"`}
)

// edited are forgeries of somebody who has no key.
func edited() map[string]func(lines []string) string {
	change := func(old, by string, parts ...string) func([]string) string {
		return func(lines []string) string {
			i := where(lines, parts...)
			if !strings.Contains(lines[i], old) {
				panic("not there: " + old)
			}
			lines[i] = strings.ReplaceAll(lines[i], old, by)
			return joined(lines)
		}
	}
	seal := func(by func(seal string) string) func([]string) string {
		return func(lines []string) string {
			last := len(lines) - 1
			before, seal, _ := strings.Cut(lines[last], `,"seal":"`)
			lines[last] = before + `,"seal":"` + by(strings.TrimSuffix(seal, `"}`)) + `"}`
			return joined(lines)
		}
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	next := func(c string) string { return string(alphabet[strings.Index(alphabet, c)^1]) }
	old, other := sha256Hex(`"change"`), sha256Hex(`"chance"`)
	return map[string]func([]string) string{
		"decision": change(`"decision":true`, `"decision":false`, approval...),
		"who":      change(`"way":"command"`, `"way":"terminal"`, approval...),
		"plan":     change(`change`, `chance`, plan2...),
		"plan and its checksum": func(lines []string) string {
			return strings.NewReplacer(`\"change\"`, `\"chance\"`, old, other).Replace(joined(lines))
		},
		"answer of another gate": change(`-2"`, `-1"`, `"kind":"gate.answered"`, `"/checkpoint#1"`),
		"nonce":                  change(`"nonce":"`, `"nonce":"0`, answer2...),
		"swapped":                func(lines []string) string { lines[2], lines[3] = lines[3], lines[2]; return joined(lines) },
		"dropped":                func(lines []string) string { return joined(slices.Delete(lines, 4, 5)) },
		"first dropped":          func(lines []string) string { return joined(lines[1:]) },
		"doubled":                func(lines []string) string { return joined(slices.Insert(lines, 4, lines[4])) },
		"twice":                  func(lines []string) string { return joined(lines) + joined(lines) },
		"another run": func(lines []string) string {
			return strings.ReplaceAll(joined(lines), lines[0][strings.Index(lines[0], `"run":"`):][:33], `"run":"01M8PNVF9DVF27VBXN7R8A3QXB`)
		},
		"seal, first character":  seal(func(seal string) string { return next(seal[:1]) + seal[1:] }),
		"seal, bits without use": seal(func(seal string) string { return seal[:85] + next(seal[85:]) }),
		"seal, padded":           seal(func(seal string) string { return seal + "==" }),
		"seal, short":            seal(func(seal string) string { return seal[:85] }),
		"seal, empty":            seal(func(string) string { return "" }),
		"seal of another entry": func(lines []string) string {
			i := where(lines, confirm...)
			return seal(func(string) string { return strings.TrimSuffix(strings.Split(lines[i], `"seal":"`)[1], `"}`) })(lines)
		},
		"seal removed": func(lines []string) string {
			i := len(lines) - 1
			lines[i] = sealMember.ReplaceAllString(lines[i], "}")
			return joined(lines)
		},
		"seal of a note": func(lines []string) string {
			i := where(lines, note...)
			lines[i] = strings.TrimSuffix(lines[i], "}") + `,"seal":"` + strings.Repeat("A", 86) + `"}`
			return joined(lines)
		},
		"white space":            change(`,"kind"`, `, "kind"`, note...),
		"white space in data":    change(`,"after"`, `, "after"`, note...),
		"white space at the end": func(lines []string) string { return strings.TrimSuffix(joined(lines), "\n") + " \n" },
		"other escapes":          change(`"kind":"note"`, `"kind":"\u006eote"`, note...),
		"order of members": func(lines []string) string {
			seq := `{"seq":2,`
			lines[1] = "{" + lines[1][len(seq):len(seq)+73] + "," + seq[1:] + lines[1][len(seq)+74:]
			return joined(lines)
		},
		"another member":  change(`,"data":`, `,"more":"","data":`, note...),
		"empty member":    change(`,"data":`, `,"identity":"","data":`, note...),
		"unknown kind":    change(`"kind":"note"`, `"kind":"gate.forgotten"`, note...),
		"seq with a zero": change(`{"seq":2,`, `{"seq":02,`, `{"seq":2,`),
		"upper-case hash": func(lines []string) string {
			lines[1] = lines[1][:17] + strings.ToUpper(lines[1][17:81]) + lines[1][81:]
			return joined(lines)
		},
		"time with more digits": func(lines []string) string { return strings.Replace(joined(lines), `Z","kind"`, `0Z","kind"`, 1) },
		"time that is none": func(lines []string) string {
			i := strings.Index(lines[1], `"at":"`)
			lines[1] = lines[1][:i] + `"at":"2026-02-30` + lines[1][i+16:]
			return joined(lines)
		},
		"no UTF-8":              change(`"text":"`, "\"text\":\"\xff", note...),
		"byte order mark":       func(lines []string) string { return "\ufeff" + joined(lines) },
		"CRLF":                  func(lines []string) string { return strings.ReplaceAll(joined(lines), "\n", "\r\n") },
		"empty line":            func(lines []string) string { return joined(slices.Insert(lines, 3, "")) },
		"empty line at the end": func(lines []string) string { return joined(lines) + "\n" },
		"garbage at the end":    func(lines []string) string { return joined(lines) + "{}\n" },
		"cut in an entry":       func(lines []string) string { text := joined(lines); return text[:len(text)-30] },
		"nothing":               func([]string) string { return "" },
		"something else":        func([]string) string { return "# no export\n" },
	}
}

// change puts another text in the place of one, in the first line that has all parts in it.
func change(old, by string, parts ...string) func(*testing.T, []string) []string {
	return func(t *testing.T, lines []string) []string {
		i := where(lines, parts...)
		require.Contains(t, lines[i], old)
		lines[i] = strings.ReplaceAll(lines[i], old, by)
		return lines
	}
}

// resealed are entries that the owner of the key could have sealed, and that do not follow.
func resealed() map[string]func(t *testing.T, lines []string) []string {
	again := func(parts ...string) func(*testing.T, []string) []string {
		return func(_ *testing.T, lines []string) []string {
			i := where(lines, parts...)
			return slices.Insert(lines, i+1, lines[i])
		}
	}
	without := func(parts ...string) func(*testing.T, []string) []string {
		return func(_ *testing.T, lines []string) []string {
			i := where(lines, parts...)
			return slices.Delete(lines, i, i+1)
		}
	}
	// plan puts another text in the place of a plan, with the right checksum everywhere.
	plan := func(text string) func(*testing.T, []string) []string {
		quoted := strings.Trim(strconv.Quote(text), `"`)
		return func(_ *testing.T, lines []string) []string {
			all := strings.NewReplacer(`"plan":"\"change\""`, `"plan":"`+quoted+`"`, sha256Hex(`"change"`), sha256Hex(text)).Replace(joined(lines))
			return strings.Split(strings.TrimSuffix(all, "\n"), "\n")
		}
	}
	return map[string]func(*testing.T, []string) []string{
		"plan with white space":               plan(`{"a": 1}`),
		"plan out of order":                   plan(`{"b":1,"a":2}`),
		"plan in the order of code points":    plan("{\"\ufb00\":1,\"\U0001f600\":2}"),
		"plan with a name twice":              plan(`{"a":1,"a":1}`),
		"plan with another number":            plan(`[1.0]`),
		"plan with another exponent":          plan(`[1e21]`),
		"plan with a negative zero":           plan(`[-0]`),
		"plan with a number too large":        plan(`[1e400]`),
		"plan with another escape":            plan(`["\u0041"]`),
		"plan with half a pair":               plan(`["\ud800"]`),
		"plan with more behind it":            plan(`1 `),
		"plan that is none":                   plan(`yes`),
		"plan without an end":                 plan(`[`),
		"plan that is too deep":               plan(strings.Repeat("[", 1001) + strings.Repeat("]", 1001)),
		"plan that is missing":                change(`"plan":"\"change\"",`, ``, plan2...),
		"checksum of another plan":            change(`change`, `chance`, plan2...),
		"decision that is none":               change(`"decision":true`, `"decision":1`, approval...),
		"decision twice, and different":       change(`"decision":true,"approvedAt"`, `"decision":false,"approvedAt"`, approval...),
		"approval of another plan":            change(`"planApproval":{"checksum":"`+sha256Hex(`{"markdown":"# given\n","title":"T"}`), `"planApproval":{"checksum":"`+sha256Hex("no"), approval...),
		"answer with another nonce":           change(`"nonce":"`, `"nonce":"0`, approval...),
		"answer with another key":             change(`"key":"/planApprove#4"`, `"key":"/planApprove#3"`, approval...),
		"answer with another identity":        change(`"identity":"`, `"identity":"0`, approval...),
		"answer with another program":         change(`"program":"`, `"program":"`+sha256Hex("no")[:1], confirm...),
		"answer to no gate":                   change(`"gate":"`, `"gate":"x`, approval...),
		"answered twice":                      again(approval...),
		"asked twice":                         again(plan2...),
		"revoked twice":                       again(revoked...),
		"expired twice":                       again(expired...),
		"closed as approved":                  change(`"expired"`, `"approved"`, expired...),
		"revoked with another nonce":          change(`"nonce":"`, `"nonce":"0`, revoked...),
		"finished while a gate waits":         without(approval...),
		"finished as something else":          change(`"completed"`, `"perfect"`, finished...),
		"call with a later cause":             change(`"after":`, `"after":9`, started...),
		"call without such a cause":           change(`"after":`, `"after":2,"x":`, started...),
		"note with a later cause":             change(`"after":`, `"after":9`, note...),
		"question with a later cause":         change(`"after":`, `"after":9`, plan2...),
		"question in place of none":           change(`"program":"`, `"revises":"g-0","program":"`, plan2...),
		"question of another kind":            change(`"kind":"plan"`, `"kind":"poll"`, plan2...),
		"question with another rule":          change(`"headless":"suspend"`, `"headless":"shout"`, plan2...),
		"gate with a command for an id":       change(`"gate":"`, `"gate":"$(touch x)`, plan2...),
		"nonce that is none":                  change(`"nonce":"`, `"nonce":"g`, plan2...),
		"transcript elsewhere":                change(`"transcript":{"name":"`, `"transcript":{"name":"../`, told...),
		"transcript of a device":              change(`"transcript":{"name":"`, `"transcript":{"name":"nul.`, told...),
		"transcript with a hash that is none": change(`"sha256":"`, `"sha256":"x`, told...),
		"transcript of a negative size":       change(`"size":`, `"size":-`, told...),
		"worktree on an option":               worktree("--output=x", commitID),
		"worktree on a range":                 worktree("a..b", commitID),
		"worktree at a name":                  worktree("main", "HEAD"),
		"note of another type":                change(`"type":"phase"`, `"type":"song"`, note...),
		"answer in another way":               change(`"way":"command"`, `"way":"pigeon"`, approval...),
		"approval with another mode":          change(`"mode":"ask"`, `"mode":"bold"`, approval...),
		"manner with another rule":            change(`.toml"}}`, `.toml","manner":{"onGate":"shout"}}}`, `"kind":"run.resumed"`),
		"program of another text":             change(`"Go on?`, `"Go off?`, `"kind":"run.started"`),
		"program of another hash":             change(`"hash":"`, `"hash":"`+sha256Hex("no")+`","x":"`, `"kind":"run.started"`),
		"call that was not started":           without(started...),
		"question without a key":              change(`"key":"/planApprove#2",`, ``, plan2...),
		"started twice":                       again(`"kind":"run.started"`),
		"resumed after it was cancelled": func(_ *testing.T, lines []string) []string {
			last := len(lines) - 1
			lines[last] = strings.Replace(lines[last], `"completed"`, `"cancelled"`, 1)
			return append(lines, lines[where(lines, `"kind":"run.resumed"`)])
		},
		"integer with a fraction": change(`"index":0`, `"index":0.0`, note...),
		"white space in data":     change(`,"after"`, `, "after"`, note...),
		"data that is no object":  change(`"data":{`, `"data":[{`, note...),
		"data that is too deep":   change(`,"after"`, `,"data":`+strings.Repeat("[", 10000)+strings.Repeat("]", 10000)+`,"after"`, note...),
		"other escapes of a key":  change(`"/planApprove#2"`, `"\/planApprove#2"`, plan2...),
		"member twice":            change(`,"at":"`, `,"at":"","at":"`, note...),
		"another member":          change(`,"data":`, `,"more":"","data":`, note...),
		"empty member":            change(`,"data":`, `,"identity":"","data":`, note...),
		"no data":                 change(`"data":`, `"seal":`, note...),
		"time with more digits":   change(`Z","kind"`, `0Z","kind"`, note...),
		"time in another zone":    change(`Z","kind"`, `+00:00","kind"`, note...),
		"no UTF-8":                change(`"text":"`, "\"text\":\"\xff", note...),
		"a kind of another time":  change(`"kind":"note"`, `"kind":"gate.forgotten"`, note...),
	}
}

// commitID is an id as git has it.
const commitID = "89e6c98d92887913cadf06b2adb97f26cde4849b"

// worktree gives a call a working tree of its own.
func worktree(branch, base string) func(*testing.T, []string) []string {
	return change(`,"transcript":{`, `,"worktree":{"path":"/w","branch":"`+branch+`","base":"`+base+`","commit":"`+commitID+`","files":[{"path":"a","kind":"added"}],"more":2},"transcript":{`, told...)
}

// respelled are entries whose data is not in the one encoding, to the letter of the page.
func respelled() map[string]func(*testing.T, []string) []string {
	return map[string]func(*testing.T, []string) []string{
		"order of members":   change(`"type":"phase","text":"ask"`, `"text":"ask","type":"phase"`, note...),
		"member twice":       change(`"text":"ask"`, `"text":"ask","text":"ask"`, note...),
		"name in capitals":   change(`"text":"ask"`, `"Text":"ask"`, note...),
		"name with escapes":  change(`"text":"ask"`, `"te\u0078t":"ask"`, note...),
		"other escapes":      change(`"text":"ask"`, `"text":"\u0061sk"`, note...),
		"line separator":     change(`\u2028`, "\u2028", `"kind":"gate.asked"`, `"/checkpoint#0"`),
		"empty member":       change(`"text":"ask"`, `"level":"","text":"ask"`, note...),
		"member missing":     change(`"text":"ask",`, ``, note...),
		"null":               change(`"text":"ask"`, `"text":null`, note...),
		"word not listed":    change(`"way":"command"`, `"way":"pigeon"`, approval...),
		"time with a zero":   change(`"approvedAt":"`, `"approvedAt":"2026-01-01T00:00:00.10Z","x":"`, approval...),
		"plan for a confirm": change(`"program":"`, `"plan":"1","program":"`, `"kind":"gate.asked"`, `"/checkpoint#0"`),
	}
}

// reimported are forgeries of a run that was imported by a second and then by a third user.
func reimported(first string) map[string]func(t *testing.T, lines []string) []string {
	return map[string]func(*testing.T, []string) []string{
		"names the key of the one before": func(_ *testing.T, lines []string) []string {
			last := len(lines) - 1
			i := strings.Index(lines[last], `"key":"`) + len(`"key":"`)
			lines[last] = lines[last][:i] + first + lines[last][i+64:]
			return lines
		},
		"names no key": func(_ *testing.T, lines []string) []string {
			last := len(lines) - 1
			lines[last] = strings.Replace(lines[last], `"key":"`, `"key":"0`, 1)
			return lines
		},
		"an import is gone": func(_ *testing.T, lines []string) []string {
			return slices.Delete(lines, len(lines)-2, len(lines)-1)
		},
		"an approval that lapsed is revoked": func(_ *testing.T, lines []string) []string {
			return append(lines, strings.NewReplacer(`gate.answered`, `gate.revoked`, `"decision":true`, `"reason":"x"`).Replace(lines[where(lines, approval...)]))
		},
	}
}

func sha256Hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
