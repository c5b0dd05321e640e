package vm

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// HasGlobal says whether a script finds a global of that name, beside those of Config.Functions.
func HasGlobal(name string) bool {
	// Most names that are asked for are these, and a realm takes milliseconds to make.
	if slices.Contains(ownGlobals, name) || slices.Contains(usual, name) {
		return true
	}
	_, known := elsewhere[name]
	return !known && everyGlobal()[name]
}

// usual are globals of ECMAScript and others that scripts use.
var usual = strings.Fields(`
	undefined NaN Infinity Array BigInt Boolean Date Error Function JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
	String Symbol SyntaxError TypeError Uint8Array WeakMap WeakSet globalThis isNaN isFinite parseFloat parseInt encodeURI encodeURIComponent decodeURI
	decodeURIComponent structuredClone URL URLSearchParams TextEncoder TextDecoder atob btoa`)

// everyGlobal asks a realm with all that a script could have.
var everyGlobal = sync.OnceValue(func() map[string]bool {
	files := memory{"globals.js": `export const meta = { name: "globals", description: "what there is" }; return globalThis`}
	program, err := Compile(files, "globals.js")
	must(err)
	m := New(program, Config{})
	must(m.dead)
	found := map[string]bool{}
	for _, name := range m.realm.vm.GlobalObject().GetOwnPropertyNames() {
		found[name] = true
	}
	return found
})

// Instead says what to use in the place of a global that is not there, "" if nothing is known.
func Instead(name string) string {
	return strings.TrimPrefix(absent("ReferenceError: "+name+" is not defined"), "; ")
}

// Nearest gives the name of known that another name is nearly, "" if it is far from all.
func Nearest(name string, known []string) string { return nearest(name, known) }

// HelperOptions are the options of a global that the machine reads itself.
type HelperOptions struct {
	// Argument says which argument they are, from 0.
	Argument int
	Names    []string
}

var (
	helperText  = regexp.MustCompile(`(?m)^  const (\w+) = async \(([^)]*)\) => \{\n    const o = host\.options\("\w+", (\w+), ("[^)]*")\);`)
	dagNodeText = regexp.MustCompile("host\\.options\\(`dag: node [^`]*`, [^\",]*, (\"[^)]*\")\\)")
	quotedText  = regexp.MustCompile(`"(\w+)"`)
)

// Helpers gives the options of all such globals; of those in JavaScript, read off their own text. Those of dag are of the nodes in
// its first argument.
var Helpers = sync.OnceValue(func() map[string]HelperOptions {
	found := map[string]HelperOptions{
		"phase": {Argument: 1, Names: phaseOptions}, "setSemanticStatus": {Argument: 0, Names: statusFields},
	}
	names := func(list string) (names []string) {
		for _, match := range quotedText.FindAllStringSubmatch(list, -1) {
			names = append(names, match[1])
		}
		return names
	}
	for _, file := range preludeOrder {
		data, err := preludeFiles.ReadFile("prelude/" + file + ".js")
		must(err)
		if !bytes.Contains(data, []byte("host.options(")) {
			continue
		}
		for _, match := range helperText.FindAllStringSubmatch(string(data), -1) {
			argument := slices.Index(strings.Split(match[2], ", "), match[3])
			found[match[1]] = HelperOptions{Argument: argument, Names: names(match[4])}
		}
		if match := dagNodeText.FindStringSubmatch(string(data)); match != nil {
			found["dag"] = HelperOptions{Names: names(match[1])}
		}
	}
	return found
})
