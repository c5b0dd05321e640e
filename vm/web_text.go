package vm

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
)

// utf8Labels are the names of UTF-8 in the Encoding standard, section 4.2.
var utf8Labels = []string{"unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"}

func itoa(i int) string { return strconv.Itoa(i) }

// atob is forgiving-base64 decode (Infra standard, section 7).
func atob(data string) ([]byte, bool) {
	data = strings.Map(func(c rune) rune {
		if strings.ContainsRune("\t\n\f\r ", c) {
			return -1
		}
		return c
	}, data)
	if len(data)%4 == 0 {
		data = strings.TrimSuffix(strings.TrimSuffix(data, "="), "=")
	}
	if len(data)%4 == 1 || strings.ContainsAny(data, "=\r\n") {
		return nil, false
	}
	decoded, err := base64.RawStdEncoding.DecodeString(data)
	return decoded, err == nil
}

// latin1 is a text with one character for each byte.
func latin1(bytes []byte) string {
	runes := make([]rune, len(bytes))
	for i, b := range bytes {
		runes[i] = rune(b)
	}
	return string(runes)
}

func bytesOfLatin1(text string) ([]byte, bool) {
	var bytes []byte
	for _, c := range text {
		if c > 0xFF {
			return nil, false
		}
		bytes = append(bytes, byte(c))
	}
	return bytes, true
}

// decodeUTF8 is UTF-8 decode (Encoding standard, section 8.1): each maximal part of a sequence that
// is wrong becomes one U+FFFD, or, if fatal, there is no text.
func decodeUTF8(bytes []byte, fatal, keepBOM bool) (string, bool) {
	if !keepBOM && len(bytes) >= 3 && string(bytes[:3]) == "\uFEFF" {
		bytes = bytes[3:]
	}
	if utf8.Valid(bytes) {
		return string(bytes), true
	}
	if fatal {
		return "", false
	}
	var out strings.Builder
	for len(bytes) > 0 {
		c, size := utf8.DecodeRune(bytes)
		if c == utf8.RuneError && size <= 1 {
			size = wrongPart(bytes)
		}
		out.WriteRune(c)
		bytes = bytes[size:]
	}
	return out.String(), true
}

// wrongPart is the length of the longest beginning of bytes that begins a character, at least 1.
func wrongPart(bytes []byte) int {
	low, high, want := byte(0x80), byte(0xBF), 0
	switch b := bytes[0]; {
	case b >= 0xC2 && b <= 0xDF:
		want = 1
	case b >= 0xE0 && b <= 0xEF:
		want = 2
		if b == 0xE0 {
			low = 0xA0
		} else if b == 0xED {
			high = 0x9F
		}
	case b >= 0xF0 && b <= 0xF4:
		want = 3
		if b == 0xF0 {
			low = 0x90
		} else if b == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n <= want && n < len(bytes) && bytes[n] >= low && bytes[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}

// formParse reads application/x-www-form-urlencoded (URL standard, section 5.1): names and values
// in turn.
func formParse(text string) []string {
	var pairs []string
	for part := range strings.SplitSeq(text, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		for _, half := range []string{name, value} {
			decoded, _ := decodeUTF8(unescapePercent(strings.ReplaceAll(half, "+", " ")), false, true)
			pairs = append(pairs, decoded)
		}
	}
	return pairs
}

// unescapePercent leaves what is no percent sign with two hex digits as it is.
func unescapePercent(text string) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if b, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(b))
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

// formText writes application/x-www-form-urlencoded (URL standard, section 5.2).
func formText(pairs []string) string {
	var out strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			out.WriteByte('&')
		}
		out.WriteString(escapeForm(pairs[i]) + "=" + escapeForm(pairs[i+1]))
	}
	return out.String()
}

func escapeForm(text string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(text) {
		switch b := text[i]; {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', strings.IndexByte("*-._", b) >= 0:
			out.WriteByte(b)
		case b == ' ':
			out.WriteByte('+')
		default:
			out.Write([]byte{'%', digits[b>>4], digits[b&15]})
		}
	}
	return out.String()
}

// formSort sorts pairs by their names' UTF-16 units; those of one name keep their order.
func formSort(pairs []string) []string {
	type pair struct {
		units       []uint16
		name, value string
	}
	var list []pair
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, pair{utf16.Encode([]rune(pairs[i])), pairs[i], pairs[i+1]})
	}
	slices.SortStableFunc(list, func(a, b pair) int { return slices.Compare(a.units, b.units) })
	sorted := make([]string, 0, len(pairs))
	for _, p := range list {
		sorted = append(sorted, p.name, p.value)
	}
	return sorted
}

// urlParts are the members of a URL object (URL standard, section 6.1).
var urlParts = map[string]struct {
	get func(*url.Url) string
	set func(*url.Url, string)
}{
	"origin":   {get: origin},
	"protocol": {(*url.Url).Protocol, (*url.Url).SetProtocol},
	"username": {(*url.Url).Username, (*url.Url).SetUsername},
	"password": {(*url.Url).Password, (*url.Url).SetPassword},
	"host":     {(*url.Url).Host, (*url.Url).SetHost},
	"hostname": {(*url.Url).Hostname, (*url.Url).SetHostname},
	"port":     {(*url.Url).Port, (*url.Url).SetPort},
	"pathname": {(*url.Url).Pathname, (*url.Url).SetPathname},
	"search":   {(*url.Url).Search, (*url.Url).SetSearch},
	"hash":     {(*url.Url).Hash, (*url.Url).SetHash},
}

// signed is a host whose last label the library would read as a number with a sign, which no part of an IPv4 address has.
var signed = regexp.MustCompile(`(?i)(?:^|\.)(?:0x?)?[+-][0-9a-f]*\.?$`)

// urls gives what parses one URL, and what is set on it. The last label of a host that is no number gets letters behind it
// while it is parsed.
func urls() url.Parser {
	const letters = "zz"
	marked := false
	return url.NewParser(
		url.WithPreParseHostFunc(func(u *url.Url, host string) string {
			_, special := specialSchemes[u.Protocol()]
			if marked = special && signed.MatchString(host); !marked {
				return host
			}
			name, dot := withoutDot(host)
			return name + letters + dot
		}),
		url.WithPostParseHostFunc(func(_ *url.Url, host string) string {
			if !marked {
				return host
			}
			name, dot := withoutDot(host)
			return strings.TrimSuffix(name, letters) + dot
		}),
	)
}

// specialSchemes are those of the URL standard, section 4.2.
var specialSchemes = map[string]bool{"http:": true, "https:": true, "ws:": true, "wss:": true, "ftp:": true, "file:": true}

// withoutDot cuts off the dot of a fully qualified name.
func withoutDot(host string) (name, dot string) {
	name, found := strings.CutSuffix(host, ".")
	if found {
		dot = "."
	}
	return name, dot
}

// origin is the serialized origin (URL standard, section 4.7).
func origin(u *url.Url) string {
	switch u.Protocol() {
	case "http:", "https:", "ftp:", "ws:", "wss:":
		return u.Protocol() + "//" + u.Host()
	case "blob:":
		if inner, err := urls().Parse(u.Pathname()); err == nil && (inner.Protocol() == "http:" || inner.Protocol() == "https:") {
			return origin(inner)
		}
	}
	return "null"
}
