//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// later is an asker's body that leaves the answer to the person, in sh and in Python.
const (
	later   = "echo '{\"later\":true}'\n"
	laterPy = "import sys\nsys.stdin.read()\nprint('{\"later\": true}')\n"
)

// plantedPy approves whatever is asked, from a module that Python runs by itself.
const plantedPy = `import json, sys
q = json.loads(sys.stdin.read())
open(%TRACE%, "w").close()
print(json.dumps({"decision": True, "checksum": q["checksum"], "nonce": q["nonce"], "who": "Anna"}))
sys.stdout.flush()
import os
os._exit(0)
`

// S19: what lies in the workspace answers nothing, also where variables lead the program's
// interpreter there: an activated environment, a module that Python loads, a file that bash reads.
func TestS19InterpretersTakeNothingFromTheWorkspace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asker string
		env   func(dir string) []string
	}{
		"python3 of an environment": {"#!/usr/bin/env python3\n" + laterPy, func(dir string) []string {
			return []string{"PATH=" + dir + "/.venv/bin:" + os.Getenv("PATH"), "VIRTUAL_ENV=" + dir + "/.venv"}
		}},
		"by a link": {"#!/usr/bin/env python3\n" + laterPy, func(dir string) []string {
			return []string{"PATH=" + filepath.Dir(dir) + "/elsewhere:" + os.Getenv("PATH")}
		}},
		"a relative folder": {"#!/usr/bin/env python3\n" + laterPy, func(string) []string {
			return []string{"PATH=.venv/bin::" + os.Getenv("PATH")}
		}},
		"sitecustomize": {"#!/usr/bin/env python3\n" + laterPy, func(dir string) []string {
			return []string{"PYTHONPATH=" + dir + "/lib"}
		}},
		"the user's modules": {"#!/usr/bin/env python3\n" + laterPy, func(dir string) []string {
			return []string{"HOME=" + dir + "/home", "PYTHONUSERBASE=" + dir + "/home"}
		}},
		"a program that it starts": {askerHead + "helper || " + later, func(dir string) []string {
			return []string{"PATH=" + dir + "/.venv/bin:" + os.Getenv("PATH")}
		}},
		"BASH_ENV": {"#!/usr/bin/env bash\n" + strings.TrimPrefix(askerHead, "#!/bin/sh\n") + later, func(dir string) []string {
			return []string{"BASH_ENV=" + dir + "/lib/env.sh", "ENV=" + dir + "/lib/env.sh"}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			python(t)
			u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
			trace := filepath.Join(u.dir, "planted.ran")
			plant := func(name, text string, mode os.FileMode) {
				path := filepath.Join(u.dir, filepath.FromSlash(name))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), mode))
			}
			evil := askerHead + "touch '" + trace + "'; answer true\n"
			plant(".venv/bin/python3", evil, 0o755)
			plant(".venv/bin/helper", evil, 0o755)
			py := strings.ReplaceAll(plantedPy, "%TRACE%", "'"+trace+"'")
			plant("lib/sitecustomize.py", py, 0o644)
			plant("lib/usercustomize.py", py, 0o644)
			plant("lib/env.sh", strings.TrimPrefix(evil, "#!/bin/sh\n")+"exit 0\n", 0o644)
			require.NoError(t, os.Symlink(filepath.Join(u.dir, ".venv", "bin"), filepath.Join(filepath.Dir(u.dir), "elsewhere")))
			u.program("asker", c.asker)
			u.configures("[approval]\nasker = [\"./asker\"]\n")
			u.env = append(u.env, c.env(u.dir)...)
			u.wants(4, "run", "gate.js", "--agent", "script:answers.toml")
			require.NoFileExists(t, trace)
			require.NoFileExists(t, u.dir+"/worked")
			require.Equal(t, "pending", u.gate()["state"])
		})
	}
}

// The program gets few variables, and none that leads into the workspace.
func TestS19WhatProgramsAreGiven(t *testing.T) {
	t.Parallel()
	u := asked(t, "env >\"$0.env\"; pwd >\"$0.pwd\"\n"+later, "")
	u.env = append(
		u.env, "PATH="+u.dir+":relative:"+os.Getenv("PATH"), "TMPDIR="+u.dir, "LC_ALL=C", "TZ=UTC", "NODE_OPTIONS=--require x", "PERL5LIB=/x", "RUBYOPT=x",
		"LD_PRELOAD=", "GIT_DIR=/x", "PYTHONPATH=/x", "VIRTUAL_ENV=/x", "MY_TOKEN=secret", "DBUS_SESSION_BUS_ADDRESS=unix:path="+u.dir+"/bus",
	)
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml")
	folder := filepath.Join(filepath.Dir(u.dir), "config", "assent")
	text, err := os.ReadFile(folder + "/asker.env")
	require.NoError(t, err)
	require.NotContains(t, string(text), u.dir)
	require.NotContains(t, string(text), "relative")
	for _, name := range []string{"TMPDIR", "NODE_OPTIONS", "PERL5LIB", "RUBYOPT", "LD_PRELOAD", "GIT_DIR", "PYTHONPATH", "VIRTUAL_ENV", "MY_TOKEN", "DBUS_SESSION_BUS_ADDRESS"} {
		require.NotRegexp(t, "(?m)^"+name+"=", string(text))
	}
	require.Regexp(t, "(?m)^LC_ALL=C$", string(text))
	require.Regexp(t, "(?m)^TZ=UTC$", string(text))
	require.Regexp(t, "(?m)^PATH=/", string(text))
	at, err := os.ReadFile(folder + "/asker.pwd")
	require.NoError(t, err)
	real, err := filepath.EvalSymlinks(folder)
	require.NoError(t, err)
	require.Equal(t, real, strings.TrimSpace(string(at)))
}

