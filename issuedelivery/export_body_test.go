package issuedelivery

import "encoding/json"

// Body is body: of a report as a script gives it, and who approved by which way.
func Body(reported string, issues []int, by, way string, environ []string) (string, error) {
	var r report
	if err := json.Unmarshal([]byte(reported), &r); err != nil {
		return "", err
	}
	return body(r, issues, proof{run: "01RUN", gate: "abc-1", checksum: "5e" + "0123456789abcdef", by: by, at: "2026-12-01T02:00:00.000Z", way: way}, environ), nil
}

// Untouched, Line and Quote are those of bodies.
var (
	Untouched = untouched
	Line      = line
	Quote     = quote
)
