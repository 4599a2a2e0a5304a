// Copyright The ctx-lsp authors. MIT licence.

// Generated from the Go types of core/api and lsp by `make types`. Do not edit.

/**
 * Basis is how a number is known: "measured", "counted", "derived",
 * "estimated", "unknown", "measured+counted" or "measured+estimated".
 */
export type Basis = 'measured' | 'counted' | 'derived' | 'estimated' | 'unknown' | 'measured+counted' | 'measured+estimated'

/** Level is how near compaction is: "ok", "soon", "now" or "over". */
export type Level = 'ok' | 'soon' | 'now' | 'over'

/**
 * Activity is what the agent does: "working", "waiting" (for the person),
 * "idle" (no process and no record for a while) or "ended".
 */
export type Activity = string

/** Kind is a row of the breakdown. */
export type Kind = string

/** Reading is everything a face shows of a session. */
export interface Reading {
  /** "ctx.reading/1" */
  schema: 'ctx.reading/1'
  session: string
  label: string
  agent: string
  agentVersion: string
  model: string
  workspace: string
  /** the agent's own name for the session; "" without one */
  title: string
  /** that the agent works on, where its records tell */
  branch: string
  parent: string | null
  /** "hybrid" or "provider" */
  mode: 'hybrid' | 'provider'
  basis: Basis
  /** a request is outstanding */
  pending: boolean
  activity: Activity
  /** while waiting: "approval" or "prompt"; otherwise "" */
  waitingFor: string
  /** when the activity began, milliseconds since 1970 */
  since: number | null
  /** what the next request would occupy */
  used: number
  /** bounds of used, from this session's own errors */
  low: number
  high: number
  /** the largest prompt */
  limit: number | null
  /** limit - used - reserve */
  free: number | null
  reserve: number
  /** of the limit, two decimals */
  percent: number | null
  /** user, error, agent, provider, agentTable, registry, unknown */
  limitSource: string
  /** null before the first */
  lastRequest: LastRequest | null
  leaving: Leaving
  new: NewItems
  /** sums to used, deferred rows apart */
  breakdown: Row[]
  compaction: Compaction
  advice: Advice[]
  accuracy: Accuracy
  spent: Spent
  compactions: number
  /** sub-agents */
  children: Brief[]
  warnings: string[]
  /** milliseconds since 1970 */
  asOf: number | null
  /** the number the agent itself prints */
  agentPercent: AgentOwn | null
  display: Display
}

/** LastRequest is the last metered prompt and what its answer carries on. */
export interface LastRequest {
  in: number
  percent: number | null
  cacheRead: number | null
  cacheWrite: number | null
  out: number | null
  reasoning: number | null
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
  tokens: number
  basis: Basis
  /** listed, but not in the window yet */
  deferred?: boolean
}

/** Compaction is when and where the agent compacts. */
export interface Compaction {
  rule: string
  since: string
  source: string
  /** null without a rule or a window */
  line: number | null
  /** line - used */
  left: number | null
  percent: number | null
  level: Level
  /** whether to compact now */
  advised: boolean
  /** limit - line */
  buffer: number | null
  /** used after compaction */
  landing: Landing | null
  callsLeft: Range | null
  turnsLeft: Range | null
}

/** Landing is where compaction is expected to land. */
export interface Landing {
  low: number
  high: number
}

/** Range is a forecast with its 80 % interval. */
export interface Range {
  low: number
  likely: number
  high: number
}

/** Advice is something that could go. */
export interface Advice {
  action: string
  label: string
  tokens: number
  items: number
  how: string
  breaksCache: boolean
}

/** Accuracy is the session's own record of its predictions. */
export interface Accuracy {
  last: Miss | null
  /** of estimated text to what it turned out to be */
  ratio: number
  medianTokens: number | null
  p95Tokens: number | null
  p95Percent: number | null
  steps: number
}

/** Miss is one prediction held against its measurement. */
export interface Miss {
  predicted: number
  actual: number
  /** predicted - actual */
  error: number
  percent: number
  /** of a miss over one percent */
  cause: string
}

