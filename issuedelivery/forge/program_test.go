package forge_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

func program(t *testing.T, more ...string) (*forgetest.Program, *forge.Forge, string) {
	t.Helper()
	folder, commit := bare(t)
	p := forgetest.NewProgram(t, folder)
	at, ok := forge.Parse("https://forge.example/acme/rocket")
	require.True(t, ok)
	return p, open(t, at, append([]string{"PATH=" + p.Path(os.Getenv("PATH"))}, more...)), commit
}

var plain = forge.Draft{Branch: "assent/x", Base: "main", Title: "Engines", Body: "body"}

func TestB67_AProgramThatIsKilledAfterTheWork(t *testing.T) {
	p, f, commit := program(t)
	p.AfterCreate("kill -9 $$")
	e, err := f.Ensure(t.Context(), plain)
	require.NoError(t, err)
	require.True(t, e.Adopted)
	require.Equal(t, commit, e.Head)
	require.Equal(t, 1, p.Creates())
	steps := func() (steps []string) {
		for _, call := range p.Calls() {
			steps = append(steps, strings.Join(strings.Fields(call)[:2], " "))
		}
		return steps
	}
	require.Equal(t, []string{"pr list", "pr create", "pr list", "pr view"}, steps(), "the forge is asked before anything else")
	_, err = f.Ensure(t.Context(), plain)
	require.NoError(t, err)
	require.Equal(t, 1, p.Creates())
}

// What gh says is somebody else's text: no line of it becomes a line of a message, and no token passes.
func TestB60_WhatGhSays(t *testing.T) {
	secret := "ghp" + "_0123456789abcdefghijABCDEFGHIJ012345"
	p, f, _ := program(t, "GH_ENTERPRISE_TOKEN=a-token-of-the-user", "GH_DEBUG=api", "GH_REPO=x/y", "GH_FORCE_TTY=80", "GH_TOKEN=t0k3n-t0k3n", "OTHER_TOKEN=not-for-gh")
	p.Before("pr-list", `env >&2; echo "`+secret+`" >&2; exit 1`)
	_, err := f.Pulls(t.Context(), "assent/x")
	require.True(t, fault.Is(err, fault.ForgeFailed))
	require.NotContains(t, err.Error(), "\n")
	for _, text := range []string{secret, "a-token-of-the-user", "t0k3n-t0k3n", "not-for-gh", "GH_DEBUG", "GH_REPO", "GH_FORCE_TTY"} {
		require.NotContains(t, err.Error(), text)
	}
	require.Contains(t, err.Error(), "GH_PROMPT_DISABLED=1")
	require.Contains(t, err.Error(), "GH_HOST=forge.example")
}

func TestB60_AStepHasItsOwnTime(t *testing.T) {
	p, f, _ := program(t)
	p.Before("pr-view", "sleep 300 & sleep 300")
	_, err := f.Within(time.Second).View(t.Context(), 1)
	require.Equal(t, forge.KindLate, forge.KindOf(err), "%v", err)
	require.ErrorContains(t, err, "step view")
	p.Before("pr-view", "cat; echo 'not JSON'; exit 0") // its input ends at once
	_, err = f.View(t.Context(), 1)
	require.True(t, fault.Is(err, fault.ForgeFailed), "%v", err)
	require.ErrorContains(t, err, "not the JSON that was asked for")
}

// gh says that it created one, and the forge has none: nothing is made up.
func TestACreationThatDidNotHappen(t *testing.T) {
	p, f, _ := program(t)
	p.Before("pr-create", "exit 0")
	_, err := f.Ensure(t.Context(), plain)
	require.ErrorContains(t, err, "the forge has none")
	p.Before("pr-create", "echo 'pull request create failed: GraphQL: Draft pull requests are not supported in this repository.' >&2; exit 1")
	_, err = f.Ensure(t.Context(), plain)
	require.ErrorContains(t, err, "Draft pull requests are not supported")
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Contains(t, e.Next, "--ready")
	require.Zero(t, p.Creates())
}

func TestNumberOf(t *testing.T) {
	_, f, _ := program(t)
	for url, want := range map[string]int{
		"https://forge.example/acme/rocket/pull/7\n": 7, "https://forge.example/Acme/Rocket/pull/7/": 7, "https://forge.example/acme/rocket/issues/7": 0,
		"https://forge.example/mallory/rocket/pull/7": 0, "https://forge.example/acme/rocket/pull/x": 0, "": 0, "https://forge.example/acme/rocket/pull/99999999999999999999": 0,
	} {
		require.Equal(t, want, f.NumberOf(url), url)
	}
}
