package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// URL.parse says null of a text that is no URL, and nothing of what fails before there is a text.
func TestURLParseDoesNotHideErrors(t *testing.T) {
	t.Parallel()
	require.Equal(t, `[null,"http://a.b/c/x",null]`, eval(t, `[URL.parse("no"), URL.parse("x", "http://a.b/c/").href, URL.parse("x", "no")]`))
	require.Equal(t, "RangeError undefined: r", caught(t, `URL.parse({toString() { throw new RangeError("r") }})`))
	require.Equal(t, "RangeError undefined: r", caught(t, `URL.parse("x", {toString() { throw new RangeError("r") }})`))
}

// A buffer that was transferred has nothing to give: neither bytes nor room.
func TestTransferredBuffersInWebHelpers(t *testing.T) {
	t.Parallel()
	const gone = `const bytes = new Uint8Array(4); bytes.buffer.transfer();`
	require.Equal(t, `{"read":0,"written":0}`, play(t, gone+`return new TextEncoder().encodeInto("ab", bytes)`).result())
	require.Equal(t, `""`, play(t, gone+`return new TextDecoder().decode(bytes)`).result())
	require.Equal(t, `"DataCloneError"`, play(t, gone+`try { structuredClone(bytes) } catch (e) { return e.name }`).result())
}

// What is no buffer is refused as it is: nothing of it is read, however deep it is.
func TestBuffersDoNotLookIntoOthers(t *testing.T) {
	t.Parallel()
	require.Equal(t, `["TypeError","TypeError",[]]`, play(t, `
		const seen = [];
		let deep = {get a() { seen.push("a") }};
		for (let i = 0; i < 100000; i++) deep = {deep};
		const fails = (f) => { try { f() } catch (e) { return e.name } };
		return [fails(() => ArrayBuffer.prototype.slice.call(deep)), fails(() => new TextDecoder().decode(deep)), seen]`).result())
}