/** Spent is what all requests took together; cached tokens are inside in. */
export interface Spent {
  calls: number
  in: number
  out: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
}

/** AgentOwn is the number the agent itself prints, by its own formula. */
export interface AgentOwn {
  value: number
  label: string
}

/** Display holds the short strings of a Reading; no face rounds for itself. */
export interface Display {
  /** "~" estimated, "?" unknown, "" otherwise */
  mark: string
  percent: string
  used: string
  limit: string
  free: string
  left: string
  percentLeft: string
  line: string
  linePercent: string
  linePercentLeft: string
  bar: string
}

/**
 * Brief is a session in short. Its children are Briefs inside a Reading, and
 * names in the list of ctx/sessions, where every session has its own entry.
 */
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
  percent: number | null
  level: Level
  basis: Basis
  pending: boolean
  activity: Activity
  waitingFor: string
  since: number | null
  asOf: number | null
  children: unknown[]
  display: Display
}

/** Limits are the three numbers of a model's window. */
export interface Limits {
  window?: number | null
  input?: number | null
  output?: number | null
}

/**
 * Rule is a compaction rule: a percentage of the limit, room for the answer
 * with a target below the window, a fixed line, or several, of which the
 * lowest holds. In its place "none" or an agent's name is understood too.
 */
export interface Rule {
  percent?: number | null
  reserve?: number | null
  target?: number | null
  line?: number | null
}

/** OpenParams are the parameters of ctx/session/open. */
export interface OpenParams {
  id?: string
  /** default "generic" */
  agent?: string
  agentVersion?: string
  model?: string
  provider?: string
  route?: string
  workspace?: string
  /** "hybrid" or "provider" */
  mode?: 'hybrid' | 'provider'
  limits?: Limits | null
  reserve?: number | null
  /** Rule, "none" or an agent's name */
  rule?: unknown
  /** never, turn, always; learned when absent */
  reasoning?: string
  parent?: string
  label?: string
  /** what the agent itself calls the session; never a prompt */
  title?: string
  branch?: string
  /** of the agent, by its own names */
  settings?: Record<string, string>
  at?: number | null
}

/** Item is one piece of a conversation, with its text or its tokens. */
export interface Item {
  /** user assistant toolCalls toolResults reasoning media summary documents */
  kind: Kind
  text?: string
  tokens?: number | null
  label?: string
  /** of the tool */
  name?: string
  mediaType?: string
  width?: number | null
  height?: number | null
  pages?: number | null
  seconds?: number | null
  /** of a tool result */
  error?: boolean
  /** false: not produced by the last request */
  reply?: boolean | null
  /** length of a signed or encrypted block */
  opaque?: number | null
  /** of a tool call */
  parameters?: number | null
  /** sent, but not part of what the person sees */
  hidden?: boolean
}

/**
 * Part is a piece of a fixed row. In its place a text or a number of tokens
 * is understood too, and an array of any of them.
 */
export interface Part {
  text?: string
  tokens?: number | null
  label?: string
  deferred?: boolean
}

/** Replacement puts an item in the place of another. */
export interface Replacement {
  index: number
  item: Item
  reason?: string
}

/**
 * UpdateParams are the parameters of ctx/session/update. A fixed row that is
 * named is replaced as a whole; null clears it.
 */
export interface UpdateParams {
  id: string
  model?: string
  provider?: string
  route?: string
  limits?: Limits | null
  reserve?: number | null
  rule?: unknown
  system?: unknown
  tools?: unknown
  mcpTools?: unknown
  skills?: unknown
  agents?: unknown
  memory?: unknown
  /** of this turn only */
  documents?: unknown
  append?: Item[]
  replace?: Replacement[]
  removeFrom?: number | null
  /** "start" or "end" */
  turn?: 'start' | 'end'
  /** what is being typed; null or "" clears it */
  draft?: unknown
  title?: string | null
  branch?: string | null
  /** "" takes the host's word back; it counts until the conversation goes on */
  activity?: Activity | null
  /** with activity "waiting": "approval" or "prompt" */
  waitingFor?: string
  /** with activity: when it began; otherwise now */
  since?: number | null
  at?: number | null
}

