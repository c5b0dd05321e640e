package process

import (
	"os"
	"strconv"
	"strings"
)

// ancestry returns the variables that this process, and each process above it, was started
// with, nearest first.
func ancestry() []string {
	var out []string
	seen := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !seen[pid]; _, pid, _ = status(pid) {
		seen[pid] = true
		if text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ"); err == nil {
			out = append(out, strings.Split(string(text), "\x00")...)
		}
	}
	return out
}
