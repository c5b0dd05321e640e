// Package agent carries out one call of agent(): it checks what the script asked for, has a
// Runner make an attempt, and judges the answer. It knows nothing of scripts and of replay.
//
// # A call
//
//	Parse   arguments of agent()  ->  Call      own names only; a typo is an error
//	Call.Identity                 ->  the bytes by which a replay knows the call again
//	Do      Call, Runner          ->  Response  attempts, timeout, retries, schema, repair
//	Class   error                 ->  what the script sees of a failure
//	Watch   before, Changes after ->  what happened to the git repository meanwhile
//
// Do makes an attempt and, after an ordinary failure, up to three more if the script asked for
// them. Each has its own timeout. With a schema, the one JSON value is taken from the answer
// (see Extract), every violation is named, and the agent is told of them in up to two repair
// rounds; then it is SCHEMA_NONCOMPLIANCE. Usage is summed over all of that, also beside an
// error, and of several attempts each is kept with its cause. A prompt that cannot fit into
// maxContextTokens makes no attempt at all.
//
// # The command agent
//
// A Command starts a program for each attempt. Its standard input is one JSON object, a
// Request, and then the end:
//
//	{"version":1,"run":"01J…","call":"/agent#0","label":"","phase":"","prompt":"…",
//	 "schema"?:{},"model"?:"","tier"?:"","effort"?:"","tools"?:[],"disallowedTools"?:[],
//	 "permissionMode"?:"ask","skills"?:[],"maxContextTokens"?:1,"readOnly":false,
//	 "cwd":"/work","attempt":1}
//
// Its standard output is UTF-8 of at most 64 MiB. If the last non-empty line is a JSON object
// with "assent": 1, that is the answer, with exactly one of text, value and error:
//
//	{"assent":1,"text"|"value"|"error":…,"usage"?:{"input":1,"output":1,"cost":0.5}}
//
// cost is in US dollars. error is a text or {"code","message","resetAt"?}; the code usage_limit
// is USAGE_LIMIT, and model_unavailable, effort_unavailable and mode_unavailable are
// AGENT_UNABLE. Such a line that is damaged is an error, not a text. Without one, the whole
// output is the text, without the line ends at its end. An exit code that is not 0 is a
// failure whatever was printed, and so is the object {"type":"result","is_error":true} with
// which known agent programs end.
//
// The program runs in its folder, in a session and process group of its own, without a
// terminal, with a filtered environment (FilterEnv). When it ends, when its time is up or when
// the call is cancelled, the whole group is asked to end, and after a grace made to. Something
// left behind that holds the output open is not waited for: the answer is taken, and a note
// says so.
//
// # Ends that are not clean
//
// A Step is told of the group as soon as it exists and before it gets the request, so that
// whoever takes a run over after a crash can end it. On Linux, processes that left the group
// are found by a variable that they inherit (EndStrays). None of this is a sandbox: an agent
// runs as the user that started it.
//
// # The scripted agent
//
// Scripted answers from a TOML file (LoadScripted): for demonstrations and tests.
package agent
