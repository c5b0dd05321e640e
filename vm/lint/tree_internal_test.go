package lint

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/dop251/goja/ast"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// everywhere calls f in each place where an expression can stand.
const everywhere = `export const meta = { name: "n", description: "d" };
const f = (...x) => x;
const { a = f(1), [f(2)]: b, c: { d = f(3) } = f(4), ...e } = f(5), [g = f(6), ...h] = f(7);
let i; i = f(8); i += f(9); [i = f(10), i[f(11)]] = f(12); ({ i = f(13), [f(14)]: i.x, j: i.y = f(15) } = f(16)); i[f(17)] = f(18);
for (let k = f(19); f(20); f(21)) { f(22); break }
for (var m = f(23); ; ) { break }
for (i = f(24); ; ) { break }
for (const [n = f(25)] of f(26)) f(27);
for (i[f(28)] of f(29)) f(30);
for (var { o = f(31) } of f(32)) f(33);
for (const p in f(34)) f(35);
while (f(36)) { f(37); break }
do { f(38) } while (f(39) && false);
if (f(40)) f(41); else f(42);
switch (f(43)) { case f(44): f(45); default: f(46) }
label: { f(47); break label }
try { f(48) } catch ({ q = f(49) }) { f(50) } finally { f(51) }
class A extends (f(52), Object) { [f(53)] = f(54); static r = f(55); #s = f(56); [f(57)]() { return f(58) } get t() { return f(59) } static { f(60) } constructor(u = f(61)) { super(f(62)); this.#s = f(63) } }
class B { static async *v(w = f(64)) { yield f(65); yield* f(66); await f(67) } }
const x = function named(y = f(68)) { return f(69) }, z = async ([aa = f(70)]) => f(71), bb = ({ cc = f(72) }) => { throw f(73) };
f(f(74), ...f(75)); new (f(76))(f(77)); f(78)?.[f(79)]?.(f(80)); f(81) ? f(82) : f(83); f(84) ?? f(85); [f(86), , ...f(87)];
({ dd: f(88), [f(89)]: f(90), ee() { f(91) }, get ff() { return f(92) }, ...f(93) }); -f(94); typeof f(95); (f(96), f(97)); f(98).gg.hh; !f(99);
` + "`${f(100)}`; f(101)`${f(102)}`;" + `
async function ii(jj = f(103)) { for await (const kk of f(104)) { await using ll = f(105) } }
function* mm() { yield f(106) }
return f(107);`

// The tree has every call that the engine's own tree has.
func TestTreeHasEveryCall(t *testing.T) {
	t.Parallel()
	checked := vm.Check(fstest.MapFS{"s.js": {Data: []byte(everywhere)}}, "s.js")
	require.Empty(t, checked.Refusals)
	s := read(checked, nil)
	calls := 0
	seen := map[uintptr]bool{}
	left := []reflect.Value{reflect.ValueOf(checked.Tree.Body)}
	for len(left) > 0 {
		v := left[len(left)-1]
		left = left[:len(left)-1]
		switch v.Kind() {
		case reflect.Interface:
			if !v.IsNil() {
				left = append(left, v.Elem())
			}
		case reflect.Pointer:
			if v.IsNil() || seen[v.Pointer()] {
				continue
			}
			seen[v.Pointer()] = true
			if call, ok := v.Interface().(*ast.CallExpression); ok {
				calls++
				require.NotNil(t, s.nodes[call], "%+v", call)
			}
			left = append(left, v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				left = append(left, v.Index(i))
			}
		case reflect.Struct:
			if v.Type().PkgPath() != reflect.TypeFor[ast.Program]().PkgPath() {
				continue
			}
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					left = append(left, v.Field(i))
				}
			}
		default: // a text, a number, a position
		}
	}
	require.Greater(t, calls, 107)
	require.NotContains(t, names(s), "f")
}

// names are those of the globals that were found.
func names(s *script) (found []string) {
	for _, n := range s.globals {
		found = append(found, n.syntax.(*ast.Identifier).Name.String())
	}
	return found
}