/** UsageParams are the parameters of ctx/session/usage. */
export interface UsageParams {
  id: string
  /** the response's id: the same id replaces */
  request?: string
  provider?: string
  /** as it came; Usage for provider "ctx" */
  usage: unknown
  /** how many items that prompt held */
  through?: number | null
  /** false for a piece of a stream */
  final?: boolean | null
  /** the provider counted this prompt and did not run it */
  counted?: boolean
  at?: number | null
}

/** Usage is the neutral usage of provider "ctx". */
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
  provider?: string
  /** as it came */
  error: unknown
  status?: number | null
  at?: number | null
}

/** CompactedParams are the parameters of ctx/session/compacted. */
export interface CompactedParams {
  id: string
  /** "auto" or "manual" */
  trigger?: 'auto' | 'manual'
  /** a Part, a text or a number of tokens */
  summary?: unknown
  /** how many of the last items stay */
  kept?: number | null
  /** what is left, where the caller knows */
  tokens?: number | null
  before?: number | null
  at?: number | null
}

/** RecordsParams are the parameters of ctx/session/records. */
export interface RecordsParams {
  id: string
  /** recognised from the records when absent */
  agent?: string
  /** raw records, strings that hold them, or {"skipped": bytes} */
  records: unknown[]
  /** true or OpenParams: open the session if it is not */
  open?: unknown
  /** answer with the predictions that were settled */
  steps?: boolean
  reading?: boolean | null
  at?: number | null
}

/** RecordsAnswer is the answer of ctx/session/records when steps were asked for. */
export interface RecordsAnswer {
  reading?: Reading | null
  steps: Step[]
}

/** Step is one prediction and what came of it. */
export interface Step {
  session: string
  model: string
  call: number
  /** tool, user, resume, compaction, model */
  kind: string
  predicted: number
  actual: number
}

/**
 * SessionParams name a session: the parameters of ctx/session/reading, close
 * and save.
 */
export interface SessionParams {
  id: string
}

/** SessionsAnswer is the answer of ctx/sessions. */
export interface SessionsAnswer {
  sessions: Brief[]
}

/** HistoryParams are the parameters of ctx/session/history. */
export interface HistoryParams {
  id: string
  /** at most so many; default 200 */
  points?: number | null
}

/** HistoryAnswer is the course of a session. */
export interface HistoryAnswer {
  points: HistoryPoint[]
  compactions: HistoryCompaction[]
  line: number | null
  limit: number | null
}

/** HistoryPoint is one metered prompt. */
export interface HistoryPoint {
  at: number | null
  call: number
  used: number
  /** of the limit as it is now */
  percent: number | null
}

/** HistoryCompaction is one compaction. */
export interface HistoryCompaction {
  at: number | null
  call: number
  before: number | null
  after: number | null
  /** "auto" or "manual" */
  trigger: 'auto' | 'manual'
}

/** ItemsParams are the parameters of ctx/session/items. */
export interface ItemsParams {
  id: string
  /** default 20 */
  top?: number | null
}

/** ItemsAnswer lists the largest items. */
export interface ItemsAnswer {
  items: LargeItem[]
  /** items of the conversation */
  total: number
}

/** LargeItem is one of the largest items: its label and size, not its text. */
export interface LargeItem {
  index: number
  kind: Kind
  label: string
  tokens: number
  basis: Basis
  /** of used, in percent */
  share: number
}

/** SaveAnswer is the answer of ctx/session/save. */
export interface SaveAnswer {
  ledger: Ledger
}

/** Ledger is a saved session: counts and labels, in an order of their own. */
export interface Ledger {
  /** "ctx.ledger/2" */
  schema: 'ctx.ledger/2'
  session: string
  settings: Record<string, string>
  names: string[]
  numbers: number[]
  /** where the session is read from a transcript */
  reader?: ReaderState | null
}

