package cli

import (
	"path/filepath"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// withDelivery gives a run the functions of Issue Delivery, which any script may call. What they make is
// the run's own, in the folder that its worktrees are in.
func (a *app) withDelivery(o engine.Options, c config, workspace string) engine.Options {
	host := issuedelivery.Host{Store: o.Store, Workspace: workspace, Work: o.Work, Environ: a.Env, Config: c.delivery.Config}
	o.Primitives, o.Calculations = host.Functions(), issuedelivery.Calculations()
	return o
}

// inTest are these functions for one run of a test: in its own folder, and in an environment that leads
// to nothing outside of it.
func (a *app) inTest(o engine.Options, root string) engine.Options {
	host := issuedelivery.Host{Store: o.Store, Workspace: o.Workspace, Work: filepath.Join(root, "work"), Environ: a.testEnv(root)}
	o.Primitives, o.Calculations = host.Functions(), issuedelivery.Calculations()
	return o
}

// deliveryFunctions are the names of the functions whose calls are journaled, and of those that only
// compute.
func deliveryFunctions() (functions, calculations []string) {
	for _, f := range (&issuedelivery.Host{}).Functions() {
		functions = append(functions, f.Name())
	}
	for _, c := range issuedelivery.Calculations() {
		calculations = append(calculations, c.Name)
	}
	return functions, calculations
}
