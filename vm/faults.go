package vm

import (
	"fmt"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// newError makes an error object of the realm that carries a code and is known to the machine.
func (r *realm) newError(kind, message string, m mark) *goja.Object {
	o := r.errorNative[kind](goja.FunctionCall{
		This: goja.Undefined(), Arguments: []goja.Value{r.vm.ToValue(strings.ToValidUTF8(message, "\uFFFD"))},
	}).(*goja.Object)
	must(o.DefineDataProperty("code", r.vm.ToValue(m.code), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	// A script can make as many refusals as it likes. Those that decide something are always known.
	if m.fatal || m.pos.File != "" || len(r.marks) < maxMarks {
		r.marks[o] = m
	}
	return o
}

const maxMarks = 20_000

func (r *realm) typeError(code, format string, args ...any) *goja.Object {
	return r.newError("TypeError", fmt.Sprintf(format, args...), mark{code: code})
}

// limitError is a RangeError that parallel and pipeline do not swallow.
func (r *realm) limitError(code, format string, args ...any) *goja.Object {
	return r.newError("RangeError", fmt.Sprintf(format, args...), mark{code: code, fatal: true})
}

func (r *realm) nondeterministic(what, instead string) *goja.Object {
	return r.typeError(codeNondeterministic, "%s would give another value when the run is resumed; use %s", what, instead)
}

// noClock stands where goja would read the clock.
func (r *realm) noClock() time.Time {
	panic(r.nondeterministic("the current time", "now(), which gives an ISO text"))
}

// refusalError turns a refusal at the border into the error that the script gets. subject says
// what the refused value was to be, such as "planApprove: the plan".
func (r *realm) refusalError(subject string, bad *refusal) *goja.Object {
	return r.typeError(bad.code, "%s at %s: %s", subject, bad.where(), bad.what)
}

// rejected gives a promise that is rejected with reason. The promise is real, and unless somebody
// handles it the run fails.
func (r *realm) rejected(reason goja.Value) goja.Value {
	return r.rejectNative(goja.FunctionCall{This: r.promiseCtor, Arguments: []goja.Value{reason}})
}
