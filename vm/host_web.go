package vm

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/nlnwa/whatwg-url/url"
)

// webFunctions are what prelude/web.js may ask of the machine: texts, bytes and URLs.
func (m *Machine) webFunctions() map[string]native {
	r := m.realm
	text := func(call goja.FunctionCall, i int) string { return call.Argument(i).String() }
	null := goja.Null()
	return map[string]native{
		// isBuffer says that a value is an ArrayBuffer, whatever it says of itself.
		"isBuffer": func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(0).(*goja.Object)
			return r.vm.ToValue(ok && o.ExportType() == typeBuffer)
		},
		"cloneKind": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.cloneKind(call.Argument(0).(*goja.Object)))
		},
		"atob": func(call goja.FunctionCall) goja.Value {
			if decoded, ok := atob(text(call, 0)); ok {
				return r.stringValue(latin1(decoded))
			}
			return null
		},
		"btoa": func(call goja.FunctionCall) goja.Value {
			bytes, ok := bytesOfLatin1(wtf8(call.Argument(0).(goja.String)))
			if !ok {
				return null
			}
			return r.vm.ToValue(base64.StdEncoding.EncodeToString(bytes))
		},
		"encode": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.vm.NewArrayBuffer([]byte(wellFormed(call.Argument(0).(goja.String)).String())))
		},
		// encodeInto writes into a part of a buffer what fits of a text, and tells how many UTF-16 units and bytes that was.
		"encodeInto": func(call goja.FunctionCall) goja.Value {
			into, read := r.part(call, 1), 0
			bytes := into[:0]
			for _, c := range wellFormed(call.Argument(0).(goja.String)).String() {
				if len(bytes)+utf8.RuneLen(c) > len(into) {
					break
				}
				bytes = utf8.AppendRune(bytes, c)
				read += len(utf16.AppendRune(nil, c))
			}
			result := r.vm.NewObject()
			r.define(result, "read", r.vm.ToValue(read))
			r.define(result, "written", r.vm.ToValue(len(bytes)))
			return result
		},
		// bytes copies a part of a buffer.
		"bytes": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(r.vm.NewArrayBuffer(slices.Clone(r.part(call, 0))))
		},
		"decode": func(call goja.FunctionCall) goja.Value {
			var bytes []byte
			if !goja.IsUndefined(call.Argument(0)) {
				bytes = r.buffer(call.Argument(0)).Bytes()
			}
			decoded, ok := decodeUTF8(bytes, call.Argument(1).ToBoolean(), call.Argument(2).ToBoolean())
			if !ok {
				return null
			}
			return r.vm.ToValue(decoded)
		},
		"isUTF8": func(call goja.FunctionCall) goja.Value {
			label := strings.ToLower(strings.Trim(text(call, 0), "\t\n\f\r "))
			return r.vm.ToValue(slices.Contains(utf8Labels, label))
		},
		// without leaves out a prefix, once.
		"without": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(strings.TrimPrefix(text(call, 0), text(call, 1)))
		},
		"formParse": func(call goja.FunctionCall) goja.Value { return r.list(formParse(text(call, 0))) },
		"formText":  func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(formText(r.strings(call.Argument(0)))) },
		"formSort": func(call goja.FunctionCall) goja.Value {
			return r.list(formSort(r.strings(call.Argument(0))))
		},
		"urlParse": func(call goja.FunctionCall) goja.Value {
			var u *url.Url
			var err error
			if base := call.Argument(1); goja.IsUndefined(base) {
				u, err = urls().Parse(text(call, 0))
			} else {
				u, err = urls().ParseRef(base.String(), text(call, 0))
			}
			if err != nil {
				return null
			}
			return r.vm.ToValue(u.Href(false))
		},
		"urlGet": func(call goja.FunctionCall) goja.Value {
			u, err := urls().Parse(text(call, 0))
			must(err) // the href of a URL is one
			return r.vm.ToValue(urlParts[text(call, 1)].get(u))
		},
		"urlSet": func(call goja.FunctionCall) goja.Value {
			u, err := urls().Parse(text(call, 0))
			must(err) // the href of a URL is one
			urlParts[text(call, 1)].set(u, text(call, 2))
			return r.vm.ToValue(u.Href(false))
		},
	}
}

func (r *realm) list(texts []string) goja.Value {
	items := make([]any, len(texts))
	for i, t := range texts {
		items[i] = r.vm.ToValue(t)
	}
	return r.vm.NewArray(items...)
}

// strings are the elements of an array of texts of our own.
func (r *realm) strings(v goja.Value) []string {
	var list []string
	o := v.(*goja.Object)
	for i := range r.length(o) {
		element, _ := r.own(o, itoa(i))
		list = append(list, element.String())
	}
	return list
}
