package issuedelivery

import "github.com/seed-8d4a6081/assent/engine"

// WithFunctions has a delivery call other functions than those of the host.
func WithFunctions(o Options, functions func(h *Host) ([]engine.Primitive, []engine.Calculation)) Options {
	o.functions = functions
	return o
}

// StopFunction is delivery.stop.
func StopFunction(h *Host) engine.Primitive { return h.stop() }

// Deciding gives the row that a stop has by itself.
func Deciding(by, when string, approved bool) (Stop, bool) { return stopOf(by, when, approved) }

// StopNames are the names that a script can give.
func StopNames() []string { return stopNames() }
