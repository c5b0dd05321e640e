// Package canonical turns JSON into the one text that is hashed (promise P4).
//
// The form is that of RFC 8785: no white space, members sorted by the UTF-16 code units of
// their names, numbers and strings as ECMAScript writes them. Two values that are equal as
// JSON have the same text, and so the same SHA-256, whatever order or spelling they came in.
//
// RFC 8785 speaks of I-JSON only (RFC 7493), so a text is checked before it is transformed.
// Refused, with the path of the value at fault:
//
//   - bytes that are not UTF-8, and escapes of one half of a surrogate pair;
//   - two members of one object that have the same name;
//   - a number beyond the range of a double, such as 1e400;
//   - more than MaxDepth arrays and objects inside each other;
//   - anything before or after the one value.
//
// Paths look like $.steps[2].file; a name that is no identifier is quoted, as in $["a b"].
// The path of a bad name is that of its object.
//
// This is the only package that knows which library implements RFC 8785.
package canonical
