// The globals of a workflow script, for the editor. A script gets them with a first line of
//
//   /// <reference path="../assent.d.ts" />
//
// docs/reference/globals.md of the project says exactly how each one behaves.

/** What JSON can hold. Only JSON crosses the border between a script and the world. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** How a gate is settled when nobody is there: take the default, end the run, or leave it waiting. */
type HeadlessRule = "default" | "abort" | "suspend";

interface AgentOptions {
  /** How people see the call. Not part of its identity. */
  label?: string;
  /** The phase that the call is shown in; without it, the one in force. Not part of its identity. */
  phase?: string;
  /** "throw" makes a failed agent an error; otherwise it gives null. */
  onError?: "throw" | "null";
  /** The JSON Schema that the answer has to satisfy. With it the answer is a value, not a text. */
  schema?: object;
  /** A name that only the agent understands. */
  model?: string;
  /** A name that only the agent understands. */
  effort?: string;
  /** The agent must not change anything. It can only narrow: false widens nothing. */
  readOnly?: boolean;
  /** The tools the agent may use; left out, those it has by itself. */
  tools?: string[];
  /** Tools the agent may not use. */
  disallowedTools?: string[];
  /** The skills the agent gets; left out, those it has by itself. */
  skills?: string[];
  /** The approval that the call acts under. Without a yes to it the call is refused. */
  under?: Approval;
  /** The time of one attempt, in milliseconds. */
  timeoutMs?: number;
  /** Further attempts after an ordinary failure, 0 to 3. */
  retries?: number;
  /** Passed on to the agent. */
  maxContextTokens?: number;
  /** The folder to work in, inside the workspace. */
  cwd?: string;
}

/** One agent's answer: its text; the value if a schema is given; null if it failed. */
declare function agent(prompt: string, options: AgentOptions & { schema: object; onError: "throw" }): Promise<any>;
declare function agent(prompt: string, options: AgentOptions & { schema: object }): Promise<any | null>;
declare function agent(prompt: string, options: AgentOptions & { onError: "throw" }): Promise<string>;
declare function agent(prompt: string, options?: AgentOptions): Promise<string | null>;

interface CheckpointOptions {
  /** "confirm" asks for true or false and is the default, "input" for a text, "select" for one of choices. */
  kind?: "confirm" | "input" | "select";
  /** The answers that a select takes. */
  choices?: string[];
  /** The answer if nobody is there. None is invented: without it a headless run needs another rule. */
  default?: boolean | string;
  /** This question's own rule. It wins over every flag. */
  headless?: HeadlessRule;
  /** The time from the asking to the deadline, in milliseconds. A resume does not extend it. */
  timeoutMs?: number;
}

/** Asks a person a question, and gives the answer. */
declare function checkpoint(prompt: string, options: CheckpointOptions & { kind: "input" | "select" }): Promise<string>;
declare function checkpoint(prompt: string, options?: CheckpointOptions): Promise<boolean>;

interface PlanApproveOptions {
  /** The question. It is part of what is approved. "Approve this plan?" if left out. */
  prompt?: string;
  /** May only be false: nothing but a person approves a plan. */
  default?: false;
  /** This question's own rule. It wins over every flag. */
  headless?: HeadlessRule;
  /** The time from the asking to the deadline, in milliseconds. A resume does not extend it. */
  timeoutMs?: number;
  /** The model of an agent that reads the plan first. Its opinion is shown to the person and decides nothing. */
  planModel?: string;
}

/** A person's word on one plan. It is frozen; pass it to work as the option `under`. */
interface Approval<Plan = any> {
  /** The plan as it was shown and hashed. */
  readonly plan: Plan;
  /** The hex SHA-256 of the plan's canonical JSON (RFC 8785). */
  readonly checksum: string;
  /** true is a person's yes. A text says what to change. Everything else is no. */
  readonly decision: boolean | string;
  /** When it was approved; only if it was. */
  readonly approvedAt?: string;
  /** The mode that it was approved with; only if it was. */
  readonly permissionMode?: "ask" | "accept-edits" | "auto";
  /** Who approved it; only if it was. */
  readonly approvedBy?: string;
  /** Whether the answer comes from the journal. Not part of the JSON of an approval. */
  readonly replayed: boolean;
}

/** Stops until a person has answered for this plan. The plan has to be plain JSON. */
declare function planApprove<Plan>(plan: Plan, options?: PlanApproveOptions): Promise<Approval<Plan>>;

