package vm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// header is the first line of every test script, so that body lines count from 2.
const header = "export const meta = {name: \"t\", description: \"d\"};\n"

// noon is the time at which test scripts start.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func compile(t testing.TB, body string) *vm.Program {
	t.Helper()
	p, err := vm.Compile(fstest.MapFS{"main.js": {Data: []byte(header + body)}}, "main.js")
	require.NoError(t, err)
	return p
}

// player drives a machine by hand.
type player struct {
	t     testing.TB
	m     *vm.Machine
	turn  vm.Turn // the last one
	calls []vm.Call
	notes []vm.Note
	at    vm.At

	answered map[string]bool
}

func play(t testing.TB, body string) *player { return playWith(t, body, vm.Config{Seed: "seed"}) }

func playWith(t testing.TB, body string, c vm.Config) *player {
	t.Helper()
	return start(t, vm.New(compile(t, body), c), nil)
}

func start(t testing.TB, m *vm.Machine, args json.RawMessage) *player {
	t.Helper()
	p := &player{t: t, m: m, at: vm.At{Now: noon}, answered: map[string]bool{}}
	turn, err := m.Start(context.Background(), args, p.at)
	require.NoError(t, err)
	return p.took(turn)
}

func (p *player) took(turn vm.Turn) *player {
	p.turn = turn
	p.calls = append(p.calls, turn.Calls...)
	p.notes = append(p.notes, turn.Notes...)
	return p
}

// answer delivers a JSON text.
func (p *player) answer(key, value string) *player {
	p.t.Helper()
	return p.outcome(key, vm.Outcome{Value: json.RawMessage(value)})
}

func (p *player) fail(key, code, message string, class vm.Class) *player {
	p.t.Helper()
	return p.outcome(key, vm.Outcome{Failure: &vm.Failure{Code: code, Message: message, Class: class}})
}

func (p *player) outcome(key string, o vm.Outcome) *player {
	p.t.Helper()
	turn, err := p.m.Deliver(context.Background(), key, o, p.at)
	require.NoError(p.t, err)
	p.answered[key] = true
	return p.took(turn)
}

// result says that the script ended well, and with what.
func (p *player) result() string {
	p.t.Helper()
	require.True(p.t, p.turn.Done, "the script waits for %v", p.keys())
	if p.turn.Err != nil {
		require.Fail(p.t, "the script failed", "%v\n%s", p.turn.Err, p.turn.Err.Stack)
	}
	return string(p.turn.Result)
}

// failure says that the script ended badly.
func (p *player) failure() *vm.Error {
	p.t.Helper()
	require.True(p.t, p.turn.Done, "the script waits for %v", p.keys())
	require.NotNil(p.t, p.turn.Err, "result %s", p.turn.Result)
	return p.turn.Err
}

// keys gives the keys of all calls so far.
func (p *player) keys() []string {
	keys := []string{}
	for _, c := range p.calls {
		keys = append(keys, c.Key)
	}
	return keys
}

// said gives the text of all notes so far.
func (p *player) said() []string {
	said := []string{}
	for _, n := range p.notes {
		said = append(said, n.Text)
	}
	return said
}

// eval gives the JSON text that an expression comes to.
func eval(t testing.TB, expression string) string {
	t.Helper()
	return play(t, "return ("+expression+");").result()
}

// caught gives "name code: message" of what body throws, as the script itself sees it.
func caught(t testing.TB, body string) string {
	t.Helper()
	return strings.Trim(play(t, "try { await (async () => {"+body+"})() } catch (e) { return e.name + ' ' + e.code + ': ' + e.message }; return 'nothing';").result(), `"`)
}

// unquote reads a JSON text.
func unquote(t testing.TB, text string, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), into), text)
}
