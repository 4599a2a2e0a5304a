// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

/**
 * Basis is how a number is known: by the provider (measured), by the model's own tokenizer (counted), as a
 * remainder (derived), or as an estimate.
 */
export type Basis = 'measured' | 'counted' | 'derived' | 'estimated' | 'unknown' | 'measured+counted' | 'measured+estimated'

/** Level is how near compaction is. */
export type Level = 'ok' | 'soon' | 'now' | 'over'

/**
 * Activity is the agent's activity: a request or a tool is running (working), it waits for the user, it has no
 * process and no record for a while (idle), or it ended.
 */
export type Activity = 'working' | 'waiting' | 'idle' | 'ended'

/** WaitingFor is what an agent waits for: approval of something it asked, or the next prompt. */
export type WaitingFor = 'approval' | 'prompt'

/**
 * Kind is a row of the breakdown. If a measured prompt was not itemized, messages is its remainder. Otherwise
 * prefix is the part of the remainder that preceded the conversation and cannot be divided further, and
 * unattributed is the part added later without a record.
 */
export type Kind = 'system' | 'tools' | 'mcpTools' | 'skills' | 'agents' | 'memory' | 'documents' | 'summary' | 'user' | 'assistant' | 'toolCalls' | 'toolResults' | 'reasoning' | 'media' | 'messages' | 'unattributed' | 'prefix'

/**
 * SubjectKind is the kind of an item's subject; empty for any other label. Others stands for further subjects of a
 * tool, beyond the number that are kept apart.
 */
export type SubjectKind = 'tool' | 'file' | 'command' | 'url' | 'mcp' | 'agent' | 'skill' | 'others'

/**
 * Mode is the meaning of used: hybrid, the prediction for the next request; or provider, the last measured prompt
 * and nothing else.
 */
export type Mode = 'hybrid' | 'provider'

/**
 * LimitSource is the source of the window's size, in order of precedence. setting is a smaller window that the user
 * has set for the agent. error is an overflow newer than the other sources; it also takes precedence over user and
 * agentNow if it gives less. agentNow is the agent's report in this session, outside its records. accepted is the
 * model's larger window, after two prompts that need it. learned was shown by refusals or accepted prompts of
 * earlier sessions.
 */
export type LimitSource = 'setting' | 'user' | 'agentNow' | 'error' | 'accepted' | 'agent' | 'provider' | 'learned' | 'agentTable' | 'registry' | 'unknown'

/**
 * ThresholdSourceKind is a kind of source of the compaction threshold, in order of precedence: the session's own
 * compactions, earlier sessions, the requested rule, a setting of the agent, and the agent's own rule. The limit
 * less the reserve bounds all of them. Dropped and estimate are what the agent counts differently.
 */
export type ThresholdSourceKind = 'session' | 'learned' | 'asked' | 'setting' | 'rule' | 'limit' | 'dropped' | 'estimate'

/**
 * ThresholdState is the effect of a source's threshold: it decides, another source takes precedence, it changes
 * nothing, or it is added to the threshold in force.
 */
export type ThresholdState = 'inForce' | 'overruled' | 'withoutEffect' | 'adjusts'

/** ReasoningMode is how long reasoning stays in the window. */
export type ReasoningMode = 'never' | 'turn' | 'always'

/** Trigger is what started a compaction: the agent or the user. */
export type Trigger = 'auto' | 'manual'

/**
 * CompactionTrigger is what started a compaction: the agent at its threshold (auto), a command (manual), or the
 * agent because the session was idle (idle).
 */
export type CompactionTrigger = 'unknown' | 'auto' | 'manual' | 'idle'

/** Answer is yes, no, or unknown. */
export type Answer = 'unknown' | 'yes' | 'no'

/**
 * BackCause is the reason why a prompt cache is cold: its lifetime is over, the agent's process has ended, the
 * model or the tools have changed, or the conversation was compacted.
 */
export type BackCause = 'time' | 'ended' | 'model' | 'tools' | 'compacted'

/**
 * BreakCause is the reason why a request did not find the previous prompt in the cache: the cache's lifetime was
 * over, the conversation was compacted, earlier messages, the model, the effort, the tools or the system prompt
 * changed, another process or route sent it, or the provider did not use its cache.
 */
export type BreakCause = 'unknown' | 'time' | 'compaction' | 'messages' | 'model' | 'effort' | 'tools' | 'system' | 'process' | 'provider'

/** Turn is the start or the end of a turn of the conversation. */
export type Turn = 'start' | 'end'

/**
 * Phrase is a text of ctx-lsp for front ends that translate: its id, which is one of internal/phrase/list.go, and
 * the values of its placeholders: numbers, names, and phrases. A third-party text never has one.
 */
export type Phrase = { id: string; args?: (string | number | Phrase)[] }

/**
 * Text is a text that front ends show, in English. A text of ctx-lsp has the id of its phrase, one of
 * internal/phrase/list.go, and the values of its placeholders, for front ends that translate. A third-party text
 * has neither.
 */
export interface Text {
  text: string
  id?: string
  args?: Arg[]
}

/** Arg is the value of a placeholder: a name, a number, or a phrase. */
export type Arg = string | number | Phrase

/** Time is a moment, in milliseconds since 1970. */
export type Time = number

/** Body is a text of any length. It is counted and dropped. */
export type Body = string

/** RuleChoice is a Rule, "none", or the name of an agent whose rule to use. */
export type RuleChoice = Rule | string | null

/**
 * Content is the content of a fixed row: a text, a number of tokens, a Part, or an array of Parts, texts and
 * numbers. Blocks of a system prompt and definitions of tools may have the provider's shape. null clears the row.
 */
export type Content = string | number | Part | Block | (string | number | Part | Block)[] | null

/** Block is a block of a system prompt, or the definition of a tool, as a provider shapes it. */
export type Block = { [field: string]: unknown; kind?: never } | (object & { kind?: never })

/**
 * Message is a message of a conversation as a provider or the AI SDK shapes it: with a role and its content or
 * parts, or an input item with its type.
 */
export type Message = ({ role: string; kind?: never } & ({ content: unknown } | { parts: readonly unknown[] } | { [field: string]: unknown })) | { type: string; kind?: never; [field: string]: unknown }

/** Appendix is an Item, or a Message. */
export type Appendix = Item | Message

/** Draft is the message that the user is typing. null or an empty text clears it. */
export type Draft = string | number | Part | Item | null

/** Summary is the summary that a compaction left: a text, a number of tokens, or a Part. */
export type Summary = string | number | Part | null

/** Opening is true, or the parameters to open a session with. */
export type Opening = boolean | OpenParams

/** Foreign is a third-party value, as it was received. */
export type Foreign = unknown

/** Sentence is a text for users: a third-party text, or a phrase. */
export type Sentence = string | Phrase

/** SavedLedger is a ledger as ctx/session/save returned it. */
export type SavedLedger = Ledger

/** SavedLessons are learned corrections as ctx/learned/get returned them; null for none. */
export type SavedLessons = Learned | null

/** Nothing is a result without a field. */
export type Nothing = Record<string, never>

/**
 * Reading is everything that front ends show of a session, already decided. A front end that needs arithmetic has
 * found a missing field.
 */
export interface Reading {
  /** "ctx.reading/3" */
  schema: 'ctx.reading/3'
  /** the session's id */
  session: string
  /** its name for users */
  label: string
  agent: string
  agentVersion: string
  model: string
  workspace: string
  /** The agent's own title, or the user's name for it: one line of at most 200 bytes, "" without one. */
  title: string
  /** the branch that the agent works on, if its records show it */
  branch: string
  /** the parent's session id, for a sub-agent */
  parent: string | null
  mode: Mode
  /** The basis of used. Front ends print ~ for estimated and ? for unknown. */
  basis: Basis
  /** a request is waiting for its response */
  pending: boolean
  /**
   * The agent's activity. The core sees only records; the daemon, which sees processes and has a clock, adds the
   * rest.
   */
  activity: Activity
  /** while the agent waits: "approval", "prompt" or "" */
  waitingFor: 'approval' | 'prompt' | ''
  /** when the activity began; for work, when the turn began */
  since: Time | null
  /** Tokens the next request will occupy if it is sent now. */
  used: number
  /** the range of the next request */
  range: Span
  /** The largest prompt: the maximum input if it is known, otherwise the window. */
  limit: number | null
  /**
   * Tokens free in the window: limit - used - reserve; may be negative. compaction.left is the rest up to the
   * threshold.
   */
  free: number | null
  /** share of the window, like every share; never negative */
  freeShare: Hundredths | null
  /** tokens kept for the response, if prompt and response share the window */
  reserve: number
  /** used as a percentage of the limit, rounded half up; may exceed 100. null if the limit is unknown. */
  percent: Hundredths | null
  limitSource: LimitSource
  /**
   * null before the first request and after a compaction; after an overflow, the refused prompt if the error gives
   * its size.
   */
  lastRequest: LastRequest | null
  leaving: Leaving
  new: NewItems
  /** Tokens of used that were neither measured nor appended; absent if 0. */
  assumed?: number
  /** rows that add up to used, apart from deferred ones */
  breakdown: Row[]
  /** tokens of each server's tools, the largest first */
  mcpServers: Server[]
  /** the ten largest entries of the conversation, by name */
  largest: LargeItem[]
  compaction: Compaction
  /** things that the user can remove, the largest first */
  advice: Advice[]
  accuracy: Accuracy
  spent: Spent
  /** the provider's cache of the prompt */
  cache: Cache
  /** sub-agents, which have their own windows */
  children: Brief[]
  /** messages about problems */
  warnings: Text[]
  /** Known models that resemble an unknown model, which a warning names; absent without any. */
  similarModels?: string[]
  /** time of the last event */
  asOf: Time | null
  /** Provider mode: why no measured percentage is shown, in a few words; absent if one is shown. */
  unmeasured?: Text
  /** What the agent itself shows of its window; absent if it shows nothing. */
  agentOwn?: AgentOwn | null
  /** The program that runs the session for its agent, such as "VS Code Agent Host"; absent otherwise. */
  host?: string
  /** the short texts that front ends print */
  display: Display
  /** Everything about the session in words, if the caller asked for it. */
  panel?: Panel | null
  /** The finished lines that ctx/watch requested. */
  lines?: Record<string, string>
  /** The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only. */
  opening?: string
  /** the transcript that the session is read from */
  file?: string
  /** the account's limits, as reported by the agent on this machine */
  allowance?: Allowance | null
  /** why it is the focused session; only from ctx/focus and ctx/focused */
  focus?: Focus | null
}

