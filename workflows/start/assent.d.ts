// The globals of a workflow script, for the editor. A script gets them with a first line of
//
//   /// <reference path="../assent.d.ts" />
//
// docs/reference/globals.md of the project says exactly how each one behaves.

/** What JSON can hold. Only JSON crosses the border between a script and the world. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What stands at the top of a script. It is read without running anything; further fields are kept and mean nothing. */
interface WorkflowMeta {
  name: string;
  description: string;
  /** Titles that phase() names; model is that of the agents of a phase that name none. */
  phases?: readonly { title: string; detail?: string; model?: string }[];
  /** The model of agents that name none. */
  model?: string;
  /** Until a plan is approved, every agent has to be read-only. */
  planFirst?: boolean;
  /** The run needs a person: it is refused where nobody can answer. */
  interactive?: boolean;
  /** A JSON Schema of args, which are held against it before anything starts. */
  args?: object;
  limits?: {
    /** Agents and gates of a run, 1,000 by default. */
    maxCalls?: number;
    /** Agents at once. */
    concurrency?: number;
    /** Tokens, or a text such as "200k" or "5usd". */
    budget?: number | string;
    /** How long the script may compute without waiting for anything, in milliseconds. */
    stretchMs?: number;
  };
  [field: string]: unknown;
}

/** The type of the values that a JSON Schema allows, as far as its text says; any where it does not. */
type AnswerTo<Schema> = 0 extends 1 & Schema
  ? any
  : Schema extends { const: infer Value }
    ? Value
    : Schema extends { enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { type: "object"; properties: infer Members }
        ? AnswerObject<Members, Schema extends { required: readonly (infer Name)[] } ? Name : never>
        : Schema extends { type: "array"; items: infer Items }
          ? AnswerTo<Items>[]
          : Schema extends { type: "string" }
            ? string
            : Schema extends { type: "number" | "integer" }
              ? number
              : Schema extends { type: "boolean" }
                ? boolean
                : Schema extends { type: "null" }
                  ? null
                  : any;
type AnswerObject<Members, Required> = {
  -readonly [Name in keyof Members as Name extends Required ? Name : never]: AnswerTo<Members[Name]>;
} & {
  -readonly [Name in keyof Members as Name extends Required ? never : Name]?: AnswerTo<Members[Name]>;
};

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
  /** With schema: words beside the value make it a wrong answer. */
  strict?: boolean;
  /** What the configuration says that this stands for. A model that is named here wins. */
  tier?: "small" | "medium" | "big";
  /** An agent type: its instructions, and what it says of model, tools and the rest. */
  agentType?: string;
  /** A working tree and a branch of the call's own; the answer says where the work is. */
  isolation?: "worktree";
  /** With isolation: the whole id of the commit that the working tree begins at; left out, the one that is checked out. */
  base?: string;
  /** A name that only the agent understands. */
  model?: string;
  /** A name that only the agent understands. */
  effort?: string;
  /** The agent must not change anything, and is held to it. It can only narrow: false widens nothing. */
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
  /** Further attempts after an ordinary failure, 0 to 3. The cause of each is kept. */
  retries?: number;
  /** What the model can hold. Passed on to the agent; a prompt that alone is longer fails before it is paid for. */
  maxContextTokens?: number;
  /** The folder to work in, inside the workspace. */
  cwd?: string;
}

/** Where the work of an agent with isolation is. */
interface Worktree {
  branch: string;
  /** The commit that the branch began at, and the one that it is at. */
  base: string;
  commit: string;
  /** Its folder. */
  path: string;
  changedFiles: string[];
}

/** One agent's answer with isolation: an object says in worktree where the work is, a text in its last line. */
declare function agent<const Schema extends { type: "object" }>(
  prompt: string,
  options: AgentOptions & { schema: Schema; isolation: "worktree"; onError: "throw" },
): Promise<AnswerTo<Schema> & { worktree: Worktree }>;
declare function agent<const Schema extends { type: "object" }>(
  prompt: string,
  options: AgentOptions & { schema: Schema; isolation: "worktree" },
): Promise<(AnswerTo<Schema> & { worktree: Worktree }) | null>;

/** One agent's answer: its text; the value if a schema is given; null if it failed. */
declare function agent<const Schema extends object>(
  prompt: string,
  options: AgentOptions & { schema: Schema; onError: "throw" },
): Promise<AnswerTo<Schema>>;
declare function agent<const Schema extends object>(
  prompt: string,
  options: AgentOptions & { schema: Schema },
): Promise<AnswerTo<Schema> | null>;
declare function agent(prompt: string, options: AgentOptions & { onError: "throw" }): Promise<string>;
declare function agent(prompt: string, options?: AgentOptions): Promise<string | null>;
/** A type that is named is taken at its word: agent<{ n: number }>(…) with the schema of that. */
declare function agent<Answer>(
  prompt: string,
  options: AgentOptions & { schema: object; onError: "throw" },
): Promise<Answer>;
declare function agent<Answer>(prompt: string, options: AgentOptions & { schema: object }): Promise<Answer | null>;

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
  /** The type of that agent. */
  planAgentType?: string;
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
declare function parallel<const Thunks extends readonly (() => unknown)[]>(
  thunks: Thunks,
): Promise<{ -readonly [Place in keyof Thunks]: Awaited<ReturnType<Thunks[Place]>> | null }>;

