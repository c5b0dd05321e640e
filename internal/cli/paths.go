package cli

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// folders are the places outside of a workspace.
type folders struct {
	// store holds the journals, keys the sealing key and the anchors; neither is below the other.
	store, keys string
	// work is where calls have working trees of their own.
	work string
	// config is the user's configuration file, home their folder.
	config, home string
}

// folders follows the XDG base directory specification on Unix, and the system's own habits
// elsewhere; there the variables of XDG hold where they are set. A relative value of them is
// ignored, as the specification demands.
func (s *System) folders() (folders, error) {
	home, err := s.homeDir()
	if err != nil {
		return folders{}, err
	}
	state, data, config := filepath.Join(home, ".local", "state"), filepath.Join(home, ".local", "share"), filepath.Join(home, ".config")
	f := folders{store: "assent", keys: "assent/keys", config: "assent/config.toml", home: home}
	switch runtime.GOOS {
	case "darwin", "ios":
		state = filepath.Join(home, "Library", "Application Support")
		data, config = state, state
		f.store = "assent/state"
	case "windows":
		state = s.absolute("LOCALAPPDATA", filepath.Join(home, "AppData", "Local"))
		data, config = state, s.absolute("APPDATA", filepath.Join(home, "AppData", "Roaming"))
		f.store = "assent/state"
	}
	f.work = filepath.Join(s.absolute("XDG_STATE_HOME", state), "assent-work")
	f.store = filepath.Join(s.absolute("XDG_STATE_HOME", state), filepath.FromSlash(f.store))
	f.keys = filepath.Join(s.absolute("XDG_DATA_HOME", data), filepath.FromSlash(f.keys))
	f.config = filepath.Join(s.absolute("XDG_CONFIG_HOME", config), filepath.FromSlash(f.config))
	if own := s.env("ASSENT_HOME"); own != "" {
		f.store = s.path(own)
		f.work = filepath.Join(f.store, "work")
	}
	if own := s.env("ASSENT_KEYS"); own != "" {
		f.keys = s.path(own)
	}
	return f, nil
}

func (s *System) absolute(variable, fallback string) string {
	if v := s.env(variable); filepath.IsAbs(v) {
		return filepath.Clean(v)
	}
	return fallback
}

// homeDir is the user's folder.
func (s *System) homeDir() (string, error) {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	if dir := s.env(variable); filepath.IsAbs(dir) {
		return dir, nil
	}
	if u, err := user.Current(); err == nil && filepath.IsAbs(u.HomeDir) {
		return u.HomeDir, nil
	}
	return "", fault.New(fault.ConfigInvalid, "the user's home folder is not known", "set "+variable)
}

// path makes a path that was given on the command line absolute.
func (s *System) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(s.Dir, p)
}

// workspace is the folder that runs belong to: the top of the git working tree that the
// current folder is in, else the current folder. Links are resolved, so that it has one name.
func (s *System) workspace() (string, error) {
	dir, err := filepath.EvalSymlinks(s.Dir)
	if err != nil || !filepath.IsAbs(dir) {
		return "", fault.New(fault.Usage, "the current folder is not there any more", "go to one that is")
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return dir, nil
		}
	}
}

// existing opens the user's journals if there are any: only a command that starts a run makes
// the folders.
func (a *app) existing() (*journal.Store, error) {
	if missing, err := a.noStore(); err != nil {
		return nil, err
	} else if missing != "" {
		return nil, fault.New(fault.RunUnknown, "there is no run yet, and no folder "+missing, "assent run FILE")
	}
	return a.store()
}

// noStore gives the folder of the journals if it is not there, else "".
func (a *app) noStore() (string, error) {
	f, err := a.folders()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(f.store); errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotFolder) {
		return f.store, nil
	}
	return "", nil
}

// store opens the user's journals, and makes the folders for them.
func (a *app) store() (*journal.Store, error) {
	f, err := a.folders()
	if err != nil {
		return nil, err
	}
	version, _ := buildVersion()
	store, err := journal.Open(journal.Options{Dir: f.store, KeyDir: f.keys, Version: version, Now: a.Now})
	if err == nil {
		a.opened = store
	}
	return store, err
}