/** Focus is the reason for choosing a session. */
export interface Focus {
  reason: Reason
  /** the reason, as a message */
  because: string
  /** sessions that the focused agent may run, if uncertain */
  candidates: string[]
}

/**
 * Allowance is how much of an account's limits is used, and until when the prompt cache is warm, as reported by the
 * agent on this machine. No other source is asked.
 */
export interface Allowance {
  /** the shortest first */
  windows: AllowanceWindow[]
  /** null if the agent does not report it */
  cacheUntil: Time | null
  /** the session's prompt cache by the agent's own account */
  cache?: AgentCache | null
  /** when the agent reported it */
  at: Time | null
}

/**
 * AgentCache is the prompt cache of a session by the agent's own account, which counts by rules of its own. Nothing
 * is computed from it, and cache.breaks are not from it. A value is null if the agent does not report it.
 */
export interface AgentCache {
  warm: boolean | null
  /** the lifetime in milliseconds */
  life: number | null
  /** requests that it counts */
  requests: number | null
  /** of them, those that missed the cache */
  misses: number | null
  /** rebuilds that it expected, such as after a compaction */
  expected: number | null
  /** the part of the prompts that was read, in percent */
  hits: Hundredths | null
  /** tokens written to the cache */
  written: number | null
  /** tokens that misses wrote again */
  rewritten: number | null
  /** when the last miss was */
  lastMiss: Time | null
  /** its causes, in the agent's words */
  lastCauses: string[]
  /** the misses by cause, the most frequent first */
  causes: AgentCacheCause[]
  /** tokens that the next request would write if the cache were cold */
  ifCold: number | null
}

/** AgentCacheCause is a cause of misses, in the agent's words, and their number. */
export interface AgentCacheCause {
  cause: string
  count: number
}

/** AllowanceWindow is one limit of an account. */
export interface AllowanceWindow {
  /** length in minutes: 300 is five hours, 10,080 a week */
  minutes: number
  /** percentage used */
  percent: Hundredths
  /** when it restarts */
  resets: Time | null
}

/** Span is the range that contains 90% of next requests, by the session's own errors. */
export interface Span {
  low: number
  high: number
  /** Why the range is wide, if the cause cannot be predicted; absent otherwise. */
  cause?: Text
}

/** LastRequest is the last measured prompt and the part of its response that is in the next one. */
export interface LastRequest {
  /** the whole prompt, cached or not */
  in: number
  percent: Hundredths | null
  cacheRead: number | null
  cacheWrite: number | null
  out: number | null
  reasoning: number | null
  /** the part of the response that is in the next prompt */
  carry: number
  carryBasis: Basis
}

/** Leaving is the part of the last prompt that will not be sent again. */
export interface Leaving {
  tokens: number
  reasons: LeavingReason[]
}

/** LeavingReason is one cause and its share. */
export interface LeavingReason {
  reason: Text
  tokens: number
}

/** NewItems are the items appended after the last measured prompt. */
export interface NewItems {
  tokens: number
  items: number
  basis: Basis
}

/** Row is one row of the breakdown. */
export interface Row {
  kind: Kind
  label: Text
  tokens: number
  /** share of the window; null for a deferred row or an unknown window */
  share: Hundredths | null
  /** length of its bar, in percent of the largest row's */
  bar: Hundredths
  basis: Basis
  /** listed, but neither in the window nor in the sum */
  deferred?: boolean
}

/**
 * Server is an MCP server of the session. It is known from its listed or called tools, or from the agent's
 * configuration.
 */
export interface Server {
  name: string
  /** number of tools known by name */
  tools: number
  /** true if these are all; otherwise only called tools are known */
  listed: boolean
  /** number of tools that are listed by name and loaded on demand */
  deferred: number
  /** Number of tools that were never called; null if not all tools are known. */
  neverCalled: number | null
  /** number of calls in the window */
  calls: number
  /** tokens in every request; null if unknown */
  tokens: number | null
  basis: Basis
  /** what switches it off, for this agent; "" if unknown */
  switchOff: string
  /** all of this as a message, for front ends */
  text: Text
}

/** Compaction describes when the agent compacts, and at which threshold. */
export interface Compaction {
  /** name of the rule */
  rule: string
  /** date from which it applies */
  since: string
  /** where it was found */
  source: string
  /** null without a rule or a window; at most limit - reserve */
  threshold: number | null
  /** position of the threshold in a bar of the window, as a share */
  thresholdShare: Hundredths | null
  /** The source of the threshold and what it overrules; absent if the rule decides. */
  thresholdFrom?: Text
  /** sources of the threshold, in order of precedence */
  sources: ThresholdSource[]
  /** The last change of the threshold during the session; null without one. */
  moved: ThresholdMove | null
  /** line - used */
  left: number | null
  /** of the window; never negative */
  leftShare: Hundredths | null
  /** used as a percentage of the threshold */
  percent: Hundredths | null
  /** how near the threshold is; without one, how near the full window is */
  level: Level
  /** used > threshold */
  reached: boolean
  /** true if it is time to compact: from the level now on, a margin below the threshold */
  advised: boolean
  /** tokens between the threshold and the limit */
  buffer: number | null
  /** share of the window */
  bufferShare: Hundredths | null
  landing: Landing | null
  /**
   * Requests until it compacts, otherwise until the window is full; null before three, unless earlier sessions show
   * it.
   */
  callsLeft: Range | null
  turnsLeft: Range | null
  /** The source of the forecasts; absent for the session itself. */
  forecastFrom?: Text
  /**
   * The next event: "compacts in ~5 requests", or "window full in ~12 requests" if nothing compacts; empty if
   * unknown.
   */
  hint: Text
  /** number of compactions */
  count: number
  /** the last one; null before the first */
  last: Verdict | null
}

/**
 * ThresholdMove is a change of the compaction threshold during a session, without what the agent counts
 * differently.
 */
export interface ThresholdMove {
  at: Time | null
  /** number of the request before it */
  call: number
  from: number
  to: number
  /** the source of the new threshold */
  source: ThresholdSourceKind
  /** all of this as a message */
  text: Text
}

/**
 * ThresholdSource is a source of the compaction threshold. The threshold of the source in force and what others add
 * to it are together the one that is shown, unless several settings are in force together.
 */
export interface ThresholdSource {
  source: ThresholdSourceKind
  /** the name that front ends show */
  name: Text
  /** Name and value of a setting of the agent, as written; "" for other sources. */
  setting: string
  value: string
  /** the threshold that it gives alone; null if it gives none */
  threshold: number | null
  /** tokens that it adds to the threshold in force; 0 unless it adjusts it */
  adds: number
  state: ThresholdState
  /** How its value is interpreted, or why it has no effect; absent otherwise. */
  note?: Text
}

/** Verdict compares a compaction with the Reading before it. Its message leaves out unknown facts. */
export interface Verdict {
  at: Time | null
  trigger: CompactionTrigger
  /** size of the compacted prompt */
  before: number
  /** The basis of before: measured if the agent records it. */
  beforeBasis: Basis
  /** the size of the next prompt without what the user added */
  left: number | null
  /** the basis of left: estimated until the next request is measured */
  leftBasis: Basis
  /** before - left */
  freed: number | null
  /** The compaction threshold that was shown before it; null without one. */
  threshold: number | null
  /** the source that decided it; null without a threshold */
  source: ThresholdSourceKind | null
  /**
   * Whether it happened at the threshold; unknown unless the agent compacted at a recorded size below a known
   * threshold.
   */
  asPredicted: Answer
  /** the threshold from then on; null if it stayed */
  thresholdNow: number | null
  /** this compaction and the one before each freed less than a fifth */
  loop: boolean
  /** all of this as a message */
  text: Text
}

/** Cache is the provider's cache of a session's prompt, as the transcript records it. */
export interface Cache {
  /** the cost of returning; null if the cache's lifetime is not recorded */
  back: Back | null
  /** Requests that wrote to the cache again what the previous one had left there; absent without any. */
  breaks?: CacheBreaks | null
}

/**
 * Back is the cost of returning to a session: until when the provider keeps its prompt in the cache, as recorded in
 * the transcript, and how much the next prompt writes to the cache after that. Front ends compare the times with a
 * clock.
 */
export interface Back {
  /** until then, the next prompt is read from the cache */
  warmUntil: number
  /** From then on, it is written again. Between warmUntil and coldFrom, either may happen. */
  coldFrom: number
  /** when the last fifth of the cache's lifetime begins; warmUntil if it is cold for another reason */
  warnFrom: number
  /** the reason why it becomes cold */
  cause: BackCause
  /** the cache's lifetime in milliseconds */
  life: number
  /** tokens that the next prompt writes to the cache once it is cold */
  anew: number
  /** anew as front ends print it: "441k" */
  display: '441k'
  /** the fixed context that is still read then; after hours it has often expired */
  kept: number
  /** When the agent compacts the session if it stays idle, and the size after that; null if it does not. */
  compactsAt: Time | null
  compactsTo: number | null
  /** tokens that the first prompt after a compaction writes to the cache; null if unknown */
  compactFirst: number | null
  /** the cost of a cold cache in a clause */
  text: Text
  /** the agent's own compaction in a clause; absent if it does not compact */
  compactsText?: Text
  /** The cost after a compaction before the next prompt, in a clause; absent if unknown or not smaller. */
  firstText?: Text
}

/** CacheBreaks are the requests of a session that wrote to the cache again what the previous request had left there. */
export interface CacheBreaks {
  count: number
  /** tokens that they wrote again, in all */
  written: number
  last: DetailedBreak
  /** the two numbers in a clause */
  text: Text
}

/** DetailedBreak is one break of the cache, with its cause in words. */
export interface DetailedBreak {
  /** when the request was answered */
  at: Time | null
  /** the request's number in the session */
  call: number
  /** why the cache broke */
  cause: BreakCause
  /** the provider or the agent named the cause; otherwise it is inferred */
  recorded: boolean
  /** tokens written again, without the growth of the conversation */
  written: number
  /** the provider reports no writes, so written is only what was not read from the cache */
  unread: boolean
  /** tokens that were still read from the cache */
  kept: number
  /** the cause in a clause */
  causeText: Text
  /** the cause and the tokens written again */
  text: Text
}

