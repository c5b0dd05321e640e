package vm

import (
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// The border, outward: a value of the script becomes a JSON text, once, without running any of the script's
// code. Whatever would have to run code to be read (an accessor, a Proxy, a toJSON), or would
// lose something on the way (a Date, a Map, a class instance, a hole), is refused with its path.

// rules says how strict a snapshot is.
type rules struct {
	plan  bool   // a plan: undefined members and numbers that may have lost digits are refused
	code  string // of a refusal
	size  string // of a refusal because of the size
	bytes int    // the largest text
}

// snapshot writes one value. It never changes the value and never runs script code.
type snapshot struct {
	realm *realm
	rules rules
	out   []byte
	above []*goja.Object // the objects that the current one stands in
	// keepUndefined names a member that onMember is told of also if it is undefined.
	keepUndefined string
	// onMember, if set, may write a member in its own way (an approval given as `under`). depth
	// is 1 for a member of the outermost object.
	onMember func(depth int, key string, v goja.Value) ([]byte, *refusal)
}

func (r *realm) planRules() rules {
	return rules{plan: true, code: codePlan, size: codePlanSize, bytes: r.limits.PlanBytes}
}

func (r *realm) valueRules(code string) rules {
	return rules{code: code, size: codeJSONSize, bytes: r.limits.JSONBytes}
}

// snapshot gives the JSON text of v.
func (r *realm) snapshot(v goja.Value, how rules) ([]byte, *refusal) {
	s := &snapshot{realm: r, rules: how}
	return s.text(v)
}

func (s *snapshot) text(v goja.Value) ([]byte, *refusal) {
	if bad := s.value(v); bad != nil {
		return nil, bad
	}
	if len(s.out) > s.rules.bytes {
		return nil, s.tooLong()
	}
	return s.out, nil
}

func (s *snapshot) tooLong() *refusal {
	bad := refuse(s.rules.size, "the JSON text is longer than %d bytes", s.rules.bytes)
	bad.shallow = true
	return bad
}

func (s *snapshot) refuse(format string, args ...any) *refusal {
	return refuse(s.rules.code, format, args...)
}

func (s *snapshot) value(v goja.Value) *refusal {
	if len(s.out) > s.rules.bytes {
		return s.tooLong()
	}
	if v == nil || goja.IsUndefined(v) {
		if s.rules.plan {
			return s.refuse("undefined is not JSON")
		}
		s.out = append(s.out, "null"...)
		return nil
	}
	switch v := v.(type) {
	case *goja.Object:
		return s.object(v)
	case goja.String:
		return s.str(v)
	case *goja.Symbol:
		return s.refuse("a symbol is not JSON")
	}
	switch n := v.Export().(type) {
	case nil:
		s.out = append(s.out, "null"...)
	case bool:
		s.out = strconv.AppendBool(s.out, n)
	case int64:
		return s.number(v, float64(n))
	case float64:
		return s.number(v, n)
	case *big.Int:
		return s.refuse("a BigInt is not JSON; write it as a string")
	default:
		return s.refuse("a value of this kind is not JSON")
	}
	return nil
}

const (
	firstUnsafe = 1 << 53
	firstBeyond = 1 << 64
)

func (s *snapshot) number(v goja.Value, n float64) *refusal {
	switch abs := math.Abs(n); {
	case math.IsNaN(n) || math.IsInf(n, 0):
		return s.refuse("%s is not JSON", v.String())
	case s.rules.plan && abs >= firstUnsafe && abs < firstBeyond:
		return s.refuse("%s is larger than the largest safe integer, and has most likely lost digits; write it as a string", v.String())
	case n == 0:
		s.out = append(s.out, '0') // also -0
	default:
		s.out = append(s.out, v.String()...)
	}
	return nil
}

func (s *snapshot) str(v goja.String) *refusal {
	text := wtf8(v)
	if len(text)+len(s.out) > s.rules.bytes {
		return s.tooLong()
	}
	if !utf8.ValidString(text) {
		return s.refuse("the string holds half of a surrogate pair")
	}
	s.out = appendQuoted(s.out, text)
	return nil
}

func (s *snapshot) object(o *goja.Object) *refusal {
	kind := s.realm.kind(o)
	if kind != kindPlain && kind != kindArray {
		return s.refuse("%s is not JSON%s", kind, kind.advice())
	}
	for _, ancestor := range s.above {
		if ancestor == o {
			return s.refuse("the value contains itself")
		}
	}
	if len(s.above) >= s.realm.limits.JSONDepth {
		code := s.rules.code
		if !s.rules.plan {
			code = codeJSONDepth
		}
		bad := refuse(code, "the value nests deeper than %d", s.realm.limits.JSONDepth)
		bad.shallow = true
		return bad
	}
	if len(o.Symbols()) > 0 {
		return s.refuse("a symbol cannot be a key in JSON")
	}
	s.above = append(s.above, o)
	defer func() { s.above = s.above[:len(s.above)-1] }()
	if kind == kindArray {
		return s.array(o)
	}
	return s.members(o)
}

func (s *snapshot) members(o *goja.Object) *refusal {
	keys := s.realm.keys(o)
	for _, key := range keys {
		if !utf8.ValidString(key) {
			return s.refuse("a key holds half of a surrogate pair")
		}
		if key == "toJSON" && s.realm.hasMethod(o, key) {
			return s.refuse("an object with a toJSON method is not plain data")
		}
	}
	s.out = append(s.out, '{')
	first := true
	for _, key := range keys {
		v, ok := s.realm.own(o, key)
		if !ok {
			return s.refuse("an accessor is not plain data").under(key)
		}
		if goja.IsUndefined(v) && !s.rules.plan && (s.keepUndefined == "" || key != s.keepUndefined) {
			continue
		}
		if !first {
			s.out = append(s.out, ',')
		}
		first = false
		s.out = append(appendQuoted(s.out, key), ':')
		if s.onMember != nil {
			text, bad := s.onMember(len(s.above), key, v)
			if bad != nil {
				return bad.under(key)
			}
			if text != nil {
				s.out = append(s.out, text...)
				continue
			}
		}
		if bad := s.value(v); bad != nil {
			return bad.under(key)
		}
	}
	s.out = append(s.out, '}')
	return nil
}

func (s *snapshot) array(o *goja.Object) *refusal {
	keys := o.Keys()
	length := int(o.Get("length").ToInteger()) // own, and never an accessor
	s.out = append(s.out, '[')
	next := 0
	for i := range length {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		if next >= len(keys) || keys[next] != strconv.Itoa(i) {
			if s.rules.plan {
				return s.refuse("the array has a hole").at(i)
			}
			if bad := s.value(goja.Undefined()); bad != nil {
				return bad.at(i)
			}
			continue
		}
		v, ok := s.realm.own(o, keys[next])
		if !ok {
			return s.refuse("an accessor is not plain data").at(i)
		}
		if bad := s.value(v); bad != nil {
			return bad.at(i)
		}
		next++
	}
	if next < len(keys) {
		return s.refuse("the array has a named property, which JSON would lose").under(keys[next])
	}
	s.out = append(s.out, ']')
	return nil
}
