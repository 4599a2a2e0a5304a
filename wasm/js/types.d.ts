// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

/**
 * Basis is how a number is known: by the provider (measured), by the model's own tokenizer (counted), as a
 * remainder (derived), or as a guess.
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
 * SubjectKind is the kind of thing that a name names; empty for a label of another kind. Others are more things of
 * one tool than are kept apart.
 */
export type SubjectKind = 'tool' | 'file' | 'command' | 'url' | 'mcp' | 'agent' | 'skill' | 'others'

/**
 * Mode is the meaning of used: hybrid, the prediction for the next request; or provider, the last measured prompt
 * and nothing else.
 */
export type Mode = 'hybrid' | 'provider'

/**
 * LimitSource is who says how large the window is, in order of rank. An error is an overflow newer than the rest,
 * and outranks others that name more; agentNow is the agent itself, in this session and besides its records; and
 * accepted is the model's larger window, after two prompts that need it. learned is what a refusal or accepted
 * prompts showed in earlier sessions. setting is a smaller window that the user has set for the agent.
 */
export type LimitSource = 'setting' | 'user' | 'agentNow' | 'error' | 'accepted' | 'agent' | 'provider' | 'learned' | 'agentTable' | 'registry' | 'unknown'

/**
 * LineSourceKind is a kind of source of the compaction threshold, in order of precedence: the session's own
 * compactions, earlier sessions, the rule that was asked for, a setting of the agent, and the agent's own rule. The
 * limit less the reserve bounds all of them.
 */
export type LineSourceKind = 'session' | 'learned' | 'asked' | 'setting' | 'rule' | 'limit'

/**
 * LineState is what has become of a source's threshold: it decides, another source takes precedence, or it changes
 * nothing.
 */
export type LineState = 'inForce' | 'overruled' | 'withoutEffect'

/** ReasoningMode is how long reasoning stays in the window. */
export type ReasoningMode = 'never' | 'turn' | 'always'

/** Trigger is who had a conversation compacted. */
export type Trigger = 'auto' | 'manual'

/**
 * CompactionTrigger is what had a conversation compacted: the agent at its threshold (auto), a command (manual), or
 * the agent because the session was left alone (idle).
 */
export type CompactionTrigger = 'unknown' | 'auto' | 'manual' | 'idle'

/** Answer is yes, no, or unknown. */
export type Answer = 'unknown' | 'yes' | 'no'

/**
 * BackCause is why a prompt cache is cold: its time is over, the agent's process has ended, the model or the tools
 * have changed, or the conversation was compacted.
 */
export type BackCause = 'time' | 'ended' | 'model' | 'tools' | 'compacted'

/** Turn is where a turn of the conversation begins or ends. */
export type Turn = 'start' | 'end'

/**
 * Phrase is a text of ctx-lsp for front ends that translate: its id, which is one of internal/phrase/list.go, and
 * the values of its placeholders: numbers, names, and phrases. A third-party text never has one.
 */
export type Phrase = { id: string; args?: (string | number | Phrase)[] }

/** Notes are the phrases of some texts in their order; null for a third-party text. */
export type Notes = (Phrase | null)[]

/** Time is a moment, in milliseconds since 1970. */
export type Time = number

/** Text is a text of any length. It is counted and dropped. */
export type Text = string

/** RuleChoice is a Rule, "none", or the name of an agent whose rule to use. */
export type RuleChoice = Rule | string | null

/**
 * Content is what fills a fixed row: a text, a number of tokens, a Part, or an array of Parts, texts and numbers.
 * Blocks of a system prompt and definitions of tools may have the provider's shape. null clears the row.
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

/** Draft is what is being typed. null or an empty text clears it. */
export type Draft = string | number | Part | Item | null

/** Summary is what a compaction left: a text, a number of tokens, or a Part. */
export type Summary = string | number | Part | null

/** Opening is true, or the parameters to open a session with. */
export type Opening = boolean | OpenParams

/** Foreign is a value of somebody else's, as it came. */
export type Foreign = unknown

/** Sentence is a text for users: a third-party text, or a phrase. */
export type Sentence = string | Phrase

/** SavedLedger is a ledger as ctx/session/save returned it. */
export type SavedLedger = Ledger

/** SavedLessons are learned corrections as ctx/learned/get returned them; null for none. */
export type SavedLessons = Learned | null

/** Nothing is an answer without a field. */
export type Nothing = Record<string, never>

/**
 * Reading is everything a face shows of a session, already decided: a face that needs arithmetic has found a
 * missing field.
 */
export interface Reading {
  /** "ctx.reading/1" */
  schema: 'ctx.reading/1'
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
  /** that the agent works on, if its records show it */
  branch: string
  /** the session it is a sub-agent of */
  parent: string | null
  mode: Mode
  /** How used is known. Faces print ~ for the estimated ones and ? for unknown. */
  basis: Basis
  /** something was sent that has not been answered */
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
  /** Tokens the next request will occupy if it is sent now: in - leaving + carry + new. */
  used: number
  /** the range that holds nine next requests of ten, by the session's own errors */
  low: number
  high: number
  /** Why the range is wide, if the cause cannot be predicted; empty otherwise. */
  rangeCause: string
  /** the same as a phrase */
  rangePhrase?: Phrase | null
  /** The largest prompt: the maximum input if it is known, otherwise the window. */
  limit: number | null
  /** Free in the window: limit - used - reserve; may be negative. compaction.left is what is left until it compacts. */
  free: number | null
  /** of the window, as every share; never negative */
  freeShare: Hundredths | null
  /** room kept for the answer, where prompt and answer share the window */
  reserve: number
  reserveShare: Hundredths | null
  /** Used of the limit, rounded half up; more than 100 is shown as it is. null if the limit is unknown. */
  percent: Hundredths | null
  limitSource: LimitSource
  /**
   * null before the first and after a compaction; after an overflow the refused prompt, whose size the refusal
   * names.
   */
  lastRequest: LastRequest | null
  leaving: Leaving
  new: NewItems
  /** sums to used exactly, deferred rows apart */
  breakdown: Row[]
  /** what their tools occupy, most first */
  mcpServers: Server[]
  /** the ten largest things of the conversation, by name */
  largest: LargeItem[]
  compaction: Compaction
  /** what could go, most first; advice only */
  advice: Advice[]
  accuracy: Accuracy
  spent: Spent
  /** how many there were */
  compactions: number
  /** the last compaction; null before the first */
  verdict: Verdict | null
  /** what coming back costs; null if the cache's lifetime is not recorded */
  back: Back | null
  /** sub-agents, with windows of their own */
  children: Brief[]
  /** sentences that say what is odd */
  warnings: string[]
  /** the warnings as phrases */
  notes: Notes
  /** of the last fact */
  asOf: Time | null
  /** Provider mode: why no measured percentage is shown, in a few words; absent if one is shown. */
  unmeasured?: string
  /** the same as a phrase */
  unmeasuredPhrase?: Phrase | null
  /** null if the agent prints none */
  agentPercent: AgentOwn | null
  /** The agent's own count of its window, in a sentence; next to breakdown and not part of it. */
  agentCounts?: string
  /** the same as a phrase */
  agentCountsPhrase?: Phrase | null
  /** How much of the model's window is used, if the agent uses only a part of it: some meters divide by that window. */
  wholeWindow?: string
  /** the same as a phrase */
  wholeWindowPhrase?: Phrase | null
  /** The program that runs the session for its agent, such as "VS Code Agent Host"; absent otherwise. */
  host?: string
  /** the short strings that faces print */
  display: Display
  /** The lines that were asked for in ctx/watch, finished. */
  lines?: Record<string, string>
  /** The first words of the first prompt, for the screen: of a session without a title, if ctx/watch asks. */
  opening?: string
  /** the transcript it is read from */
  file?: string
  /** the limits of the account, as the agent says on this machine */
  allowance?: Allowance | null
  /** why it is the one in focus */
  shown?: Reason
  /** the same in a sentence */
  because?: string
  /** that the focused agent may run, if uncertain */
  candidates?: string[]
}

