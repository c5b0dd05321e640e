//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// askerHead finds the question and its parts, and gives a script the words of a right answer.
const askerHead = `#!/bin/sh
q=$(cat)
sum=$(printf %s "$q" | sed -n 's/.*"checksum":"\([0-9a-f]*\)","nonce":"\([0-9a-f]*\)".*/\1/p')
nonce=$(printf %s "$q" | sed -n 's/.*"checksum":"\([0-9a-f]*\)","nonce":"\([0-9a-f]*\)".*/\2/p')
same="\"checksum\":\"$sum\",\"nonce\":\"$nonce\""
anna='"who":"Anna"'
answer() { printf '{"decision":%s,%s,%s}\n' "$1" "$same" "$anna"; }
`

// program writes a program beside the user's configuration.
func (u *user) program(name, text string) {
	u.t.Helper()
	folder := filepath.Join(filepath.Dir(u.dir), "config", "assent")
	require.NoError(u.t, os.MkdirAll(folder, 0o755))
	require.NoError(u.t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755))
}

// asked makes a user with a gate and an asker program.
func asked(t *testing.T, script, more string) *user {
	t.Helper()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.program("asker", askerHead+script)
	u.configures("[approval]\nasker = [\"./asker\", \"an argument\"]\n" + more)
	return u
}

func (u *user) gate() map[string]any {
	u.t.Helper()
	gates := u.object(0, "show", "--json")["gates"].([]any)
	return gates[len(gates)-1].(map[string]any)
}

// What is not one whole, right answer leaves the gate to whoever answers it later, whatever it looks
// like (B46, B50, B59).
func TestB50WhatIsNoAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, why string }{
		"nothing":            {``, "printed nothing"},
		"a word":             {`echo yes`, "not one JSON object"},
		"true alone":         {`echo true`, "not one JSON object"},
		"a list":             {`echo "[$(answer true)]"`, "not one JSON object"},
		"null":               {`echo null`, "not one JSON object"},
		"exit code":          {`answer true; exit 3`, "exit code 3"},
		"a signal":           {`answer true; kill -9 $$`, "killed"},
		"two":                {`answer true; answer true`, "not one JSON object"},
		"more behind it":     {`answer true; echo ok`, "not one JSON object"},
		"something before":   {`echo asking; answer true`, "not one JSON object"},
		"cut":                {`answer true | head -c 40`, "not one JSON object"},
		"a name twice":       {`printf '{"decision":false,"decision":true,%s,%s}' "$same" "$anna"`, "decision"},
		"another spelling":   {`printf '{"Decision":true,%s,%s}' "$same" "$anna"`, `"Decision"`},
		"an unknown name":    {`printf '{"decision":true,"sure":1,%s,%s}' "$same" "$anna"`, `"sure"`},
		"no decision":        {`printf '{%s,%s}' "$same" "$anna"`, "no decision"},
		"B50 one":            {`answer 1`, "must be"},
		"B50 an object":      {`answer '{}'`, "must be"},
		"B50 a list":         {`answer '[]'`, "must be"},
		"B50 null":           {`answer null`, "must be"},
		"B50 NaN":            {`answer NaN`, "not one JSON object"},
		"B50 no text":        {`answer '""'`, "must be"},
		"B59 bytes":          {`answer '"\377"' | sed 's/.377/\xff/'`, "not one JSON object"},
		"another checksum":   {`same="\"checksum\":\"$(echo "$sum" | tr 0-9 1-90)\",\"nonce\":\"$nonce\""; answer true`, "another question"},
		"upper case":         {`same="\"checksum\":\"$(echo "$sum" | tr a-f A-F)\",\"nonce\":\"$nonce\""; answer true`, "another question"},
		"the beginning":      {`same="\"checksum\":\"$(echo "$sum" | head -c 8)\",\"nonce\":\"$nonce\""; answer true`, "another question"},
		"another nonce":      {`same="\"checksum\":\"$sum\",\"nonce\":\"$(echo "$nonce" | tr 0-9 1-90)x\""; answer true`, "another question"},
		"no checksum":        {`same="\"nonce\":\"$nonce\""; answer true`, "another question"},
		"no nonce":           {`same="\"checksum\":\"$sum\""; answer true`, "another question"},
		"a nonce of null":    {`same="\"checksum\":\"$sum\",\"nonce\":null"; answer true`, "nonce that is no text"},
		"nobody":             {`anna='"mode":"ask"'; answer true`, "does not say who"},
		"a blank name":       {`anna='"who":"  "'; answer true`, "does not say who"},
		"a number for who":   {`anna='"who":7'; answer true`, "who that is no text"},
		"escapes for who":    {`anna='"who":"\u001b[2Jroot"'; answer true`, "does not say who"},
		"a long name":        {`anna="\"who\":\"$(printf %0300d 0)\""; answer true`, "does not say who"},
		"another mode":       {`anna='"who":"Anna","mode":"root"'; answer true`, "root"},
		"a mode for a no":    {`anna='"who":"Anna","mode":"auto"'; answer false`, "approves no plan"},
		"a model for a text": {`anna='"who":"Anna","model":"m"'; answer '"less"'`, "approves no plan"},
		"later and true":     {`printf '{"decision":true,"later":true,%s,%s}' "$same" "$anna"`, "later"},
		"later, in words":    {`echo '{"later":"yes"}'`, "later"},
		"too much":           {`head -c 20000000 /dev/zero | tr '\0' ' '; answer true`, "printed more than"},
		"a child holds it":   {`answer true; sleep 300 & echo $! >child`, "still held its output"},
		"too late":           {`sleep 300`, "within 2s"},
		"closed input":       {`exec <&-; echo ok`, "not one JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := asked(t, c.script, "asker-timeout = \"2s\"\n")
			if name != "too late" { // what is slow on a busy machine is not what is tried here
				u.configures("[approval]\nasker = [\"./asker\"]\n")
			}
			e := u.wants(4, "run", "gate.js", "--agent", "script:answers.toml")
			require.Regexp(t, `warning: no answer to gate \S+: .*`+strings.ReplaceAll(c.why, ".", `\.`), e.errors)
			require.NoFileExists(t, u.dir+"/worked")
			g := u.gate()
			require.Equal(t, "pending", g["state"])
			require.Equal(t, true, g["suspended"])
			u.wants(0, "approve", "--checksum", planSum, "--resume")
			require.FileExists(t, u.dir+"/worked")
			u.wants(0, "verify")
		})
	}
}

