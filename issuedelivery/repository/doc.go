// Package repository is git as a delivery needs it: commits that are made, joined, compared and
// published without a working tree.
//
// A [Repository] is the user's. Nothing in this package writes to its working tree, its index or its HEAD.
// Commits are made by commit-tree, joined by merge-tree --write-tree, and dated by the caller: the same
// inputs give the same ids. What a run makes is kept from git's collector by references of its own:
//
//	refs/assent/delivery/<run id>/made/<commit>   what was made
//	refs/assent/delivery/<run id>/base            where the base branch was when it was fetched last
//	refs/assent/delivery/<run id>/branch/<name>   where this run put the branch <name>
//	refs/assent/delivery/<run id>/pushed/<name>   what this run pushed to the branch <name>
//
// The last two are how a branch is known for the run's own: one that stands elsewhere holds what others
// made, and is refused by its name. Each is written before the branch is, and <name>-before says where the
// branch was then, so that a crash between the two leaves a branch that the run may go on with.
//
// Parts are merged without the repository's configuration and its .gitattributes, so that nothing which they
// name is run and the result depends on the commits alone; see merge. A working tree that is checked out for
// checks or for a person has the filters of gitattributes, as every tree of the user's has: their programs
// come from the user's configuration, and no commit can bring one. Git's hooks are never run, and objects
// that git replace shows in the place of others are not seen: what is judged is what is published.
package repository