/** Landing is the range of tokens that a compaction is expected to leave. */
export interface Landing {
  low: number
  high: number
}

/** Range is a forecast with its 80% interval. */
export interface Range {
  low: number
  likely: number
  high: number
}

/** Advice is something that the user can remove. */
export interface Advice {
  action: string
  label: Text
  /** tokens freed */
  tokens: number
  /** basis of the tokens */
  basis: Basis
  /** less may be freed */
  atMost: boolean
  items: number
  /** how to follow it: a message, or a command of the agent */
  how?: Text
  breaksCache: boolean
}

/** Accuracy is the session's own record of its predictions. */
export interface Accuracy {
  last: Miss | null
  /** actual size of estimated texts divided by their estimates, as learned so far */
  ratio: Hundredths
  medianTokens: number | null
  p95Tokens: number | null
  p95Percent: Hundredths | null
  steps: number
}

/** Miss is one prediction and its measurement. */
export interface Miss {
  predicted: number
  actual: number
  /** predicted - actual */
  error: number
  percent: Hundredths
  /** the likely cause of an error of more than one percent */
  cause?: Text
}

/** Spent is the total of all requests. Cached tokens are included in in. It does not describe the window. */
export interface Spent {
  calls: number
  in: number
  out: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
  /** in + out */
  total: number
  /**
   * The total weighted by cost, in tokens of plain input: a cache read is 0.1, a write 1.25, or 2 if kept for an
   * hour.
   */
  effective: number
}

/** AgentOwn is what the agent itself shows of its window, by its own formula. */
export interface AgentOwn {
  /** null if it prints none */
  percent: Hundredths | null
  /** the label of percent */
  label?: Text
  /** its own count, as a message; not part of breakdown */
  counts?: Text
}

/** Display holds the short texts of a Reading. No front end rounds numbers itself. */
export interface Display {
  /** The fullness as every front end prints it: "~81%", with ~ if estimated; tokens if the limit is unknown. */
  number: string
  /**
   * "~" estimated, "≥" only a part is known, "!" older than data that is not read (yet), "?" unknown, ""
   * otherwise
   */
  mark: string
  percent: string
  used: string
  limit: string
  /** tokens free in the window, after the reserve */
  free: string
  /** tokens left until it compacts; "" if nothing compacts; free and what is left begin with "≤" if mark is "≥" */
  left: string
  percentLeft: string
  /** the compaction threshold in tokens; "" if nothing compacts */
  threshold: string
  thresholdPercent: string
  thresholdPercentLeft: string
  bar: string
}

/** Facts are a short description of a session. */
export interface Facts {
  session: string
  label: string
  agent: string
  model: string
  workspace: string
  title: string
  branch: string
  parent: string | null
  used: number
  limit: number | null
  percent: Hundredths | null
  level: Level
  basis: Basis
  pending: boolean
  activity: Activity
  waitingFor: string
  since: Time | null
  asOf: Time | null
}

/** Brief is a short description of a sub-agent, inside a Reading. */
export interface Brief {
  session: string
  label: string
  agent: string
  model: string
  workspace: string
  title: string
  branch: string
  parent: string | null
  used: number
  limit: number | null
  percent: Hundredths | null
  level: Level
  basis: Basis
  pending: boolean
  activity: Activity
  waitingFor: string
  since: Time | null
  asOf: Time | null
  children: Brief[]
  display: Display
}

/**
 * ListedSession is a short description of a session in the list of ctx/sessions, where sub-agents have their own
 * entries.
 */
export interface ListedSession {
  session: string
  label: string
  agent: string
  model: string
  workspace: string
  title: string
  branch: string
  parent: string | null
  used: number
  limit: number | null
  percent: Hundredths | null
  level: Level
  basis: Basis
  pending: boolean
  activity: Activity
  waitingFor: string
  since: Time | null
  asOf: Time | null
  children: string[]
  display: Display
}

/** Tone is how a front end colors a row: like a level of compaction, less or more than its neighbors, or like them. */
export type Tone = 'plain' | 'strong' | 'quiet' | 'ok' | 'soon' | 'now' | 'over'

/** PanelForm is the form of a panel: a screen (short), or everything (long). */
export type PanelForm = 'short' | 'long'

/**
 * TimeForm is how a front end writes a time: the minutes until then, rounded up; the time that has passed since
 * then; or the time of day, with the date if that is another day.
 */
export type TimeForm = 'minutes' | 'age' | 'clock'

/**
 * Panel is everything about a session in the order in which one reads it, in words. Front ends draw it row by row
 * and decide nothing.
 */
export interface Panel {
  sections: PanelSection[]
}

/** PanelSection is a part of a panel. A front end may fold it. */
export interface PanelSection {
  id: string
  title: Text
  /** the form that has the section; absent for both */
  only?: PanelForm
  rows: PanelRow[]
}

/** PanelRow is one fact, or one part of the window. */
export interface PanelRow {
  /** the fact's name, the same in every panel */
  id: string
  /** absent if the row continues the one before */
  label?: Text
  /** absent for a dated row */
  value?: Text
  /** the value in the short form, if it differs */
  short?: Text
  /** follows the value */
  note?: Text
  /** The form that has the row; absent for both. */
  only?: PanelForm
  /** absent for plain */
  tone?: Tone
  /** share of the window */
  share?: Hundredths | null
  /** length of its bar, in percent of the longest */
  bar?: Hundredths | null
  /** The compaction threshold's position in the bar of the window, which has the length share. */
  mark?: Hundredths | null
  /** of a part of the window: a Kind of the breakdown */
  kind?: string
  /** of a sub-agent: how many are above it */
  depth?: number
  /** the session that the row opens */
  session?: string
  /** the line of the transcript that the row opens */
  place?: number | null
  /** the advice's action, which a front end may offer */
  action?: string
  /** Values that depend on the time: the last one that has begun applies. The row is absent before the first. */
  dated?: Dated[]
}

/** Dated is the value of a row from a time on. */
export interface Dated {
  from: Time
  /** absent if the row is absent from then on */
  value?: Text
  /** the time that replaces the first {time} in value */
  at?: Time | null
  /** how that time is written */
  as?: TimeForm
}

/**
 * HostRow is a row of the host's own, such as a session nearby. One with the id of a row takes its place, and
 * removes it if it has no value. The rows host, opening and transcript have their places.
 */
export interface HostRow {
  id: string
  /** for a row of a new id */
  section?: string
  label?: Sentence
  value?: Sentence
  note?: Sentence
  tone?: Tone
  session?: string
  place?: number | null
  action?: string
}

/**
 * Limits are the three numbers of a model's window, as known by the user. They take precedence over all other
 * sources. A window or an input of 0 is an error, and an output of 0 is unknown. In an update, a missing number
 * stays unchanged, and null withdraws it.
 */
export interface Limits {
  window?: number | null
  input?: number | null
  output?: number | null
  /** The window depends on something unknown to the host, such as a plan: unknown until one is set or withdrawn. */
  withheld?: boolean
}

/** Rule is a compaction rule. If several are set, the lowest threshold applies. */
export interface Rule {
  /** share of the limit */
  percent?: Hundredths | null
  /** Output reserve: the maximum output, but at most this; 0 means 32,000. */
  reserve?: number | null
  /** With reserve: size after compaction, counted down from the window, or 80% of a window no larger than that. */
  target?: number | null
  /** a fixed number of tokens */
  threshold?: number | null
}

/** OpenParams are the parameters of ctx/session/open. */
export interface OpenParams {
  id?: string
  /** the id's scope: a host with several clients gives each its own; the daemon refuses it */
  scope?: string
  /** The agent, which sets the compaction rule and the window table; default generic. */
  agent?: string
  agentVersion?: string
  /** as models.dev spells it, or a usual alias */
  model?: string
  /** as models.dev spells it, or a usual alias */
  provider?: string
  /** chat, responses, copilot, ...: decides how reasoning is sent again */
  route?: string
  workspace?: string
  /** the session's own checkout of workspace */
  checkout?: string
  /** default hybrid */
  mode?: Mode
  limits?: Limits | null
  /** tokens kept for the response */
  reserve?: number | null
  /** default the agent's own */
  rule?: RuleChoice
  /** learned if absent */
  reasoning?: ReasoningMode
  /** the parent's session id: of the same scope, or of none */
  parent?: string
  /** its name for users */
  label?: string
  /** the agent's own title of the session; never a prompt */
  title?: string
  /** the branch that the agent works on */
  branch?: string
  /**
   * The agent's own environment variables and settings that affect its threshold, by their own names. Others are
   * dropped.
   */
  settings?: Record<string, string>
  /** The host sends everything, fixed rows and items: rows estimated too short are scaled up to the measured prompt. */
  complete?: boolean
  /** The records begin within the conversation, so what its first prompt contained is unknown. */
  tail?: boolean
  /** Show only the last element of file paths. */
  hidePaths?: boolean
  /** The process that runs the session and has its saved ledger, so that its past is unknown; 0 if unknown. */
  heldBy?: number | null
  /** The session's saved ledger is missing or cannot be restored, so its past is unknown. */
  setAside?: boolean
  at?: Time | null
  /** Add the panel to every Reading of the session, with these rows of the host. */
  panel?: boolean
  rows?: HostRow[]
  /** An unknown model or provider is an error, whose data.known has the names that resemble it. */
  strict?: boolean
  /** The secret key of the saved digests of messages. Without one, none are saved. */
  key?: string
  /** the session has no owner: every client may join it */
  shared?: boolean
  /** continue from the saved ledger of this id, if there is one */
  resume?: boolean
}

/**
 * Item is one piece of a conversation, with its text or its tokens. Tokens are taken as they are; the constants of
 * the model's framing are added only to a text.
 */
export interface Item {
  /** Its row: user assistant toolCalls toolResults reasoning media summary documents memory system; or developer. */
  kind: Kind
  text?: Body
  tokens?: number | null
  /** for lists */
  label?: string
  /** name of the tool, for lists */
  name?: string
  /**
   * The kind of its subject, for lists: with file, command, url, mcp, agent or skill, name is the path, command or
   * tool.
   */
  what?: SubjectKind
  subject?: string
  mediaType?: string
  width?: number | null
  height?: number | null
  pages?: number | null
  seconds?: number | null
  /** marks a failed tool result */
  error?: boolean
  /** false: no request of this session produced it */
  reply?: boolean | null
  /** length of a signed or encrypted block */
  opaque?: number | null
  /** For reasoning, as in the AI SDK: the longest string in it is used as opaque. */
  providerMetadata?: Foreign
  /** number of parameters of a tool call */
  parameters?: number | null
  /** sent, but not shown to the user */
  hidden?: boolean
  /** How many tokens are sent around the text, in addition to the constants of the model's framing. */
  wrapping?: number | null
}