// What is one counts as the word of whom the program names.
func TestAskerAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script, state string
		code          int
		decision      any
	}{
		"yes":            {`answer true`, "approved", 0, true},
		"pretty printed": {`printf '\n{\n "decision": true,\n %s,\n %s}\n\n' "$same" "$anna"`, "approved", 0, true},
		"no":             {`answer false`, "rejected", 3, false},
		"B50 no":         {`answer '"no"'`, "changes_requested", 3, "no"},
		"B50 true":       {`answer '"true"'`, "changes_requested", 3, "true"},
		"B50 later":      {`answer '"not okay, approved later"'`, "changes_requested", 3, "not okay, approved later"},
		"later":          {`echo '{"later":true}'`, "pending", 4, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := asked(t, c.script, "")
			e := u.wants(c.code, "run", "gate.js", "--agent", "script:answers.toml")
			require.NotContains(t, e.errors, "warning")
			g := u.gate()
			require.Equal(t, c.state, g["state"])
			require.Equal(t, c.decision, g["decision"])
			require.Equal(t, c.state == "approved", exists(u.dir+"/worked"))
			if c.decision != nil {
				who := g["who"].(map[string]any)
				require.Equal(t, "Anna", who["name"])
				require.Equal(t, "asker", who["way"])
				require.NotEmpty(t, who["user"])
				require.Contains(t, u.wants(0, "verify").out, "by Anna (asker)")
			}
			u.wants(0, "verify")
		})
	}
}

// A checkpoint is asked by the same rules: its answer is of its own kind, and of this asking.
func TestAskerAnswersCheckpoints(t *testing.T) {
	t.Parallel()
	script := `export const meta = { name: "ask", description: "x", interactive: true };
return [
  await checkpoint("Go?"),
  await checkpoint("Where to?", { kind: "input" }),
  await checkpoint("Which?", { kind: "select", choices: ["red", "green"], default: "red" }),
];
`
	u := newUser(t, "ask.js", script)
	u.program("asker", askerHead+`case $q in
*'"kind":"confirm"'*) answer true ;;
*'"kind":"input"'*) answer '"home"' ;;
*'"choices":["red","green"],"default":"red"'*) answer '"green"' ;;
esac
`)
	u.configures("[approval]\nasker = [\"./asker\"]\n")
	require.JSONEq(t, `[true,"home","green"]`, u.wants(0, "run", "ask.js").out)

	u.program("asker", askerHead+"answer true\n")
	e := u.wants(4, "run", "ask.js")
	require.Contains(t, e.errors, "no answer to gate")
	require.Contains(t, e.errors, "must be a text")
	u.wants(0, "verify")

	// meta.interactive is kept by an asker, and by nothing else than somebody who is asked.
	require.Contains(t, u.wants(2, "run", "ask.js", "--headless").errors, "PLAN_REQUIRES_INTERACTIVE_SESSION")
}