/** A stage of pipeline. previous is what the stage before gave, or the item. null ends the item. */
type Stage<Previous, Item, Result> = (previous: Exclude<Awaited<Previous>, null>, item: Item, index: number) => Result;

/** Takes each item through the stages in order. Items do not wait for each other. */
declare function pipeline<Item, A>(items: readonly Item[], a: Stage<Item, Item, A>): Promise<Array<Awaited<A> | null>>;
declare function pipeline<Item, A, B>(
  items: readonly Item[],
  a: Stage<Item, Item, A>,
  b: Stage<A, Item, B>,
): Promise<Array<Awaited<B> | null>>;
declare function pipeline<Item, A, B, C>(
  items: readonly Item[],
  a: Stage<Item, Item, A>,
  b: Stage<A, Item, B>,
  c: Stage<B, Item, C>,
): Promise<Array<Awaited<C> | null>>;
declare function pipeline<Item>(items: readonly Item[], ...stages: Array<Stage<any, Item, any>>): Promise<any[]>;

interface DagNode {
  /** Unique among the nodes. */
  id: string;
  /** The nodes whose results it needs. */
  dependsOn?: string[];
  /** Its work; deps has the results of what it depends on, by id. A failed agent throws in here. */
  run(deps: Record<string, any>): any;
}

interface DagResult {
  /** What nodes gave, by id. */
  results: Record<string, any>;
  /** How each node ended. */
  status: Record<string, "completed" | "failed" | "skipped">;
  /** Why nodes failed. */
  errors: Record<string, string>;
  /** The ids of those that did not run, in the order of the nodes. */
  skipped: string[];
  /** Whether all completed. */
  ok: boolean;
}

/** Runs functions that wait for each other. What depends on a failed one is skipped. */
declare function dag(nodes: readonly DagNode[]): Promise<DagResult>;

/**
 * Runs another workflow in this run and gives what it returns: a saved one by name, a file by path
 * (./ and ../ start in this script's folder), or a script's text.
 */
declare function workflow<Result = any>(
  which: string | { name: string } | { scriptPath: string } | { script: string },
  args?: unknown,
): Promise<Result>;

/** Calls fn until it does not throw and until() passes its value, three times at most if attempts does not say otherwise. The last error is thrown, the last value given. */
declare function retry<T>(
  fn: (attempt: number) => T | Promise<T>,
  options?: { attempts?: number; until?: (value: T) => unknown },
): Promise<T>;

/** Calls fn until the validator passes its value, three times at most if attempts does not say otherwise. The validator's feedback goes to the next attempt. It asks no person. */
declare function gate<T, F = any>(
  fn: (feedback: F | undefined, attempt: number) => T | Promise<T>,
  validator: (value: T) => boolean | { ok: boolean; feedback?: F } | Promise<boolean | { ok: boolean; feedback?: F }>,
  options?: { attempts?: number },
): Promise<{ ok: boolean; value: T; attempts: number }>;

/** Reviewers try to refute an item, each by itself; lens says what to look at. real if the share of votes for it reaches the threshold; a reviewer that failed has no vote. */
declare function verify(
  item: unknown,
  options?: { reviewers?: number; threshold?: number; lens?: string | string[] },
): Promise<{ real: boolean; realCount: number; total: number; votes: Array<{ real: boolean; reason?: string }> }>;

/** The attempt with the highest mean score of its judges, of equal ones the first; undefined if there is none. */
declare function judgePanel<T>(
  attempts: ReadonlyArray<T | null>,
  options?: { judges?: number; rubric?: string },
): Promise<{ index: number; attempt: T; score: number; judgments: Array<{ score: number; reason?: string }> } | undefined>;

/** Collects what rounds find, each thing once by its key, until rounds bring nothing new or the budget is spent. */
declare function loopUntilDry<T>(options: {
  round: (index: number) => readonly T[] | null | undefined | Promise<readonly T[] | null | undefined>;
  key?: (item: T) => unknown;
  consecutiveEmpty?: number;
  maxRounds?: number;
}): Promise<T[]>;

/** One critic says what is missing; null if it failed. */
declare function completenessCheck(task: unknown, results: unknown): Promise<{ complete: boolean; missing: string[] } | null>;