/** Part is a piece of a fixed row, with its text or its tokens. */
export interface Part {
  text?: Body
  tokens?: number | null
  label?: string
  /** listed, but not in the window until it is loaded */
  deferred?: boolean
  /** For memory: it comes with its turn and leaves with it, like documents. */
  ephemeral?: boolean
}

/** Replacement replaces an item with another. */
export interface Replacement {
  index: number
  item: Item
  reason?: string
}

/** UpdateParams are the parameters of ctx/session/update: the changes. */
export interface UpdateParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  model?: string
  provider?: string
  route?: string
  /** as in ctx/session/open, for this call's model and provider */
  strict?: boolean
  /** mode of the Readings from now on */
  mode?: Mode
  limits?: Limits | null
  /** The agent's own report of its window in this session, such as the message for its status line. */
  agentLimits?: Limits | null
  reserve?: number | null
  rule?: RuleChoice
  system?: Content
  tools?: Content
  mcpTools?: Content
  skills?: Content
  agents?: Content
  memory?: Content
  /** documents of the current turn; they leave with it */
  documents?: Content
  /**
   * Content that the agent loads automatically, as found on disk. It names parts of measured prompts and adds
   * nothing.
   */
  loaded?: Loaded
  /** items at the end, or messages as the provider shapes them */
  append?: Appendix[]
  /** items that replace others */
  replace?: Replacement[]
  /** This item and all later ones are removed, as in a rewind; 0 clears the conversation. */
  removeFrom?: number | null
  /** How many of the oldest items are no longer sent, as in a sliding window; they keep their positions. */
  removeFirst?: number | null
  /**
   * start when the user sends a message, end when the agent is done; otherwise a user item after a response starts
   * one.
   */
  turn?: Turn
  /** part of used, replaced as a whole; the next user item also clears it */
  draft?: Draft
  /** as in ctx/session/open */
  complete?: boolean | null
  /** outranks what records say; "" clears it */
  title?: string | null
  branch?: string | null
  /** The agent's activity as seen by the host, until an item, a usage or a turn follows; "" withdraws it. */
  activity?: Activity | null
  /** only with the activity waiting */
  waitingFor?: WaitingFor
  /** only with activity: when it began; otherwise now */
  since?: Time | null
  at?: Time | null
  /** When an agent last wrote in the session's workspace in a form that the host cannot read. */
  unreadAt?: Time | null
  /** the agent that wrote at unreadAt; the session's own if absent */
  unreadBy?: string
  /**
   * Whether the host has yet to read records that the agent has written; the numbers are marked until it sends
   * false.
   */
  behind?: boolean | null
  /** The agent's own number for its prompt, newer than its records, until the conversation continues. */
  reported?: number | null
  /** only with reported: when the agent reported it */
  reportedAt?: Time | null
  /** The host's rows of the panel, instead of those before. */
  rows?: HostRow[]
}

/** MessagesParams are the parameters of ctx/session/messages. */
export interface MessagesParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** All messages of the conversation, the oldest first, as the provider or the host's library shapes them. */
  messages: Appendix[]
  /** true: messages were replaced by a summary; false: they were not. It is inferred if absent. */
  compacted?: boolean | null
  at?: Time | null
}

/**
 * Loaded is the content that an agent loads automatically when a session begins: the texts of memory files, and its
 * lists of skills and agents. Each is an array of Parts, which replaces the previous one.
 */
export interface Loaded {
  memory?: Content
  skills?: Content
  agents?: Content
  /** MCP servers in the agent's configuration */
  servers?: string[]
  /** When servers' configuration and memory files changed, for agents that reread them without a record. */
  serversChanged?: Time | null
  memoryChanged?: Time | null
  /** messages about content that could not be found, and why */
  unknown?: Sentence[]
}

/** UsageParams are the parameters of ctx/session/usage. */
export interface UsageParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** the response's id: a report with the same id replaces the earlier one */
  request?: string
  /** recognized by the shape of usage if absent */
  provider?: string
  /** usage object, response or stream event; Usage for provider ctx */
  usage: Foreign
  /** How many items the prompt contained. By default all except those that the model wrote at the end. */
  through?: number | null
  /** false for a chunk of a stream */
  final?: boolean | null
  /** the provider counted this prompt and did not run it */
  counted?: boolean
  /** The usage may be invented by its source: numbers based on it are estimated, and nothing is learned from it. */
  reported?: boolean
  at?: Time | null
}

/** Usage is the normalized usage of provider ctx. */
export interface Usage {
  /** the whole prompt, cached tokens included */
  in?: number | null
  out?: number | null
  /** included in out */
  reasoning?: number | null
  /** included in in, like cacheWrite */
  cacheRead?: number | null
  cacheWrite?: number | null
  /** the limit, if the provider reports it with the usage */
  window?: number | null
}

/** ErrorParams are the parameters of ctx/session/error. */
export interface ErrorParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  provider?: string
  /** an object or a text */
  error: Foreign
  /** HTTP status */
  status?: number | null
  /** The error may be invented by its source: only its limit is used. */
  reported?: boolean
  at?: Time | null
}

/** CompactedParams are the parameters of ctx/session/compacted. */
export interface CompactedParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** default manual */
  trigger?: Trigger
  summary?: Summary
  /** how many of the last items remain */
  kept?: number | null
  /** the remaining tokens, if the caller knows */
  tokens?: number | null
  before?: number | null
  at?: Time | null
}

/** RecordsParams are the parameters of ctx/session/records. */
export interface RecordsParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** recognized from the records if absent */
  agent?: string
  /** raw records, strings that hold them, or {"skipped": bytes} */
  records: Foreign[]
  /** The transcript line of the first record, if each record is on the line after the previous one. */
  line?: number | null
  /** open the session if there is none */
  open?: Opening
  /** return the predictions that were verified */
  steps?: boolean
  /** with steps: infer causes of cache breaks instead of reading those that the agent recorded */
  inferred?: boolean
  /** false: return no Reading */
  reading?: boolean | null
  /** return the files with unrecorded content */
  wanted?: boolean
  at?: Time | null
  /** as in ctx/session/open */
  shared?: boolean
}

/** RecordsAnswer is the result of ctx/session/records with steps or wanted. */
export interface RecordsAnswer {
  reading?: Reading | null
  steps: Step[]
  wanted: WantedFile[]
}

/** WantedFile is a file that the agent uses, with content that it sends without a record. */
export interface WantedFile {
  /** as written in the record, perhaps relative to the workspace */
  path: string
  /**
   * mentioned by the user; read, readInPart or written by the agent; forgotten, without a path, if all were
   * removed.
   */
  use: string
  /** time of the record */
  at: Time | null
  /** set if a prompt that contains it was measured since */
  sent: boolean
}

/** Step is one prediction and its measurement. */
export interface Step {
  session: string
  model: string
  call: number
  /** tool, user, resume, compaction or model */
  kind: string
  predicted: number
  /** low and high: the range that was given, which contains 90% of steps */
  low: number
  high: number
  actual: number
  /** a new text had been redacted in the transcript */
  redacted: boolean
  /** in the tool loop: tokens of new texts before any correction; 0 if anything else was estimated */
  texts: number
  /** the size of these texts in the request */
  held: number
  /** predicted - actual */
  error: number
  /** percentage of the measured size */
  percent: Hundredths
  turn: number
  /** Landing is the predicted size after a compaction, for the first request after it. */
  landing: Range | null
  /** forecasts made after this request was measured */
  forecasts: Forecast[]
  /** set for the first request after a pause */
  return?: Return | null
  /** set if the request wrote to the cache again what the previous one had left there */
  cacheBreak?: CacheBreak | null
}

/** CacheBreak is a request that wrote to the cache again what the previous request had left there. */
export interface CacheBreak {
  /** the id of the response; "" if it is not kept */
  request: string
  /** when it was answered */
  at: Time | null
  call: number
  /** time, compaction, messages, model, effort, tools, system, process, provider or unknown */
  cause: string
  /** the provider or the agent named the cause */
  recorded: boolean
  /** tokens written again, without the growth of the conversation */
  written: number
  /** the provider reports no writes, so written is only what was not read from the cache */
  unread: boolean
  /** tokens read from the cache */
  kept: number
}

/** Return compares the first request after a pause of more than five minutes with the forecast before it. */
export interface Return {
  /** the forecast */
  back: Back
  /** the prompt size it was made for */
  used: number
  /** since the last request, in milliseconds */
  pause: number
  /** when the request was sent */
  sent: Time | null
  /** tokens that it read from the cache */
  read: number
  /** the rest of its prompt */
  wrote: number
  /** it did not read the conversation */
  cold: boolean
  /** the conversation was compacted in the pause */
  compacted: boolean
}

/** Forecast is how many calls and turns were predicted to fit below a threshold. */
export interface Forecast {
  threshold: number
  calls: Range
  turns: Range
}

/** ReadingParams are the parameters of ctx/session/reading. */
export interface ReadingParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** mode of this result; default the session's own */
  mode?: Mode
  /** add the panel to this result */
  panel?: boolean
  /** Rows of the host in this panel, after those of the session. */
  rows?: HostRow[]
}

/** SessionsParams are the parameters of ctx/sessions. */
export interface SessionsParams {
  /** List the sessions of this scope, and those without a scope whose ids are free in it. */
  scope?: string
  /** mode of this result; default each session's own */
  mode?: Mode
}

/** SessionParams name a session. */
export interface SessionParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
}

/** NoParams are the parameters of a method without any. */
export type NoParams = Record<string, never>

/** SessionsAnswer is the result of ctx/sessions. */
export interface SessionsAnswer {
  sessions: ListedSession[]
}

/** HistoryParams are the parameters of ctx/session/history. */
export interface HistoryParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** maximum number of points; default 200 */
  points?: number | null
}

/** HistoryAnswer is the history of a session. */
export interface HistoryAnswer {
  points: HistoryPoint[]
  compactions: HistoryCompaction[]
  /** the last 20 compactions, the oldest first */
  verdicts: Verdict[]
  /** the last 20 changes of the threshold, the oldest first */
  moves: ThresholdMove[]
  /** the last 64 breaks of the cache, the oldest first */
  breaks: DetailedBreak[]
  threshold: number | null
  limit: number | null
}

