package vm_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestB08_NoWayToTheClockOrToChance(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`Date.now()`, `Date()`, `new Date()`, `new (Date.prototype.constructor)()`, `Date.prototype.constructor.now()`, `new Date(0).constructor.now()`,
		`Reflect.construct(Date, [])`, `Reflect.construct(Date, [], class {})`, `Reflect.apply(Date, null, [])`, `Date.call(new Date(0))`, `new (class extends Date {})()`,
		`new (class extends Date { constructor() { super() } })()`, `Function("return Date.now()")()`, `(0, eval)("Math.random()")`, `eval("new Date()")`,
		`Math.random()`, `Math["ran" + "dom"]()`, `const { random: r } = Math; r()`, `new (Object.getPrototypeOf(new Date(0)).constructor)()`,
		`await (async () => {}).constructor("return Date()")()`,
		`(function* () {}).constructor("yield Date()")().next()`, `[0].map(Date)`, `Date.bind(null)()`, `new (Date.bind(null))()`, `new Proxy(Date, {})()`, `new (new Proxy(Date, {}))()`,
	} {
		require.Contains(t, caught(t, body), "TypeError NONDETERMINISTIC_API: ", body)
	}
	require.Contains(t, caught(t, `Date.now()`), "use now()")
	require.Contains(t, caught(t, `Math.random()`), "use random()")
	require.Equal(t, "true", eval(t, `Number.isNaN(new Date(undefined).getTime())`))
	// A text that only speaks of it is nobody's business.
	require.Len(t, play(t, `/* Date.now() */ await agent("never call Date.now() or Math.random()")`).calls, 1)
}

