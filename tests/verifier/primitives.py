"""What verify.py needs below the rules of a journal: JSON that is read without losing how it is
spelled, RFC 8785, and Ed25519."""

import base64
import decimal
import hashlib
import json.decoder
import re


class Fault(Exception):
    """What is wrong with an entry."""


# --- The forms of words ---

HEX = re.compile("[0-9a-f]{64}")
FORMS = {"hex": HEX, "nonce": re.compile("[0-9a-f]{32}"), "name": re.compile("[0-9A-Za-z][0-9A-Za-z-]{,63}"),
         "commit": re.compile("[0-9a-f]{40}|[0-9a-f]{64}"), "branch": re.compile(r"(?!.*\.\.)[0-9A-Za-z][0-9A-Za-z._/-]{,254}"),
         "file": re.compile(r"(?!(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$))[0-9a-z]([0-9a-z._-]{,118}[0-9a-z_-])?")}
RUN = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}")
INT = re.compile("0|-?[1-9][0-9]*")
SECOND = r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})"
AT = re.compile(SECOND + r"\.[0-9]{3}Z")
TIME = re.compile(SECOND + r"(?:\.[0-9]{0,8}[1-9])?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])")

# --- JSON: no library writes it back as it was, so it is scanned in place ---

ESCAPES = {code: "\\u%04x" % code for code in range(0x20)}
ESCAPES.update({ord(c): "\\" + e for c, e in zip('"\\\b\f\n\r\t', '"\\bfnrt')})
ESCAPES_OF_DATA = {**ESCAPES, 0x2028: "\\u2028", 0x2029: "\\u2029"}
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
LITERAL = re.compile("true|false|null")


def string(text, pos, escapes=None):
    """The string at pos and where it ends. With escapes, no other spelling of it is taken."""
    if text[pos:pos + 1] != '"':
        raise Fault("a string is missing at character %d" % pos)
    try:
        value, end = json.decoder.scanstring(text, pos + 1, True)
    except ValueError as e:
        raise Fault(str(e)) from None
    if escapes and not text.startswith('"' + value.translate(escapes) + '"', pos):
        raise Fault("the string at character %d has other escapes than it should" % pos)
    return value, end


def ecmascript(number):
    """The spelling of a number in RFC 8785: that of ECMAScript, for an IEEE 754 double."""
    value = float(number)
    if value in (float("inf"), float("-inf")):
        raise Fault("%s is no double" % number[:40])
    if value == 0:
        return "0"
    sign, digits, exponent = decimal.Decimal(repr(value)).as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent  # where the point stands, counted from before the first digit
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        digits = digits.ljust(point, "0")
    elif 0 < point <= 21:
        digits = digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        digits = "0." + "0" * -point + digits
    else:
        digits = digits[0] + ("." + digits[1:] if digits[1:] else "") + "e%+d" % (point - 1)
    return "-" * sign + digits


def scan(text, pos, canonical=False):
    """The end of the JSON value at pos, which has no white space; canonical: a plan, in RFC 8785 form."""
    deepest = 1000 if canonical else 10000
    escapes = ESCAPES if canonical else None
    stack = []  # of open arrays and objects: the closing bracket, and the last name

    def name(pos):
        value, end = string(text, pos, escapes)
        units = value.encode("utf-16-be", "surrogatepass")
        if canonical and stack[-1][1] is not None and stack[-1][1] >= units:
            raise Fault("the name at character %d is not in its place" % pos)
        stack[-1][1] = units
        if text[end:end + 1] != ":":
            raise Fault("a colon is missing at character %d" % end)
        return end + 1

    while True:
        first = text[pos:pos + 1]
        if first in ("{", "["):
            if len(stack) == deepest:
                raise Fault("arrays and objects are nested too deeply")
            close = "}" if first == "{" else "]"
            pos += 1
            if text[pos:pos + 1] != close:
                stack.append([close, None])
                pos = name(pos) if close == "}" else pos
                continue
            pos += 1
        elif first == '"':
            pos = string(text, pos, escapes)[1]
        else:
            match = NUMBER.match(text, pos) or LITERAL.match(text, pos)
            if not match:
                raise Fault("no value at character %d" % pos)
            if canonical and match.re is NUMBER and match[0] != ecmascript(match[0]):
                raise Fault("%s is not how RFC 8785 spells it" % match[0][:40])
            pos = match.end()
        while stack and text[pos:pos + 1] == stack[-1][0]:
            stack.pop()
            pos += 1
        if not stack:
            return pos
        if text[pos:pos + 1] != ",":
            raise Fault("a comma or a bracket is missing at character %d" % pos)
        pos = name(pos + 1) if stack[-1][0] == "}" else pos + 1


# --- Ed25519, RFC 8032, for where the cryptography package is not installed ---

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    """The sum of two points of the curve, as (X, Y, Z, T)."""
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    x, y, z, t = f - e, h - g, h + g, f + e
    return x * y % P, z * t % P, y * z % P, x * t % P


def times(n, point):
    total = (0, 1, 1, 0)
    for bit in bin(n)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, point)
    return total


def point_of(encoded):
    number = int.from_bytes(encoded, "little")
    y, odd = number & (1 << 255) - 1, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or x == 0 and odd:
        raise ValueError("no point of the curve")
    x = P - x if x % 2 != odd else x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def pure_verify(key, signature, message):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= L:
        raise ValueError("not reduced")
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    x, y, z, _ = point_of(key)
    x, y, z, _ = add(times(s, BASE), times(k, (P - x, y, z, (P - x) * y % P)))
    inverse = pow(z, -1, P)
    if r != (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little"):
        raise ValueError("another signature")


def verifier():
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return pure_verify

    def verify(key, signature, message):
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        except InvalidSignature:
            raise ValueError("another signature") from None
    return verify


def seal_holds(seal, key, message, verify=verifier()):
    try:
        signature = base64.b64decode(seal + "==", validate=True)
        if len(signature) != 64 or base64.b64encode(signature).decode() != seal + "==":
            return False
        verify(bytes.fromhex(key), signature, message.encode())
    except ValueError:
        return False
    return True


def sha(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode())
    return digest.hexdigest()


def program_hash(program):
    """The hash of a program's sources, in version 1 of the script language."""
    def text(s):
        raw = s.encode("utf-8", "surrogatepass")
        return len(raw).to_bytes(8, "big") + raw
    sources = sorted(program["sources"], key=lambda source: source["path"].encode("utf-8", "surrogatepass"))
    parts = [text(part) for source in sources for part in (source["path"], source["text"])]
    return sha("assent/program/1\n", (1).to_bytes(8, "big"), text(program["name"]), len(sources).to_bytes(8, "big"), *parts)
