// Package journal keeps what happened in a run: append-only, on disk before anybody acts on
// it, and so that a change by anybody else is found.
//
// # Model
//
// A [Store] is a folder of runs. A run's journal is a sequence of entries:
//
//	{"seq":7,"prev":"<hash of entry 6>","at":"2026-01-02T03:04:05.678Z",
//	 "kind":"gate.answered","key":"/planApprove#0","identity":"…","data":{…},"seal":"…"}
//
// Entries are never changed or removed; a later one supersedes an earlier one. What they add
// up to is a [State]: calls and their answers, gates and where they stand, what is in force.
// The records that stand in data are the structs of records.go, one for each [Kind].
//
//   - A [Run] is the run as its owner has it: the one process that executes it. [Store.Create]
//     and [Store.Take] make one.
//   - A [Visit] is the run as any other process has it: it reads, and appends answers, also
//     while the owner is at work.
//
// Both append in the same way. Update catches up with what others appended, lets the caller
// decide on the state, and commits the drafts, in one transaction under one lock. So a
// decision never rests on an old state, and of two that exclude each other one is refused.
//
// # What makes it evident
//
// Chain: prev is the hash of the entry before, and that of the first is derived from the run's
// id. One encoding: an entry is accepted only if writing it again gives the same bytes. Seal:
// decisions are signed with the user's Ed25519 key, over run, seq, prev and content. Head: each
// commit says which entry is the last, with a MAC under a key made from the user's, so that
// nobody adds entries behind the last seal. Anchor: outside of the store, signed, stands how far
// the journal had come, so that an older copy is found too. All of it is checked whenever a run is opened; [Verify] does it and goes on after
// the first fault. docs/reference/journal-format.md has every byte.
//
// A run that [Import] read from an export has the seals of another key up to its run.imported,
// which the importer's own seal and a MAC beside the head vouch for; its approvals have lapsed.
//
// What a process of the same user does on purpose, with the user's key, is beyond this.
//
// # Files
//
//	<Dir>/runs/<run>.db      the journal: a bbolt file
//	<Dir>/runs/shared.db     or many journals in one file (Options.Shared)
//	<Dir>/locks/<run>.lock   taken by whoever has the file open, for milliseconds
//	<Dir>/attachments/<run>/ files that entries name by their hash, and that may be gone
//	<Dir>/locks/<run>.lease  held by the owner for its life; notes its process groups
//	<KeyDir>/seal.key        the user's key
//	<KeyDir>/anchors/<run>   the anchor, two slots
//
// The kernel frees lock and lease when a process dies. bbolt shuts out readers while somebody
// writes; so nobody keeps it open for longer than a burst of 3 ms.
//
// In the shared file each run has a bucket with all that its own file would have. Updates of
// different runs share commits: while one is on its way to the disk, what comes meanwhile gathers
// for the next (group.go). Each decides for itself, and fails for itself; who decides slowly comes
// to a later one.
//
// # Standing in
//
// The engine asks for [Run], [Visit] and the three methods of a Store that give them. What the
// rules are without files is [State]'s: NewState, Apply, Write, and who may do what. Package
// journaltest checks anything that is to stand in for this one.
//
// # Errors
//
// A refusal has a code (internal/fault): RUN_UNKNOWN, RUN_AMBIGUOUS, RUN_BUSY, RUN_WAITING,
// RUN_EXISTS, RUN_FINISHED, RUN_CANCELLED, LEASE_LOST, INVALID_TRANSITION, ENTRY_TOO_LARGE, STORE_UNSAFE,
// KEY_UNUSABLE; and of a file that cannot be used: NOT_A_JOURNAL, JOURNAL_DAMAGED,
// JOURNAL_FORGED, JOURNAL_ROLLED_BACK, JOURNAL_TOO_NEW. On those nothing is written, and a
// damage of any kind is an error and never a panic. After a write that failed, it is the disk
// that says whether it happened: the handle reads it again before anything else.
package journal
