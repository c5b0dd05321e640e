package workflows

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Endings are what the file of a workflow may end in.
var Endings = []string{".js", ".mjs", ".ts", ".mts"}

// maxName is far more than anybody types, and leaves room for an ending on every file system.
const maxName = 64

// device are the names that Windows takes for a device in any folder, with any ending.
var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// CheckName says what is wrong with the name of a workflow; "" if nothing is. A good one means
// the same on every file system, in every shell, and is no path.
func CheckName(name string) string {
	for i := range len(name) {
		if c := name[i]; !alnum(c) && c != '-' && c != '_' && c != '.' {
			return "a name has letters from a to z, digits, -, _ and . only"
		}
	}
	switch {
	case name == "":
		return "a name is not empty"
	case len(name) > maxName:
		return fmt.Sprintf("a name has %d characters at most", maxName)
	case name[0] == '.' || name[0] == '-' || name[len(name)-1] == '.':
		return "a name begins with no . and no -, and ends with no ."
	case slices.Contains(Endings, path.Ext(name)):
		return "a name that ends in " + path.Ext(name) + " would be taken for a path"
	case device.MatchString(name):
		return "Windows takes such a name for a device"
	}
	return ""
}

func alnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// nameOf gives the name that a file stands for. A file of types is no script.
func nameOf(file string) (name string, ok bool) {
	ending := path.Ext(file)
	name = strings.TrimSuffix(file, ending)
	types := strings.HasSuffix(name, ".d") && (ending == ".ts" || ending == ".mts")
	return name, slices.Contains(Endings, ending) && !types
}

// key is what names have in common that are one name: file systems differ in whether they tell
// upper from lower case.
func key(name string) string { return strings.ToLower(name) }
