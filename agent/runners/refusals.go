package runners

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
)

// signInWords only choose what is said to be done about a failure.
var signInWords = regexp.MustCompile(`(?i)\b401\b|unauthorized|unauthenticated|(not|please) (logged|log|sign|signed) ?in|api.?key|authentication|refresh token|access token|credentials`)

// The codes and types by which providers refuse, where they are passed on.
var (
	limitCodes = []string{
		"rate_limit_error", "rate_limit_exceeded", "rate_limit_reached", "insufficient_quota", "usage_limit_reached", "usage_limit_exceeded", "usage_not_included",
		"quota_exceeded", "billing_error", "billing_hard_limit_reached", "insufficient_balance", "resource_exhausted", "throttlingexception",
		"toomanyrequestsexception", "servicequotaexceededexception",
	}
	modelCodes   = []string{"model_not_found", "model_not_available", "model_not_supported", "unsupported_model", "invalid_model"}
	effortParams = []string{"reasoning.effort", "reasoning_effort", "output_config.effort"}
)

// How providers, and the programs that hand their words on, begin what they say where they give no code.
// A word alone, such as quota, says nothing: a failure that speaks of it, and of what a model wrote about
// it, is no limit.
var (
	limitForms = forms(`you(['’]ve| have) (hit|reached|exceeded) your .{0,60}(limit|quota)\b`, `(the |your )?usage limit (has been )?reached`, `you exceeded your current quota`,
		`quota exceeded\. check your plan`, `you have exhausted your capacity`, `your quota will reset`, `server requested \S+ retry delay`,
		`rate limit (reached|exceeded)\b`, `too many requests`, `(your )?credit balance is too low`, `insufficient (balance|credits?|funds|quota)\b`,
		`(you are |you're )?out of credits`, `resource (has been )?exhausted`)
	modelForms = forms(`(the )?(requested )?model `+quotedName+` (does not exist|(is |was )?not (found|supported|available)|is (unsupported|unavailable))`,
		`(the )?(requested )?model [\w./:@+-]+ (does not exist|(is |was )?not found)`, `(the )?`+quotedName+` model is not (supported|available)`,
		`(unknown|no such|invalid|unsupported) model:? (`+quotedName+`|[\w./:@+-]+)\W*$`, `there's an issue with the selected model`,
		`[\w./:@+-]+ is not a valid model`, `project \S+ does not have access to model`, `you do not have access to (the )?model`)
	effortForms = forms(`(unsupported|invalid) (value|parameter): '(` + strings.ReplaceAll(strings.Join(effortParams, "|"), ".", `\.`) + `)'`)
	modelNotAny = regexp.MustCompile(`^model: \S+$`)
)

// quotedName is a name in quotes.
const quotedName = "[`'\"“][^`'\"”]{1,100}[`'\"”]"