/** Names what follows, in this branch of the script. budget is what its agents may use: tokens, or a text such as "200k" or "5usd". */
declare function phase(title: string, options?: { budget?: number | string }): void;

/** Writes a line. What is not a text is written as JSON. */
declare function log(...values: unknown[]): void;

interface Console {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
}
/** Each method writes a line, as log does. None of them throws. */
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

/** One check as it ran. */
interface CheckRan {
  name: string;
  command: string[];
  kind: "test" | "lint" | "build" | "types" | "format" | "other";
  source: string;
  ok: boolean;
  exitCode: number | null;
  timedOut: boolean;
  /** How many tests ran; null if that cannot be told. */
  tests: number | null;
  summary: string;
  stdout: string;
  stderr: string;
}
interface StageCheck {
  /** true only if there were checks, and all are good. */
  ok: boolean;
  /** "none": no checks were found, which is no pass. */
  state: "passed" | "failed" | "none";
  commit?: string;
  targetFile?: string;
  summary: string;
  checks: CheckRan[];
}
/** Runs the checks of the workspace, or, with commit, of that commit in a working tree of their own. */
declare function stageCheck(options?: {
  commit?: string;
  /** Which of the checks that there are, by name, or others. Left out, all. */
  checks?: (string | DeliveryCheck)[];
  /** What has to be done in a fresh tree before. Left out, what is found there. */
  setup?: (string | DeliveryCheck)[];
  targetFile?: string;
  label?: string;
  timeoutMs?: number;
  /** Bytes of output that are kept of each check. */
  maxOutput?: number;
  /** Needed with commit. */
  under?: Approval;
}): Promise<StageCheck>;

type RunStatus = "needs-finalize" | "needs-human" | "finalizing" | "completed";
interface Finalization {
  /** true for completed and finalizing. */
  ok: boolean;
  status: RunStatus;
  reason: string;
  nextAction: string;
  details: { condition: string; ok: boolean; found: string }[];
  /** For setSemanticStatus. */
  toRunStatus: { status: RunStatus; reason: string; nextAction: string; details: Json };
}
/** Looks whether work is finished as git and the forge see it: the first condition that fails decides. Unknown is never good. */
declare function checkFinalization(options?: {
  branch?: string;
  base?: { branch: string; commit?: string; remote?: string };
  commit?: string;
  pr?: number;
  /** The checksum of the plan that was approved last. */
  plan?: string;
  lane?: string;
}): Promise<Finalization>;
declare function checkFinalization(cwd: string, options?: { baseRef?: string }): Promise<Finalization>;

/** Looks whether the workspace is a place where something may be tried out. */
declare function prototypeSafetyCheck(options?: {
  worktreeRequired?: boolean;
  allowSharedCheckout?: boolean;
  requireClean?: boolean;
  allowDirty?: boolean;
}): Promise<{ ok: boolean; reason: string; nextAction: string; details: Json[] }>;

/** Failures of several rounds, each cause once, bounded, without secrets. */
interface CorrectionDelta {
  rootCauses: { text: string; count: number; rounds: number[] }[];
  /** How many rounds it tells of, and how many causes there was no room for. */
  rounds: number;
  omitted: number;
  maxTokens: number;
  auditLogId?: string;
}
declare function compactFeedback(options: {
  rounds: { index: number; verdict: string; feedback: string; [member: string]: any }[];
  previousDelta?: CorrectionDelta | null;
  /** About four characters each; 512 if left out. */
  maxTokens?: number;
  auditLogId?: string;
}): CorrectionDelta;
/** A correction delta as a text for whoever tries again. */
declare function renderCorrectionDelta(delta: CorrectionDelta): string;
/** What stageCheck gave, as a text for whoever tries again: the checks that failed, and the ends of what they printed. */
declare function renderStageCheckFeedback(result: StageCheck): string;

