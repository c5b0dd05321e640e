package vm

import (
	"reflect"

	"github.com/dop251/goja"
)

// kind says what an object is, as far as the border cares. Nothing of the script can
// change the answer, and finding it runs none of the script's code.
type kind string

const (
	kindPlain    kind = "a plain object"
	kindArray    kind = "an array"
	kindProxy    kind = "a Proxy"
	kindFunction kind = "a function"
	kindError    kind = "an error"
	kindPromise  kind = "a promise"
	kindDate     kind = "a Date"
	kindMap      kind = "a Map"
	kindSet      kind = "a Set"
	kindRegExp   kind = "a regular expression"
	kindInstance kind = "a class instance"
	kindOther    kind = "an object of a special kind"
)

func (k kind) advice() string {
	switch k {
	case kindPromise:
		return "; await it first"
	case kindDate:
		return "; write it as a text with toISOString()"
	case kindError:
		return "; write its message"
	case kindMap:
		return "; write it with Object.fromEntries()"
	case kindSet:
		return "; write it with Array.from()"
	case kindInstance:
		return "; copy it into a plain object"
	default:
		return ""
	}
}

// What goja would export an object as tells its inner kind; its class name alone does not.
var (
	typePlain   = reflect.TypeFor[map[string]any]()
	typeArray   = reflect.TypeFor[[]any]()
	typeMap     = reflect.TypeFor[[][2]any]()
	typeProxy   = reflect.TypeFor[goja.Proxy]()
	typePromise = reflect.TypeFor[*goja.Promise]()
)

func (r *realm) kind(o *goja.Object) kind {
	inner := o.ExportType()
	switch {
	case inner == typeProxy:
		return kindProxy
	case inner == typePromise:
		return kindPromise
	case inner.Kind() == reflect.Func:
		return kindFunction
	}
	switch o.ClassName() {
	case "Object":
		return r.kindOfObject(o, inner)
	case "Array":
		if inner != typeArray || o.Prototype() != r.arrayProto {
			return kindInstance
		}
		return kindArray
	case "Error":
		return kindError
	case "Date":
		return kindDate
	case "RegExp":
		return kindRegExp
	default:
		return kindOther
	}
}

func (r *realm) kindOfObject(o *goja.Object, inner reflect.Type) kind {
	switch inner {
	case typePlain:
		if proto := o.Prototype(); proto != nil && proto != r.objectProto {
			return kindInstance
		}
		return kindPlain
	case typeMap:
		return kindMap
	case typeArray:
		return kindSet
	default:
		return kindOther
	}
}