/**
 * Allowance is how much of an account's limits is used, and until when the prompt cache is warm, as the agent
 * itself says on this machine; nobody else is asked.
 */
export interface Allowance {
  /** the shortest first */
  windows: AllowanceWindow[]
  /** null if the agent does not report it */
  cacheUntil: Time | null
  /** when the agent reported it */
  at: Time | null
}

/** AllowanceWindow is one limit of an account. */
export interface AllowanceWindow {
  /** how long it runs: 300 is five hours, 10,080 a week */
  minutes: number
  /** that is used */
  percent: Hundredths
  /** when it restarts */
  resets: Time | null
}

/** LastRequest is the last metered prompt and what its answer carries on. */
export interface LastRequest {
  /** the whole prompt, cached or not */
  in: number
  percent: Hundredths | null
  cacheRead: number | null
  cacheWrite: number | null
  out: number | null
  reasoning: number | null
  /** what the answer carries into the next prompt */
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
  reason: string
  /** the reason as a phrase */
  phrase?: Phrase | null
  tokens: number
}

/** NewItems is what was appended after the last metered prompt. */
export interface NewItems {
  tokens: number
  items: number
  basis: Basis
}

/** Row is one line of the breakdown. */
export interface Row {
  kind: Kind
  label: string
  /** The label as a phrase; absent if it is that of the kind, null if it is third-party text. */
  phrase?: Phrase | null
  tokens: number
  /** of the window; null of a deferred one, and without a window */
  share: Hundredths | null
  /** how long its bar is, in percent of the largest row's */
  bar: Hundredths
  basis: Basis
  /** listed, but not in the window yet and not in the sum */
  deferred?: boolean
}

/**
 * Server is an MCP server of the session, known because its tools were listed or called, or because the agent is
 * configured with it.
 */
export interface Server {
  name: string
  /** that are known by name */
  tools: number
  /** these are all; else they are those that were called */
  listed: boolean
  /** of them, those that are listed by name and loaded when they are asked for */
  deferred: number
  /** Of them, those that were never called; null if not all tools are known. */
  neverCalled: number | null
  /** that are in the window */
  calls: number
  /** in every request; null if unknown */
  tokens: number | null
  basis: Basis
  /** what switches it off, for this agent; "" if unknown */
  switchOff: string
  /** all of this in a sentence, as faces show it */
  text: string
  /** the sentence as a phrase */
  phrase?: Phrase | null
}

/** Compaction is when the agent compacts, and at which threshold. */
export interface Compaction {
  /** which rule */
  rule: string
  /** since when it holds */
  since: string
  /** who says so */
  source: string
  /** null without a rule or a window; at most limit - reserve */
  line: number | null
  /** of the window: where in a bar of it the line is */
  lineShare: Hundredths | null
  /** Where the threshold comes from and what it overrules; empty if it is the rule's. */
  lineFrom: string
  /** the same as a phrase */
  lineFromPhrase?: Phrase | null
  /** sources of the threshold, in order of precedence */
  sources: LineSource[]
  /** line - used */
  left: number | null
  /** of the window; never negative */
  leftShare: Hundredths | null
  /** used of the line */
  percent: Hundredths | null
  /** how near the threshold is, or without one the full window */
  level: Level
  /** used > line */
  reached: boolean
  /** whether to compact now: from the level now on, a margin below the line */
  advised: boolean
  /** between the line and the limit */
  buffer: number | null
  /** of the window */
  bufferShare: Hundredths | null
  landing: Landing | null
  /**
   * Until it compacts, else until the window is full; null before three requests, unless earlier sessions showed
   * it.
   */
  callsLeft: Range | null
  turnsLeft: Range | null
  /** Where the forecasts come from, if not from the session itself; empty otherwise. */
  forecastFrom: string
  /** the same as a phrase */
  forecastPhrase?: Phrase | null
  /**
   * The next event: "compacts in ~5 requests", or "window full in ~12 requests" if nothing compacts; empty if
   * unknown.
   */
  hint: string
  /** the same as a phrase */
  hintPhrase?: Phrase | null
}

/** LineSource is a source of the compaction threshold. */
export interface LineSource {
  source: LineSourceKind
  /** what front ends show */
  name: string
  /** the name as a phrase; absent for a setting */
  phrase?: Phrase | null
  /** The name and the value of a setting of the agent, as it was set; "" for other sources. */
  setting: string
  value: string
  /** the threshold that it gives alone; null if it gives none */
  line: number | null
  state: LineState
  /** How its value is read, or why it has no effect; empty otherwise. */
  note: string
  /** the same as a phrase */
  notePhrase?: Phrase | null
}

/** Verdict compares a compaction with the Reading before it. Its sentence leaves out unknown facts. */
export interface Verdict {
  at: Time | null
  trigger: CompactionTrigger
  /** the prompt that was compacted */
  before: number
  /** How before is known: measured if the agent records it. */
  beforeBasis: Basis
  /** the size of the next prompt without what the user added */
  left: number | null
  /** how left is known: estimated until the next request is measured */
  leftBasis: Basis
  /** before - left */
  freed: number | null
  /** The compaction threshold that was shown before it; null without one. */
  threshold: number | null
  /** the source that decided it; null without a threshold */
  source: LineSourceKind | null
  /** its name, as front ends show it */
  sourceText: string
  /** the name as a phrase; absent for a setting */
  sourcePhrase?: Phrase | null
  /**
   * Whether it happened at the threshold; unknown unless the agent compacted at a recorded size below a known
   * threshold.
   */
  asPredicted: Answer
  /** the threshold from then on; null if it stayed */
  thresholdNow: number | null
  /** this compaction and the one before each freed less than a fifth */
  loop: boolean
  /** all of this in sentences */
  text: string
  /** the sentences as a phrase */
  phrase?: Phrase | null
}

/**
 * Back is what coming back to a session costs: until when its prompt is in the provider's cache, as the transcript
 * records it, and how much the next prompt writes to the cache after that. Front ends compare the times with a
 * clock.
 */