/** HistoryPoint is one measured prompt. */
export interface HistoryPoint {
  at: Time | null
  call: number
  used: number
  /** share of the present limit */
  percent: Hundredths | null
}

/** HistoryCompaction is one compaction. */
export interface HistoryCompaction {
  at: Time | null
  call: number
  before: number | null
  after: number | null
  trigger: Trigger
}

/** ItemsParams are the parameters of ctx/session/items. */
export interface ItemsParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** maximum number of items; default 20 */
  top?: number | null
}

/** ItemsAnswer lists the largest entries: all items with the same name, or one item without a name. */
export interface ItemsAnswer {
  items: LargeItem[]
  /** number of items in the conversation */
  total: number
}

/** FitsParams are the parameters of ctx/session/fits. */
export interface FitsParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** the texts, or their tokens; labels are returned with each */
  parts: Content
  /** add the phrase of the text */
  phrases?: boolean | null
}

/** FitsAnswer describes the next request with the parts added. */
export interface FitsAnswer {
  /** tokens added by the parts and the frame of their message */
  tokens: number
  /** basis of tokens */
  basis: Basis
  /** size of the next request with the parts */
  used: number
  limit: number | null
  /** used as a percentage of the limit */
  percent: Hundredths | null
  free: number | null
  /** the compaction threshold */
  threshold: number | null
  /** used as a percentage of the threshold */
  thresholdPercent: Hundredths | null
  left: number | null
  /** now or over: the agent compacts */
  level: Level
  /** the largest first */
  parts: FitsPart[]
  /** the next request with only the parts that fit; null if all fit, and if none does */
  fewer: Fewer | null
  /** the text as a phrase, if phrases were asked for */
  phrase?: Phrase | null
  /** the result in one line, for users */
  text: string
}

/** FitsPart is one of the texts of ctx/session/fits. */
export interface FitsPart {
  label: string
  tokens: number
  basis: Basis
  /** would have to be left out; fewer describes the rest */
  leftOut?: boolean
}

/** Fewer describes the next request without the parts that are left out. */
export interface Fewer {
  /** tokens added by the other parts */
  tokens: number
  used: number
  percent: Hundredths | null
  thresholdPercent: Hundredths | null
  level: Level
}

/** LargeItem is one of the largest entries of a conversation, with its name and size, not its text. */
export interface LargeItem {
  /** index of its largest item */
  index: number
  /** kind of its largest item */
  kind: Kind
  /** the kind of its subject */
  what: SubjectKind
  /** its name: Read src/api.go, Bash npm test, mcp:github get_issue */
  label: Text
  /** how often it was called, read or shown */
  times: number
  tokens: number
  basis: Basis
  /** share of the window */
  share: Hundredths | null
  /** length of its bar, in percent of the largest one's */
  bar: Hundredths
  /** the transcript line of its largest item, if known */
  place: number | null
}

/** SaveAnswer is the result of ctx/session/save. */
export interface SaveAnswer {
  ledger: Ledger
}

/** Ledger is a saved session: counts, labels and the title, no other text. */
export interface Ledger {
  /** ctx.ledger/ and a fingerprint of the saved state; ledgers of other builds are not restored */
  schema: string
  session: string
  /** for hosts that keep parents and sub-agents together */
  parent?: string
  settings: Record<string, string>
  names: string[]
  /** base64 */
  state: string
  /** only if the session is read from a transcript */
  reader?: ReaderState | null
}

/**
 * ReaderState is what the reader of a transcript remembers of earlier records: counts, ids, hashes and labels, at
 * most 128 KiB. A larger state is left out.
 */
export interface ReaderState {
  agent: string
  /** a fingerprint of the state that the agent's readers save */
  format: string
  names: string[]
  /** base64 */
  state: string
}

/** RestoreParams are the parameters of ctx/session/restore. */
export interface RestoreParams {
  ledger: SavedLedger
  /** replaces the ledger's own id */
  id?: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  parent?: string
  /** the key that ctx/session/open was given */
  key?: string
  /** the newest ledger is lost, so the number is marked until a request is measured */
  older?: boolean
  /** as in ctx/session/open */
  shared?: boolean
}

/** ImportProblem is the reason why an import fails; empty if it does not. */
export type ImportProblem = 'missing' | 'outside' | 'tooLarge' | 'unreadable'

/**
 * LimitOf is the source of the window that a prompt file is compared with: the session that it is opened for,
 * otherwise the agent's assumption about the model, otherwise the model itself; empty if none is known.
 */
export type LimitOf = 'session' | 'agent' | 'model'

/** DrawnPart is one of the parts that an editor draws. */
export type DrawnPart = 'lenses' | 'hints' | 'hovers' | 'links' | 'diagnostics' | 'breakdown'

/** TextUnits is the unit in which characters of a line are counted, as in LSP. */
export type TextUnits = 'utf-8' | 'utf-16' | 'utf-32'

/** DocumentOpenParams are the parameters of ctx/document/open. */
export interface DocumentOpenParams {
  /** the document's URI */
  id: string
  /** documents of the same set may import one another */
  set?: string
  /** the set's scope; see ctx/session/open */
  scope?: string
  /** relative to the workspace, or ~/...; default id */
  path?: string
  text: Body
  /** the model to count for; default the one that the kind of file suggests */
  model?: string
  provider?: string
  /** limit of the session that it is opened for; shares are divided by it */
  limit?: number | null
  /** the agent whose loading rules apply if several agents read the file */
  agent?: string
  show?: ShowOptions | null
}

/** DocumentChangeParams are the parameters of ctx/document/change. */
export interface DocumentChangeParams {
  id: string
  set?: string
  /** the set's scope; see ctx/session/open */
  scope?: string
  /** the host's own number; changes come in order */
  version?: number | null
  /** each applies to the result of the previous one */
  changes?: DocumentChange[]
  /** the target of each import, as found by the host */
  imports?: ImportTarget[]
  /** to count for from now on; null or "" for what the kind of file suggests */
  model?: string | null
  provider?: string
  /** with model, as in open */
  limit?: number | null
  show?: ShowOptions | null
}

/** DocumentChange replaces bytes of the text, or all of it if from and to are absent. */
export interface DocumentChange {
  from?: number | null
  to?: number | null
  text: Body
}

/**
 * ImportTarget is the target of an import: the document that the host opened for it, or the reason why there is
 * none.
 */
export interface ImportTarget {
  target: string
  id?: string
  problem?: ImportProblem
}

/** ShowOptions set which parts of a view are returned. */
export interface ShowOptions {
  /** false: no view */
  view?: boolean | null
  /** false: no sections */
  sections?: boolean | null
  /** sections that overlap these bytes */
  from?: number | null
  to?: number | null
  /** false: no findings */
  findings?: boolean | null
  budget?: DocumentBudget | null
  /** other documents that are always loaded with it */
  with?: string[]
  /** the parts of drawn; only hints and hovers that overlap from and to */
  draw?: DrawnPart[]
  /** the unit of positions in drawn; default utf-16 */
  units?: TextUnits
  /** hovers and the breakdown without Markdown */
  plain?: boolean | null
  /** add phrases to drawn and findings */
  phrases?: boolean | null
}

/**
 * DocumentBudget is how many tokens a file may have, its imports included, before it gets a finding; 0 for no
 * limit.
 */
export interface DocumentBudget {
  /** limit for content that is in every request */
  always?: number | null
  /** limit for the rest */
  loaded?: number | null
}

/** DocumentViewParams are the parameters of ctx/document/view. */
export interface DocumentViewParams {
  id: string
  set?: string
  /** the set's scope; see ctx/session/open */
  scope?: string
  show?: ShowOptions | null
}

/** DocumentParams name a document. */
export interface DocumentParams {
  id: string
  set?: string
  /** the set's scope; see ctx/session/open */
  scope?: string
}

/** DocumentView is a prompt file and its size. Positions are byte offsets. */
export interface DocumentView {
  /** "ctx.document/1" */
  schema: 'ctx.document/1'
  id: string
  path: string
  kind: string
  title: string
  /** the agent whose loading rules apply */
  agent: string
  /** the model that it is counted for */
  model: string
  modelChosen: boolean
  load: DocumentLoad
  /** tokens of the file itself */
  tokens: number
  basis: Basis
  /** tokens of the description that is loaded before the rest */
  listed: number
  /** tokens of all imported files, each counted once */
  imported: number
  /** number of imported files */
  files: number
  /** tokens + imported */
  total: number
  /** share of the limit */
  share: Hundredths | null
  /** limit of the window; null if unknown */
  limit: number | null
  limitOf: LimitOf
  /** the requested sections */
  sections: Section[]
  /** number of all sections */
  sectionCount: number
  imports: DocumentImport[]
  findings: Finding[]
  display: DocumentDisplay
  /** only if draw was given */
  drawn?: Drawn | null
}

/** DocumentLoad describes when an agent loads the file. */
export interface DocumentLoad {
  /** "always", "path" or "demand" */
  when: 'always' | 'path' | 'demand'
  /** patterns of the paths that it is loaded for */
  globs: string[]
  /** the reason, as a message */
  why: string
}

/** Section is a heading and the text below it. */
export interface Section {
  title: string
  level: number
  /** start of the heading's line */
  from: number
  to: number
  /** end of the section, with those below it */
  end: number
  /** tokens up to the next heading */
  own: number
  /** tokens with the sections below it */
  tokens: number
  display: string
  ownDisplay: string
}

/** DocumentImport is a reference to another file, and the tokens that it adds. */
export interface DocumentImport {
  target: string
  from: number
  to: number
  /** the document that it leads to */
  id: string
  /** missing, outside, tooLarge, unreadable, circular, tooDeep or repeated */
  problem: string
  tokens: number
  /** tokens with its own imports */
  all: number
  display: string
}

/** Finding is a problem in a prompt file. */
export interface Finding {
  from: number
  to: number
  /** as in LSP: 1 error, 2 warning, 3 information, 4 hint */
  severity: number
  code: string
  message: string
  /** the message as a phrase, if phrases were asked for */
  phrase?: Phrase | null
  other?: OtherFinding | null
}

/** OtherFinding is another location that a finding concerns, in this or another document. */
export interface OtherFinding {
  id: string
  from: number
  to: number
  message: string
  phrase?: Phrase | null
}

