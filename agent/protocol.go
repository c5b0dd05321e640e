package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

// failedError is an agent's own word that it failed.
type failedError struct{ message string }

func (e *failedError) Error() string { return "the agent says that it failed: " + e.message }

// reply is the last line of an agent that speaks the protocol. Names that it does not have are
// left alone: a later version may add some.
type reply struct {
	Assent json.RawMessage `json:"assent"`
	Text   *string         `json:"text"`
	Value  json.RawMessage `json:"value"`
	Usage  json.RawMessage `json:"usage"`
	Error  json.RawMessage `json:"error"`
}

// protocolLine is how such a line begins; also one that is damaged, which is then no text.
var protocolLine = regexp.MustCompile(`^\{\s*"assent"\s*:`)

// parseOutput reads what an agent printed: its last non-empty line if that is an object with
// "assent", otherwise all of it, without a byte order mark and without the line ends at its
// end. said means that the agent spoke for itself, so that an error is its own word.
func parseOutput(output []byte) (resp Response, said bool, err error) {
	if at := invalidAt(output); at >= 0 {
		return Response{}, false, bad("the agent's output is not UTF-8", nil, fmt.Sprintf("byte %d is 0x%02x", at, output[at]))
	}
	output = bytes.TrimPrefix(output, []byte("\ufeff"))
	last := lastLine(output)
	if isReply(last) {
		return parseReply(last)
	}
	if message, failed := envelope(output, last); failed {
		return Response{}, true, &failedError{message}
	}
	text := strings.TrimRight(string(output), "\r\n")
	resp.Value, err = quote(text)
	return resp, false, err
}

// invalidAt is the place of the first byte that is not UTF-8, or -1.
func invalidAt(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return at
}

func lastLine(output []byte) []byte {
	output = bytes.TrimSpace(output)
	return bytes.TrimSpace(output[bytes.LastIndexByte(output, '\n')+1:])
}

func isReply(line []byte) bool {
	if protocolLine.Match(line) {
		return true
	}
	var r reply
	return len(line) > 0 && line[0] == '{' && bytes.Contains(line, []byte(`"assent"`)) &&
		json.Unmarshal(line, &r) == nil && r.Assent != nil
}

func parseReply(line []byte) (Response, bool, error) {
	var r reply
	if err := canonical.Check(line, 0); err != nil {
		return Response{}, false, bad("the agent's last line is damaged", line, err.Error())
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return Response{}, false, bad("the agent's last line cannot be read", line, err.Error())
	}
	if v, err := strconv.ParseFloat(string(r.Assent), 64); err != nil || v != Version {
		return Response{}, false, bad("the agent speaks another version of the protocol", line,
			fmt.Sprintf("\"assent\" is %s, not %d", shorten(string(r.Assent), 40), Version))
	}
	used, err := parseUsage(r.Usage)
	if err != nil {
		return Response{}, false, bad("the agent's usage cannot be counted", line, err.Error())
	}
	resp := Response{Usage: used}
	given := 0
	if r.Text != nil {
		given++
		if resp.Value, err = quote(*r.Text); err != nil {
			return resp, false, err
		}
	}
	if r.Value != nil {
		given++
		resp.Value, resp.Structured = r.Value, true
	}
	if r.Error != nil && string(r.Error) != "null" {
		given++
		resp.Value, err = nil, parseFailure(r.Error)
	}
	if given != 1 {
		return Response{Usage: used}, false, bad("the agent's last line is no answer", line, "it needs one of text, value and error")
	}
	return resp, err != nil, err
}

// parseFailure reads the error of a reply: a text, or {code, message, resetAt}.
func parseFailure(text json.RawMessage) error {
	var word string
	if json.Unmarshal(text, &word) == nil {
		return &failedError{redact.Text(word, nil)}
	}
	var given struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		ResetAt any    `json:"resetAt"`
	}
	if err := json.Unmarshal(text, &given); err != nil {
		return &failedError{redact.Text(string(text), nil)}
	}
	if strings.EqualFold(given.Code, "usage_limit") {
		return usageLimit(given.Message, given.ResetAt)
	}
	if err := unable(given.Code, given.Message); err != nil {
		return err
	}
	return &failedError{redact.Text(strings.TrimSpace(given.Code+" "+given.Message), nil)}
}

// usageLimit is USAGE_LIMIT. The time may be given as RFC 3339, or in seconds since 1970; of one
// that cannot be read it says so.
func usageLimit(message string, resetAt any) error {
	limit := &LimitError{Message: redact.Text(message, nil)}
	switch at := resetAt.(type) {
	case nil:
	case float64:
		limit.Reset = time.Unix(int64(at), 0).UTC()
	default:
		parsed, err := time.Parse(time.RFC3339, fmt.Sprint(at))
		if err != nil {
			limit.Message = strings.TrimSpace(fmt.Sprintf("%s (its resetAt %s is no time that can be read)", limit.Message, shorten(fmt.Sprintf("%q", fmt.Sprint(at)), 80)))
			break
		}
		limit.Reset = parsed.UTC()
	}
	return fault.Wrap(limit, fault.UsageLimit, "the agent's provider refuses more work at present", "resume the run later")
}

// quote is text as a JSON string, with nothing escaped that need not be.
func quote(text string) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return nil, errors.Join(errors.New("the agent's text cannot be kept"), err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
