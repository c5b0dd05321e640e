package agent

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// ResolveCwd returns the folder that a call works in: cwd inside the workspace, or the
// workspace itself if cwd is empty. Links are followed first, so that none leads out of the
// workspace. Its errors are OPTION_INVALID.
func ResolveCwd(workspace, cwd string) (string, error) {
	if cwd == "" {
		return workspace, nil
	}
	root, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return "", fmt.Errorf("the workspace: %w", err)
	}
	folder := filepath.FromSlash(cwd)
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(root, folder)
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return "", fault.Wrap(err, fault.OptionInvalid, fmt.Sprintf("agent() option \"cwd\" is %q, which cannot be opened", cwd), "make the folder first")
	}
	inside, err := filepath.Rel(root, folder)
	if err != nil || !filepath.IsLocal(inside) {
		return "", invalid(fmt.Sprintf("agent() option \"cwd\" is %q, which is outside the workspace %s", cwd, workspace),
			"name a folder inside the workspace")
	}
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return "", invalid(fmt.Sprintf("agent() option \"cwd\" is %q, which is not a folder", cwd), "name a folder")
	}
	return folder, nil
}
