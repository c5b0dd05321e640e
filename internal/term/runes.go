package term

import "unicode"

// The escape marker. Both halves are always escaped in untrusted text, so that a marker in
// our output is ours.
const (
	markOpen  = '‹'
	markClose = '›'
)

// maxStack is how many combining marks may stand on one base before they are escaped: more
// of them grow over the lines above and below. Vietnamese needs two, pointed Hebrew three.
const maxStack = 4

// controlNames are the names of U+0000 to U+001F (Unicode, Control Pictures).
var controlNames = [32]string{
	"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
	"DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
}

// blank are characters that count as printable and yet leave an empty place.
var blank = map[rune]bool{
	0x2800:  true, // braille pattern blank
	0xFFFC:  true, // object replacement
	0x13441: true, // Egyptian full blank
	0x13442: true, // Egyptian half blank
	0x1D159: true, // musical null notehead
}

// overlays strike through, or put a frame around, the character before them: they make text
// look deleted that is not. (Enclosing marks, category Me, are treated alike.)
var overlays = map[rune]bool{
	0x0334: true, 0x0335: true, 0x0336: true, 0x0337: true, 0x0338: true, 0x20D2: true, 0x20D3: true,
	0x20D8: true, 0x20D9: true, 0x20DA: true, 0x20E5: true, 0x20E6: true, 0x20EA: true, 0x20EB: true,
}

// shown reports whether r may be printed as it is, apart from what stands before it. What is
// not printable by Unicode's word (controls, formats such as bidi and zero-width, private
// use, unassigned, every space but U+0020) is not; nor is what a screen may draw as nothing.
func shown(r rune) bool {
	if r < 0x7F {
		return r >= ' '
	}
	switch {
	case r == markOpen || r == markClose, !unicode.IsPrint(r), blank[r], overlays[r]:
		return false
	case unicode.In(r, unicode.Me, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return false
	}
	return true
}

// bidi reports whether r sets the direction of text.
func bidi(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C
}

// rightToLeft reports whether r is a letter of a script that is written from the right.
func rightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF && unicode.IsLetter(r) ||
		r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}