/** Runs functions at once. Results keep the order; one that fails gives null and a log line. */
declare function parallel<T>(thunks: Array<() => T | Promise<T>>): Promise<Array<T | null>>;

/** Takes each item through the stages in order. Items do not wait for each other. */
declare function pipeline<Item>(
  items: Item[],
  ...stages: Array<(previous: any, item: Item, index: number) => any>
): Promise<any[]>;

interface DagNode {
  /** Unique among the nodes. */
  id: string;
  /** The nodes whose results it needs. */
  dependsOn?: string[];
  /** Its work; deps has the results of what it depends on, by id. A failed agent throws in here. */
  run(deps: Record<string, any>): any;
}

interface DagResult {
  results: Record<string, any>;
  status: Record<string, "completed" | "failed" | "skipped">;
  errors: Record<string, string>;
  skipped: string[];
  ok: boolean;
}

/** Runs functions that wait for each other. What depends on a failed one is skipped. */
declare function dag(nodes: DagNode[]): Promise<DagResult>;

/** Calls fn until its value passes. The last error is thrown, the last value given. */
declare function retry<T>(
  fn: (attempt: number) => T | Promise<T>,
  options?: { attempts?: number; until?: (value: T) => unknown },
): Promise<T>;

/** Calls fn until the validator passes its value. The validator's feedback goes to the next attempt. */
declare function gate<T, F = any>(
  fn: (feedback: F | undefined, attempt: number) => T | Promise<T>,
  validator: (value: T) => boolean | { ok: boolean; feedback?: F } | Promise<boolean | { ok: boolean; feedback?: F }>,
  options?: { attempts?: number },
): Promise<{ ok: boolean; value: T; attempts: number }>;

/** Reviewers try to refute an item. */
declare function verify(
  item: unknown,
  options?: { reviewers?: number; threshold?: number; lens?: string | string[] },
): Promise<{ real: boolean; realCount: number; total: number; votes: Array<{ real: boolean; reason?: string }> }>;

/** The attempt with the highest mean score; undefined if there is none. */
declare function judgePanel<T>(
  attempts: Array<T | null>,
  options?: { judges?: number; rubric?: string },
): Promise<{ index: number; attempt: T; score: number; judgments: Array<{ score: number; reason?: string }> } | undefined>;

/** Collects what rounds find, each thing once, until nothing new comes. */
declare function loopUntilDry<T>(options: {
  round: (index: number) => T[] | null | Promise<T[] | null>;
  key?: (item: T) => unknown;
  consecutiveEmpty?: number;
  maxRounds?: number;
}): Promise<T[]>;

/** One critic says what is missing; null if it failed. */
declare function completenessCheck(task: unknown, results: unknown): Promise<{ complete: boolean; missing: string[] } | null>;

/** Names what follows, in this branch of the script. */
declare function phase(title: string): void;

/** Writes a line. What is not a text is written as JSON. */
declare function log(...values: unknown[]): void;

interface Console {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
}
declare var console: Console;

/** Says how things stand to whoever watches the run. */
declare function setSemanticStatus(status: {
  status:
    | "spawned"
    | "workflow-running"
    | "workflow-complete-pane-open"
    | "needs-finalize"
    | "finalizing"
    | "completed"
    | "failed"
    | "needs-human";
  reason: string;
  nextAction?: string;
  details?: Json;
}): void;

/** The journaled time of what the script is reacting to, as ISO 8601 in UTC. */
declare function now(): string;

/** A number from 0 up to 1, the same when the run is executed again. */
declare function random(): number;

/** A version 4 UUID, the same when the run is executed again. */
declare function uuid(): string;

/** Waits. The time counts from when it was first asked for, also across a restart. */
declare function sleep(ms: number): Promise<void>;

/** The arguments of the run. Frozen. */
declare const args: any;

/** The run's id. */
declare const runId: string;

/** The run's id, as scripts of other runners call it. */
declare const workflowRunId: string;

/** The folder that the run belongs to. */
declare const cwd: string;

declare namespace NodeJS {
  interface Process {
    cwd(): string;
  }
}
/** Only cwd() is there. */
declare var process: NodeJS.Process;

/** What agents may use, in tokens or dollars, and what they have used. */
declare const budget: {
  /** null if there is no budget. */
  readonly total: number | null;
  spent(): number;
  /** Infinity if there is no budget. */
  remaining(): number;
};