/** A step of a plan of Issue Delivery. */
interface DeliveryStep {
  id: string;
  title: string;
  files: string[];
  instructions: string;
  expectedOutput: string;
  acceptance: string[];
  dependencies: string[];
  agentType?: string;
  tier?: "small" | "medium" | "big";
}
interface DeliveryBase {
  branch: string;
  commit: string;
  remote?: string;
  /** A digest of what the repository says of its remotes and of programs that git starts. Handed on, it has to be the same then. */
  settings?: string;
}
interface DeliveryCheck {
  name: string;
  command: string[];
  kind?: string;
  source?: string;
  dir?: string;
}
interface DeliveryViolation {
  code: string;
  step?: string;
  path?: string;
  what: string;
}
interface DeliveredFile {
  path: string;
  kind: "added" | "changed" | "removed";
}
/** The steps of Issue Delivery that a program does. The built-in workflow issue-delivery shows how they fit together. */
declare const delivery: {
  /** Finds what a delivery needs. Whatever is missing is an error that names all of it. */
  begin(options: {
    lane: "pull-request" | "no-pr" | "dry-run" | "prototype";
    task?: string;
    issues?: number[];
    base?: string;
    allowNoChecks?: boolean;
  }): Promise<{
    task: string;
    title: string;
    slug: string;
    branch: string;
    base: DeliveryBase;
    /** The user's tree shows exactly what the work begins with. */
    here: boolean;
    issues: { number: number; title: string; body: string; url: string; state: string; labels: string[]; sha256: string }[];
    notes: { path: string; text: string; cut: boolean }[];
    template?: string;
    checks: (DeliveryCheck & { kind: string; source: string })[];
    setup: DeliveryCheck[];
    warnings: string[];
  }>;
  /** Holds a plan against the rules. */
  checkPlan(
    plan: object,
    options: { base: string; maxSteps?: number },
  ): Promise<{ ok: boolean; violations: DeliveryViolation[]; warnings: DeliveryViolation[]; order: string[]; waves: string[][] }>;
  /** Puts steps onto a commit, each as one commit. */
  stack(options: {
    onto: string;
    steps: { id: string; title: string; base: string; commit: string }[];
    at: string;
    under: Approval;
  }): Promise<{ commit: string; applied: string[]; commits: Record<string, string>; conflict: null | { step: string; files: string[]; commit: string; tip: string } }>;
  /** Makes one commit of all that lies between two, with trailers that name run, step, plan and approver. */
  seal(options: {
    id: string;
    title: string;
    body?: string;
    base: string;
    commit: string;
    at: string;
    under: Approval;
  }): Promise<{ commit: string; files: DeliveredFile[] }>;
  /** Holds changed files against those that were named. */
  conform(options: {
    files: string[];
    base: string;
    commit: string;
  }): Promise<{ ok: boolean; changed: DeliveredFile[]; extra: string[]; missing: string[]; forbidden: string[]; markers: string[] }>;
  /** The difference between two commits, bounded and without secrets. */
  compare(options: {
    base: string;
    commit: string;
    limit?: number;
  }): Promise<{ patch: string; cut: boolean; files: (DeliveredFile & { added: number; removed: number })[] }>;
  /** Looks whether the base branch is still where it was. */
  movedBase(options: {
    base: DeliveryBase;
    files: string[];
    under: Approval;
  }): Promise<{ moved: boolean; commit: string; rewritten: boolean; touched: string[] }>;
  /** Makes or moves the branch of the result. A branch of anybody else is refused. */
  branch(options: { branch: string; commit: string; under: Approval }): Promise<{ branch: string; commit: string; was?: string }>;
  /** Pushes the branch, and opens its pull request if there is none. */
  publish(options: {
    branch: string;
    commit: string;
    base: { branch: string; remote?: string; settings?: string };
    title: string;
    report: object;
    issues?: number[];
    template?: string;
    reviewers?: string[];
    labels?: string[];
    ready?: boolean;
    under: Approval;
  }): Promise<{
    pr: { number: number; url: string; state: string; draft: boolean; head: string; base: string };
    adopted: boolean;
    pushed: boolean;
    warnings: string[];
  }>;
  /** Makes a working tree for a person to repair something in. */
  repair(options: { branch: string; commit: string; settings?: string; under: Approval }): Promise<{ path: string; branch: string }>;
  /** Looks what a person has made of it. */
  repaired(options: { base: DeliveryBase; branch: string }): Promise<{ commit: string; clean: boolean; dirty: string[] }>;
  /** Says what a stop means, and writes the hand-over note. */
  stop(options: {
    by: string;
    reason?: string;
    nextAction?: string;
    status?: string;
    step?: string;
    findings?: string[];
    attempts?: Json[];
    plan?: object;
    approval?: object;
    branch?: string;
    commit?: string;
    /** The working tree in which a person can repair it; the script asks them afterwards. */
    repair?: { path: string; branch: string };
    details?: string;
  }): Promise<{ success: false; stoppedBy: string; status: any; reason: string; nextAction: string; next?: string; handover: string }>;
  /** Removes working trees and branches of the run that nobody needs any more. */
  tidy(options: { keep: string[]; under: Approval }): Promise<{ removed: string[] }>;
};

/** The journaled time of what the script is reacting to, as ISO 8601 in UTC. */
declare function now(): string;

/** A number from 0 up to 1, the same when the run is executed again. */
declare function random(): number;

/** A version 4 UUID, the same when the run is executed again. */
declare function uuid(): string;

/** Waits. The time counts from when it was first asked for, also across a restart. */
declare function sleep(ms: number): Promise<void>;

/** The arguments of the run, with the defaults of meta.args; _raw is the text of the words behind the script's name. Frozen. */
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
