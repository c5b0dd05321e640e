package vm

import (
	"math"
	"math/big"
	"reflect"
	"strconv"

	"github.com/dop251/goja"
)

// stringifier is JSON.stringify (ECMA-262, 25.5.2). goja's own recurses on the host's stack without a
// bound, and that stack cannot be caught when it overflows; this one has a limit on depth and size.
// Unlike the border it runs the script's code: accessors, toJSON, a replacer.
type stringifier struct {
	realm    *realm
	replacer goja.Value // a function, or nil
	only     []string   // property list, if hasOnly
	hasOnly  bool
	gap      string
	out      []byte
	above    []*goja.Object
	indent   string
}

// stringify gives the text as a value, or undefined.
func (r *realm) stringify(call goja.FunctionCall) goja.Value {
	s := &stringifier{realm: r}
	s.readReplacer(call.Argument(1))
	s.readGap(call.Argument(2))
	holder := r.vm.NewObject()
	r.define(holder, "", call.Argument(0))
	if !s.property(holder, "", call.Argument(0)) {
		return goja.Undefined()
	}
	return r.vm.ToValue(string(s.out))
}

func (s *stringifier) readReplacer(v goja.Value) {
	o, ok := v.(*goja.Object)
	if !ok {
		return
	}
	if _, callable := goja.AssertFunction(o); callable {
		s.replacer = o
		return
	}
	if !s.realm.isArray(o) {
		return
	}
	s.hasOnly = true
	seen := map[string]bool{}
	for i := range s.realm.length(o) {
		item := o.Get(strconv.Itoa(i))
		key, ok := "", false
		switch item := item.(type) {
		case goja.String:
			key, ok = wtf8(item), true
		case *goja.Object:
			if class := item.ClassName(); class == "String" || class == "Number" {
				key, ok = item.String(), true
			}
		case nil:
		default:
			switch item.Export().(type) {
			case int64, float64:
				key, ok = item.String(), true
			}
		}
		if ok && !seen[key] {
			seen[key] = true
			s.only = append(s.only, key)
		}
	}
}

func (s *stringifier) readGap(v goja.Value) {
	if o, ok := v.(*goja.Object); ok {
		switch o.ClassName() {
		case "Number":
			v = o.ToNumber()
		case "String":
			v = o.ToString()
		}
	}
	if text, ok := v.(goja.String); ok {
		if text.Length() > 10 {
			text = text.Substring(0, 10)
		}
		s.gap = text.String()
		return
	}
	switch v.Export().(type) {
	case int64, float64:
		n := min(v.ToInteger(), 10)
		for range n {
			s.gap += " "
		}
	}
}

// property writes one member's value; false means that it is to be left out.
func (s *stringifier) property(holder *goja.Object, key string, v goja.Value) bool {
	if limit := s.realm.limits.String; len(s.out) > limit {
		panic(s.realm.limitError(codeString, "JSON.stringify: the text is longer than %d bytes", limit))
	}
	s.convert(holder, key, &v)
	switch v := v.(type) {
	case nil, *goja.Symbol:
		return false
	case goja.String:
		s.out = appendQuoted(s.out, wtf8(v))
		return true
	case *goja.Object:
		if _, callable := goja.AssertFunction(v); callable {
			return false
		}
		s.nested(v)
		return true
	}
	switch n := v.Export().(type) {
	case nil:
		if goja.IsUndefined(v) {
			return false
		}
		s.out = append(s.out, "null"...)
	case bool:
		s.out = strconv.AppendBool(s.out, n)
	case *big.Int:
		panic(s.realm.vm.NewTypeError("Do not know how to serialize a BigInt"))
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			s.out = append(s.out, "null"...)
		} else {
			s.out = append(s.out, v.String()...)
		}
	default:
		s.out = append(s.out, v.String()...)
	}
	return true
}