/** DocumentDisplay holds the short texts of a view. */
export interface DocumentDisplay {
  /** "~" estimated, "" otherwise */
  mark: string
  tokens: string
  imported: string
  total: string
  listed: string
  share: string
  limit: string
}

/**
 * Drawn contains the texts that an editor draws in a prompt file, finished and in English, with their positions.
 * Parts that were not requested are absent.
 */
export interface Drawn {
  lenses?: DocumentLens[]
  hints?: DocumentHint[]
  /** the first one that contains a position is shown */
  hovers?: DocumentHover[]
  links?: DocumentLink[]
  diagnostics?: DocumentDiagnostic[]
  /** the whole file, in Markdown */
  breakdown?: string
  /** the breakdown as a phrase */
  breakdownPhrase?: Phrase | null
}

/** TextPosition is a position in a text: a line and a character in it, from 0. */
export interface TextPosition {
  line: number
  /** in the requested unit */
  character: number
}

/** TextRange is the text between two positions. */
export interface TextRange {
  start: TextPosition
  end: TextPosition
}

/** DocumentLens is a line above the text: the file's size, and when it is loaded. */
export interface DocumentLens {
  range: TextRange
  title: string
  /** the title as a phrase, if phrases were asked for */
  phrase?: Phrase | null
}

/** DocumentHint appears after a heading, or after a line that imports. */
export interface DocumentHint {
  position: TextPosition
  label: string
  tooltip: string
  /** the tooltip as a phrase */
  phrase?: Phrase | null
}

/** DocumentHover is a hover for a range of the text. */
export interface DocumentHover {
  range: TextRange
  /** Markdown that shows names as plain text; no Markdown with plain */
  text: string
  /** the text as a phrase */
  phrase?: Phrase | null
}

/** DocumentLink is a link to an imported document. */
export interface DocumentLink {
  range: TextRange
  /** the document that it leads to */
  id: string
  tooltip: string
  /** the tooltip as a phrase */
  phrase?: Phrase | null
}

/** DocumentDiagnostic is a Finding with its range. */
export interface DocumentDiagnostic {
  range: TextRange
  /** as in LSP */
  severity: number
  code: string
  message: string
  /** the message as a phrase */
  phrase?: Phrase | null
  related?: DocumentReference | null
}

/** DocumentReference is another location that a diagnostic concerns. */
export interface DocumentReference {
  /** the document's ID */
  id: string
  range: TextRange
  message: string
  /** the message as a phrase */
  phrase?: Phrase | null
}

/** CountParams are the parameters of ctx/count: one text or several, for a model or by an encoding. */
export interface CountParams {
  text?: Body | null
  /** alternative to text */
  texts?: Body[]
  model?: string
  provider?: string
  /** alternative to model and provider */
  encoding?: string
  /** "message": as the one message of a user, with its frame */
  as?: string
  /** also return the ends of tokens */
  boundaries?: boolean
  /** as in ctx/session/open */
  strict?: boolean
  /** alternative to all of these: let the provider count */
  exact?: ExactCount | null
}

/**
 * ExactCount is a request that the provider itself should count, because the user asked for it. Only the daemon
 * supports it, and only this uses a network.
 */
export interface ExactCount {
  /** anthropic, openai, gemini, bedrock, vllm, llama.cpp, ... */
  api: string
  /** replaces the request's */
  model?: string
  /** the body that would be sent */
  request: Foreign
  /** a server on this machine, without a path; it gets no key */
  baseUrl?: string
  /** the session that the result calibrates */
  session?: string
  /** how many of its items the request contains */
  through?: number | null
}

/** CountAnswer is the result of ctx/count. */
export interface CountAnswer {
  tokens: number
  basis: Basis
  /** "" if the model has no public one */
  encoding: string
  /** why the count is an estimate: a doubt about the vocabulary, or an unknown model */
  note?: string
  /** the same as a phrase */
  notePhrase?: Phrase | null
  /** Known models that resemble an unknown one; absent without any. */
  similarModels?: string[]
  /** the count of each of several texts */
  texts?: number[]
  /** ends of tokens, in bytes of text */
  boundaries?: number[]
}

/** ExactAnswer is the result of ctx/count for an exact count. */
export interface ExactAnswer {
  api: string
  model?: string
  tokens: number
  /** estimated if the provider's count covers text only */
  basis: Basis
  /** only if the provider reports it */
  window?: number
  /** size before the provider's own context editing */
  original?: number
  cached?: number
  note?: string
  /** Reading of the calibrated session */
  reading?: Reading | null
}

/** ModelsParams are the parameters of ctx/models. */
export interface ModelsParams {
  /** a name or a part of an id; default everything */
  query?: string
}

/** ModelsAnswer is the result of ctx/models. */
export interface ModelsAnswer {
  models: Model[]
}

/** Model is a model in the registry. */
export interface Model {
  id: string
  provider: string
  window: number | null
  input: number | null
  output: number | null
  /** "shared" or "separate" */
  sharing: 'shared' | 'separate'
  /** "" if it is not public */
  encoding: string
  /** family of tokenizers */
  family: string
  reasoning: string
  /** where the numbers were found */
  source: string
  /** when they were found */
  date: string
}

/** LearnedParams are the parameters of ctx/learned/set. */
export interface LearnedParams {
  /** as ctx/learned/get returned it; null or {} drops everything */
  learned: SavedLessons
}

/** LearnedAnswer is the result of ctx/learned/get. */
export interface LearnedAnswer {
  learned: Learned
}

/** Learned are the corrections learned from earlier and open sessions, for the host to store. They contain no text. */
export interface Learned {
  /** the oldest first */
  lessons: Lesson[]
  /** limits shown by sessions */
  limits: LimitsLesson[]
}

/**
 * LimitsLesson is the compaction threshold, the window, the reserve and the size after a compaction as shown by
 * sessions: those with the same agent, version up to its second number, model and workspace.
 */
export interface LimitsLesson {
  /** a fingerprint of the kind */
  key: string
  agent: string
  model: string
  /** The rule's threshold and the limit, which are the settings that the rest belongs to. */
  rule: number | null
  limit: number | null
  /** the smallest prompt that the agent compacted automatically; 0 without one */
  compacted: number
  /** requests passed the rule's threshold */
  refuted: boolean
  /** the limit that a refusal or accepted prompts corrected; null if none did */
  base: number | null
  /** the corrected total */
  window: number | null
  /** the corrected largest prompt */
  input: number | null
  /** reserved by a refused request; 0 if none was */
  reserve: number
  /** prompts after compactions, the oldest first */
  landings: number[]
  /** Fingerprints of the sessions that showed the threshold, and of the last session. */
  sessions: string[]
  last: string
  /** when the last session measured last */
  at: Time | null
}

/** Lesson are the corrections learned from sessions of one kind: an agent, its version, a model and a workspace. */
export interface Lesson {
  /** a fingerprint of the kind */
  key: string
  /** a fingerprint of the agent and the workspace; 0 if unknown */
  place: string
  agent: string
  model: string
  /** a fingerprint of the last session */
  session: string
  /** residuals of first prompts */
  bases: number[]
  /** residual of the second request */
  afterBase: number | null
  /** unrecorded tokens of the second request after a compaction */
  second: number | null
  /** actual tokens of estimated texts */
  actual: number
  /** estimates of these texts */
  estimated: number
  reasoning: ReasoningMode
  steps: number
  /** time of the last measurement */
  at: Time | null
  /**
   * Tokens of system, tools, mcpTools, skills, agents, memory and documents, as set by the host; empty if none were
   * set.
   */
  rows: number[]
  /** growth of the last sessions, the oldest first */
  paces: Pace[]
}

/**
 * Pace is the growth of a session: its tokens, in how many steps from one request to the next, and its requests, in
 * how many turns.
 */
export interface Pace {
  tokens: number
  steps: number
  requests: number
  turns: number
}

/** Refused is the shape of an error. */
export interface Refused {
  code: number
  /** a message for users */
  message: string
  data: RefusedData
}

/** RefusedData is the message of a refusal in a form for programs. */
export interface RefusedData {
  kind: ErrorKind
  /** the parameter that was wrong */
  field?: string
  /** the session, method or vocabulary */
  name?: string
  /** the accepted words */
  known?: string[]
}

/** LinesParams are the parameters of ctx/lines. */
export interface LinesParams {
  /** A Reading, or a short description of a session, as it was received; without one the templates are only checked. */
  reading?: Foreign
  /** one or more lines, each with a name chosen by the caller */
  lines: Record<string, Template>
  /** the caller's own fields, and translations */
  words?: Record<string, string>
}

/**
 * Template is the template of a line, or a list of templates, the longest first: the first with a value for all its
 * fields is used, otherwise the last.
 */
export type Template = string | string[]

/** LinesAnswer is the result of ctx/lines. */
export interface LinesAnswer {
  /** the finished texts, by the same names; none without a Reading */
  lines: Record<string, string>
}

/** Reason is the reason why a session is the focused one: the item that led to it, or elsewhere if none did. */
export type Reason = 'session' | 'terminal' | 'process' | 'file' | 'workspace' | 'elsewhere'

/** WatchParams are the parameters of ctx/watch. */
export interface WatchParams {
  /** a path or a file URI; default everything */
  workspace?: string
  /** The folders that the client shows, which decide what is here and what is elsewhere; default the workspace. */
  folders?: string[]
  /** LSP's token for the progress of reading sessions */
  workDoneToken?: Foreign
  /** The mode of all Readings that this client gets until the next ctx/watch; default each session's own. */
  mode?: Mode
  /**
   * Like in ctx/lines: until the next ctx/watch, every Reading that this client gets contains these lines,
   * finished.
   */
  lines?: Record<string, Template>
  /** like in ctx/lines */
  words?: Record<string, string>
  /** Add the first words of the first prompt to Readings and to ctx/earlier, for sessions without a title. */
  openings?: boolean
  /** Add the panel to all Readings until the next ctx/watch. ctx/session/reading returns that of one session. */
  panel?: boolean
}

/** WatchAnswer is the result of ctx/watch. */
export interface WatchAnswer {
  /** sessions that were read within 1.5 s; the others arrive as ctx/reading */
  sessions: Reading[]
  /**
   * The whole repository of each folder, or the folder itself. A session that started in, below or above one is
   * here.
   */
  roots: string[]
  /**
   * Sessions are still being searched or read, for example because the engine is being compiled; ctx/searched ends
   * it.
   */
  searching: boolean
}