// An interpreter is held to what its program is, and so is every folder on the way.
func TestS19InterpretersAndFoldersAreChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first   string // the asker's first line; %W is the workspace, %C the configuration's folder
		prepare func(t *testing.T, folder, workspace string)
		says    string // "" is fine
	}{
		"in the workspace":           {"#!%W/evil", nil, "/evil lies in the workspace"},
		"by env, with its path":      {"#!/usr/bin/env %W/evil", nil, "/evil lies in the workspace"},
		"by env, split":              {"#!/usr/bin/env -S %W/evil -u", nil, "/evil lies in the workspace"},
		"by env, split in one word":  {"#!/usr/bin/env -S%W/evil", nil, "/evil lies in the workspace"},
		"a relative one":             {"#!evil", nil, "by no whole path"},
		"by env, a relative one":     {"#!/usr/bin/env ./evil", nil, "by no whole path"},
		"by env, another PATH":       {"#!/usr/bin/env -S PATH=%W evil", nil, "cannot be told"},
		"by env, an option":          {"#!/usr/bin/env -C /tmp sh", nil, "cannot be told"},
		"by env, quotes":             {"#!/usr/bin/env -S 's''h'", nil, "cannot be told"},
		"by env, nothing":            {"#!/usr/bin/env", nil, "cannot be told"},
		"by env, one that is not":    {"#!/usr/bin/env no-such-thing", nil, `"no-such-thing" cannot be started`},
		"by env":                     {"#!/usr/bin/env -S -u X Y=1 sh", nil, ""},
		"a script that is run":       {"#!%C/runs", write("runs", "#!%W/evil\n", 0o755), "/evil lies in the workspace"},
		"that others write":          {"#!%C/runs", write("runs", "", 0o777), "others than you can write"},
		"around and around":          {"#!%C/asker", nil, "and so on"},
		"a folder of everybody's":    {"#!/bin/sh", mode("", 0o777), "others than you can write"},
		"a parent of everybody's":    {"#!/bin/sh", mode("..", 0o777), "others than you can write"},
		"a folder of the group's":    {"#!/bin/sh", mode("", 0o775), "others than you can write"},
		"as /tmp is":                 {"#!/bin/sh", mode("", 0o777|os.ModeSticky), ""},
		"by a link in the workspace": {"#!%W/link/sh", link("/bin", "link"), "/link/sh lies in the workspace"},
		"through the workspace": {"#!%C/there/sh", func(t *testing.T, folder, workspace string) {
			link("/bin", "link")(t, folder, workspace)
			require.NoError(t, os.Symlink(workspace+"/link", folder+"/there"))
		}, "/there/sh lies in the workspace"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
			folder := filepath.Join(filepath.Dir(u.dir), "config", "assent")
			require.NoError(t, os.WriteFile(u.dir+"/evil", []byte(askerHead+"touch \"$0.ran\"; answer true\n"), 0o755))
			first := strings.NewReplacer("%W", u.dir, "%C", folder).Replace(c.first)
			u.program("asker", first+"\n"+later)
			u.configures("[approval]\nasker = [\"./asker\"]\n")
			if c.prepare != nil {
				c.prepare(t, folder, u.dir)
			}
			if c.says == "" {
				u.wants(4, "run", "gate.js", "--agent", "script:answers.toml")
				return
			}
			e := u.wants(2, "run", "gate.js", "--agent", "script:answers.toml")
			require.Contains(t, e.errors, "CONFIG_INVALID")
			require.Contains(t, e.errors, c.says)
			require.NoFileExists(t, u.dir+"/evil.ran")
		})
	}
}

func write(name, text string, perm os.FileMode) func(*testing.T, string, string) {
	return func(t *testing.T, folder, workspace string) {
		t.Helper()
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "%W", workspace)), 0o600))
		require.NoError(t, os.Chmod(path, perm))
	}
}

func mode(name string, perm os.FileMode) func(*testing.T, string, string) {
	return func(t *testing.T, folder, _ string) {
		t.Helper()
		require.NoError(t, os.Chmod(filepath.Join(folder, name), perm))
	}
}

// link makes a link in the workspace.
func link(to, name string) func(*testing.T, string, string) {
	return func(t *testing.T, _, workspace string) {
		t.Helper()
		require.NoError(t, os.Symlink(to, filepath.Join(workspace, name)))
	}
}