export interface Back {
  /** until then the next prompt is read from the cache */
  warmUntil: number
  /** From then on it is rewritten. Between warmUntil and coldFrom either may happen. */
  coldFrom: number
  /** when the last fifth of the cache's lifetime begins; warmUntil if it is cold for another reason */
  warnFrom: number
  /** why it is cold */
  cause: BackCause
  /** the cache's lifetime in milliseconds */
  life: number
  /** tokens that the next prompt writes to the cache once it is cold */
  anew: number
  /** anew as front ends print it: "441k" */
  display: '441k'
  /** the fixed part that it still reads then; after hours often nothing */
  kept: number
  /** anew and kept by cost, in tokens of plain input */
  weighted: number
  /**
   * When the agent compacts the session itself if it is left alone, and the tokens that leaves; null if it does
   * not.
   */
  compactsAt: Time | null
  compactsTo: number | null
  /** what the first prompt after a compaction writes anew; null if unknown */
  compactFirst: number | null
  /** Whether a compaction between warnFrom and warmUntil is cheaper than one after it; nowText says so. */
  compactNow: boolean
  /** the cost of a cold cache in a clause */
  text: string
  /** the clause as a phrase */
  phrase?: Phrase | null
  /** The agent's own compaction in a clause; empty if it does not compact. */
  compactsText: string
  /** the clause as a phrase */
  compactsPhrase?: Phrase | null
  /** The cost after a compaction before the next prompt, in a clause; empty if unknown or not smaller. */
  firstText: string
  /** the clause as a phrase */
  firstPhrase?: Phrase | null
  /** That a compaction now is cheaper than one later, in a clause; empty if it is not. */
  nowText: string
  /** the clause as a phrase */
  nowPhrase?: Phrase | null
}

/** Landing is what compaction is expected to leave. */
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

/** Advice is something that could go. */
export interface Advice {
  action: string
  label: string
  /** the label as a phrase */
  phrase?: Phrase | null
  /** tokens freed */
  tokens: number
  /** basis of the tokens */
  basis: Basis
  /** less may be freed */
  atMost: boolean
  items: number
  how: string
  /** how as a phrase; absent for a command */
  howPhrase?: Phrase | null
  breaksCache: boolean
}

/** Accuracy is the session's own record of its predictions. */
export interface Accuracy {
  last: Miss | null
  /** actual size of estimated texts divided by their estimates, as learned from the requests so far */
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
  cause: string
  /** the cause as a phrase */
  phrase?: Phrase | null
}

/** Spent is what all requests used together; cached tokens are inside in. It says nothing of what fills the window. */
export interface Spent {
  calls: number
  in: number
  out: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
  /** in + out */
  total: number
  /** The total by cost, in tokens of plain input: a cache read is 0.1, a write 1.25, or 2 if kept for an hour. */
  effective: number
}

/** AgentOwn is the number the agent itself prints, by its own formula. */
export interface AgentOwn {
  value: Hundredths
  label: string
  /** the label as a phrase */
  phrase?: Phrase | null
}

/** Display holds the short strings of a Reading; no face rounds for itself. */
export interface Display {
  /** How full, as every front end prints it: "~81%", with ~ if estimated; tokens if the limit is unknown. */
  number: string
  /** "~" estimated, "≥" only a part is known, "!" older than unread data, "?" unknown, "" otherwise */
  mark: string
  percent: string
  used: string
  limit: string
  /** tokens free in the window, after the reserve */
  free: string
  /** tokens left until it compacts; "" if nothing compacts */
  left: string
  percentLeft: string
  /** the compaction threshold in tokens; "" if nothing compacts */
  line: string
  linePercent: string
  linePercentLeft: string
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

/** Brief is a sub-agent in short, inside a Reading. */
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

/** ListedSession is a session in short, in the list of ctx/sessions, where its children have entries of their own. */
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

/**
 * Limits are the three numbers of a model's window, as the user knows them. They outrank everything. A window or an
 * input of 0 is an error, and an output of 0 is unknown. In an update, a number that is left out stays as it was,
 * and null withdraws it.
 */
export interface Limits {
  window?: number | null
  input?: number | null
  output?: number | null
}

/** Rule is a compaction rule. If several are set, the lowest threshold applies. */
export interface Rule {
  /** of the limit */
  percent?: Hundredths | null
  /** Output reserve: the maximum output, but at most this; 0 means 32,000. */
  reserve?: number | null
  /** With reserve: compaction down to this far below the window, or to 80% of a window no larger than that. */
  target?: number | null
  /** a fixed line */
  line?: number | null
}

/** OpenParams are the parameters of ctx/session/open. */
export interface OpenParams {
  id?: string
  /** the id's scope: a host with several clients gives each its own; the daemon refuses it */
  scope?: string
  /** An agent brings its compaction rule and window table; default generic. */
  agent?: string
  agentVersion?: string
  /** as models.dev spells it, the usual aliases too */
  model?: string
  /** likewise */
  provider?: string
  /** chat, responses, copilot, ...: decides how reasoning re-enters */
  route?: string
  workspace?: string
  /** the session's own checkout of workspace */
  checkout?: string
  /** default hybrid */
  mode?: Mode
  limits?: Limits | null
  /** room kept for the answer */
  reserve?: number | null
  /** default the agent's own */
  rule?: RuleChoice
  /** learned when absent */
  reasoning?: ReasoningMode
  /** the session it is a sub-agent of: of the same scope, or without one */
  parent?: string
  /** its name for users */
  label?: string
  /** what the agent itself calls the session; never a prompt */
  title?: string
  /** that the agent works on */
  branch?: string
  /** The agent's own environment variables and settings, by its own names, as far as they move its line. */
  settings?: Record<string, string>
  /** The host sends everything, fixed rows and items: rows estimated too short are stretched to the measured prompt. */
  complete?: boolean
  /** The records begin within the conversation, so what its first prompt contained is unknown. */
  tail?: boolean
  /** Show of the paths of files no more than the last element. */
  hidePaths?: boolean
  /** the process that holds the session's saved ledger, so that its past is unknown; 0 if unknown */
  heldBy?: number | null
  /** The session's saved ledger cannot be restored, so its past is unknown. */
  setAside?: boolean
  at?: Time | null
  /** The secret key of the saved digests of messages. Without one, none are saved. */
  key?: string
  /** the session has no owner: every client may join it */
  shared?: boolean
  /** go on with the saved ledger of this id, if there is one */
  resume?: boolean
}

/**
 * Item is one piece of a conversation, with its text or its tokens. Given as tokens it costs exactly that;
 * constants of the model's framing are added to a text only.
 */
export interface Item {
  /** Its row: user assistant toolCalls toolResults reasoning media summary documents memory system; or developer. */
  kind: Kind
  text?: Text
  tokens?: number | null
  /** for lists */
  label?: string
  /** of the tool, for lists */
  name?: string
  /**
   * What the item is of, for lists: with file, command, url, mcp, agent or skill the path, command, address or
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
  /** Of reasoning, as the AI SDK has it: its longest string counts as opaque. */
  providerMetadata?: Foreign
  /** how many a tool call has */
  parameters?: number | null
  /** sent, but not shown to the user */
  hidden?: boolean
  /** How many tokens are sent around the text, besides the constants of the model's framing. */
  wrapping?: number | null
}

/** Part is a piece of a fixed row, with its text or its tokens. */
export interface Part {
  text?: Text
  tokens?: number | null
  label?: string
  /** listed, but not in the window until it is asked for */
  deferred?: boolean
  /** Of memory: it comes with its turn and leaves with it, like documents. */
  ephemeral?: boolean
}

/** Replacement puts an item in the place of another. */
export interface Replacement {
  index: number
  item: Item
  reason?: string
}

/** UpdateParams are the parameters of ctx/session/update: what changed. */
export interface UpdateParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  model?: string
  provider?: string
  route?: string
  /** of the Readings from now on */
  mode?: Mode
  limits?: Limits | null
  /** The agent's own report of its window in this session, such as its status line's message. */
  agentLimits?: Limits | null
  reserve?: number | null
  rule?: RuleChoice
  system?: Content
  tools?: Content
  mcpTools?: Content
  skills?: Content
  agents?: Content
  memory?: Content
  /** of the current turn; they leave with it */
  documents?: Content
  /**
   * What the agent loads by itself, as a host finds it on disk. It names parts of what is measured, and adds
   * nothing.
   */
  loaded?: Loaded
  /** items at the end, or messages as the provider shapes them */
  append?: Appendix[]
  /** items in others' places */
  replace?: Replacement[]
  /** This item and what follows is removed, as in a rewind; 0 clears the conversation. */
  removeFrom?: number | null
  /**
   * So many of the oldest items that are still sent are sent no more, as in a sliding window; they keep their
   * places.
   */
  removeFirst?: number | null
  /**
   * start when the user sends a message, end when the agent hands back; else a user item after a response starts
   * one.
   */
  turn?: Turn
  /** part of used, replaced as a whole, and cleared by the next user item too */
  draft?: Draft
  /** as in ctx/session/open */
  complete?: boolean | null
  /** outranks what records say; "" clears it */
  title?: string | null
  branch?: string | null
  /** What the host sees the agent do, until an item, a usage or a turn follows; "" withdraws it. */
  activity?: Activity | null
  /** with the activity waiting */
  waitingFor?: WaitingFor
  /** with activity: when it began; otherwise now */
  since?: Time | null
  at?: Time | null
  /** When an agent last wrote in the session's workspace in a form that the host does not read. */
  unreadAt?: Time | null
  /** the agent that wrote at unreadAt; the session's own if absent */
  unreadBy?: string
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
 * Loaded is what an agent loads by itself as a session begins: the texts of memory files, and what it lists of
 * skills and agents. Each is an array of Parts; it replaces what was set before.
 */
export interface Loaded {
  memory?: Content
  skills?: Content
  agents?: Content
  /** the MCP servers that it is configured with */
  servers?: string[]
  /** sentences: what could not be found out, and why */
  unknown?: Sentence[]
}

/** UsageParams are the parameters of ctx/session/usage. */
export interface UsageParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** the response's id: the same id replaces */
  request?: string
  /** recognised by the shape of usage when absent */
  provider?: string
  /** usage object, response or stream event; Usage for provider ctx */
  usage: Foreign
  /** How many items that prompt held. The default is all but what the model wrote at the end. */
  through?: number | null
  /** false for a piece of a stream */
  final?: boolean | null
  /** the provider counted this prompt and did not run it */
  counted?: boolean
  /** The usage comes from a source that may have invented it: what rests on it is estimated, and nothing is learned. */
  reported?: boolean
  at?: Time | null
}