// convert applies toJSON and the replacer, and opens boxed values.
func (s *stringifier) convert(holder *goja.Object, key string, v *goja.Value) {
	toJSON := goja.Value(nil)
	switch value := (*v).(type) {
	case *goja.Object:
		toJSON = value.Get("toJSON")
	case nil:
	default:
		if _, isBig := value.Export().(*big.Int); isBig {
			toJSON = value.ToObject(s.realm.vm).Get("toJSON")
		}
	}
	if _, callable := goja.AssertFunction(toJSON); callable {
		*v = s.realm.call(toJSON, *v, s.realm.stringValue(key))
	}
	if s.replacer != nil {
		argument := *v
		if argument == nil {
			argument = goja.Undefined()
		}
		*v = s.realm.call(s.replacer, holder, s.realm.stringValue(key), argument)
	}
	if o, ok := (*v).(*goja.Object); ok {
		switch o.ClassName() {
		case "Number":
			*v = o.ToNumber()
		case "String":
			*v = o.ToString()
		case "Boolean":
			*v = s.realm.unbox(o)
		default:
			if o.ExportType() == typeBigInt {
				*v = s.realm.unbox(o)
			}
		}
	}
}

func (s *stringifier) nested(o *goja.Object) {
	for _, ancestor := range s.above {
		if ancestor == o {
			panic(s.realm.vm.NewTypeError("Converting circular structure to JSON"))
		}
	}
	if limit := s.realm.limits.JSONDepth; len(s.above) >= limit {
		panic(s.realm.limitError(codeJSONDepth, "JSON.stringify: the value nests deeper than %d", limit))
	}
	s.above = append(s.above, o)
	outer := s.indent
	s.indent += s.gap
	first := true
	item := func() {
		if !first {
			s.out = append(s.out, ',')
		}
		first = false
		if s.gap != "" {
			s.out = append(append(s.out, '\n'), s.indent...)
		}
	}
	end := func(closing byte) {
		if !first && s.gap != "" {
			s.out = append(append(s.out, '\n'), outer...)
		}
		s.out = append(s.out, closing)
	}
	if s.realm.isArray(o) {
		s.out = append(s.out, '[')
		for i := range s.realm.length(o) {
			item()
			key := strconv.Itoa(i)
			if !s.property(o, key, o.Get(key)) {
				s.out = append(s.out, "null"...)
			}
		}
		end(']')
	} else {
		s.out = append(s.out, '{')
		keys := s.only
		if !s.hasOnly {
			keys = s.realm.keys(o)
		}
		for _, key := range keys {
			v, mark := s.realm.get(o, key), len(s.out)
			wasFirst := first
			item()
			s.out = append(appendQuoted(s.out, key), ':')
			if s.gap != "" {
				s.out = append(s.out, ' ')
			}
			if !s.property(o, key, v) {
				s.out, first = s.out[:mark], wasFirst
			}
		}
		end('}')
	}
	s.indent = outer
	s.above = s.above[:len(s.above)-1]
}

// call calls a function of the script from a built-in, as goja's own built-ins do.
func (r *realm) call(f, this goja.Value, args ...goja.Value) goja.Value {
	if direct, ok := f.Export().(func(goja.FunctionCall) goja.Value); ok {
		return direct(goja.FunctionCall{This: this, Arguments: args})
	}
	items := make([]any, len(args))
	for i, arg := range args {
		items[i] = arg
	}
	return r.applyNative(goja.FunctionCall{Arguments: []goja.Value{f, this, r.vm.NewArray(items...)}})
}

func (r *realm) isArray(v goja.Value) bool {
	return r.isArrayNative(goja.FunctionCall{Arguments: []goja.Value{v}}).ToBoolean()
}

func (r *realm) length(o *goja.Object) int {
	n := o.Get("length")
	if n == nil {
		return 0
	}
	return int(max(n.ToInteger(), 0))
}

var typeBigInt = reflect.TypeFor[*big.Int]()

// unbox gives the primitive in a boxed Boolean or BigInt.
func (r *realm) unbox(o *goja.Object) goja.Value {
	return r.vm.ToValue(o.Export())
}
