package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A program that asks or tells is the user's, and what it is made of has to be so too: an interpreter
// takes code from wherever variables lead it. So it gets the few that say who the user is, in which
// language, and where their screen is; nothing else, and none that leads into the workspace.

// given are the names of those variables; what ends in * is a prefix.
var given = []string{
	"HOME", "USER", "LOGNAME", "LANG", "LC_*", "TZ", "TMPDIR",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
}

// givenWindows are besides what programs do not start or find nothing without.
var givenWindows = []string{
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
}

// programEnv is the environment of the user's programs, made of the one that assent has; folders
// are those of PATH that are left.
func programEnv(environ []string, workspace string) (env, folders []string) {
	names := given
	if runtime.GOOS == "windows" {
		names = slices.Concat(given, givenWindows)
	}
	path := ""
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		switch {
		case name == "PATH":
			path = value // the last one is in force
		case isGiven(name, names) && !leadsInto(workspace, value):
			env = append(env, variable)
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if filepath.IsAbs(folder) && !slices.Contains(folders, folder) && safeFolder(workspace, folder) {
			folders = append(folders, folder)
		}
	}
	return append(env, "PATH="+strings.Join(folders, string(os.PathListSeparator))), folders
}

func isGiven(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		prefix, all := strings.CutSuffix(n, "*")
		return name == n || all && strings.HasPrefix(name, prefix)
	})
}

// leadsInto says that a variable names something in the workspace, alone or among others: addresses
// and lists are taken apart.
func leadsInto(workspace, value string) bool {
	parts := append(strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(":;,=", r) }), value)
	return slices.ContainsFunc(parts, func(part string) bool {
		return filepath.IsAbs(part) && passes(workspace, part)
	})
}

// safeFolder says that a folder is there, and that neither it nor the way to it is the workspace's
// or open to others.
func safeFolder(workspace, folder string) bool {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() || passes(workspace, folder) {
		return false
	}
	return !slices.ContainsFunc(append(wayTo(folder), folder), othersWrite)
}