/** Usage is the neutral usage of provider ctx. */
export interface Usage {
  /** the whole prompt, cached or not */
  in?: number | null
  out?: number | null
  /** inside out */
  reasoning?: number | null
  /** inside in, as cacheWrite */
  cacheRead?: number | null
  cacheWrite?: number | null
}

/** ErrorParams are the parameters of ctx/session/error. */
export interface ErrorParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  provider?: string
  /** an object or a text */
  error: Foreign
  /** of HTTP */
  status?: number | null
  /** The error comes from a source that may have invented it: only the limit in it is used. */
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
  /** how many of the last items stay */
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
  /** recognised from the records when absent */
  agent?: string
  /** raw records, strings that hold them, or {"skipped": bytes} */
  records: Foreign[]
  /** The transcript line of the first record, if each record is on the line after the previous one. */
  line?: number | null
  /** open the session if there is none */
  open?: Opening
  /** answer with the predictions that were verified */
  steps?: boolean
  /** false: answer without the Reading */
  reading?: boolean | null
  /** answer with the files of which more is sent than is recorded */
  wanted?: boolean
  at?: Time | null
  /** as in ctx/session/open */
  shared?: boolean
}

/** RecordsAnswer is the answer of ctx/session/records when steps or wanted were asked for. */
export interface RecordsAnswer {
  reading?: Reading | null
  steps: Step[]
  wanted: WantedFile[]
}

/** WantedFile is a file that the agent uses, and of which it sends what no record shows. */
export interface WantedFile {
  /** as it is written in the record, perhaps relative to the workspace */
  path: string
  /** mentioned by the user; read, readInPart or written by the agent; forgotten, without a path, when all is gone. */
  use: string
  /** of the record */
  at: Time | null
  /** a prompt was measured since, which holds it */
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
  /** of the range that was stated: it holds nine steps of ten */
  low: number
  high: number
  actual: number
  /** a text that was new had been redacted in the transcript */
  redacted: boolean
  /** of the tool loop: tokens of new texts before any correction; 0 where more was guessed */
  texts: number
  /** and what the request held of them */
  held: number
  /** predicted - actual */
  error: number
  /** of what was measured */
  percent: Hundredths
  turn: number
  /** Landing is the predicted size after a compaction, for the first request after it. */
  landing: Range | null
  /** the forecasts that were made, once this was measured */
  forecasts: Forecast[]
  /** set for the first request after a pause */
  return?: Return | null
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
  line: number
  calls: Range
  turns: Range
}

/** ReadingParams are the parameters of ctx/session/reading. */
export interface ReadingParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** for this answer; default the session's own */
  mode?: Mode
}

/** SessionsParams are the parameters of ctx/sessions. */
export interface SessionsParams {
  /** List the sessions of this scope, and those without a scope whose ids are free in it. */
  scope?: string
  /** for this answer; default each session's own */
  mode?: Mode
}

/** SessionParams name a session. */
export interface SessionParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
}

/** NoParams are those of a method that has none. */
export type NoParams = Record<string, never>

/** SessionsAnswer is the answer of ctx/sessions. */
export interface SessionsAnswer {
  sessions: ListedSession[]
}

/** HistoryParams are the parameters of ctx/session/history. */
export interface HistoryParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** at most so many; default 200 */
  points?: number | null
}

/** HistoryAnswer is the course of a session. */
export interface HistoryAnswer {
  points: HistoryPoint[]
  compactions: HistoryCompaction[]
  /** the last 20 compactions, the oldest first */
  verdicts: Verdict[]
  line: number | null
  limit: number | null
}

