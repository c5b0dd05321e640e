package vm

import (
	"regexp"
	"strings"
)

var notDefined = regexp.MustCompile(`^ReferenceError: ([A-Za-z_$][\w$]*) is not defined$`)

// elsewhere are globals that scripts know from other places, and what does their work here.
var elsewhere = map[string]string{
	"fetch":                "a workflow reaches no network; an agent() can",
	"XMLHttpRequest":       "a workflow reaches no network; an agent() can",
	"WebSocket":            "a workflow reaches no network; an agent() can",
	"setTimeout":           "wait with await sleep(ms)",
	"setInterval":          "wait with await sleep(ms) in a loop",
	"setImmediate":         "wait with await sleep(ms)",
	"queueMicrotask":       "wait with await sleep(ms)",
	"crypto":               "uuid() and random() give values that a replay gives again",
	"performance":          "now() gives a time that a replay gives again",
	"WeakRef":              "what the collector does depends on the machine, and a replay would differ",
	"FinalizationRegistry": "what the collector does depends on the machine, and a replay would differ",
	"SharedArrayBuffer":    "a workflow is one thread; use ArrayBuffer",
	"Atomics":              "a workflow is one thread; plain reads and writes do",
	"Float16Array":         "use Float32Array with Math.f16round(), or DataView.getFloat16()",
	"Intl":                 "a workflow knows one locale, en-US: toLocaleString() without arguments",
	"Temporal":             "use Date with explicit instants, in UTC",
	"WebAssembly":          "a workflow runs its own text only; an agent() can run programs",
	"Buffer":               "a workflow has texts and plain data only",
	"fs":                   "a workflow has no files; an agent() reads and writes them",
	"__dirname":            "cwd is the folder that agents work in",
	"alert":                "log() says something, checkpoint() asks something",
	"prompt":               "checkpoint() asks a person",
	"confirm":              "checkpoint() asks a person",
}

// ownGlobals are the names that the script language defines.
var ownGlobals = []string{
	"agent", "checkpoint", "planApprove", "sleep", "workflow", "parallel", "pipeline", "dag", "retry", "gate", "verify", "judgePanel", "loopUntilDry",
	"completenessCheck", "phase", "log", "console", "setSemanticStatus", "now", "random",
	"uuid", "args", "runId", "workflowRunId", "cwd", "process", "budget", "meta",
}

// absent says of a name that is not defined what to use instead; "" if message is about anything
// else, or nothing is known.
func absent(message string) string {
	match := notDefined.FindStringSubmatch(message)
	if match == nil {
		return ""
	}
	if instead, ok := elsewhere[match[1]]; ok {
		return "; " + instead
	}
	for _, name := range ownGlobals {
		if slip(strings.ToLower(match[1]), strings.ToLower(name)) {
			return "; did you mean " + name + "?"
		}
	}
	return ""
}

// slip says that two words are one keystroke apart: a letter that is missing, added or another
// one, or two neighbours that changed places.
func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i == len(a) || a[i+1:] == b[i+1:] ||
			i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	case 1:
		return len(a) > 1 && a[i:] == b[i+1:]
	}
	return false
}
