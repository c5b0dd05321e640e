// Package docs holds the pages that the program itself can print.
package docs

import _ "embed" // for the pages

// Guide is the contract for whoever writes a script (assent guide).
//
//go:embed reference/guide.md
var Guide string

// Errors is the reference of all error codes (assent explain).
//
//go:embed reference/errors.md
var Errors string