/** HistoryPoint is one metered prompt. */
export interface HistoryPoint {
  at: Time | null
  call: number
  used: number
  /** of the limit as it is now */
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
  /** at most so many; default 20 */
  top?: number | null
}

/** ItemsAnswer lists the largest things: all items of one name, or one item without a name. */
export interface ItemsAnswer {
  items: LargeItem[]
  /** items of the conversation */
  total: number
}

/** FitsParams are the parameters of ctx/session/fits. */
export interface FitsParams {
  id: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  /** the texts, or their tokens; a label names each in the answer */
  parts: Content
  /** add the phrase of the text */
  phrases?: boolean | null
}

/** FitsAnswer says what the next request would be with the parts in it. */
export interface FitsAnswer {
  /** that the parts add, with the frame of their message */
  tokens: number
  /** of tokens */
  basis: Basis
  /** by the next request, with the parts */
  used: number
  limit: number | null
  /** used of the limit */
  percent: Hundredths | null
  free: number | null
  /** the compaction threshold */
  line: number | null
  /** used of the line */
  linePercent: Hundredths | null
  left: number | null
  /** now or over: the agent compacts */
  level: Level
  /** the largest first */
  parts: FitsPart[]
  /** the part that would fit, if not all does */
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

/** Fewer is what the next request would be without the parts that are left out. */
export interface Fewer {
  /** that the other parts add */
  tokens: number
  used: number
  percent: Hundredths | null
  linePercent: Hundredths | null
  level: Level
}

/** LargeItem is one of the largest things of a conversation, by its name and size, not its text. */
export interface LargeItem {
  /** of its largest item */
  index: number
  /** of its largest item */
  kind: Kind
  /** what its name is of */
  what: SubjectKind
  /** its name: Read src/api.go, Bash npm test, mcp:github get_issue */
  label: string
  /** as of a row; absent with what */
  phrase?: Phrase | null
  /** how often it was called, read or shown */
  times: number
  tokens: number
  basis: Basis
  /** of the window */
  share: Hundredths | null
  /** how long its bar is, in percent of the largest one's */
  bar: Hundredths
  /** the transcript line of its largest item, if known */
  place: number | null
}

/** SaveAnswer is the answer of ctx/session/save. */
export interface SaveAnswer {
  ledger: Ledger
}

/** Ledger is a saved session: counts and labels, and no text. */
export interface Ledger {
  /** ctx.ledger/ and a fingerprint of what is saved; no other build's is restored */
  schema: string
  session: string
  /** for hosts that keep families together */
  parent?: string
  settings: Record<string, string>
  names: string[]
  /** base64 */
  state: string
  /** if the session is read from a transcript */
  reader?: ReaderState | null
}

/**
 * ReaderState is what the reader of a transcript remembers of earlier records: counts, ids, hashes and labels, at
 * most 128 KiB. A reader that remembers more is left out.
 */
export interface ReaderState {
  agent: string
  /** a fingerprint of what the agent's readers save */
  format: string
  names: string[]
  /** base64 */
  state: string
}

/** RestoreParams are the parameters of ctx/session/restore. */
export interface RestoreParams {
  ledger: SavedLedger
  /** instead of its own */
  id?: string
  /** the id's scope; see ctx/session/open */
  scope?: string
  parent?: string
  /** the one that ctx/session/open had */
  key?: string
  /** as in ctx/session/open */
  shared?: boolean
}

/** ImportProblem is the reason why an import fails; empty if it does not. */
export type ImportProblem = 'missing' | 'outside' | 'tooLarge' | 'unreadable'

/**
 * LimitOf is whose window a prompt file is held against: that of the session it is for, else what its agent
 * believes the model's to be, else the model's own; empty if none is known.
 */
export type LimitOf = 'session' | 'agent' | 'model'

/** DrawnPart is one of the things that an editor draws. */
export type DrawnPart = 'lenses' | 'hints' | 'hovers' | 'links' | 'diagnostics' | 'breakdown'

/** TextUnits is what characters of a line are counted in, as in LSP. */
export type TextUnits = 'utf-8' | 'utf-16' | 'utf-32'

/** DocumentOpenParams are the parameters of ctx/document/open. */
export interface DocumentOpenParams {
  /** the document's URI */
  id: string
  /** documents of one set may import one another */
  set?: string
  /** the set's scope; see ctx/session/open */
  scope?: string
  /** relative to the workspace, or ~/...; default id */
  path?: string
  text: Text
  /** to count for; default the one that the kind of file suggests */
  model?: string
  provider?: string
  /** of the session that it is for; its window divides */
  limit?: number | null
  /** whose loading rules apply if a file has several readers */
  agent?: string
  show?: ShowOptions | null
}

/** DocumentChangeParams are the parameters of ctx/document/change. */
export interface DocumentChangeParams {
  id: string
  set?: string
  /** the set's scope; see ctx/session/open */
  scope?: string
  /** the host's own; changes come in order */
  version?: number | null
  /** each counts from the text that the one before left */
  changes?: DocumentChange[]
  /** what the host found for each import */
  imports?: ImportTarget[]
  /** to count for from now on; null or "" for what the kind of file suggests */
  model?: string | null
  provider?: string
  /** with model, as in open */
  limit?: number | null
  show?: ShowOptions | null
}

/** DocumentChange replaces bytes of the text; without from and to all of it. */
export interface DocumentChange {
  from?: number | null
  to?: number | null
  text: Text
}

/** ImportTarget is what the host found for an import: the document that it opened, or why there is none. */
export interface ImportTarget {
  target: string
  id?: string
  problem?: ImportProblem
}

/** ShowOptions say how much of a view is wanted. */
export interface ShowOptions {
  /** false: nothing */
  view?: boolean | null
  /** false: none */
  sections?: boolean | null
  /** sections that touch these bytes */
  from?: number | null
  to?: number | null
  /** false: none */
  findings?: boolean | null
  budget?: DocumentBudget | null
  /** other documents that are always loaded too */
  with?: string[]
  /** what drawn has; of hints and hovers those that touch from and to */
  draw?: DrawnPart[]
  /** of drawn's places; default utf-16 */
  units?: TextUnits
  /** texts of hovers and the breakdown without Markdown */
  plain?: boolean | null
  /** drawn and findings with their phrases */
  phrases?: boolean | null
}

/**
 * DocumentBudget is how many tokens a file may weigh, its imports included, before a finding says so; 0 for no
 * limit.
 */
export interface DocumentBudget {
  /** of what is in every request */
  always?: number | null
  /** of the rest */
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

/** DocumentView is a prompt file and what it weighs. Places are byte offsets. */
export interface DocumentView {
  /** "ctx.document/1" */
  schema: 'ctx.document/1'
  id: string
  path: string
  kind: string
  title: string
  /** whose way of reading counts */
  agent: string
  /** that it is counted for */
  model: string
  modelChosen: boolean
  load: DocumentLoad
  /** of the file itself */
  tokens: number
  basis: Basis
  /** of the description that is there before the rest is loaded */
  listed: number
  /** of everything imported, each file once */
  imported: number
  /** how many those are */
  files: number
  /** tokens + imported */
  total: number
  /** of the limit */
  share: Hundredths | null
  /** of the window; null if unknown */
  limit: number | null
  limitOf: LimitOf
  /** those that were asked for */
  sections: Section[]
  /** of all */
  sectionCount: number
  imports: DocumentImport[]
  findings: Finding[]
  display: DocumentDisplay
  /** where draw was given */
  drawn?: Drawn | null
}

/** DocumentLoad is when an agent loads the file. */
export interface DocumentLoad {
  /** "always", "path" or "demand" */
  when: 'always' | 'path' | 'demand'
  /** of the paths it is loaded for */
  globs: string[]
  /** a sentence */
  why: string
}

/** Section is a heading and what is below it. */
export interface Section {
  title: string
  level: number
  /** the heading's line */
  from: number
  to: number
  /** of the section with those below it */
  end: number
  /** tokens up to the next heading */
  own: number
  /** with the sections below */
  tokens: number
  display: string
  ownDisplay: string
}

/** DocumentImport is a place that names another file, and what that brings. */
export interface DocumentImport {
  target: string
  from: number
  to: number
  /** of the document it leads to */
  id: string
  /** missing, outside, tooLarge, unreadable, circular, tooDeep or repeated */
  problem: string
  tokens: number
  /** with what it imports itself */
  all: number
  display: string
}

/** Finding is something that is wrong with a prompt file. */
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

/** OtherFinding is a place in this or another document that a finding is about too. */
export interface OtherFinding {
  id: string
  from: number
  to: number
  message: string
  phrase?: Phrase | null
}

/** DocumentDisplay holds the short strings of a view. */
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
  /** the first that holds a position counts */
  hovers?: DocumentHover[]
  links?: DocumentLink[]
  diagnostics?: DocumentDiagnostic[]
  /** of the whole file, in Markdown */
  breakdown?: string
  /** the breakdown as a phrase */
  breakdownPhrase?: Phrase | null
}

/** TextPosition is a place in a text: a line and a character of it, from 0. */
export interface TextPosition {
  line: number
  /** in the units that were asked for */
  character: number
}

/** TextRange is the text between two positions. */
export interface TextRange {
  start: TextPosition
  end: TextPosition
}

/** DocumentLens is a line above the text: what the file costs, and when. */
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

/** DocumentHover is what there is to say of a piece of the text. */
export interface DocumentHover {
  range: TextRange
  /** Markdown in which names are only text; with plain no Markdown */
  text: string
  /** the text as a phrase */
  phrase?: Phrase | null
}

/** DocumentLink leads to a document that is imported. */
export interface DocumentLink {
  range: TextRange
  /** of the document */
  id: string
  tooltip: string
  /** the tooltip as a phrase */
  phrase?: Phrase | null
}

/** DocumentDiagnostic is a Finding at its place. */
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

/** DocumentReference is another place that a diagnostic is about. */
export interface DocumentReference {
  /** of the document */
  id: string
  range: TextRange
  message: string
  /** the message as a phrase */
  phrase?: Phrase | null
}

/** CountParams are the parameters of ctx/count: one text or several, for a model or by an encoding. */
export interface CountParams {
  text?: Text | null
  /** instead of text */
  texts?: Text[]
  model?: string
  provider?: string
  /** instead of model and provider */
  encoding?: string
  /** "message": as the one message of a user, with its frame */
  as?: string
  /** answer with the ends of tokens too */
  boundaries?: boolean
  /** instead of all these: let the provider count */
  exact?: ExactCount | null
}

/**
 * ExactCount is a request that the provider itself is to count, because the user asked for it. Only the daemon
 * answers it, and only this uses a network.
 */
export interface ExactCount {
  /** anthropic, openai, gemini, bedrock, vllm, llama.cpp, ... */
  api: string
  /** replaces the request's */
  model?: string
  /** the body that would be sent */
  request: Foreign
  /** of a server on this machine, without a path, that gets no key */
  baseUrl?: string
  /** the session that the answer calibrates */
  session?: string
  /** how many of its items the request holds */
  through?: number | null
}

/** CountAnswer is the answer of ctx/count. */
export interface CountAnswer {
  tokens: number
  basis: Basis
  /** "" if the model has no public one */
  encoding: string
  /** why the count is an estimate: a doubt about the vocabulary, or an unknown model */
  note?: string
  /** the same as a phrase */
  notePhrase?: Phrase | null
  /** each, when several were asked for */
  texts?: number[]
  /** ends of tokens, in bytes of text */
  boundaries?: number[]
}

/** ExactAnswer is the answer of ctx/count to an exact count. */
export interface ExactAnswer {
  api: string
  model?: string
  tokens: number
  /** estimated if the provider's count covers text only */
  basis: Basis
  /** if the provider reports it */
  window?: number
  /** before the provider's own context editing */
  original?: number
  cached?: number
  note?: string
  /** of the session that was calibrated */
  reading?: Reading | null
}

/** ModelsParams are the parameters of ctx/models. */
export interface ModelsParams {
  /** a name or a part of an id; default everything */
  query?: string
}

/** ModelsAnswer is the answer of ctx/models. */
export interface ModelsAnswer {
  models: Model[]
}

/** Model is what the registry knows of a model. */
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
  /** of tokenizers */
  family: string
  reasoning: string
  /** who says so */
  source: string
  /** and when */
  date: string
}

