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
	// work with.
	//
	// When: after its first try; it is not asked again, since the answer would be the same. If a
	// person chose it with an approval, it is
	// [`PLAN_CONFIGURATION_BLOCKED`](#plan_configuration_blocked).
	//
	// Do: name one that the agent has, in the script or in its header.
	AgentUnable Code = "AGENT_UNABLE"
)
