package fault

// Agents.
const (
	// The script calls `agent()`, and there is no program to ask, or it cannot be started.
	//
	// When: at the first such call; the run keeps all that it had.
	//
	// Do: `--agent 'COMMAND ARGS'`, `--agent script:FILE`, or `[agents.NAME]` in the configuration;
	// then `assent resume RUN`. [Agents](agents.md) has an example.
	AgentNotConfigured Code = "AGENT_NOT_CONFIGURED"

	// The agent's program ended with an error, was killed, or said itself that it failed; or the
	// scripted agent has no answer that fits.
	//
	// When: after the call's retries. The script sees `null`, or an error with `onError: "throw"`; the
	// run ends with exit 8 if it completes.
	//
	// Do: the message has the exit code and the end of what it wrote to standard error. `assent resume
	// RUN --retry-failed` tries only the failed calls again.
	AgentFailed Code = "AGENT_FAILED"

	// The agent did not answer in time. It and all that it started were ended.
	//
	// When: after `timeoutMs`, for each try.
	//
	// Do: raise `timeoutMs`, or ask for less.
	AgentTimeout Code = "AGENT_TIMEOUT"

	// The prompt alone is longer than the call's `maxContextTokens`. No agent was asked, and nothing was
	// paid. It is an estimate: four bytes of UTF-8 are taken for a token.
	//
	// When: before the first try. The script sees `null`, or an error with `onError: "throw"`; `retries`
	// are not for it.
	//
	// Do: shorten the prompt, have the agent read a file instead, or raise `maxContextTokens`.
	ContextTooLarge Code = "CONTEXT_TOO_LARGE"

	// The agent wrote more than is taken from it. It was ended, and nothing was kept in part.
	//
	// When: while it works.
	//
	// Do: have it write large results to a file and answer with the path.
	AgentOutputTooLarge Code = "AGENT_OUTPUT_TOO_LARGE"

	// What the agent printed is no answer: bytes that are not UTF-8, an
	// [envelope](agents.md#the-answer) that is damaged or has not exactly one of `text`, `value` and
	// `error`, usage that cannot be counted, a value that no script could take. It is never mended by
	// guessing.
	//
	// When: after it ended. A text that does not have what a schema asks for goes back to the agent
	// instead; see [`SCHEMA_NONCOMPLIANCE`](#schema_noncompliance).
	//
	// Do: mend the agent's program; the message has the beginning of what it printed, and
	// [agents](agents.md) says what it may print.
	AgentAnswerInvalid Code = "AGENT_ANSWER_INVALID"

	// The `schema` given to `agent()` is no JSON Schema that can be used here.
	//
	// When: at the call, before anything is started.
	//
	// Do: the message names the place. References out of the schema are not followed.
	SchemaInvalid Code = "SCHEMA_INVALID"

	// The agent's answers do not hold [the one JSON value](agents.md#one-json-value) that the schema
	// asks for, also after two rounds of repair. It is always thrown.
	//
	// When: after the last round; every violation is named with its path.
	//
	// Do: make the schema simpler, or the prompt more exact.
	SchemaNoncompliance Code = "SCHEMA_NONCOMPLIANCE"

	// The agent's provider refuses more work until later. The run is paused, not failed.
	//
	// When: the agent reports it.
	//
	// Do: `assent resume RUN` after the reset time, if the message knows it.
	UsageLimit Code = "USAGE_LIMIT"

	// The agent says that it has not got the model, effort or permission mode that it was asked to
	// work with. Or it cannot be fenced in as the call asks: kept from writing, or to a list of tools.
	//
	// When: after its first try; it is not asked again, since the answer would be the same. Of a fence
	// usually before it is started: it is never left off. If a
	// person chose it with an approval, it is
	// [`PLAN_CONFIGURATION_BLOCKED`](#plan_configuration_blocked).
	//
	// Do: name one that the agent has, in the script or in its header; or give the call an agent that has
	// such a fence.
	AgentUnable Code = "AGENT_UNABLE"

	// The script names a tier that stands for nothing here, and the agent does not choose by tiers itself.
	//
	// When: at the call, before anything is started.
	//
	// Do: say in the [configuration](config.md) what the tier stands for (`[tiers.small] model = "…"`);
	// `assent resume RUN --tiers` takes it into a run that is there.
	TierNotConfigured Code = "TIER_NOT_CONFIGURED"

	// The script, an agent type or a tier names a model that is none of those which the agent has by the
	// [configuration](config.md).
	//
	// When: at the call, before anything is started.
	//
	// Do: name one of those in the message, or add it to the agent's `models`.
	ModelUnknown Code = "MODEL_UNKNOWN"

	// A call that must not change anything did: the tree that it worked in, its branches, index, hooks or
	// configuration are not as they were before. What it changed is kept as a patch, and the run stops. A
	// tree that the run itself had made is put back; yours is left as it is.
	//
	// When: when the call has ended, whatever it answered.
	//
	// Do: `assent show RUN --call KEY` says what changed and where the patch is; undo it, and find out why
	// that agent could write. `assent resume RUN` makes the call again.
	ReadOnlyViolated Code = "READ_ONLY_VIOLATED"

	// A function of the program that may change something was called in a run that only reads.
	//
	// When: the script calls it, in a run with `--read-only` or `[limits] read-only`. Agents are made to
	// read only in such a run; a function cannot be.
	//
	// Do: start the script without `--read-only`, or leave the call out there.
	ReadOnlyRun Code = "READ_ONLY_RUN"

	// There is no agent type of that name.
	//
	// When: a script names it as `agentType` or `planAgentType`; nothing is started for the call. Also
	// if the type itself names an agent that is not configured.
	//
	// Do: the message lists the names that there are; `assent agents` shows where each comes from.
	AgentTypeUnknown Code = "AGENT_TYPE_UNKNOWN"

	// The file of an agent type cannot be used: it has no front matter, what stands in it cannot be
	// meant, two files of a folder have the same name, or it is a link that leads out of there.
	//
	// When: a script names the type. No file of another folder is taken for it, and no other type is
	// hurt. `assent agents` lists it.
	//
	// Do: the message names file, line and key. [Use agent types](../how-to/use-agent-types.md) shows
	// what a file looks like.
	AgentTypeInvalid Code = "AGENT_TYPE_INVALID"

	// A call with `isolation: "worktree"` cannot have a working tree of its own: its folder is in no git
	// repository, the repository has no commit yet, or git failed.
	//
	// When: before the agent is asked, or when its work is committed. What git was doing is named.
	//
	// Do: make the first commit (`git init`, `git add`, `git commit`), or leave `isolation` out; if a step of
	// git failed, do what its message says, then `assent resume RUN`.
	WorktreeUnavailable Code = "WORKTREE_UNAVAILABLE"

	// Something that the call did not make stands where its working tree or its branch has to be: a
	// branch of that name, or commits on it that are not the call's; or the branch is checked out
	// elsewhere, or the tree is locked. None of it is reset or removed.
	//
	// When: before the agent is asked.
	//
	// Do: the message names it, and how to move it out of the way; then `assent resume RUN`.
	// [Worktrees](../how-to/work-in-worktrees.md) says how they are named.
	WorktreeConflict Code = "WORKTREE_CONFLICT"
)