// dates are values of ECMA-262 for a host whose zone is UTC, taken from Node.js with TZ=UTC.
var dates = map[string]string{
	`new Date("2021-04-18 23:59:59").getTime()`:                                      `1618790399000`,
	`new Date("2021-04-18T23:59:59").getTime()`:                                      `1618790399000`,
	`new Date("2021-04-18").getTime()`:                                               `1618704000000`,
	`new Date("2021-04-18T23:59:59+02:00").getTime()`:                                `1618783199000`,
	`new Date("2021-04-18T23:59:59.123456Z").getTime()`:                              `1618790399123`,
	`new Date("2021-04-18T24:00:00Z").getTime()`:                                     `1618790400000`,
	`new Date("2021-03-14 02:30:00").getTime()`:                                      `1615689000000`, // a time that New York did not have
	`Date.parse("Sun, 18 Apr 2021 23:59:59 GMT")`:                                    `1618790399000`,
	`Date.parse("Sun Apr 18 2021 23:59:59 GMT+0200 (Central European Summer Time)")`: `1618783199000`,
	`Date.parse("Apr 18, 2021 11:59 PM")`:                                            `1618790340000`,
	`Date.parse("18 April 2021")`:                                                    `1618704000000`,
	`Date.parse("4/18/2021")`:                                                        `1618704000000`,
	`Date.parse("2021/04/18")`:                                                       `1618704000000`,
	`Date.parse("2021-02-30T00:00:00Z")`:                                             `null`,
	`Date.parse("2021-13-01")`:                                                       `null`,
	`Date.parse("yesterday")`:                                                        `null`,
	`Date.parse("-000001-01-01T00:00:00Z")`:                                          `-62198755200000`,
	`Date.parse("+275760-09-13T00:00:00.001Z")`:                                      `null`,
	`new Date(2021, 3, 18, 23, 59, 59).getTime()`:                                    `1618790399000`,
	`new Date(99, 0).getTime()`:                                                      `915148800000`,
	`new Date(2021, 12, 1).getTime()`:                                                `1638316800000 + 2678400000`,
	`new Date(2021, -1, 1).getTime()`:                                                `1606780800000`,
	`new Date(2021, 0, 0).getTime()`:                                                 `1609372800000`,
	`Date.UTC(2021)`:                                                                 `1609459200000`,
	`Date.UTC(NaN, 1)`:                                                               `null`,
	`new Date(1e20).getTime()`:                                                       `null`,
	`new Date(8.64e15).getTime()`:                                                    `8640000000000000`,
	`new Date(1618790399999.9).getTime()`:                                            `1618790399999`,
	`new Date(new Date(5)).getTime()`:                                                `5`,
	`new Date({valueOf: () => 7}).getTime()`:                                         `7`,
	`new Date(true).getTime()`:                                                       `1`,
	`new Date(null).getTime()`:                                                       `0`,
	`new Date(1618790399000).getTimezoneOffset()`:                                    `0`,
	`((d) => [d.getFullYear(), d.getMonth(), d.getDate(), d.getDay(), d.getHours(), d.getMinutes(), d.getSeconds(), d.getMilliseconds()])(new Date(1618790399123))`: `[2021,3,18,0,23,59,59,123]`,
	`((d) => { d.setHours(1, 2, 3, 4); return d.toISOString() })(new Date(1618790399123))`:                                                                          `"2021-04-18T01:02:03.004Z"`,
	`((d) => { d.setFullYear(2020, 1, 29); d.setDate(30); d.setMonth(0); return d.toISOString() })(new Date(1618790399123))`:                                        `"2020-01-01T23:59:59.123Z"`,
	`((d) => { d.setMinutes(61); d.setSeconds(5); d.setMilliseconds(6); return d.toISOString() })(new Date(0))`:                                                     `"1970-01-01T01:01:05.006Z"`,
	`String(new Date(1618790399000))`:                     `"Sun Apr 18 2021 23:59:59 GMT+0000 (Coordinated Universal Time)"`,
	`new Date(1618790399000) + ""`:                        `"Sun Apr 18 2021 23:59:59 GMT+0000 (Coordinated Universal Time)"`,
	`new Date(1618790399000).toDateString()`:              `"Sun Apr 18 2021"`,
	`new Date(1618790399000).toTimeString()`:              `"23:59:59 GMT+0000 (Coordinated Universal Time)"`,
	`new Date(1618790399000).toUTCString()`:               `"Sun, 18 Apr 2021 23:59:59 GMT"`,
	`new Date(1618790399000).toISOString()`:               `"2021-04-18T23:59:59.000Z"`,
	`new Date(1618790399000).toJSON()`:                    `"2021-04-18T23:59:59.000Z"`,
	`new Date(1618790399000).toLocaleDateString()`:        `"4/18/2021"`,
	`new Date(1618790399000).toLocaleDateString("en-US")`: `"4/18/2021"`,
	`new Date(1618790399000).toLocaleTimeString()`:        `"11:59:59 PM"`,
	`new Date(1618790399000).toLocaleString()`:            `"4/18/2021, 11:59:59 PM"`,
	`String(new Date(NaN))`:                               `"Invalid Date"`,
	`[Date.name, Date.length, Date.UTC.length, Date.prototype.setHours.length, new Date(0) instanceof Date, Object.prototype.toString.call(new Date(0))]`: `["Date",7,7,4,true,"[object Date]"]`,
	`(class D extends Date { year() { return this.getFullYear() } }, new (class D extends Date { year() { return this.getFullYear() } })(0).year())`:      `1970`,
	`JSON.stringify({d: new Date(0)})`: `"{\"d\":\"1970-01-01T00:00:00.000Z\"}"`,
	`now()`:                            `"2026-03-01T12:00:00.000Z"`,
	`[..."éaäzZ"].sort((a, b) => a.localeCompare(b)).join("")`:                      `"aäézZ"`,
	`["I".toLocaleLowerCase(), "i".toLocaleUpperCase(), (1234.5).toLocaleString()]`: `["i","I","1,234.5"]`,
}

func TestB09_DatesAreInUTC(t *testing.T) {
	t.Parallel()
	for js, want := range dates {
		if a, b, sum := strings.Cut(want, " + "); sum {
			var x, y int
			require.NoError(t, json.Unmarshal([]byte(a), &x))
			require.NoError(t, json.Unmarshal([]byte(b), &y))
			want = itoa(x + y)
		}
		got := play(t, `const v = `+js+`; return Number.isNaN(v) ? null : v`).result()
		require.Equal(t, want, got, js)
	}
	require.Contains(t, caught(t, `new Date(0).toLocaleString("de-DE")`), "OPTION_NOT_AVAILABLE")
	require.Contains(t, caught(t, `new Date(0).toLocaleString(undefined, {timeZone: "America/New_York"})`), "OPTION_NOT_AVAILABLE")
	require.Contains(t, caught(t, `Date.prototype.getHours.call({})`), "TypeError")
}

// elsewhere runs this test binary's other test in another zone, language and number of processors.
func elsewhere(t *testing.T, test string, env ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a process")
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func TestB09_UnderAnotherZone(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"America/New_York", "Asia/Kolkata", "Pacific/Kiritimati", "UTC"} {
		out := elsewhere(t, "TestB09_DatesAreInUTC", "TZ="+zone, "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8")
		require.Contains(t, out, "--- PASS: TestB09_DatesAreInUTC", zone)
	}
}