/** EarlierParams are the parameters of ctx/earlier. */
export interface EarlierParams {
  /** a path or a file URI; default everything */
  workspace?: string
  /** maximum number of sessions, the newest; default 50, at most 500 */
  limit?: number
}

/** EarlierAnswer is the result of ctx/earlier. */
export interface EarlierAnswer {
  /** the newest first */
  sessions: Earlier[]
  /** whether there are older ones */
  more: boolean
}

/** Earlier is a session that is not read until ctx/focus names it. */
export interface Earlier {
  session: string
  agent: string
  /** "" without one */
  title: string
  /** The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only. */
  opening?: string
  /** the directory that it was started in */
  workspace: string
  /** the program that runs it for its agent; absent otherwise */
  host?: string
  /** milliseconds since 1970 */
  started: number | null
  /** milliseconds since 1970 */
  modified: number
  /** How full its window is, from the end of its transcript; null if it is older than a day or too large. */
  glimpse: Glimpse | null
}

/** Glimpse is a preview of a window from the end of a transcript, like a Reading. */
export interface Glimpse {
  model: string
  used: number
  limit: number | null
  percent: Hundredths | null
  basis: Basis
  display: Display
  /** only the end was counted, and nothing in it was measured: the real size is at least this */
  part: boolean
}

/** HandoverParams are the parameters of ctx/handover. */
export interface HandoverParams {
  /** a session of this machine */
  id: string
  /** maximum length of the note; default 2,000, at least 150 */
  tokens?: number
  /** Keep values that look like secrets. */
  unredacted?: boolean
}

/** HandoverAnswer is the result of ctx/handover: the note, and the data in it. */
export interface HandoverAnswer {
  session: string
  /** Markdown */
  text: string
  /** length of text */
  tokens: number
  /** basis of tokens */
  basis: Basis
  /** maximum length that was requested */
  asked: number
  firstAsked: string
  /** "" if that is the first */
  lastAsked: string
  lastAnswer: string
  todos: HandoverTodo[]
  /** changed files first, then read ones, each list with the latest first */
  files: HandoverFile[]
  /** the latest first */
  failing: HandoverFailure[]
  compactions: number
  /** records that could not be read */
  skipped: number
  /** values in the texts that look like secrets */
  struck: number
}

/** TodoState is the state of an entry in an agent's list. */
export type TodoState = 'open' | 'doing' | 'done'

/** HandoverTodo is an entry of the agent's own list. */
export interface HandoverTodo {
  text: string
  state: TodoState
}

/** HandoverFile is a file that the agent changed or read. */
export interface HandoverFile {
  path: string
  /** calls that changed it; 0 if it was only read */
  changes: number
  reads: number
}

/** HandoverFailure is a command that failed and has not succeeded since. */
export interface HandoverFailure {
  command: string
  exit: number
  /** the last 2,000 characters */
  output: string
  /** commands that ran since */
  ago: number
}

/** SeesParams are the parameters of ctx/sees. */
export interface SeesParams {
  /** a session of this machine */
  id: string
  /** a file of the session's workspace */
  path: string
  /** The text of the file in the editor, if it is not saved. */
  text?: string | null
}

/** SeesAnswer is the result of ctx/sees: what the next request holds of a file. It has no text of the file. */
export interface SeesAnswer {
  session: string
  path: string
  /** 0 if the file is not in the workspace or cannot be read */
  lines: number
  /** of these, the lines that are verbatim or own */
  held: number
  /** in order and without gaps */
  ranges: SightRange[]
  /** all of this as a message */
  text: Text
}

/**
 * SightState is what the next request holds of a line: the line as it is, the line as the agent wrote it, its place
 * with another text, only a summary that names the file, nothing any more, or nothing at all. It is unknown if the
 * record does not show it.
 */
export type SightState = 'verbatim' | 'own' | 'stale' | 'summarized' | 'gone' | 'never' | 'unknown'

/** SightRange is lines in the same state. */
export interface SightRange {
  /** 1 is the first line */
  from: number
  /** the last line */
  to: number
  state: SightState
  /** the item that holds the lines, or held them */
  item: string | null
  /** when it was added, and for gone lines when they left */
  at: Time | null
  /** the state and the item */
  text: Text
}

/** ForgotParams are the parameters of ctx/forgot. */
export interface ForgotParams {
  /** a session of this machine */
  id: string
  /** number of the compaction, 1 for the first; default the last */
  compaction?: number
  /** keep values that look like secrets */
  unredacted?: boolean
}

/** ForgotAnswer is the result of ctx/forgot: the content of the window before a compaction, and what became of it. */
export interface ForgotAnswer {
  session: string
  compaction: number
  /** number of compactions so far */
  compactions: number
  /** milliseconds since 1970 */
  at: number | null
  /** the agent compacted automatically */
  auto: boolean
  /** "" if it is not recorded */
  summary: string
  /** false if the summary is not recorded */
  summaryTells: boolean
  /** those that have tokens, in their order */
  items: ForgotItem[]
  /** the ten largest that are gone, or unknown; the largest first */
  largest: ForgotThing[]
  /** the others that are gone, or unknown */
  more: ForgotSum
  kept: ForgotSum
  inSummary: ForgotSum
  gone: ForgotSum
  /** if the summary is not recorded */
  unknown: ForgotSum
  /** tokens of all items */
  total: number
  /** the agent's own size; null if it records none */
  after: ForgotAfter | null
  /** number of reasoning items, which are not listed */
  reasoning: number
  /** basis of the tokens */
  basis: Basis
  /** values in the texts that look like secrets */
  struck: number
  /** a line for users */
  text: string
}

/**
 * ForgotState is what became of an item in a compaction: it is still sent, the summary mentions it, or it is gone.
 * It is unknown if the summary is not recorded.
 */
export type ForgotState = 'kept' | 'inSummary' | 'gone' | 'unknown'

/**
 * ForgotItem is a message, a call with its result, or a file with everything that was read from it and written to
 * it.
 */
export interface ForgotItem {
  kind: string
  label: string
  /** the beginning of a message */
  excerpt: string
  /** null if not counted */
  tokens: number | null
  state: ForgotState
  /** tokens of it that are still sent; with the state kept, the rest is dropped */
  kept: number
  /** number of names in it that few other items have */
  names: number
  /** number of these names in the summary */
  found: number
  /** up to five of the missing names */
  missing: string[]
}

/**
 * ForgotThing is all items of one name that were dropped, or the dropped part of a kept one. Of unrecorded
 * summaries it is all that is unknown.
 */
export interface ForgotThing {
  /** of its first item */
  kind: string
  label: string
  /** the beginning of a message */
  excerpt: string
  tokens: number
  /** number of items of this name */
  items: number
}

/**
 * ForgotAfter compares the agent's own size of the messages after a compaction with the transcript. The first six
 * numbers are in the agent's measure, a quarter of the characters; the others are counted for the model.
 */
export interface ForgotAfter {
  /** the agent's number, without the system prompt and the tools */
  reported: number
  /** the transcript's: summary + messages + attached */
  found: number
  /** part of found */
  summary: number
  /** messages kept verbatim, part of found */
  messages: number
  /** files, hooks and other content sent with the summary, part of found */
  attached: number
  /** reported - found; negative if the transcript contains more */
  notFound: number
  /** notFound is at most a tenth of reported */
  agrees: boolean
  /** keptTokens + summaryTokens + addedTokens */
  tokens: number
  /** tokens of kept */
  keptTokens: number
  /** tokens of the summary */
  summaryTokens: number
  /** tokens of attached content that was not in the window before */
  addedTokens: number
  /** the comparison in words */
  text: string
}

/**
 * ForgotSum is the number and the tokens of the items in a state. Tokens of gone include the parts of kept items
 * that are no longer sent, such as older versions of a file.
 */
export interface ForgotSum {
  items: number
  tokens: number
}

/** FirstParams are the parameters of ctx/first. */
export interface FirstParams {
  /** a path or a file URI */
  workspace: string
  /** only sessions of this agent; default all agents */
  agent?: string
}

/** FirstAnswer is the result of ctx/first: the fixed context that the sessions of a workspace began with, by agent. */
export interface FirstAnswer {
  workspace: string
  agents: FirstOf[]
}

/** FirstOf is the fixed context that the sessions of one agent began with. */
export interface FirstOf {
  agent: string
  /** the name that users know */
  name: string
  /** how it changed, and the cause, as a message */
  sentence: string
  /** the change in numbers; null if there is nothing to compare */
  change: FirstChange | null
  /** the oldest first */
  sessions: FirstRequest[]
}

/** FirstChange is how the fixed context changed: the median of the newest sessions compared with that of the oldest. */
export interface FirstChange {
  from: number
  to: number
  /** when the oldest session began, in milliseconds since 1970 */
  since: number
  /** they differ by less than 5% or 500 tokens */
  steady: boolean
  /** of the row that changed most in that direction; "" without one */
  kind: string
  /** the change in tokens; negative if it shrank */
  tokens: number
  /** for mcpTools: the MCP servers that caused the change */
  servers: string[]
  /** another model, which may count differently */
  otherModel: boolean
}

/** FirstRequest is the fixed context in the first request of a session: its setup. */
export interface FirstRequest {
  session: string
  agentVersion: string
  model: string
  /** when it began, in milliseconds since 1970 */
  at: number
  /** the whole first request */
  in: number
  /** the request without its conversation */
  setup: number
  /** rows that add up to setup */
  rows: FirstRow[]
  mcpServers: FirstServer[]
  /** The session continues another conversation, so its first request does not show the fixed context. */
  continues?: boolean
}

/** FirstRow is one row of a setup. */
export interface FirstRow {
  kind: string
  tokens: number
}

/** FirstServer is the size of an MCP server's tools in a setup. */
export interface FirstServer {
  name: string
  tokens: number
}

/**
 * FocusParams are the parameters of ctx/focus: what the user is looking at. The first of them that leads to a
 * session is used.
 */
export interface FocusParams {
  session?: string
  /** a terminal's process, below which an agent runs */
  terminalPid?: number
  /** a path or a file URI */
  file?: string
  /** a path or a file URI */
  workspace?: string
}

/** TerminalsParams are the parameters of ctx/terminals. */
export interface TerminalsParams {
  /** the terminals' processes, at most 256 */
  pids: number[]
}

