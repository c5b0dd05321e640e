package cli

import (
	"encoding/json"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/vm"
)

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.emit(versionObject())
			}
			return a.print(versionText() + "\n")
		},
	}
}

// versionReport is the version, as --json prints it.
type versionReport struct {
	Format   int    `json:"format"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Language int    `json:"language"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// versionJSON is versionObject for --version, without the end of the line.
func versionJSON() string {
	text, _ := json.Marshal(versionObject()) // strings and numbers always encode
	return safeJSON(string(text))
}

func versionObject() versionReport {
	version, revision := buildVersion()
	return versionReport{jsonFormat, version, revision, vm.Language, runtime.Version(), runtime.GOOS, runtime.GOARCH}
}

// versionText is the line of version and --version.
func versionText() string {
	version, revision := buildVersion()
	text := "assent " + version
	if revision != "" {
		text += " (" + revision + ")"
	}
	return text + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// buildVersion is what the Go tool wrote into the program: the module's version, "dev" for one
// that was built in a working copy, and that copy's commit.
func buildVersion() (version, revision string) {
	version = "dev"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, ""
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = s.Value[:min(12, len(s.Value))]
		}
	}
	return version, revision
}
