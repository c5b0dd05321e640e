// Package worktree gives calls of a run a working tree of their own, with real git, outside of the
// user's: Open makes one or takes it up again, Finish commits what is in it, Clean removes those that
// nobody needs.
//
//	<root>/<run id>/<slug>/worktree.json   the record: whose tree it is, where it began, how far it is
//	<root>/<run id>/<slug>/tree            the working tree
//	<root>/<run id>/<slug>/aside-N         what stood at tree and was none of ours
//	refs/heads/assent/<end of run id>/<slug>        its branch
//	refs/assent/kept/<run id>/<slug>/N     what a cut-off attempt had done, before the tree was reset
//
// A slug is the call's key in letters that every file system takes, and the beginning of its hash.
//
// # Whose it is
//
// The record is written before git is called, and only when neither the folder nor the branch is
// there: so what is found there later, and fits, is the call's own. Nothing else is ever reset, moved
// or deleted: a branch that stands there without a record, or that holds commits which did not come
// about in the tree, is refused by its name. An agent can write to the record, which stands beside its
// tree; so the path and the branch are never read from it but worked out anew.
//
// # Crashes
//
// A record is making, ready or finished. While it is making, nobody has worked in the tree, and
// whatever stands there is made anew. Before a tree with work in it becomes making again, the work is
// kept under refs/assent/kept; the record then remembers where the branch was. Thus a process that is
// killed between any two steps leaves something that Open goes on from.
package worktree
