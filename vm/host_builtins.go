package vm

import (
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// dateFunctions are what prelude/date.js needs.
func (m *Machine) dateFunctions() map[string]native {
	r := m.realm
	return map[string]native{
		"isDate": func(call goja.FunctionCall) goja.Value {
			o, ok := call.Argument(0).(*goja.Object)
			return r.vm.ToValue(ok && r.kind(o) == kindDate)
		},
		"dateUTC": func(call goja.FunctionCall) goja.Value {
			var parts [7]float64
			for i := range parts {
				parts[i] = call.Argument(i).ToFloat()
			}
			return r.vm.ToValue(dateUTC(parts))
		},
		"dateParse": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(dateParse(call.Argument(0).String()))
		},
		"dateText": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(dateText(call.Argument(0).ToFloat(), call.Argument(1).String()))
		},
		"nondeterministic": func(call goja.FunctionCall) goja.Value {
			panic(r.nondeterministic(call.Argument(0).String(), call.Argument(1).String()))
		},
	}
}

// localeFunctions are what prelude/locale.js needs.
func (m *Machine) localeFunctions() map[string]native {
	return map[string]native{
		"localeNumber": func(call goja.FunctionCall) goja.Value { return m.realm.vm.ToValue(localeNumber(call.Argument(0))) },
	}
}

// bufferFunctions are what prelude/buffers.js needs.
func (m *Machine) bufferFunctions() map[string]native {
	r := m.realm
	return map[string]native{
		// missing refuses a built-in that is not there, and says what does its work.
		"missing": func(call goja.FunctionCall) goja.Value {
			panic(r.typeError(codeUnsupported, "%s is not supported here; %s", call.Argument(0).String(), call.Argument(1).String()))
		},
		"detached": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(r.buffer(call.Argument(0)).Detached()) },
		"transfer": func(call goja.FunctionCall) goja.Value {
			from, to := r.buffer(call.Argument(0)), r.buffer(call.Argument(1))
			copy(to.Bytes(), from.Bytes())
			from.Detach()
			return goja.Undefined()
		},
		"fromHalf": func(call goja.FunctionCall) goja.Value {
			return r.vm.ToValue(fromHalf(uint16(call.Argument(0).ToInteger())))
		},
		"toHalf": func(call goja.FunctionCall) goja.Value { return r.vm.ToValue(int(toHalf(call.Argument(0).ToFloat()))) },
	}
}

var typeBuffer = reflect.TypeFor[goja.ArrayBuffer]()

// buffer takes an ArrayBuffer for what it is. What is none is not looked into: that would run its code.
func (r *realm) buffer(v goja.Value) goja.ArrayBuffer {
	if o, ok := v.(*goja.Object); ok && o.ExportType() == typeBuffer {
		return o.Export().(goja.ArrayBuffer)
	}
	panic(r.vm.NewTypeError("this is no ArrayBuffer"))
}

// part gives the bytes of a buffer, an offset and a length that begin at argument i; without these two it is the whole buffer. There is none
// of a buffer that was transferred.
func (r *realm) part(call goja.FunctionCall, i int) []byte {
	all := r.buffer(call.Argument(i)).Bytes()
	if goja.IsUndefined(call.Argument(i + 1)) {
		return all
	}
	start := min(int(call.Argument(i+1).ToInteger()), len(all))
	return all[start:min(start+int(call.Argument(i+2).ToInteger()), len(all))]
}

// localeNumber writes a number as en-US does: groups of three digits, and at most three after the point, the last one rounded half up.
func localeNumber(v goja.Value) string {
	if n, ok := v.Export().(*big.Int); ok {
		return grouped(n.String())
	}
	x := v.ToFloat()
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'f', -1, 64), ".")
	if len(fraction) > 3 {
		digits, _ := new(big.Int).SetString(whole+fraction[:3], 10)
		if fraction[3] >= '5' {
			digits.Add(digits, big.NewInt(1))
		}
		all := digits.String()
		all = strings.Repeat("0", max(0, 4-len(all))) + all
		whole, fraction = all[:len(all)-3], all[len(all)-3:]
	}
	fraction = strings.TrimRight(fraction, "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	if math.Signbit(x) {
		whole = "-" + whole
	}
	return grouped(whole) + fraction
}

// grouped puts commas between groups of three digits.
func grouped(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	var out strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(c)
	}
	return sign + out.String()
}

// fromHalf is the number that 16 bits of IEEE 754 binary16 stand for.
func fromHalf(bits uint16) float64 {
	sign, exponent, fraction := float64(1-2*int(bits>>15)), int(bits>>10&0x1F), float64(bits&0x3FF)
	switch exponent {
	case 0:
		return math.Copysign(math.Ldexp(fraction, -24), sign)
	case 0x1F:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1+fraction/1024, exponent-15)
}

// toHalf gives the bits of the nearest number of binary16.
func toHalf(x float64) uint16 {
	sign := uint16(0)
	if math.Signbit(x) {
		sign = 0x8000
	}
	x = math.Abs(f16round(x))
	switch {
	case math.IsNaN(x):
		return 0x7E00
	case math.IsInf(x, 0):
		return sign | 0x7C00
	case x < math.Ldexp(1, -14):
		return sign | uint16(math.Ldexp(x, 24))
	}
	fraction, exponent := math.Frexp(x)
	return sign | uint16(exponent+14)<<10 | uint16((fraction*2-1)*1024)
}