/** LearnedParams are the parameters of ctx/learned/set. */
export interface LearnedParams {
  /** as ctx/learned/get answered; null or {} forgets */
  learned: SavedLessons
}

/** LearnedAnswer is the answer of ctx/learned/get. */
export interface LearnedAnswer {
  learned: Learned
}

/** Learned is what earlier sessions and the open ones have taught, for the host to keep. No text is among it. */
export interface Learned {
  /** the oldest first */
  lessons: Lesson[]
  /** what sessions have shown of their limits */
  limits: LineLesson[]
}

/**
 * LineLesson is what sessions have shown of the compaction threshold, the window, the reserve and the size after a
 * compaction: those of one agent, version to its second number, model and workspace.
 */
export interface LineLesson {
  /** a fingerprint of the kind */
  key: string
  agent: string
  model: string
  /** The rule's threshold and the limit, which are the settings that the rest belongs to. */
  rule: number | null
  limit: number | null
  /** the smallest prompt that the agent compacted by itself; 0 without one */
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

/** Lesson is what the sessions of one kind have taught: an agent, its version, a model and a workspace. */
export interface Lesson {
  /** a fingerprint of the kind */
  key: string
  /** of the agent and the workspace alone; 0 if not known */
  place: string
  agent: string
  model: string
  /** a fingerprint of the last one */
  session: string
  /** what no text showed of first prompts */
  bases: number[]
  /** and of second ones */
  afterBase: number | null
  /** what the second request after a compaction brought unseen */
  second: number | null
  /** tokens of text that was estimated */
  actual: number
  /** and their estimates */
  estimated: number
  reasoning: ReasoningMode
  steps: number
  /** of the last measurement */
  at: Time | null
  /** Tokens of system, tools, mcpTools, skills, agents, memory and documents, as they were set; empty if none were. */
  rows: number[]
  /** how the last sessions grew, the oldest first */
  paces: Pace[]
  /** sizes of definitions that are loaded without a record, the oldest first */
  tools: ToolSize[]
}

/** ToolSize is the size of a tool's definition. */
export interface ToolSize {
  /** a fingerprint */
  name: string
  tokens: number
}

/**
 * Pace is how a session grew: by how many tokens in how many steps from one request to the next, and how many
 * requests it had in how many turns.
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
  /** the session, method or vocabulary it is about */
  name?: string
  /** what would have been understood */
  known?: string[]
}

