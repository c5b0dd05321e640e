// Package forgetest is a forge for tests: the part of its API that gh speaks to, over TLS, with one
// repository in memory; and a small program in the place of gh, for what the API cannot show.
//
//	f := forgetest.New(t)
//	f.Change(func(r *forgetest.Repository) { r.Git = bare })
//	host.Environ = f.Environ()
//	git config remote.origin.url <f.URL()>; git config url.<bare>.insteadOf <f.URL()>
//
// A query is answered as it is asked, field by field, and one that the repository does not have is
// null: so it serves every version of gh that asks for what it knows.
package forgetest
