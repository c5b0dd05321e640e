package fault

// The journal.
const (
	// There is no run of that id in this store; or what was given is shorter than four characters; or
	// none was named, and no run of the workspace is one that the command could be about.
	//
	// When: any command about a run.
	//
	// Do: `assent ls --all` lists them; `ASSENT_HOME` says which store.
	RunUnknown Code = "RUN_UNKNOWN"

	// Several runs fit: their ids begin with what was given, or none was named.
	//
	// When: any command about one run.
	//
	// Do: name one, or give more of its id; the message lists them, with arguments, age and question.
	RunAmbiguous Code = "RUN_AMBIGUOUS"

	// Another process executes the run, or holds its journal. Exit 6.
	//
	// When: `resume` while another process does so; `compact` while anybody executes the run, or one
	// in the same file; or a process that was stopped, or compacts, still holds the file. A run that
	// is at work waits then, and says for what.
	//
	// Do: the message names the process. `ls`, `show`, `approve` and `cancel` work all the same; to
	// take the run over, end that process first.
	RunBusy Code = "RUN_BUSY"

	// The run that an export is of is in this store already, and stays as it is.
	//
	// When: `import`, or `journal.Import` in Go. Nothing was written.
	//
	// Do: `assent show RUN` shows the run that is there. One that is damaged can be moved away
	// (`runs/RUN.db` in the store) and then be imported: if the export is the newest state, its
	// approvals come back too.
	RunExists Code = "RUN_EXISTS"

	// The run waits for a person, so it is not removed.
	//
	// When: a Go program removes or prunes it: `journal.Store.Remove`, `journal.Store.Prune`.
	//
	// Do: answer it or cancel it first.
	RunWaiting Code = "RUN_WAITING"

	// This process was the run's executor, and another has taken the run over. It wrote nothing more.
	//
	// When: a process that was stopped or asleep goes on.
	//
	// Do: nothing; the run goes on elsewhere. `assent show RUN` says where.
	LeaseLost Code = "LEASE_LOST"

	// The file at the run's place is empty, a folder, or something else's. It was not touched.
	//
	// When: any command that opens the run.
	//
	// Do: move the file away, or restore the journal from a copy.
	NotAJournal Code = "NOT_A_JOURNAL"

	// The journal was cut, or bytes in it changed. It was not written to, and nothing in it counts as
	// an approval. Exit 7.
	//
	// When: any command that opens the run; every opening checks the whole chain.
	//
	// Do: restore the file from a copy. `assent verify RUN` says where it breaks and shows what can be
	// read; `assent export RUN` refuses, for a part of a journal must not look like all of it.
	JournalDamaged Code = "JOURNAL_DAMAGED"

	// The journal is older than what this user's anchor has seen: entries that were written are
	// missing. An older copy could take back a decision. Exit 7.
	//
	// When: any command that opens the run after its file was replaced by an earlier one or cut at an
	// entry.
	//
	// Do: restore the newest copy. If there is none, start a new run.
	JournalRollback Code = "JOURNAL_ROLLED_BACK"

	// An entry that must be sealed has no good seal: a decision was edited, made up, or moved here
	// from another run. Or entries were added at the end that this user's assent has not written.
	// Nothing in the file counts as an approval. Exit 7.
	//
	// When: any command that opens the run.
	//
	// Do: find out who changed the file; `assent verify RUN` names the entry, or the last one that is
	// genuine.
	JournalForged Code = "JOURNAL_FORGED"

	// The run's anchor, which proves that nothing was cut off its journal, is missing; no answer in it
	// would count.
	//
	// When: `review`, `approve`, `reject` or `answer` of such a run, before anything is asked; `ls`
	// and `show` say it of what waits. Exit 3.
	//
	// Do: `assent verify RUN` says what is missing; if the anchor cannot be restored, start the work
	// again.
	JournalUnproven Code = "JOURNAL_UNPROVEN"

	// The file has a format, or its program a language version, that this version does not know.
	//
	// When: any command that opens the run with an older assent than wrote it.
	//
	// Do: use a newer version.
	JournalTooNew Code = "JOURNAL_TOO_NEW"

	// The store, the key's folder or a file in them could be read or changed by others: wrong owner,
	// wrong permissions, a link, a pipe, the key inside the store, or the store inside the key's
	// folder.
	//
	// When: the store is opened, or a run goes into the background, whose log is kept there.
	//
	// Do: the message names the path and what is wrong; often `chmod 700` or `chmod 600` mends it. Do
	// not mend by hand what you did not make.
	StoreUnsafe Code = "STORE_UNSAFE"

	// The key that seals decisions cannot be read, is no key, or is missing although there are runs. A
	// new one is made only where there is no run yet.
	//
	// When: the store is opened.
	//
	// Do: if the runs were made with a key in another folder, as a Go program may have it, name that folder
	// in `ASSENT_KEYS`. If not, restore the key from a copy. If it is lost, no approval that was given
	// before can count any more: move the two folders that the message names away, and begin anew.
	KeyUnusable Code = "KEY_UNUSABLE"

	// Something larger than an entry may be was to be journaled; nothing of it was written.
	//
	// When: a call's arguments or answer are too large.
	//
	// Do: keep large results in files and hand over their paths.
	EntryTooLarge Code = "ENTRY_TOO_LARGE"

	// What was to be written does not follow from the state that the journal is in, such as an answer
	// to a gate that is closed.
	//
	// When: two processes act at once and this one came second; or a Go program writes entries that do
	// not fit.
	//
	// Do: look at the run again; the command line does so by itself.
	TransitionAbsent Code = "INVALID_TRANSITION"
)
