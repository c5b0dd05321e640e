package vm

import (
	"math/big"
	"reflect"
	"strings"

	"github.com/dop251/goja"
)

// cloneKinds are the engine's own types of what structuredClone can copy. What is not here has inner state that a copy would not
// have: a generator, an iterator, a WeakMap, a promise, a Proxy.
var cloneKinds = map[string]string{
	"baseObject": "Object", "templatedObject": "Object", "guardedObject": "Object",
	"arrayObject": "Array", "sparseArrayObject": "Array", "templatedArrayObject": "Array",
	"errorObject": "Error", "dateObject": "Date", "regexpObject": "RegExp", "mapObject": "Map", "setObject": "Set",
	"arrayBufferObject": "ArrayBuffer", "dataViewObject": "DataView", "typedArrayObject": "TypedArray", "stringObject": "String",
}

// cloneKind is what an object is for structuredClone; "" is one that cannot be cloned. goja tells classes apart
// by the type of what it keeps behind an object, and by nothing that it exports.
func (r *realm) cloneKind(o *goja.Object) string {
	if o == r.vm.GlobalObject() {
		return ""
	}
	inner := reflect.ValueOf(o).Elem().FieldByName("self").Elem().Type().String()
	name := strings.TrimPrefix(inner, "*goja.")
	if name == "primitiveValueObject" {
		switch o.Export().(type) {
		case bool:
			return "Boolean"
		case int64, float64:
			return "Number"
		case *big.Int:
			return "BigInt"
		}
		return "" // a symbol
	}
	kind := cloneKinds[name]
	if kind == "Object" && o.ClassName() != "Object" {
		return "" // a list of arguments
	}
	return kind
}