// forms is the beginning of a text in one of several forms.
func forms(all ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(` + strings.Join(all, "|") + `)`)
}

// refusal is what a provider's message means: USAGE_LIMIT, AGENT_UNABLE, or nil if it is a failure
// like another.
func refusal(message string, now time.Time) error {
	w := wordOf(message)
	has := func(codes []string) bool {
		return slices.ContainsFunc(w.codes, func(c string) bool { return slices.Contains(codes, c) })
	}
	switch {
	case w.status == http.StatusTooManyRequests, w.status == http.StatusPaymentRequired, has(limitCodes):
		return agent.LimitReached(message, resetIn(message, now))
	case w.status >= http.StatusInternalServerError:
		return nil // it knows nothing of what was asked for
	case has(modelCodes), w.param == "model", modelForms.MatchString(w.text), w.status == http.StatusNotFound && modelNotAny.MatchString(w.text):
		return agent.Unable("model", message)
	case slices.Contains(effortParams, w.param), effortForms.MatchString(w.text):
		return agent.Unable("effort", message)
	case limitForms.MatchString(w.text):
		return agent.LimitReached(message, resetIn(message, now))
	}
	return nil
}

// providerWord is a provider's message, taken apart.
type providerWord struct {
	status int      // that of HTTP, 0 if it is not told
	codes  []string // in lower case
	param  string   // what is wrong with the request
	text   string
}

// The beginning of a message: who says it, and the status of HTTP.
var (
	wordSpeaker = regexp.MustCompile(`^(?i:(?:api |provider |http )?error:? |http |unexpected status |exceeded retry limit, last status: )+`)
	wordStatus  = regexp.MustCompile(`^(?:[Rr]equest rejected \()?([45]\d\d)\b[):]*\s*`)
	wordReason  = regexp.MustCompile(`^[A-Z][A-Za-z ]{2,30}: `)
)

// wordOf takes a message apart. Programs hand on the text of a provider's error, or the whole of it.
func wordOf(message string) providerWord {
	w := providerWord{text: strings.TrimSpace(message)}
	w.text = w.text[len(wordSpeaker.FindString(w.text)):]
	if found := wordStatus.FindStringSubmatch(w.text); found != nil {
		w.status, _ = strconv.Atoi(found[1])
		w.text = w.text[len(found[0]):]
		w.text = w.text[len(wordReason.FindString(w.text)):]
	}
	if !strings.HasPrefix(w.text, "{") {
		return w
	}
	var given struct {
		Code    any    `json:"code"`
		Type    string `json:"type"`
		Status  any    `json:"status"`
		Param   string `json:"param"`
		Message string `json:"message"`
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	var whole json.RawMessage
	if json.NewDecoder(strings.NewReader(w.text)).Decode(&whole) != nil {
		return w
	}
	if _ = json.Unmarshal(whole, &outer); len(outer.Error) > 0 && outer.Error[0] == '{' {
		whole = outer.Error
	}
	_ = json.Unmarshal(whole, &given) // a field of another shape tells nothing
	for _, code := range []any{given.Code, given.Type, given.Status} {
		switch code := code.(type) {
		case string:
			w.codes = append(w.codes, strings.ToLower(code))
		case float64:
			if code >= 400 && code < 600 {
				w.status = cmp.Or(w.status, int(code))
			}
		}
	}
	w.param, w.text = given.Param, given.Message
	return w
}

// nextOf is what to do about a failure: to sign in, if that is what it is about.
func nextOf(message, signIn string) string {
	if signInWords.MatchString(message) {
		return signIn
	}
	return ""
}

// The ways in which messages say when a limit ends.
var (
	resetStamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)`)
	resetClock = regexp.MustCompile(`(?i)\b(?:at|until) ((?:[a-z]{3} \d{1,2}(?:st|nd|rd|th)?, \d{4} )?\d{1,2}:\d\d [ap]m)`)
	resetAfter = regexp.MustCompile(`(?i)\b(?:in|after|requested) ~?((?:\d+(?:\.\d+)?(?:ms|[hms]))+)\b`)
	ordinal    = regexp.MustCompile(`(?i)(\d)(?:st|nd|rd|th),`)
)

// resetIn is when work can go on by a message, zero if it does not say so in a way that is known. A
// time without a zone is this machine's: the program that wrote it runs here.
func resetIn(message string, now time.Time) time.Time {
	if stamp := resetStamp.FindString(message); stamp != "" {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
			if at, err := time.Parse(layout, stamp); err == nil {
				return at
			}
		}
	}
	if found := resetClock.FindStringSubmatch(message); found != nil {
		text := strings.ToUpper(ordinal.ReplaceAllString(found[1], "$1,"))
		if at, err := time.ParseInLocation("Jan 2, 2006 3:04 PM", text, now.Location()); err == nil {
			return at
		}
		if at, err := time.ParseInLocation("3:04 PM", text, now.Location()); err == nil {
			today := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, now.Location())
			if !today.After(now) {
				today = today.AddDate(0, 0, 1)
			}
			return today
		}
	}
	if found := resetAfter.FindStringSubmatch(message); found != nil {
		if wait, err := time.ParseDuration(strings.ToLower(found[1])); err == nil {
			return now.Add(wait)
		}
	}
	return time.Time{}
}