/** LinesParams are the parameters of ctx/lines. */
export interface LinesParams {
  /** A Reading, or a session in short, as it came; without one the templates are only checked. */
  reading?: Foreign
  /** one or more lines, each by a name of the caller's */
  lines: Record<string, Template>
  /** fields of the caller's own, and translations */
  words?: Record<string, string>
}

/**
 * Template is what a line may look like, or a list of those, the longest first: the first whose fields all have a
 * value is used, else the last.
 */
export type Template = string | string[]

/** LinesAnswer is the answer of ctx/lines. */
export interface LinesAnswer {
  /** the finished texts, by the same names; none without a Reading */
  lines: Record<string, string>
}

/** Reason is why a session is the focused one: the item that led to it, or elsewhere if none did. */
export type Reason = 'session' | 'terminal' | 'process' | 'file' | 'workspace' | 'elsewhere'

/** WatchParams are the parameters of ctx/watch. */
export interface WatchParams {
  /** a path or a file URI; default everything */
  workspace?: string
  /** The folders that the client shows, which decide what is here and what is elsewhere; default the workspace. */
  folders?: string[]
  /** of LSP: for progress while sessions are read */
  workDoneToken?: Foreign
  /** Of every Reading that this client gets until the next ctx/watch; default each session's own. */
  mode?: Mode
  /** As in ctx/lines: until the next ctx/watch every Reading that this client gets has these lines, finished. */
  lines?: Record<string, Template>
  /** as in ctx/lines */
  words?: Record<string, string>
  /** Readings, and the sessions of ctx/earlier, have the first words of their first prompt if they have no title. */
  openings?: boolean
}

/** WatchAnswer is the answer of ctx/watch. */
export interface WatchAnswer {
  /** those read within 1.5 s; the others arrive as ctx/reading */
  sessions: Reading[]
  /** Each folder's whole repository, else the folder. A session started in one, below it or above it, is here. */
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
  /** at most so many, the newest; default 50, at most 500 */
  limit?: number
}

/** EarlierAnswer is the answer of ctx/earlier. */
export interface EarlierAnswer {
  /** the newest first */
  sessions: Earlier[]
  /** there are older ones */
  more: boolean
}

/** Earlier is a session that is not read until ctx/focus names it. */
export interface Earlier {
  session: string
  agent: string
  /** "" without one */
  title: string
  /** The first words of the first prompt, for the screen: of a session without a title, if ctx/watch asks. */
  opening?: string
  /** where it was started */
  workspace: string
  /** the program that runs it for its agent; absent otherwise */
  host?: string
  /** milliseconds since 1970 */
  started: number | null
  /** milliseconds since 1970 */
  modified: number
  /** How full its window is, by the end of its transcript; null if it is older than a day, or too large. */
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
  /** only the end was counted, and nothing there was measured: there is at least so much */
  part: boolean
}

/** HandoverParams are the parameters of ctx/handover. */
export interface HandoverParams {
  /** of a session of this machine */
  id: string
  /** how long the note may be; default 2,000, at least 150 */
  tokens?: number
  /** Leave what looks like a secret in the texts. */
  unredacted?: boolean
}

/** HandoverAnswer is the answer of ctx/handover: the note, and what it was written from. */
export interface HandoverAnswer {
  session: string
  /** in Markdown */
  text: string
  /** how long the text is */
  tokens: number
  /** of the tokens */
  basis: Basis
  /** how long it might be */
  asked: number
  firstAsked: string
  /** "" if that is the first */
  lastAsked: string
  lastAnswer: string
  todos: HandoverTodo[]
  /** those that were changed first, each sort the latest first */
  files: HandoverFile[]
  /** the last one first */
  failing: HandoverFailure[]
  compactions: number
  /** records that could not be read */
  skipped: number
  /** values in the texts that look like secrets */
  struck: number
}

/** TodoState is how far an entry of an agent's list is. */
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

/** ForgotParams are the parameters of ctx/forgot. */
export interface ForgotParams {
  /** of a session of this machine */
  id: string
  /** which one, 1 for the first; default the last */
  compaction?: number
  /** leave what looks like a secret in the texts */
  unredacted?: boolean
}

/** ForgotAnswer is the answer of ctx/forgot: what was in the window before a compaction, and what became of it. */
export interface ForgotAnswer {
  session: string
  compaction: number
  /** of the session so far */
  compactions: number
  /** milliseconds since 1970 */
  at: number | null
  /** the agent compacted by itself */
  auto: boolean
  /** "" if it is not recorded */
  summary: string
  /** false if the summary is not recorded */
  summaryTells: boolean
  /** in their order */
  items: ForgotItem[]
  kept: ForgotSum
  inSummary: ForgotSum
  gone: ForgotSum
  /** if the summary is not recorded */
  unknown: ForgotSum
  /** tokens of all items */
  total: number
  /** the agent's own size; null if it records none */
  after: ForgotAfter | null
  /** items of reasoning, which are not listed */
  reasoning: number
  /** of the tokens */
  basis: Basis
  /** values in the texts that look like secrets */
  struck: number
  /** a line for users */
  text: string
}

/**
 * ForgotState is what became of a thing in a compaction: it is sent on, the summary speaks of it, or it is gone. It
 * is unknown where the summary is not recorded.
 */
export type ForgotState = 'kept' | 'inSummary' | 'gone' | 'unknown'

