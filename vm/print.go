package vm

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// printer writes any value as a line for people, without running code of the script: plain data as
// JSON, and the rest so that one can see what it is.
type printer struct {
	realm *realm
	out   strings.Builder
	limit int
	above []*goja.Object
}

// maxPrintDepth is how deep a log line looks into a value.
const maxPrintDepth = 32

// print gives v as text of about limit bytes at most.
func (r *realm) print(v goja.Value, limit int) string {
	p := &printer{realm: r, limit: limit}
	if s, ok := v.(goja.String); ok {
		p.write(s.String())
	} else {
		p.value(v)
	}
	return clip(strings.ToValidUTF8(p.out.String(), "\uFFFD"), limit)
}

// clip cuts text at a character's end and says so.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := strings.ToValidUTF8(text[:limit], "")
	return cut + "… (cut: " + strconv.Itoa(len(text)-len(cut)) + " more bytes)"
}

func (p *printer) full() bool { return p.out.Len() > p.limit }

func (p *printer) write(text string) { p.out.WriteString(text) }

func (p *printer) value(v goja.Value) {
	switch v := v.(type) {
	case nil:
		p.write("undefined")
		return
	case *goja.Object:
		p.object(v)
		return
	case goja.String:
		p.write(quoteJSON(v.String()))
		return
	case *goja.Symbol:
		p.write("Symbol(" + v.String() + ")")
		return
	}
	if n, ok := v.Export().(*big.Int); ok {
		p.write(n.String() + "n")
		return
	}
	p.write(v.String())
}

func (p *printer) object(o *goja.Object) {
	if p.full() {
		return
	}
	for _, ancestor := range p.above {
		if ancestor == o {
			p.write("[Circular]")
			return
		}
	}
	if len(p.above) >= maxPrintDepth {
		p.write("…")
		return
	}
	p.above = append(p.above, o)
	defer func() { p.above = p.above[:len(p.above)-1] }()

	switch kind := p.realm.kind(o); kind {
	case kindArray:
		p.list(o)
	case kindPlain, kindInstance:
		p.members(o)
	case kindError:
		p.write(p.realm.errorText(o))
	case kindProxy:
		p.write("[Proxy]")
	case kindPromise:
		p.write("[Promise]")
	case kindFunction:
		name, _ := p.realm.ownString(o, "name")
		p.write("[Function " + clip(name, 100) + "]")
	case kindDate:
		if t, ok := o.Export().(time.Time); ok {
			p.write(t.UTC().Format(isoMilliseconds))
		} else {
			p.write("Invalid Date")
		}
	case kindMap:
		p.write("[Map]")
	case kindSet:
		p.write("[Set]")
	case kindRegExp:
		p.write("[RegExp]")
	case kindOther:
		p.write("[Object]")
	}
}

func (p *printer) members(o *goja.Object) {
	p.write("{")
	for i, key := range o.Keys() {
		if i > 0 {
			p.write(",")
		}
		if p.full() {
			break
		}
		p.write(quoteJSON(key) + ":")
		p.property(o, key)
	}
	p.write("}")
}

func (p *printer) list(o *goja.Object) {
	p.write("[")
	next := 0
	for _, key := range o.Keys() {
		index, err := strconv.Atoi(key)
		if err != nil || p.full() {
			break
		}
		if next > 0 || index > 0 {
			p.write(",")
		}
		if index > next {
			p.write("(" + strconv.Itoa(index-next) + " holes),")
		}
		p.property(o, key)
		next = index + 1
	}
	p.write("]")
}

func (p *printer) property(o *goja.Object, key string) {
	if v, ok := p.realm.own(o, key); ok {
		p.value(v)
	} else {
		p.write("[Getter]")
	}
}

// maxMessage bounds the message of an error that leaves the machine.
const maxMessage = 8 << 10

// errorText gives "Name: message" of an error object, and its causes. A name or message
// that is an accessor is not read.
func (r *realm) errorText(o *goja.Object) string {
	var text strings.Builder
	for depth := 0; o != nil && depth < 8; depth++ {
		if depth > 0 {
			text.WriteString("; caused by ")
		}
		name := r.inherited(o, "name", "Error")
		message := r.inherited(o, "message", "")
		switch {
		case message == "":
			text.WriteString(clip(name, maxMessage))
		case name == "":
			text.WriteString(clip(message, maxMessage))
		default:
			text.WriteString(clip(name, maxMessage) + ": " + clip(message, maxMessage))
		}
		text.WriteString(r.listText(o))
		cause, _ := r.own(o, "cause")
		next, ok := cause.(*goja.Object)
		if !ok || r.kind(next) != kindError {
			break
		}
		o = next
	}
	return strings.ToValidUTF8(text.String(), "\uFFFD")
}

// maxListed is how many errors of an AggregateError are written out.
const maxListed = 3

// listText gives the first errors of an AggregateError, which mostly has no message of its own.
func (r *realm) listText(o *goja.Object) string {
	v, _ := r.own(o, "errors")
	list := object(v)
	if list == nil || r.kind(list) != kindArray {
		return ""
	}
	n := r.length(list)
	var text strings.Builder
	for i := range min(n, maxListed) {
		text.WriteString([...]string{": ", ", ", ", "}[i])
		if v, _ := r.own(list, strconv.Itoa(i)); object(v) != nil && r.kind(object(v)) == kindError {
			text.WriteString(clip(r.inherited(object(v), "name", "Error"), maxMessage) + ": " + clip(r.inherited(object(v), "message", ""), maxMessage))
		} else {
			text.WriteString(r.describe(v))
		}
	}
	if n > maxListed {
		text.WriteString(", and " + strconv.Itoa(n-maxListed) + " more")
	}
	return text.String()
}

// inherited reads a string property along the prototypes, without running code.
func (r *realm) inherited(o *goja.Object, key, otherwise string) string {
	for depth := 0; o != nil && depth < 100 && r.kind(o) != kindProxy; depth++ {
		v, ok := r.own(o, key)
		if !ok {
			return otherwise
		}
		if s, isText := v.(goja.String); isText {
			return s.String()
		}
		o = o.Prototype()
	}
	return otherwise
}

// describe says in a few words what a value is, for messages.
func (r *realm) describe(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if ok {
		return string(r.kind(o))
	}
	p := &printer{realm: r, limit: 80}
	p.value(v)
	return clip(strings.ToValidUTF8(p.out.String(), "\uFFFD"), 80)
}