/**
 * ReaderState is what the reader of a transcript remembers of earlier
 * records: counts, ids, hashes and labels. One that remembers too much to be
 * saved after every change is left out.
 */
export interface ReaderState {
  agent: string
  names: string[]
  /** base64 */
  state: string
}

/** RestoreParams are the parameters of ctx/session/restore. */
export interface RestoreParams {
  ledger: Ledger
  /** instead of its own */
  id?: string
  parent?: string
}

/**
 * CountParams are the parameters of ctx/count: one text or several, for a
 * model or by an encoding.
 */
export interface CountParams {
  text?: string | null
  texts?: string[]
  model?: string
  provider?: string
  encoding?: string
  boundaries?: boolean
  /** Exact asks a provider, through the daemon; core has no network. */
  exact?: ExactCount | null
}

/**
 * ExactCount is a request that the provider itself is to count, because the
 * user asked for it.
 */
export interface ExactCount {
  /** anthropic, openai, gemini, bedrock, vllm, llama.cpp, … */
  api: string
  /** replaces the request's */
  model?: string
  /** the body that would be sent */
  request: unknown
  /** of a server on this machine that takes no provider's key */
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
  /** "" where the model has no public one */
  encoding: string
  /** each, when several were asked for */
  texts?: number[]
  /** ends of tokens, in bytes */
  boundaries?: number[]
}

/** ExactAnswer is the answer of ctx/count to an exact count. */
export interface ExactAnswer {
  api: string
  model?: string
  tokens: number
  /** "estimated" where the provider counts text only */
  basis: Basis
  /** where the provider says it */
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
  encoding: string
  family: string
  reasoning: string
  source: string
  date: string
}

/** Refused is the shape of an error. */
export interface Refused {
  code: number
  /** a sentence */
  message: string
  data: RefusedData
}

/** RefusedData tells programs what the sentence tells people. */
export interface RefusedData {
  kind: string
  field?: string
  name?: string
  known?: string[]
}

/**
 * Settings are what a user can say. initializationOptions, the answer to workspace/configuration (section "ctx") and
 * the settings of workspace/didChangeConfiguration have this one shape; names that are not here are a face's own.
 */
export interface Settings {
  /** counted for in prompt files while no session tells */
  model: string
  /** whose rules of loading count, where a file has several readers */
  agent: string
  notify: {
  /** window/showMessage from this level on: none, soon, now, over */
  level: string
}
  promptFiles: Settings
}

/** The methods of the core, and what each takes and answers. */
export interface Methods {
  'ctx/session/open': { params: OpenParams; result: Reading }
  'ctx/session/update': { params: UpdateParams; result: Reading }
  'ctx/session/usage': { params: UsageParams; result: Reading }
  'ctx/session/error': { params: ErrorParams; result: Reading }
  'ctx/session/compacted': { params: CompactedParams; result: Reading }
  'ctx/session/records': { params: RecordsParams; result: Reading | RecordsAnswer }
  'ctx/session/reading': { params: SessionParams; result: Reading }
  'ctx/session/close': { params: SessionParams; result: Record<string, never> }
  'ctx/sessions': { params: Record<string, never>; result: SessionsAnswer }
  'ctx/session/history': { params: HistoryParams; result: HistoryAnswer }
  'ctx/session/items': { params: ItemsParams; result: ItemsAnswer }
  'ctx/session/save': { params: SessionParams; result: SaveAnswer }
  'ctx/session/restore': { params: RestoreParams; result: Reading }
  'ctx/document/open': { params: unknown; result: unknown }
  'ctx/document/change': { params: unknown; result: unknown }
  'ctx/document/view': { params: unknown; result: unknown }
  'ctx/document/close': { params: unknown; result: Record<string, never> }
  'ctx/count': { params: CountParams; result: CountAnswer }
  'ctx/models': { params: ModelsParams; result: ModelsAnswer }
  'ctx/learned/get': { params: Record<string, never>; result: unknown }
  'ctx/learned/set': { params: unknown; result: Record<string, never> }
}
