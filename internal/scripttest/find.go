package scripttest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/workflows"
)

// Ending is how the name of a file of tests ends.
const Ending = ".test.toml"

// TestsOf gives the file with the tests of a script, "" if there is none: review.js.test.toml, or
// review.test.toml if that can only mean this script.
func TestsOf(script string) (string, error) {
	full, short := script+Ending, strings.TrimSuffix(script, filepath.Ext(script))+Ending
	switch {
	case isFile(full) && isFile(short):
		return "", fault.New(fault.ConfigInvalid, fmt.Sprintf("%s has two files of tests, %s and %s", filepath.Base(script), filepath.Base(full), filepath.Base(short)),
			"keep them in one: "+filepath.Base(full))
	case isFile(full):
		return full, nil
	case !isFile(short):
		return "", nil
	}
	if _, err := ScriptOf(short); err != nil {
		return "", err
	}
	return short, nil
}

// ScriptOf gives the script that a file of tests is for.
func ScriptOf(file string) (string, error) {
	stem := strings.TrimSuffix(file, Ending)
	if slices.Contains(workflows.Endings, filepath.Ext(stem)) {
		if !isFile(stem) {
			return "", fault.New(fault.ConfigInvalid, fmt.Sprintf("%s has the tests of %s, and there is no such script beside it", file, filepath.Base(stem)),
				"name the file after its script")
		}
		return stem, nil
	}
	var found []string
	for _, ending := range workflows.Endings {
		if isFile(stem + ending) {
			found = append(found, stem+ending)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fault.New(fault.ConfigInvalid, fmt.Sprintf("%s stands beside no script called %s", file, filepath.Base(stem)+workflows.Endings[0]),
			"name the file after its script: FILE.js"+Ending)
	default:
		names := make([]string, len(found))
		for i, f := range found {
			names[i] = filepath.Base(f)
		}
		return "", fault.New(fault.ConfigInvalid, fmt.Sprintf("%s can be for %s", file, strings.Join(names, " and for ")),
			"name it after one of them: "+names[0]+Ending)
	}
}

// Below gives the files of tests in a folder and those below it, in order. A folder that is not
// there has none.
func Below(folder string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == folder:
			return fs.SkipAll
		case err != nil:
			return fmt.Errorf("look for tests: %w", err)
		case entry.IsDir() && slices.Contains([]string{".git", "node_modules"}, entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(entry.Name(), Ending):
			list = append(list, path)
		}
		return nil
	})
	return list, err
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