/** ForgotItem is a message, a call with its result, or a file with all that was read from it and written to it. */
export interface ForgotItem {
  kind: string
  label: string
  /** the beginning of a message */
  excerpt: string
  /** null if not counted */
  tokens: number | null
  state: ForgotState
  /** tokens of it that are sent again; the rest is dropped if the state is kept */
  kept: number
  /** it has, and few others have */
  names: number
  /** of them, in the summary */
  found: number
  /** up to five of the others */
  missing: string[]
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
 * ForgotSum is how much is in a state. Tokens of gone include the parts of kept items that are not sent again, such
 * as older versions of a file.
 */
export interface ForgotSum {
  items: number
  tokens: number
}

/** FirstParams are the parameters of ctx/first. */
export interface FirstParams {
  /** a path or a file URI */
  workspace: string
  /** only its sessions; default all agents' */
  agent?: string
}

/** FirstAnswer is the answer of ctx/first: what the sessions of a workspace began with, by agent. */
export interface FirstAnswer {
  workspace: string
  agents: FirstOf[]
}

/** FirstOf is what the sessions of one agent began with. */
export interface FirstOf {
  agent: string
  /** as users know it */
  name: string
  /** how it changed, and by what */
  sentence: string
  /** the same in numbers; null if there is nothing to compare */
  change: FirstChange | null
  /** the oldest first */
  sessions: FirstRequest[]
}

/** FirstChange is how the setup changed: the middle one of the newest sessions against that of the oldest. */
export interface FirstChange {
  from: number
  to: number
  /** when the oldest session began, in milliseconds since 1970 */
  since: number
  /** they differ by less than 5% or 500 tokens */
  steady: boolean
  /** of the row that changed most in that direction; "" without one */
  kind: string
  /** by how much it changed; below zero if it shrank */
  tokens: number
  /** the MCP servers by which it changed, of mcpTools */
  servers: string[]
  /** it may count otherwise */
  otherModel: boolean
}

/** FirstRequest is what surrounded the conversation in the first request of a session: its setup. */
export interface FirstRequest {
  session: string
  agentVersion: string
  model: string
  /** when it began, in milliseconds since 1970 */
  at: number
  /** the whole first request */
  in: number
  /** without its conversation */
  setup: number
  /** sum to setup */
  rows: FirstRow[]
  mcpServers: FirstServer[]
  /** The session continues another conversation, so its first request does not show the setup. */
  continues?: boolean
}

/** FirstRow is one part of a setup. */
export interface FirstRow {
  kind: string
  tokens: number
}

/** FirstServer is what the tools of an MCP server took of a setup. */
export interface FirstServer {
  name: string
  tokens: number
}

/**
 * FocusParams are the parameters of ctx/focus: what the person looks at. The first of them that leads to a session
 * counts.
 */
export interface FocusParams {
  session?: string
  /** the process of a terminal, below which an agent runs */
  terminalPid?: number
  /** a path or a file URI */
  file?: string
  /** a path or a file URI */
  workspace?: string
}

/** TerminalsParams are the parameters of ctx/terminals. */
export interface TerminalsParams {
  /** the processes of terminals, at most 256 */
  pids: number[]
}

/** TerminalsAnswer is the answer of ctx/terminals. */
export interface TerminalsAnswer {
  /** in the order asked */
  terminals: Terminal[]
}

/**
 * Proof is why a process is known to run a session, the strongest first: the agent's own file on its process, the
 * open transcript, the id on the command line, or start times that leave one possibility, which is an inference. It
 * is empty without proof.
 */
export type Proof = 'sessionFile' | 'openFile' | 'command' | 'start'

/** Terminal describes the agent in a terminal. */
export interface Terminal {
  pid: number
  /** "" if none runs */
  agent: string
  /** the agent's; 0 if none runs */
  process: number
  /** null if uncertain */
  session: string | null
  proof: Proof
  /** the agent's own word: busy, idle, waiting, or "" */
  status: string
  /** if uncertain: the sessions to ask the user about */
  candidates: string[]
  /** a sentence */
  because: string
}

/**
 * LevelParams report that a session crossed a level, compacted, or is no longer at work. Nothing goes up in a
 * session that is not live.
 */
export interface LevelParams {
  session: string
  level: Level
  before: Level
  crossed: Crossing
  /** up, and never so far up before in this session */
  first?: boolean
  compacted?: boolean
  reading: Reading
}

/** FocusedParams report that another session is to be shown. */
export interface FocusedParams {
  shown?: Reason
  /** a sentence */
  because?: string
  /** that the focused agent may run, if uncertain */
  candidates?: string[]
  /** null when there is none */
  reading: Reading | null
}

/**
 * OfferParams offer a vocabulary that would make the counts of a watched session exact. Each is offered once, to
 * one client, and never again after an answer.
 */
export interface OfferParams {
  /** for ctx/vocabulary */
  name: string
  /** for users: its purpose, size and source */
  sentence: string
  /** the sentence as a phrase */
  phrase?: Phrase | null
  /** of the server */
  address: string
  licence: string
  /** to download */
  bytes: number
  /** of the session */
  model: string
}

/** VocabularyParams are the parameters of ctx/vocabulary. */
export interface VocabularyParams {
  /** as ctx/offer named it, or ctx-lsp vocab fetch does */
  name: string
  /** true downloads it; false says that it is not wanted */
  fetch?: boolean
}

/** ClosedParams report that a watched session was closed. */
export interface ClosedParams {
  session: string
}

/**
 * Settings are what a user can say. initializationOptions, the answer to workspace/configuration (section ctx) and
 * the settings of workspace/didChangeConfiguration have this one shape; names that are not here are a face's own.
 */
export interface Settings {
  /** for counting prompt files while no session sets it */
  model: string
  /** whose loading rules apply if a file has several readers */
  agent: string
  /** whether the sessions of the workspace are watched for a client that does not ask for it */
  watch: boolean
  notify: NotifySettings
  promptFiles: PromptFileSettings
  /** folders in which the editor's extensions keep their tasks: the parent of globalStorageUri */
  globalStorage?: string[]
}

/** NotifySettings are about messages. */
export interface NotifySettings {
  /** window/showMessage from this level on: none, soon, now, over */
  level: string
}

/** PromptFileSettings are what a user can say about prompt files. */
export interface PromptFileSettings {
  /** what the file weighs, above its first line */
  codeLens: boolean
  /** the tokens of each section, after its heading */
  inlayHints: boolean
  /** the breakdown */
  hover: boolean
  /** what is too heavy, missing, circular or there twice */
  diagnostics: boolean
  budget: FileBudget
  /** add the phrases of texts, for a client that translates */
  phrases: boolean
}

/**
 * FileBudget is how many tokens a file may weigh, its imports included, before a diagnostic says so; 0 for no
 * limit.
 */
export interface FileBudget {
  /** what is in every request */
  always: number
  /** what is loaded by path or on demand */
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
  /** a Reading as it came */
  reading: Foreign
  /** of the answer for the Reading before; absent for a session's first */
  state?: string
}

/** CrossingAnswer says whether a level was crossed. Only state is there where none was. */
export interface CrossingAnswer {
  /** to be given with the session's next Reading */
  state: string
  level?: Level
  before?: Level
  crossed?: Crossing
  /** up, and never so far up before in this session */
  first?: boolean
  compacted?: boolean
}

/**
 * Hundredths is a number with two decimals, most often a percentage: 2605 is 26.05. It reads and writes JSON
 * exactly, so that no face rounds it again.
 */
export type Hundredths = number

/** Methods are those of the core, and what each takes and answers. */
export interface Methods {
  /** Opens a session. */
  'ctx/session/open': { params: OpenParams; result: Reading }
  /** Changes a session: its model, its fixed rows, its items. */
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
  /** A watched session of this machine was closed. */
  'ctx/closed': { params: ClosedParams }
  /** A vocabulary would make the counts of a session exact. */
  'ctx/offer': { params: OfferParams }
}