/** TerminalsAnswer is the result of ctx/terminals. */
export interface TerminalsAnswer {
  /** in the order of the request */
  terminals: Terminal[]
}

/**
 * Proof is how it is known that a process runs a session, the strongest first: the agent's own file about its
 * process, the open transcript, the id on the command line, or start times that leave one possibility, which is an
 * inference. It is empty without proof.
 */
export type Proof = 'sessionFile' | 'openFile' | 'command' | 'start'

/** Terminal describes the agent in a terminal. */
export interface Terminal {
  pid: number
  /** "" if none runs */
  agent: string
  /** the agent's process; 0 if none runs */
  process: number
  /** null if uncertain */
  session: string | null
  proof: Proof
  /** the agent's own word: busy, idle, waiting, or "" */
  status: string
  /** if uncertain: the sessions to ask the user about */
  candidates: string[]
  /** the reason, as a message */
  because: string
}

/**
 * LevelParams report that a session crossed a level, compacted, or became inactive. Only live sessions cross levels
 * upwards.
 */
export interface LevelParams {
  session: string
  level: Level
  before: Level
  crossed: Crossing
  /** up, to a level that the session has not reached before */
  first?: boolean
  compacted?: boolean
  reading: Reading
}

/** FocusedParams report that another session should be shown. */
export interface FocusedParams {
  /** with its focus; null if there is no session to show */
  reading: Reading | null
}

/**
 * OfferParams offer a vocabulary that would make the counts of a watched session exact. Each one is offered once,
 * to one client, and never again after a reply.
 */
export interface OfferParams {
  /** the name to pass to ctx/vocabulary */
  name: string
  /** a message for users: the purpose, size and source */
  sentence: string
  /** the message as a phrase */
  phrase?: Phrase | null
  /** address of the server */
  address: string
  licence: string
  /** size of the download */
  bytes: number
  /** the session's model */
  model: string
}

/** VocabularyParams are the parameters of ctx/vocabulary. */
export interface VocabularyParams {
  /** a name from ctx/offer or from ctx-lsp vocab fetch */
  name: string
  /** true downloads it; false declines */
  fetch?: boolean
}

/** ClosedParams report that a watched session was closed. */
export interface ClosedParams {
  session: string
}

/**
 * Settings are the settings of a user. initializationOptions, the reply to workspace/configuration (section ctx)
 * and the settings of workspace/didChangeConfiguration have this shape. Other names are settings of the front end
 * itself.
 */
export interface Settings {
  /** the model that prompt files are counted for, unless a session sets it */
  model: string
  /** the agent whose loading rules apply if several agents read the file */
  agent: string
  /** whether the daemon watches the workspace's sessions for a client that does not send ctx/watch */
  watch: boolean
  notify: NotifySettings
  promptFiles: PromptFileSettings
  /** a lens above each file with the lines that are in the next request */
  sight?: boolean
  /** directories in which the editor's extensions keep their tasks: the parent of globalStorageUri */
  globalStorage?: string[]
}

/** NotifySettings are the settings for messages. */
export interface NotifySettings {
  /** window/showMessage from this level on: none, soon, now, over */
  level: string
}

/** PromptFileSettings are the settings for prompt files. */
export interface PromptFileSettings {
  /** the size of the file, above its first line */
  codeLens: boolean
  /** the tokens of each section, after its heading */
  inlayHints: boolean
  /** the breakdown */
  hover: boolean
  /** problems: large, missing, circular or duplicate content */
  diagnostics: boolean
  budget: FileBudget
  /** add the phrases of texts, for a client that translates */
  phrases: boolean
}

/** FileBudget is how many tokens a file may have, its imports included, before it gets a diagnostic; 0 for no limit. */
export interface FileBudget {
  /** limit for content that is in every request */
  always: number
  /** limit for content that is loaded by path or on demand */
  loaded: number
}

/** ErrorKind is the kind of an error, on which programs act. Each kind has one code. */
export type ErrorKind = 'parse_error' | 'invalid_request' | 'unknown_method' | 'invalid_params' | 'internal' | 'not_initialized' | 'cancelled' | 'request_failed' | 'unknown_session' | 'needs_vocabulary' | 'limit_exceeded' | 'session_exists' | 'bad_ledger' | 'unreadable'

/**
 * Crossing is the direction in which a level was crossed. With each crossing a front end withdraws its previous
 * notification of the session.
 */
export type Crossing = 'up' | 'down'

/** CrossingParams are the parameters of ctx/crossing. */
export interface CrossingParams {
  /** a Reading as it was received */
  reading: Foreign
  /** state of the result for the previous Reading; absent for a session's first */
  state?: string
}

/** CrossingAnswer reports whether a level was crossed. If none was, only state is set. */
export interface CrossingAnswer {
  /** to be sent with the session's next Reading */
  state: string
  level?: Level
  before?: Level
  crossed?: Crossing
  /** up, to a level that the session has not reached before */
  first?: boolean
  compacted?: boolean
}

/**
 * Hundredths is a number with two decimals, most often a percentage: 2605 is 26.05. It reads and writes JSON
 * exactly, so that no front end rounds it again.
 */
export type Hundredths = number

/** Methods are those of the core, and what each takes and answers. */
export interface Methods {
  /** Opens a session. */
  'ctx/session/open': { params: OpenParams; result: Reading }
  /** Changes a session: its model, its fixed context, its items. */
  'ctx/session/update': { params: UpdateParams; result: Reading }
  /** Passes all messages of the conversation, as the host holds them. */
  'ctx/session/messages': { params: MessagesParams; result: Reading }
  /** Passes the usage that a provider reported. */
  'ctx/session/usage': { params: UsageParams; result: Reading }
  /** Passes a provider's error. */
  'ctx/session/error': { params: ErrorParams; result: Reading }
  /** Reports that the conversation was compacted. */
  'ctx/session/compacted': { params: CompactedParams; result: Reading }
  /** Passes records of an agent's transcript. Every engine reads every agent that keeps its sessions as text. */
  'ctx/session/records': { params: RecordsParams; result: Reading | RecordsAnswer | Nothing }
  /** Returns the current Reading. */
  'ctx/session/reading': { params: ReadingParams; result: Reading }
  /** Closes a session and its children. */
  'ctx/session/close': { params: SessionParams; result: Nothing }
  /** Lists the sessions in short. */
  'ctx/sessions': { params: SessionsParams; result: SessionsAnswer }
  /** Returns the history of a session. */
  'ctx/session/history': { params: HistoryParams; result: HistoryAnswer }
  /** Lists the largest items of a session. */
  'ctx/session/items': { params: ItemsParams; result: ItemsAnswer }
  /** Reports whether more text would fit into the next request of a session. */
  'ctx/session/fits': { params: FitsParams; result: FitsAnswer }
  /** Returns a ledger that restores the session after a restart. */
  'ctx/session/save': { params: SessionParams; result: SaveAnswer }
  /** Opens a session again from its ledger. */
  'ctx/session/restore': { params: RestoreParams; result: Reading }
  /** Opens a prompt file. */
  'ctx/document/open': { params: DocumentOpenParams; result: DocumentView | Nothing }
  /** Changes the text of a prompt file. */
  'ctx/document/change': { params: DocumentChangeParams; result: DocumentView | Nothing }
  /** Returns the current view of a prompt file. */
  'ctx/document/view': { params: DocumentViewParams; result: DocumentView | Nothing }
  /** Closes a prompt file. */
  'ctx/document/close': { params: DocumentParams; result: Nothing }
  /** Counts texts without a session. */
  'ctx/count': { params: CountParams; result: CountAnswer | ExactAnswer }
  /** Lists models of the registry. */
  'ctx/models': { params: ModelsParams; result: ModelsAnswer }
  /** Fills the templates of the short lines that a front end shows of a Reading. */
  'ctx/lines': { params: LinesParams; result: LinesAnswer }
  /** Reports whether a session has crossed a level since the previous Reading. */
  'ctx/crossing': { params: CrossingParams; result: CrossingAnswer }
  /** Returns the learned corrections. */
  'ctx/learned/get': { params: NoParams; result: LearnedAnswer }
  /** Replaces the learned corrections. */
  'ctx/learned/set': { params: LearnedParams; result: Nothing }
}

/** DaemonMethods are those that only the daemon answers. */
export interface DaemonMethods {
  /** Follows the sessions of the agents on this machine. */
  'ctx/watch': { params: WatchParams; result: WatchAnswer }
  /** Stops following. */
  'ctx/unwatch': { params: NoParams; result: Nothing }
  /** Lists the unread sessions of this machine: those that have not continued since the daemon began to watch. */
  'ctx/earlier': { params: EarlierParams; result: EarlierAnswer }
  /** Writes a handover note for a session, from its transcript and without a model. */
  'ctx/handover': { params: HandoverParams; result: HandoverAnswer }
  /** Compares the window before a compaction with the parts that the agent kept. */
  'ctx/forgot': { params: ForgotParams; result: ForgotAnswer }
  /** Returns what the next request of a session holds of a file, line by line, from its transcript. */
  'ctx/sees': { params: SeesParams; result: SeesAnswer }
  /** Lists the fixed context of the sessions of a workspace, with its changes and their causes. */
  'ctx/first': { params: FirstParams; result: FirstAnswer }
  /** Reports what is focused, and returns the session that belongs to it. */
  'ctx/focus': { params: FocusParams; result: Reading | null }
  /** Returns the session of each given terminal, or the possible ones. */
  'ctx/terminals': { params: TerminalsParams; result: TerminalsAnswer }
  /** Fetches a vocabulary from its public address after the user agreed, or records that the user declined. */
  'ctx/vocabulary': { params: VocabularyParams; result: Nothing }
}

/** Notifications are what the daemon tells without being asked. */
export interface Notifications {
  /** A session that the client owns, joined or watches has changed. */
  'ctx/reading': { params: Reading }
  /** A session crossed into soon, now or over, or compacted. */
  'ctx/level': { params: LevelParams }
  /** Another session is to be shown, after ctx/focus. */
  'ctx/focused': { params: FocusedParams }
  /** The search that ctx/watch reported as searching has ended. */
  'ctx/searched': { params: NoParams }
  /**
   * A session that the client watches has ended, or another client has closed a shared session that the client
   * joined.
   */
  'ctx/closed': { params: ClosedParams }
  /** A vocabulary would make the counts of a session exact. */
  'ctx/offer': { params: OfferParams }
}
